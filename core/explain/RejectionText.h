//===- core/explain/RejectionText.h - why the pipeline rejects a function -===//
//
// The pass's own message, the smallest set of ops that shows the cause, and
// what to do about it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_REJECTIONTEXT_H
#define MEMREFLENS_EXPLAIN_REJECTIONTEXT_H

#include "core/explain/Explanation.h"
#include "core/query/Lookup.h"

namespace memreflens {

/// Empty unless `event` is a rejection.
Explanation explainRejection(const trace::Trace &trace, trace::Id event);
Explanation explainRejection(const Lookup &lookup, trace::Id event);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_REJECTIONTEXT_H
