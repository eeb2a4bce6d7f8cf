//===- core/explain/IndicatorText.h - ownership indicator to its origin ---===//
//
// Says when an ownership indicator is true: follows it through block arguments,
// region results and deallocs to constants, calls and the program's own i1s.
//
//   %own_x is a block argument of ^bb3
//     5:3  true via ^bb1, with %alloc
//     8:3  false via ^bb2, with %arg0
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_INDICATORTEXT_H
#define MEMREFLENS_EXPLAIN_INDICATORTEXT_H

#include "core/explain/Explanation.h"
#include "core/query/Lookup.h"

namespace memreflens {

Explanation explainIndicator(const trace::Trace &trace, trace::Id indicator);
Explanation explainIndicator(const Lookup &lookup, trace::Id indicator);
/// Without facts below it where the sentence can name all sources.
Explanation indicatorInShort(const Lookup &lookup, trace::Id indicator);

/// In short: "true", "%own_x", "%own_x and not %cond".
std::string indicatorExpression(const Lookup &lookup, trace::Id indicator);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_INDICATORTEXT_H
