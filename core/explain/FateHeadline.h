//===- core/explain/FateHeadline.h - a buffer's fate in one line ----------===//

#ifndef MEMREFLENS_EXPLAIN_FATEHEADLINE_H
#define MEMREFLENS_EXPLAIN_FATEHEADLINE_H

#include "core/explain/Explanation.h"
#include "core/query/FateFacts.h"

namespace memreflens {

Sentence fateHeadline(const Lookup &lookup, const trace::Fate &fate);

/// The places that the headline names, where it is deallocated.
std::vector<NamedPlace> placesOfFrees(const Lookup &lookup,
                                      const trace::Fate &fate);
/// The indicator under which the first dealloc of it deallocates it, if only
/// run time can tell; else `none`.
trace::Id openConditionOf(const Lookup &lookup, const trace::Fate &fate);

/// Rewrites after which nothing stands for the buffer any more.
std::vector<trace::Id> removalsOf(const Lookup &lookup,
                                  const trace::Fate &fate);
/// Rewrites before the pass that put another value in its place, in order; the
/// last one's value is what the pass saw. Nothing if they do not lead to one.
std::vector<trace::Id> replacementsOf(const Lookup &lookup, trace::Id memref,
                                      trace::Id &last);
/// A deallocation of the program's, behind the assertion that the pass made.
struct ByHand {
  trace::Id op = trace::none;
  trace::Id assertion = trace::none;
  bool alwaysFails = false;
  /// The pass deallocates it at the end of the same block as well.
  const trace::Freed *again = nullptr;
};
std::vector<ByHand> deallocsByHand(const Lookup &lookup,
                                   const trace::Fate &fate);
/// The ownership indicator that it has where it is defined.
trace::Id sourceIndicatorOf(const Lookup &lookup, const trace::Fate &fate);
/// The loop that carries it with an indicator that is always false; or `none`.
trace::Id carrierOf(const Lookup &lookup, const trace::Fate &fate);
/// All that a loop carries so, in one sentence.
Sentence carriedWords(const Lookup &lookup, trace::Id loop,
                      const std::vector<trace::Id> &memrefs);
/// Its function did not get through the pipeline.
bool isSetAside(const trace::Fate &fate);
/// What a later stage found out to be surely another name of a buffer that this
/// dealloc lists.
std::vector<AboutBuffer> foundSame(const Lookup &, trace::Id buffer,
                                   trace::Id dealloc);
} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_FATEHEADLINE_H
