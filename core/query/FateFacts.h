//===- core/query/FateFacts.h - what follows from a buffer's fate ---------===//

#ifndef MEMREFLENS_QUERY_FATEFACTS_H
#define MEMREFLENS_QUERY_FATEFACTS_H

#include "core/query/Fate.h"
#include "core/query/Lookup.h"

namespace memreflens {

/// `trace::fateOf`, and where the program sends it under the name that it has
/// there, if the pass saw an heir of that.
trace::Fate fateAsNamed(const Lookup &lookup, trace::Id memref);
/// The i1 under which it is freed there, without the part that only chooses the
/// edge; `none` if it always is.
trace::Id conditionOfFree(const Lookup &lookup, const trace::Freed &freed);
/// Whether a block may own the buffer when its dealloc `event` comes.
bool mayBeOwnedAt(const Lookup &lookup, const trace::Fate &fate,
                  trace::Id event);
/// Whether the dealloc of this number retains the buffer, by whichever name:
/// then it never deallocates it.
bool isRetainedBy(const Lookup &lookup, const trace::Fate &fate,
                  trace::Id dealloc);
/// Whether any block may own the buffer.
bool mayBeOwned(const Lookup &lookup, const trace::Fate &fate);

/// Whether it is the alloca that a buffer of the user's became.
bool isStackFormOfAnother(const Lookup &lookup, trace::Id memref);
/// Memrefs worth a line: allocations, arguments of the function and its blocks,
/// results of calls and of ops with regions, copies; in source order.
std::vector<trace::Id> buffersOf(const Lookup &lookup, trace::Id function);

} // namespace memreflens

#endif // MEMREFLENS_QUERY_FATEFACTS_H
