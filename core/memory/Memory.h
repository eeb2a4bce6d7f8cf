//===- core/memory/Memory.h - what is alive at the peak, and why ----------===//
//
// Of one function: the most heap memory that is live at once, which buffers are
// alive there and since when they are idle, how much less it would be if each
// were deallocated right after its last use, and how small one arena for all of
// them can be.
//
//   MemoryUse use = memoryOf(lookup, function);
//   textOf(use)   // about twenty lines
//
// In the order of the text: both arms of a branch count, and what is used in a
// loop is in use to its end. A buffer whose last use is not known is in use to
// its own end.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_MEMORY_MEMORY_H
#define MEMREFLENS_MEMORY_MEMORY_H

#include "core/graph/Lifetimes.h"
#include "core/memory/Arena.h"

#include <string>
#include <vector>

namespace memreflens::memory {

using trace::Id;
using trace::none;

/// One that an op of the function allocates on the heap, of a known size.
struct Buffer {
  std::string name;
  uint64_t bytes = 0;
  trace::Range range;
  /// Steps: allocated, last used (with the loops around), deallocated.
  uint32_t begin = 0, lastUse = 0, end = 0;
  /// "linalg.generic (98:5)", the last use, or the op behind which it cannot be
  /// followed; "deallocated (120:3)".
  std::string usedBy, ended;
  bool isLastUseKnown = true;
};

struct MemoryUse {
  Id function = none;
  std::string name;
  /// Of any path, as every command tells it; `gaps` say why there may be more.
  uint64_t peakBytes = 0;
  uint32_t peakStep = 0;
  std::vector<std::string> gaps;
  /// Whether the trace was measured for peaks.
  bool isMeasured = false;
  std::vector<Buffer> buffers;
  /// Those alive at the peak, the largest first, as indices.
  std::vector<size_t> alive;
  uint64_t aliveBytes = 0, idleBytes = 0;
  /// If each were deallocated right after its last use.
  uint64_t earlyPeakBytes = 0;
  uint32_t earlyPeakStep = 0;
  /// For these shorter lives; empty where there are too many buffers.
  std::vector<ArenaPlan> plans;
  uint64_t leastArenaBytes = 0;
  /// Allocations whose size only run time knows.
  std::vector<std::string> unknown;
  /// By step, "12:5" or nothing.
  std::vector<std::string> places;
  /// By step: bytes live in the order of the text, as it is and with the
  /// shorter lives.
  std::vector<uint64_t> live, earlyLive;
  /// More than one block: the order of the text is not that of execution.
  bool hasBranches = false;
};

MemoryUse memoryOf(const Lookup &lookup, Id function);

/// Verdict first; `rows` buffers at most.
std::string textOf(const MemoryUse &use, size_t rows);
/// All of it, for programs; sizes in bytes, places as lines and columns.
std::string asJson(const std::vector<MemoryUse> &functions);

} // namespace memreflens::memory

#endif // MEMREFLENS_MEMORY_MEMORY_H
