//===- passes/Remarks.h - why a clone, a check or a condition is there ----===//
//
// Diagnostics of the kind remark, one a clone and one a dealloc that costs
// something at run time:
//
//   model.mlir:7:3: remark: run-time alias check: the dealloc compares a result
//       of @k, which may alias what it is passed, with 1 retained memref
//
// Short: the whole story of one is `memref-lens explain`'s.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PASSES_REMARKS_H
#define MEMREFLENS_PASSES_REMARKS_H

#include "core/pipeline/ownership/OwnershipState.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace memreflens {

llvm::DenseSet<mlir::Operation *> clonesIn(mlir::Operation *root);

/// On those that are not among `before`; right after the ownership pass. Later
/// passes may find that one is not needed.
void remarkOnClones(mlir::Operation *root,
                    const llvm::DenseSet<mlir::Operation *> &before);

/// On the function: how much of it the ownership pass made. An LLVM that was
/// built without statistics has no other way to tell.
void remarkOnMade(mlir::Operation *function, const OwnershipState::Made &made);

/// What deallocs below an op will cost, as they will be lowered.
struct DeallocCounts {
  unsigned deallocs = 0;
  /// Of these, under a condition.
  unsigned conditional = 0;
  /// Of these, that will call dealloc_helper.
  unsigned helperCalls = 0;
  /// Pointers that the others compare.
  unsigned checks = 0;
};
DeallocCounts countDeallocs(mlir::Operation *root);

/// On each bufferization.dealloc that compares or asks for ownership, and on
/// each function, how many there are; right after the simplification.
void remarkOnDeallocs(mlir::Operation *root);

} // namespace memreflens

#endif // MEMREFLENS_PASSES_REMARKS_H
