//===- core/explain/IndicatorText.h - an ownership i1, back to its origin -===//
//
// Says when an ownership indicator is true: follows it through block arguments,
// region results and deallocs to constants, calls and the program's own i1s.
//
//   %own_x is the i1 that comes into ^bb3 with %x
//     5:3  true on the edge ^bb1 -> ^bb3, with %alloc
//     8:3  false on the edge ^bb2 -> ^bb3, with %arg0
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_INDICATORTEXT_H
#define MEMREFLENS_EXPLAIN_INDICATORTEXT_H

#include "core/explain/Explanation.h"
#include "core/explain/Lookup.h"

namespace memreflens {

Explanation explainIndicator(const trace::Trace &trace, trace::Id indicator);
Explanation explainIndicator(const Lookup &lookup, trace::Id indicator);

/// The i1 in short: "true", "%own_x", "%own_x and not %cond".
std::string indicatorExpression(const Lookup &lookup, trace::Id indicator);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_INDICATORTEXT_H
