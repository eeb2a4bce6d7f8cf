//===- core/pipeline/Preflight.cpp ----------------------------------------===//

#include "core/pipeline/Preflight.h"
#include "core/pipeline/Remedies.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens {

using trace::RejectionCause;

/// Ops with a model of their own meet other conditions.
static std::optional<Refusal> refusalOfModel(Operation *op) {
  if (auto reduced = dyn_cast<scf::ReduceReturnOp>(op))
    if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>))
      return Refusal{RejectionCause::reduceReturnMemref,
                     "only supported when operand is not a MemRef"};
  if (auto parallel = dyn_cast<scf::InParallelOp>(op))
    if (!parallel.getBody()->empty())
      return Refusal{RejectionCause::inParallelNotEmpty,
                     "only supported when nested region is empty"};
  return std::nullopt;
}

/// What the handlers refuse after the conditions are met.
static std::optional<Refusal> refusalOfHandlers(Operation *op) {
  if (isa<BranchOpInterface>(op) && op->getNumSuccessors() > 1)
    return Refusal{RejectionCause::multipleSuccessors,
                   "BranchOpInterface operations with multiple successors are "
                   "not supported yet"};
  // expand-realloc takes care of this one first.
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || isa<memref::ReallocOp>(op) ||
      op->hasAttr(bufferization::BufferizationDialect::kManualDeallocation))
    return std::nullopt;
  for (Value operand : op->getOperands())
    if (isa<BaseMemRefType>(operand.getType()) &&
        effects.getEffectOnValue<MemoryEffects::Free>(operand))
      return Refusal{RejectionCause::freeEffect,
                     "memory free side-effect on MemRef value not supported!"};
  return std::nullopt;
}

std::vector<RefusedOp> refusedOps(Operation *function) {
  std::vector<RefusedOp> found;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return;
    bool hasModel = isa<bufferization::BufferDeallocationOpInterface>(op);
    std::optional<Refusal> refusal =
        hasModel ? refusalOfModel(op) : refusalOf(op);
    if (!refusal && !hasModel)
      refusal = refusalOfHandlers(op);
    if (refusal)
      found.push_back(
          {taggedOp(op->getLoc()), *refusal, remediesFor(refusal->cause, op)});
  });
  return found;
}

} // namespace memreflens
