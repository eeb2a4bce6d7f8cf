//===- core/explain/PlacementText.h - why it is freed, or made, there -----===//
//
// Words about decisions of passes other than the ownership pass: where the
// classic pass frees a buffer and why it copies one, and why an allocation
// could be moved no further.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_PLACEMENTTEXT_H
#define MEMREFLENS_EXPLAIN_PLACEMENTTEXT_H

#include "core/explain/Explanation.h"
#include "core/query/Lookup.h"

namespace memreflens {

/// What the classic pass and the passes that move allocations did about a
/// memref, as clauses of its headline; empty where these did not run.
std::vector<std::string> placementClauses(const Lookup &lookup,
                                          trace::Id memref);
/// The same with its grounds, one step a decision.
std::vector<Explanation> placementSteps(const Lookup &lookup, trace::Id memref);

/// What became of a function's results, and warnings about no single buffer.
std::vector<Explanation> placementOfResults(const Lookup &lookup,
                                            trace::Id function);

/// Whether the op passes a copy of the value on, not the value itself; to
/// `argument`, where that is given.
bool isPassedAsCopy(const Lookup &lookup, trace::Id value, trace::Id op,
                    trace::Id argument);
/// Whether the clauses say that the value leaves its function or region.
bool isSaidToLeave(const Lookup &lookup, trace::Id value);

/// "hoisted from ^bb1 to ^bb0; no further: ...".
std::string moveClause(const Lookup &lookup, const trace::Event &event,
                       const trace::MoveEvent &move);
std::string warningWords(const Lookup &lookup,
                         const trace::WarningEvent &warning);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_PLACEMENTTEXT_H
