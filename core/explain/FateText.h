//===- core/explain/FateText.h - what becomes of a buffer, in words -------===//
//
//   %alloc (12:12, memref<?xf32>): freed at the end of ^bb2 if %own_alloc;
//   passed to ^bb3 as %x, owned
//     %alloc is kept alive on the edge ^bb0 -> ^bb2: it is live into ^bb2
//       14:5  used by memref.load
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_FATETEXT_H
#define MEMREFLENS_EXPLAIN_FATETEXT_H

#include "core/explain/Explanation.h"
#include "core/query/FateFacts.h"

#include <map>

namespace memreflens {

/// The words to `trace::Fate`.
struct FateText {
  trace::Id value = trace::none;
  Sentence headline;
  /// The decisions that led there; what is plain from the headline is left out.
  std::vector<Explanation> steps;
  /// Where the headline says that it is deallocated.
  std::vector<NamedPlace> places = {};
  /// Indicators of which a step tells where they come from.
  std::vector<trace::Id> indicators = {};
  /// The lowering event of a dealloc_helper call, where it is all that there is
  /// to tell; others may have the same.
  trace::Id helperCall = trace::none;
};

/// Over all stages. The headline is empty for what is no memref.
FateText explainFate(const trace::Trace &trace, trace::Id memref);
FateText explainFate(const Lookup &lookup, trace::Id memref);

/// Where the indicator comes from under which it is deallocated, or else under
/// which it is owned at the offset; empty where run time decides neither.
Explanation originOfOwnership(const Lookup &lookup, trace::Id memref,
                              uint32_t offset);

/// `buffersOf` of FateFacts.h.
std::vector<trace::Id> buffersOf(const trace::Trace &trace, trace::Id function);
/// With what is cloned in front of its clone, and in place of one that is only
/// returned: a reader knows what the program names.
std::vector<trace::Id> toldBuffersOf(const Lookup &lookup, trace::Id function);

/// By function, where it has any: the first value that the user wrote as a
/// tensor. Such a function is not bufferized; none after one-shot-bufferize.
std::map<trace::Id, const trace::Value *> firstTensors(const Lookup &lookup);
inline constexpr const char *tensorRemedy =
    "bufferize first: --bufferize runs one-shot-bufferize";

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_FATETEXT_H
