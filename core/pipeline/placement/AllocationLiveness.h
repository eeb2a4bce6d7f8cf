//===- core/pipeline/placement/AllocationLiveness.h - how early a free comes -//
//
// MLIR's `optimize-allocation-liveness`: for each op that allocates where its
// deallocation goes, and which use keeps it from going further up, or why it
// stays. The IR is that of the pass, where that is not valid too.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_PLACEMENT_ALLOCATIONLIVENESS_H
#define MEMREFLENS_PIPELINE_PLACEMENT_ALLOCATIONLIVENESS_H

#include "core/trace/PlacementEvents.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <vector>

namespace memreflens::placement {

using trace::MoveOutcome;

/// What became of the deallocation of one buffer.
struct FreeMove {
  mlir::Operation *allocation = nullptr;
  MoveOutcome outcome = MoveOutcome::notFreed;
  /// The op that frees; null where there is none, or more than one.
  mlir::Operation *dealloc = nullptr;
  /// The last use that the pass knows: why the free comes no earlier. It may be
  /// nested in `after`, which the free follows.
  mlir::Operation *lastUse = nullptr;
  mlir::Operation *after = nullptr;
  /// What `lastUse` uses: the buffer itself, or an alias of it.
  mlir::Value through;
  /// A use in a block that is not below the allocation's. The pass does not
  /// count it; MLIR 22 crashes if it meets it behind one that counts.
  mlir::Operation *uncounted = nullptr;
  bool crashesUpstream = false;
  /// The ops of the block that the free passed.
  std::vector<mlir::Operation *> passed;
};

/// Runs the pass on a function with a body; one entry an op that allocates, as
/// the pass meets them.
std::vector<FreeMove> optimizeLiveness(mlir::FunctionOpInterface function);

} // namespace memreflens::placement

#endif // MEMREFLENS_PIPELINE_PLACEMENT_ALLOCATIONLIVENESS_H
