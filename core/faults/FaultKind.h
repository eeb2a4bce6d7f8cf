//===- core/faults/FaultKind.h - what can be wrong with memory --- --------===//
//
// The one list of faults: of paths that are tried without a run, and of a run.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_FAULTS_FAULTKIND_H
#define MEMREFLENS_FAULTS_FAULTKIND_H

#include <cstdint>
#include <string_view>

namespace memreflens {

enum class FaultKind : uint8_t {
  leak,
  doubleFree,
  useAfterFree,
  freeOfUnowned,     ///< an argument, a global, stack or foreign memory
  returnedFreed,     ///< the caller gets memory that is gone
  returnedUnowned,   ///< the caller takes for its own what is not
  returnedTwice,     ///< two results are one allocation
  escapedFreed,      ///< memory that is freed stays reachable for others
  indicatorWrong,    ///< an ownership i1 result says what is not so
  allocatorMismatch, ///< made by one allocator, freed by another
  lostWrite, ///< a clone and what it was made of are told apart by a write
  constantWritten, ///< a memref.global that is constant

  // Only a run reports the following. It reports none of `freeOfUnowned`, which
  // the last two tell apart, and `returnedUnowned` for a buffer that is
  // returned twice.
  outOfBounds,    ///< read or written in front of or behind a buffer
  freeOfBorrowed, ///< the caller's, or what an external function keeps
  freeOfUnknown   ///< deallocated, but never allocated
};

/// "use after free".
std::string_view nameOf(FaultKind kind);

} // namespace memreflens

#endif // MEMREFLENS_FAULTS_FAULTKIND_H
