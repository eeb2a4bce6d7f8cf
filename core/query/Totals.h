//===- core/query/Totals.h - what a run came to, in numbers ---------------===//

#ifndef MEMREFLENS_QUERY_TOTALS_H
#define MEMREFLENS_QUERY_TOTALS_H

#include "core/query/Lookup.h"

namespace memreflens {

struct Totals {
  size_t functions = 0;
  size_t rejectedFunctions = 0;
  size_t allocations = 0;
  size_t frees = 0;
  size_t conditionalFrees = 0;
  size_t clones = 0;
  size_t conditionalClones = 0;
  /// Pointer comparisons outside dealloc_helper, after the last stage.
  size_t runTimeChecks = 0;
  size_t helperCalls = 0;

  Totals &operator+=(const Totals &other);
};

/// Over all functions, or the one that is named.
Totals totalsOf(const Lookup &lookup, const std::string &function = {});
/// Of one function: a file of several chunks may have more of its name.
Totals totalsOf(const Lookup &lookup, trace::Id function);
} // namespace memreflens

#endif // MEMREFLENS_QUERY_TOTALS_H
