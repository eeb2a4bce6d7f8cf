//===- core/causes/CauseWords.h - causes as sentences ---------------------===//
//
// What is said of one cause, and of several of a kind that are one entry of the
// overview; a row a kind.
//
//   @step returns 6 of its arguments
//   3 functions return their arguments
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CAUSES_CAUSEWORDS_H
#define MEMREFLENS_CAUSES_CAUSEWORDS_H

#include "core/causes/Roots.h"
#include "core/check/Rules.h"
#include "core/text/Sentence.h"

#include <string>
#include <vector>

namespace memreflens {

struct OneCause {
  const Lookup &lookup;
  /// "@step", or "the module".
  std::string function;
  /// What it is about, and the op or the block that they share.
  const std::vector<Root> &roots;
  trace::Id group = trace::none;
  const CauseCosts &costs;
  /// Where the kind is `other`.
  std::string_view rule;
};

struct CauseSentence {
  Sentence words;
  /// What the words name with its place, "scf.for (3:8)"; empty for nothing.
  trace::Range named;
};

CauseSentence sentenceOf(CauseKind kind, const OneCause &cause);

struct SeveralCauses {
  CauseCosts costs;
  size_t count = 0, functions = 0;
  /// Theirs; null where it is not one.
  const Rule *rule = nullptr;
};

Sentence sentenceOf(CauseKind kind, const SeveralCauses &causes);

} // namespace memreflens

#endif // MEMREFLENS_CAUSES_CAUSEWORDS_H
