//===- core/explain/TotalsText.h - totals as a sentence -------------------===//

#ifndef MEMREFLENS_EXPLAIN_TOTALSTEXT_H
#define MEMREFLENS_EXPLAIN_TOTALSTEXT_H

#include "core/query/Totals.h"

namespace memreflens {

/// "2 functions, 3 allocations and 2 frees (1 conditional)"; what there is none
/// of is left out.
Sentence totalsLine(const Totals &totals);
/// Without the functions; "no buffers" where there is nothing.
std::string buffersLine(const Totals &totals);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_TOTALSTEXT_H
