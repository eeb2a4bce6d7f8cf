//===- core/explain/Explanation.h - a sentence, its grounds, what to do ---===//
//
// What every front end shows for one decision: a sentence in plain text, the
// facts behind it with their places in the user's file, and, where something
// can be done, what.
//
//   %select is copied to %clone_select: its ownership is unknown
//     4:8  joins %alloc (owned) and %alloca (not owned)
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_EXPLANATION_H
#define MEMREFLENS_EXPLAIN_EXPLANATION_H

#include "core/explain/Advice.h"
#include "core/text/Sentence.h"
#include "core/trace/Model.h"

#include <string>
#include <vector>

namespace memreflens {

/// One fact: "live into ^bb2, used by memref.load".
struct Evidence {
  /// The event that holds the fact; `none` for a fact about the source itself.
  trace::Id event = trace::none;
  /// Place of the thing named; empty where it has none in the user's file.
  trace::Range range;
  Sentence text;
  bool operator==(const Evidence &) const = default;
};

/// Words of a sentence that stand for a place: "the end of ^join".
struct NamedPlace {
  std::string words;
  trace::Range range;
};

/// Plain text throughout: nothing of the user's file is taken as markup.
struct Explanation {
  Sentence sentence;
  std::vector<Evidence> evidence;
  std::vector<Advice> remedies;
  /// Of the sentence, for who can link them.
  std::vector<NamedPlace> places = {};
  /// Of the op that the sentence names with its line and column; empty where it
  /// names none so.
  trace::Range named = {};

  bool empty() const { return sentence.empty(); }
};

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_EXPLANATION_H
