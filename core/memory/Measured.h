//===- core/memory/Measured.h - live bytes of one run ---------------------===//
//
// Beside what is predicted for every path: what one run of the function had.
// Over time, not over the text, since a loop runs many times.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_MEMORY_MEASURED_H
#define MEMREFLENS_MEMORY_MEASURED_H

#include "core/query/RunCounts.h"
#include "core/trace/Id.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace memreflens::memory {

struct MeasuredUse {
  /// "@f(%n = 40)".
  std::string call;
  /// Empty where it returned: "it crashed".
  std::string until;
  uint64_t peakBytes = 0;
  /// The program has several memory spaces, and which of them each byte was in
  /// is not known: there are no points.
  bool isOfAllSpaces = false;
  /// "%a (7:3)", the allocation that made the peak; empty where it made none.
  std::string peakAt;
  /// A step is an allocation or a deallocation.
  uint64_t steps = 0;
  struct Point {
    uint64_t step = 0, bytes = 0;
    /// "%a (7:3)"; the op of the trace, or none.
    std::string at;
    trace::Id op = trace::none;
  };
  /// Of so many steps each is the one with the most bytes.
  uint64_t stepsAPoint = 1;
  std::vector<Point> points;
  /// By value.
  std::map<trace::Id, RanBuffer> buffers;
  /// Of loops whose rounds are no constant: "7 iterations of scf.while (5:3)".
  std::vector<std::string> rounds;
  /// Buffers of the program that were allocated, in all memory spaces.
  uint64_t allocations = 0, allocatedBytes = 0;
};

/// "224 B at %mixed (23:7), in one run: @attention(...)".
std::string measuredWords(const MeasuredUse &run);
/// The same in front of a picture of the run: "one run: peak 224 B at %mixed
/// (23:7); @attention(...)".
std::string headlineOf(const MeasuredUse &run);
/// Steps of a function's text that allocate, with the most bytes that were live
/// behind them.
std::vector<std::pair<uint32_t, uint64_t>>
mostByStep(const MeasuredUse &run, const std::vector<trace::Id> &steps);

} // namespace memreflens::memory

#endif // MEMREFLENS_MEMORY_MEASURED_H
