//===- core/explain/TouchText.h - an op that uses buffers -----------------===//
//
// For ops about which the passes decide nothing, a load or a call: which
// buffers they use, what becomes of these, and what is deallocated behind a
// terminator.
//
//   func.call (13:3) borrows %data: the callee does not deallocate it
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_TOUCHTEXT_H
#define MEMREFLENS_EXPLAIN_TOUCHTEXT_H

#include "core/explain/Explanation.h"
#include "core/query/Lookup.h"

namespace memreflens {

/// Empty for an op that has nothing to do with buffers.
Explanation explainTouch(const Lookup &lookup, trace::Id op);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_TOUCHTEXT_H
