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

namespace memreflens::placement {

enum class WarningKind : uint8_t {
  // Hoisting.
  /// Out of a loop (`shown`) whose iterations may run at the same time: they
  /// share the buffer.
  sharedByIterations,
  /// Out of a loop each iteration of which stores its buffer's address
  /// (`shown`): all of them store the same one.
  sharedThroughMemory,
  /// Out of a loop that still frees it (`shown`): a second iteration frees it
  /// twice.
  freedEachIteration,
  /// Paths that did not allocate it, and do not use it, allocate it now.
  allocatedUnused,
  /// The same, and it is freed (`shown`) on other paths only: a leak.
  leaked,
  /// More bytes are live at once (as Peak.h counts): `before`, `after`.
  higherPeak,
  // Promotion to the stack.
  /// `before` bytes stay on the stack while a call (`shown`) comes back to the
  /// function.
  stackInRecursion,
  /// Its address is put (`shown`) where it outlives the function.
  stackEscapes,

  // optimize-allocation-liveness.
  /// Freed in front of a use (`shown`) that the pass does not see: by address,
  /// through a tensor, through memory.
  usedAfterFree,
  /// Freed in front of the wait (`shown`) for what uses it asynchronously.
  freedBeforeAwait,

  // buffer-results-to-out-params.
  /// A clone or a realloc is gone, and nothing fills the argument with what it
  /// brought along.
  contentsLost,
  /// Callers allocate the size of the first return's buffer; this return
  /// (`shown`) passes one whose size the program gives in another way.
  otherSize,
  /// The result was an argument, and callers get a copy of it (`shown`): a
  /// write to one does not reach the other any more.
  copyOfArgument,
  /// The allocation was aligned to `before` bytes; callers' (`shown`) are not.
  alignmentLost,
  /// A copy (`shown`) of the argument onto itself.
  copyOntoItself,

  /// MLIR 22 itself reads memory here that is none, or not its own any more. It
  /// dies, or happens to survive.
  upstreamCrashes,

  /// Of the frees that the ownership pipeline puts into the function, more are
  /// under a condition than without hoisting in front: `before`, `after`. Only
  /// from warningsOfFrees.
  moreConditionalFrees,
};

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
