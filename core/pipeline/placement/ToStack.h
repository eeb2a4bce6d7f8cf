//===- core/pipeline/placement/ToStack.h - heap or stack ------------------===//
//
// MLIR's `promote-buffers-to-stack`: for each allocation whether it becomes an
// alloca, and what forbids it. The IR is that of the pass.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_PLACEMENT_TOSTACK_H
#define MEMREFLENS_PIPELINE_PLACEMENT_TOSTACK_H

#include "core/trace/PlacementEvents.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <vector>

namespace memreflens::placement {

using trace::MoveOutcome;

/// The pass's options, with its defaults.
struct StackLimits {
  unsigned bytes = 1024;
  /// Highest rank of a buffer of dynamic shape, whose sizes are ranks.
  unsigned dynamicRank = 1;
};

struct Promotion {
  /// The alloca, if promoted; else the allocation.
  mlir::Operation *op = nullptr;
  MoveOutcome outcome = MoveOutcome::promoted;
  uint64_t bytes = 0;
  /// The alias that leaves the scope of the stack.
  mlir::Value because;
  /// The loop, or the op of unknown control flow, up to that scope.
  mlir::Operation *around = nullptr;
};

/// Runs the pass on a function with a body; one entry an allocation.
std::vector<Promotion> promoteToStack(mlir::FunctionOpInterface function,
                                      StackLimits limits);

} // namespace memreflens::placement

#endif // MEMREFLENS_PIPELINE_PLACEMENT_TOSTACK_H
