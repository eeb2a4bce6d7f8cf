//===- core/explain/PositionText.h - all about what stands at a place -----===//
//
// On a value: its ownership there, and the buffer's fate. On an op: what the
// pass made of it. On a block's name: what is live into it, which i1s it takes,
// what is freed at its end.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_POSITIONTEXT_H
#define MEMREFLENS_EXPLAIN_POSITIONTEXT_H

#include "core/explain/Explanation.h"
#include "core/query/Lookup.h"

namespace memreflens {

/// Empty where nothing stands about which a decision was made.
std::vector<Explanation> explainAt(const trace::Trace &trace, uint32_t offset);
std::vector<Explanation> explainAt(const Lookup &lookup, uint32_t offset);

/// Who owns the memref named there, by the ownership pass; empty for others.
/// Says nothing of what later passes make of it.
Explanation ownershipAt(const Lookup &lookup, uint32_t offset);

/// About every value, op and block whose name stands in the range, a line say.
std::vector<Explanation> explainAt(const trace::Trace &trace,
                                   trace::Range range);
std::vector<Explanation> explainAt(const Lookup &lookup, trace::Range range);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_POSITIONTEXT_H
