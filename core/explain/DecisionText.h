//===- core/explain/DecisionText.h - one decision as one sentence ---------===//
//
// Says what an event decided, and why, for every kind of event.
//
//   %alloc is retained on the edge ^bb0 -> ^bb2: it is live into ^bb2
//     14:5  used by memref.load
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_DECISIONTEXT_H
#define MEMREFLENS_EXPLAIN_DECISIONTEXT_H

#include "core/explain/Explanation.h"
#include "core/query/Lookup.h"

namespace memreflens {

/// Empty for an id that is no event of the trace.
Explanation explainEvent(const trace::Trace &trace, trace::Id event);
Explanation explainEvent(const Lookup &lookup, trace::Id event);

/// Place to show for an event: its op, its value, or its block.
trace::Range rangeOfEvent(const Lookup &lookup, const trace::Event &event);

/// "edge ^bb0 -> ^bb2" of a dealloc that is made for one of several successors;
/// empty for all others.
std::string edgeOfDealloc(const Lookup &lookup, const trace::Event &dealloc);

/// How a stage stands to the pass of the tool that the trace was made in:
/// "identical with what the tool's pass made"; empty where there was none.
std::string agreementWords(const trace::Stage &stage);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_DECISIONTEXT_H
