//===- core/diff/Decisions.h - what was decided about a function ----------===//
//
// Each decision as two numbers: what it is about, and what was decided. They
// are equal on both sides where the decisions are.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_DIFF_DECISIONS_H
#define MEMREFLENS_DIFF_DECISIONS_H

#include "core/diff/Canonical.h"
#include "core/diff/Kinds.h"
#include "core/explain/TensorText.h"
#include "core/query/Lookup.h"

namespace memreflens::diff {

struct Decision {
  DecisionKind kind = DecisionKind::status;
  Number subject = 0;
  Number content = 0;
  /// The event that tells it; `none` for the function's status.
  trace::Id event = trace::none;
  /// What the event's sentence leaves open.
  std::string_view note = {};
  /// What bufferization made, where it is about that; else null.
  const trace::TensorCost *cost = nullptr;
};

/// In the order of `DecisionKind`, and of the events.
std::vector<Decision> decisionsOf(const Lookup &lookup,
                                  const TensorText &tensors, trace::Id function,
                                  Canonical &canonical);

/// The sentence of core/explain.
std::string sentenceOf(const Lookup &lookup, const TensorText &tensors,
                       trace::Id function, const Decision &decision);

} // namespace memreflens::diff

#endif // MEMREFLENS_DIFF_DECISIONS_H
