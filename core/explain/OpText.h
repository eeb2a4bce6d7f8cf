//===- core/explain/OpText.h - what an op needs, and what comes of it -----===//
//
//   cf.switch: rejected if it has more than one successor
//     otherwise: an i1 is appended to its successors' operands for each memref
//
// All words about an op by itself: for `explain --op`, and, in short, for a
// hover on an op's name.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_OPTEXT_H
#define MEMREFLENS_EXPLAIN_OPTEXT_H

#include "core/explain/Explanation.h"
#include "core/trace/OpFacts.h"

namespace memreflens {

/// Something to paste that an op lacks.
struct OpSnippet {
  /// What it states, and when it is the right thing.
  std::string title;
  /// "ods" for the op's own definition, "cpp" for an op of others.
  std::string language;
  std::string code;
};

/// "the pass rejects it", "the pass goes past it", ...: one clause.
std::string opVerdict(const trace::OpFacts &facts);
/// What the pass asks: "its memory effects are known".
std::string conditionName(const trace::OpCondition &condition);
/// "met", "not met", or on what it depends.
std::string conditionWords(const trace::OpFacts &facts,
                           const trace::OpCondition &condition);
/// What the pass does to the op, one line each; empty for nothing.
std::vector<std::string> opActions(const trace::OpFacts &facts);
/// What is missing, for each condition that is or may be unmet.
std::vector<OpSnippet> opSnippets(const trace::OpFacts &facts);
/// What is to be done, in a line each.
std::vector<std::string> opRemedies(const trace::OpFacts &facts);

/// In short, with what is missing as remedies; empty where the pass neither
/// rejects nor changes the op, nor frees what it makes.
Explanation explainOp(const trace::OpFacts &facts);

/// All of it, as lines of text. Of several ops, `place` says which.
std::string renderOp(const trace::OpFacts &facts);
/// One op of a file: verdict and actions.
std::string renderOpAt(const trace::OpFacts &facts, const std::string &place);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_OPTEXT_H
