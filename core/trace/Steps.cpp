//===- core/trace/Steps.cpp -----------------------------------------------===//

#include "core/trace/Steps.h"

#include <algorithm>

namespace memreflens::trace {

static const Op *opAt(const Trace &trace, Id id) {
  return id >= 0 && size_t(id) < trace.ops.size() ? &trace.ops[size_t(id)]
                                                  : nullptr;
}

Range shownRangeOf(const Trace &trace, Id id) {
  const Op *op = opAt(trace, id);
  // Bufferization makes a loop anew, and so do later stages of that one.
  for (int steps = 0; op && op->generated && op->origin != none && steps < 8;
       ++steps)
    op = opAt(trace, op->origin);
  if (!op)
    return {};
  // What canonicalize makes of two branches has the place of neither.
  const Block *home = op->block >= 0 && size_t(op->block) < trace.blocks.size()
                          ? &trace.blocks[size_t(op->block)]
                          : nullptr;
  if (op->generated && op->isTerminator && home && !home->ops.empty())
    op = opAt(trace, home->ops.back());
  return op->nameRange.empty() ? op->range : op->nameRange;
}

/// An op may write its first region last, as `scf.index_switch` does.
static std::vector<std::vector<Id>> inTextOrder(const Trace &trace, Id op) {
  auto beginOf = [&](const std::vector<Id> &region) {
    for (Id block : region)
      for (Id inner : trace.blocks[size_t(block)].ops)
        if (Range range = shownRangeOf(trace, inner); !range.empty())
          return range.begin;
    return uint32_t(0);
  };
  auto regions = trace.ops[size_t(op)].regions;
  if (regions.size() > 1)
    std::ranges::stable_sort(regions, {}, beginOf);
  return regions;
}

static void number(const Trace &trace, const std::vector<Id> &blocks,
                   ProgramSteps &steps) {
  for (Id block : blocks) {
    steps.firstOfBlock[block] = uint32_t(steps.ops.size());
    for (Id op : trace.blocks[size_t(block)].ops) {
      steps.byOp[op] = uint32_t(steps.ops.size());
      steps.ops.push_back(op);
      for (const std::vector<Id> &region : inTextOrder(trace, op))
        number(trace, region, steps);
    }
  }
}

ProgramSteps programSteps(const Trace &trace, Id function) {
  ProgramSteps steps;
  number(trace, trace.functions[size_t(function)].blocks, steps);
  return steps;
}

} // namespace memreflens::trace
