//===- core/pipeline/placement/ToStack.h - heap or stack ------------------===//
//
// MLIR's `promote-buffers-to-stack`: for each allocation whether it becomes an
// alloca, and what forbids it. The IR is that of the pass.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_PLACEMENT_TOSTACK_H
#define MEMREFLENS_PIPELINE_PLACEMENT_TOSTACK_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <vector>

namespace memreflens::placement {

/// The pass's options, with its defaults.
struct StackLimits {
  unsigned bytes = 1024;
  /// Highest rank of a buffer of dynamic shape, whose sizes are ranks.
  unsigned dynamicRank = 1;
};

enum class StackOutcome : uint8_t {
  promoted,
  /// Not a memref.alloc.
  otherOp,
  /// Static, of `bytes` over the limit.
  tooLarge,
  /// Of a shape that is known only at run time.
  dynamicShape,
  /// Freed already: it must stay on the heap.
  freed,
  /// An alias (`because`) leaves the region whose stack it would be on.
  leavesScope,
  /// A loop (`around`) lies between it and the scope that frees its stack: each
  /// iteration would take more.
  inLoop,
  /// The same with an op whose control flow is not known.
  inUnknownRegion,
  /// No data layout knows the size of an element, one that is a memref for one.
  /// MLIR 22 dies of it.
  unknownElementSize
};

struct Promotion {
  /// The alloca, if promoted; else the allocation.
  mlir::Operation *op = nullptr;
  StackOutcome outcome = StackOutcome::promoted;
  uint64_t bytes = 0;
  mlir::Value because;
  mlir::Operation *around = nullptr;
};

/// Runs the pass on a function with a body; one entry an allocation.
std::vector<Promotion> promoteToStack(mlir::FunctionOpInterface function,
                                      StackLimits limits);

} // namespace memreflens::placement

#endif // MEMREFLENS_PIPELINE_PLACEMENT_TOSTACK_H
