//===- core/diff/Align.h - which op of one trace is which of the other ----===//
//
// Lines, ids and names of values do not matter: functions are matched by name,
// blocks and ops in order by what they are, what they use and what uses them.
// An op more or less leaves all the others matched.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_DIFF_ALIGN_H
#define MEMREFLENS_DIFF_ALIGN_H

#include "core/trace/Model.h"

namespace memreflens::diff {

/// By id on one side, the id on the other; `none` where nothing corresponds.
struct Partners {
  std::vector<trace::Id> ops, blocks, values;
};

/// Two functions that are taken to be one; `none` where one is only on the
/// other side.
struct FunctionPair {
  trace::Id before = trace::none;
  trace::Id after = trace::none;
};

struct Alignment {
  Partners before, after;
  /// In the order of the second trace; what is only in the first, at the end.
  std::vector<FunctionPair> functions;
};

/// Both traces must be valid (Validate.h). Functions without a partner of their
/// name get one that is the same in all but its name, if there is one.
Alignment align(const trace::Trace &before, const trace::Trace &after);

} // namespace memreflens::diff

#endif // MEMREFLENS_DIFF_ALIGN_H
