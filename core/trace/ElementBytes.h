//===- core/trace/ElementBytes.h - room of one element of a memref --------===//
//
// As `finalize-memref-to-llvm` allocates it, with the alignments of LLVM's
// default data layout: what is stored, rounded up to its alignment. Held to
// what is allocated by tests/execute/run_elements.py.
//
//   vectorBytes(3, 80)   // 32, of vector<3xf80>
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_ELEMENTBYTES_H
#define MEMREFLENS_TRACE_ELEMENTBYTES_H

#include <bit>
#include <cstdint>

namespace memreflens::trace {

constexpr uint64_t roundedUp(uint64_t bytes, uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Of an integer of any width; past 64 bits LLVM aligns by 4 bytes.
constexpr uint64_t integerBytes(uint64_t bits) {
  const uint64_t stored = (bits + 7) / 8;
  return bits <= 64 ? std::bit_ceil(stored) : roundedUp(stored, 4);
}

/// Of a float, `f80` with its padding.
constexpr uint64_t floatBytes(uint64_t bits) {
  return std::bit_ceil((bits + 7) / 8);
}

/// Of a vector of one dimension, whose elements lie bit by bit.
constexpr uint64_t vectorBytes(uint64_t elements, uint64_t bits) {
  return std::bit_ceil((elements * bits + 7) / 8);
}

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_ELEMENTBYTES_H
