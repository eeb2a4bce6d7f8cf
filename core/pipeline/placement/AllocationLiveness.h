//===- core/pipeline/placement/AllocationLiveness.h - how early a free comes -//
//
// MLIR's `optimize-allocation-liveness`: for each op that allocates where its
// deallocation goes, and which use keeps it from going further up, or why it
// stays. The IR is that of the pass, where that is not valid too.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_PLACEMENT_ALLOCATIONLIVENESS_H
#define MEMREFLENS_PIPELINE_PLACEMENT_ALLOCATIONLIVENESS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <vector>

namespace memreflens::placement {

enum class LivenessOutcome : uint8_t {
  /// To right behind the last use.
  movedUp,
  /// It stood in front of a use: to right behind that.
  movedDown,
  /// It follows the last use already.
  inPlace,
  /// The only use is the deallocation, and the pass leaves that where it is.
  noUse,
  /// Uses lie in other blocks only, and the pass looks at none of them.
  usedElsewhere,
  /// Nothing frees it.
  notFreed,
  /// Only an alias (`through`) is freed, and the pass follows none to look for
  /// that.
  freedThroughAlias,
  /// More than one op frees it.
  freedSeveralTimes,
  /// It is freed in another block than the one that allocates it.
  freedElsewhere,
  /// The op allocates more than one buffer, which the pass leaves alone.
  severalAllocations,
  /// To where it is not valid: behind a terminator that uses the buffer, behind
  /// a use of its own result (a realloc's), or in front of what it needs (the
  /// token of an asynchronous one).
  spoiled,
};

/// What became of the deallocation of one buffer.
struct FreeMove {
  mlir::Operation *allocation = nullptr;
  LivenessOutcome outcome = LivenessOutcome::notFreed;
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
