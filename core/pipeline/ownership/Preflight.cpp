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

static std::optional<Refusal> refusalOfAny(Operation *op) {
  std::optional<Refusal> refusal;
  llvm::SmallVector<OpHandling, 4> handlings = handlingsOf(op->getName());
  if (!llvm::is_contained(handlings, OpHandling::deallocationModel))
    refusal = refusalOf(op);
  for (OpHandling handling : handlings) {
    // expand-realloc takes care of this one first.
    if (handling == OpHandling::memoryEffects && isa<memref::ReallocOp>(op))
      continue;
    if (!refusal)
      refusal = refusalOf(op, handling);
  }
  return refusal;
}

std::vector<RefusedOp> refusedOps(Operation *function,
                                  trace::UnregisteredOps unregistered) {
  std::vector<RefusedOp> found;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function || isAssumedHarmless(op, unregistered))
      return;
    if (std::optional<Refusal> refusal = refusalOfAny(op))
      found.push_back(
          {taggedOp(op->getLoc()), *refusal, remediesFor(refusal->cause, op)});
  });
  return found;
}

} // namespace memreflens
