//===- core/trace/Steps.h - a function's ops in the order of its text -----===//
//
// Steps are what lifetimes, peaks and pictures count in: each op of a function,
// those of its regions included, has one number.
//
//   ProgramSteps steps = programSteps(trace, function);
//   steps.ops[steps.of(op)] == op
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_STEPS_H
#define MEMREFLENS_TRACE_STEPS_H

#include "core/trace/Model.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace memreflens::trace {

struct ProgramSteps {
  std::vector<Id> ops;
  std::unordered_map<Id, uint32_t> byOp;
  /// Of blocks, the nested ones too.
  std::unordered_map<Id, uint32_t> firstOfBlock;

  std::optional<uint32_t> of(Id op) const {
    auto known = byOp.find(op);
    return known == byOp.end() ? std::nullopt : std::optional(known->second);
  }
};

/// Where a reader is sent for an op: the place of what it was made of, if it
/// is generated. Empty for what has none.
Range shownRangeOf(const Trace &trace, Id op);

ProgramSteps programSteps(const Trace &trace, Id function);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_STEPS_H
