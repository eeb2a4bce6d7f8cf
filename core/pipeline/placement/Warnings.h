//===- core/pipeline/placement/Warnings.h - where a pass does harm --------===//
//
// Facts about what a placement pass just did that make a program slower, larger
// or wrong. Each is certain for the executions that come past the op that shows
// it; what only may be is left out, so no warning does not mean no harm.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_PLACEMENT_WARNINGS_H
#define MEMREFLENS_PIPELINE_PLACEMENT_WARNINGS_H

#include "core/pipeline/placement/AllocationLiveness.h"
#include "core/pipeline/placement/Hoisting.h"
#include "core/pipeline/placement/OutParams.h"
#include "core/pipeline/placement/Peak.h"
#include "core/pipeline/placement/ToStack.h"
#include "core/trace/PlacementEvents.h"

namespace memreflens::placement {

using WarningKind = trace::PlacementWarning;

struct PlacementWarning {
  WarningKind kind = WarningKind::higherPeak;
  /// The allocation, deallocation or function that it is about.
  mlir::Operation *op = nullptr;
  mlir::Operation *shown = nullptr;
  uint64_t before = 0, after = 0;
};
using PlacementWarnings = std::vector<PlacementWarning>;

/// Whether a memref.dealloc is in a scf.if that the buffer is not from.
bool isConditionalFree(mlir::Operation *op);

/// Each is asked right after its pass. `before` is the peak in front of it.
PlacementWarnings warningsOfHoisting(mlir::FunctionOpInterface function,
                                     const std::vector<Hoisted> &entries,
                                     const Peak &before);
/// `without` and `with`: the function as the ownership pipeline leaves it,
/// without hoisting and with it in front. The warning is about the latter.
PlacementWarnings warningsOfFrees(mlir::Operation *without,
                                  mlir::Operation *with);
PlacementWarnings warningsOfPromotion(mlir::FunctionOpInterface function,
                                      const std::vector<Promotion> &entries);
PlacementWarnings warningsOfLiveness(const std::vector<FreeMove> &moves);
PlacementWarnings warningsOfOutParams(const OutParams &converted);

} // namespace memreflens::placement

#endif // MEMREFLENS_PIPELINE_PLACEMENT_WARNINGS_H
