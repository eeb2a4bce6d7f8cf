//===- core/memory/Measured.cpp -------------------------------------------===//

#include "core/memory/Measured.h"

#include <algorithm>

namespace memreflens::memory {

std::vector<std::pair<uint32_t, uint64_t>>
mostByStep(const MeasuredUse &run, const std::vector<trace::Id> &steps) {
  // A point that stands for several hides what their ops had.
  if (run.stepsAPoint > 1)
    return {};
  std::map<trace::Id, uint64_t> most;
  for (const MeasuredUse::Point &point : run.points)
    if (point.op != trace::none)
      most[point.op] = std::max(most[point.op], point.bytes);
  std::vector<std::pair<uint32_t, uint64_t>> found;
  for (uint32_t step = 0; step < steps.size(); ++step)
    if (auto at = most.find(steps[step]); at != most.end())
      found.push_back({step, at->second});
  return found;
}

} // namespace memreflens::memory
