//===- core/memory/PeakExpression.h - a peak where sizes are symbols ------===//
//
// Where a function allocates sizes that only run time knows, its peak is the
// largest of a few sums: 8 B * %n + 4 B * %n * %m.
//
//   PeakExpression peak = expressionOf(spans);
//   peak.sums.size()   // 1: it is this sum, whatever the sizes
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_MEMORY_PEAKEXPRESSION_H
#define MEMREFLENS_MEMORY_PEAKEXPRESSION_H

#include "core/query/Executions.h"

#include <vector>

namespace memreflens::memory {

/// A buffer from the step that allocates it to its end, both included.
struct SymbolicSpan {
  trace::Amount bytes;
  uint32_t begin = 0, end = 0;
};

struct PeakExpression {
  /// The peak is the largest of these; none can be left out.
  std::vector<CostSum> sums;
};

/// Empty where a size is not even known as symbols, or where more sums than a
/// reader would look at have to be compared.
PeakExpression expressionOf(const std::vector<SymbolicSpan> &spans);

} // namespace memreflens::memory

#endif // MEMREFLENS_MEMORY_PEAKEXPRESSION_H
