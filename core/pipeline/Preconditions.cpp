//===- core/pipeline/Preconditions.cpp - which ops the pass accepts -------===//

#include "core/pipeline/Faults.h"
#include "core/pipeline/OwnershipPass.h"
#include "core/pipeline/Preflight.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens {

using trace::RejectionCause;

static bool hasBufferSemantics(Operation *op) {
  if (llvm::any_of(op->getOperands(), isMemref) ||
      llvm::any_of(op->getResults(), isMemref))
    return true;
  return llvm::any_of(op->getRegions(), [](Region &region) {
    return !region.empty() &&
           llvm::any_of(region.front().getArguments(), isMemref);
  });
}

static bool neverAllocatesOrFrees(Operation *op) {
  if (isa<MemoryEffectOpInterface>(op))
    return !hasEffect<MemoryEffects::Allocate>(op) &&
           !hasEffect<MemoryEffects::Free>(op);
  return op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
}

static bool hasKnownEffects(Operation *op) {
  return isa<MemoryEffectOpInterface>(op) ||
         op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
         isa<CallOpInterface>(op);
}

static bool needsRegionInterface(Operation *op) {
  unsigned regions = op->getNumRegions();
  return (regions == 1 && op->getNumResults() > 0) || regions > 1;
}

static std::optional<Refusal> refusalOfTerminator(Operation *op) {
  bool branches = isa<BranchOpInterface>(op);
  bool leavesRegion = isa<RegionBranchTerminatorOpInterface>(op);
  if (branches == leavesRegion)
    return Refusal{RejectionCause::terminatorInterface,
                   "Terminators must implement either BranchOpInterface or "
                   "RegionBranchTerminatorOpInterface (but not both)!"};
  if (op->getNumSuccessors() > 1)
    return Refusal{RejectionCause::multipleSuccessorsWithMemref,
                   "Terminators with more than one successor are not "
                   "supported!"};
  return std::nullopt;
}

std::optional<Refusal> refusalOf(Operation *op) {
  if (!hasBufferSemantics(op) && neverAllocatesOrFrees(op))
    return std::nullopt;
  if (isa<bufferization::DeallocOp>(op))
    return Refusal{RejectionCause::existingDealloc,
                   "No deallocation operations must be present when running "
                   "this pass!"};
  if (!hasKnownEffects(op) && !isSeeded(Fault::unknownEffectsAccepted))
    return Refusal{RejectionCause::unknownEffects,
                   "ops with unknown memory side effects are not supported"};
  if (needsRegionInterface(op) && !isa<RegionBranchOpInterface>(op))
    return Refusal{RejectionCause::regionWithoutInterface,
                   "All operations with attached regions need to implement "
                   "the RegionBranchOpInterface."};
  if (op->hasTrait<OpTrait::NoTerminator>())
    return Refusal{RejectionCause::noTerminatorTrait,
                   "NoTerminator trait is not supported"};
  if (op->hasTrait<OpTrait::IsTerminator>())
    return refusalOfTerminator(op);
  return std::nullopt;
}

LogicalResult checkPreconditions(OwnershipState &state, Operation *op) {
  if (std::optional<Refusal> refusal = refusalOf(op))
    return state.reject(op, {}, refusal->cause, refusal->message);
  return success();
}

} // namespace memreflens
