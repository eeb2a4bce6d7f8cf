//===- core/explain/CostText.h - peaks and what they leave out, as text ---===//

#ifndef MEMREFLENS_EXPLAIN_COSTTEXT_H
#define MEMREFLENS_EXPLAIN_COSTTEXT_H

#include "core/query/Lookup.h"
#include "core/query/Spaces.h"
#include "core/text/Bytes.h"

namespace memreflens {

/// "128 B", "at least 128 B", "unknown".
std::string peakText(uint64_t bytes, bool isLowerBound);
/// "the clone of %given (2:29)", of a clone that the program does not have;
/// else empty.
std::string cloneWords(const Lookup &lookup, trace::Id op);
/// "the size that memref.alloc (7:3) allocates is not known".
std::string gapText(const Lookup &lookup, const trace::PeakGap &gap);

/// "memory space 2 (L1)"; "the default memory space" of an empty one; nothing
/// of all together.
std::string spaceWords(const Space &space, std::string_view name);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_COSTTEXT_H
