//===- core/pipeline/ownership/Preflight.cpp ------------------------------===//

#include "core/pipeline/ownership/Preflight.h"
#include "core/pipeline/ownership/Assumptions.h"
#include "core/pipeline/ownership/Conditions.h"
#include "core/pipeline/ownership/Remedies.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace memreflens {

using trace::OpHandling;

static std::optional<Rejection> rejectionOfAny(Operation *op) {
  std::optional<Rejection> rejection;
  llvm::SmallVector<OpHandling, 4> handlings = handlingsOf(op->getName());
  if (!llvm::is_contained(handlings, OpHandling::deallocationModel))
    rejection = rejectionOf(op);
  for (OpHandling handling : handlings) {
    // expand-realloc takes care of this one first.
    if (handling == OpHandling::memoryEffects && isa<memref::ReallocOp>(op))
      continue;
    if (!rejection)
      rejection = rejectionOf(op, handling);
  }
  return rejection;
}

std::vector<RejectedOp> rejectedOps(Operation *function,
                                    trace::UnregisteredOps unregistered) {
  std::vector<RejectedOp> found;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function || isAssumedHarmless(op, unregistered))
      return;
    if (std::optional<Rejection> rejection = rejectionOfAny(op))
      found.push_back({taggedOp(op->getLoc()), *rejection,
                       remediesFor(rejection->cause, op)});
  });
  return found;
}

} // namespace memreflens
