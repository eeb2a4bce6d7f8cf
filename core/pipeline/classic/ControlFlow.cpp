//===- core/pipeline/classic/ControlFlow.cpp - what is rejected -----------===//

#include "core/pipeline/classic/ClassicPass.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace memreflens::classic {

/// Whether branches lead back to a block from which they were reached.
static bool hasLoopOfBranches(Region &region) {
  enum : char { fresh, open, done };
  llvm::DenseMap<Block *, char> states;
  struct Frame {
    Block *block;
    unsigned successor;
  };
  SmallVector<Frame> stack = {{&region.front(), 0}};
  states[&region.front()] = open;
  while (!stack.empty()) {
    Frame &frame = stack.back();
    Block *block = frame.block;
    const bool isBranch =
        !block->empty() && isa<BranchOpInterface>(block->back());
    if (!isBranch || frame.successor == block->getNumSuccessors()) {
      states[block] = done;
      stack.pop_back();
      continue;
    }
    Block *next = block->getSuccessor(frame.successor++);
    char &state = states[next];
    if (state == open)
      return true;
    if (state == fresh) {
      state = open;
      stack.push_back({next, 0});
    }
  }
  return false;
}

LogicalResult checkControlFlow(FunctionOpInterface function,
                               Observer &observer) {
  bool loops = false;
  function->walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      loops |= !region.empty() && hasLoopOfBranches(region);
  });
  if (loops) {
    observer.rejected(function,
                      "Only structured control-flow loops are supported.",
                      Rejection::loopOfBranches);
    return failure();
  }
  bool isKnown = true;
  function.getFunctionBody().walk([&](Operation *op) {
    const size_t regions = op->getNumRegions();
    // One region without results can only run or not, which changes nothing.
    if (regions == 0 || (regions == 1 && op->getNumResults() == 0) ||
        isa<RegionBranchOpInterface>(op))
      return;
    observer.rejected(op,
                      "All operations with attached regions need to "
                      "implement the RegionBranchOpInterface.",
                      Rejection::regionsNotKnown);
    isKnown = false;
  });
  return success(isKnown);
}

namespace {
/// What frees a buffer in the input.
struct ExistingDealloc {
  Operation *op = nullptr;
  /// Freed at several places, or given to a realloc: left alone.
  bool isUnclear = false;
};
} // namespace

static ExistingDealloc findDealloc(Value buffer) {
  ExistingDealloc found;
  for (Operation *user : buffer.getUsers()) {
    if (!hasEffect<MemoryEffects::Free>(user, buffer))
      continue;
    if (isa<memref::ReallocOp>(user) || found.op)
      found.isUnclear = true;
    found.op = user;
  }
  return found;
}

std::vector<Allocation> findAllocations(Operation *root) {
  std::vector<Allocation> allocations;
  root->walk([&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    SmallVector<Value> allocated;
    for (const MemoryEffects::EffectInstance &effect : effects)
      if (isa<MemoryEffects::Allocate>(effect.getEffect()) &&
          !isa<SideEffects::AutomaticAllocationScopeResource>(
              effect.getResource()) &&
          isa_and_nonnull<OpResult>(effect.getValue()))
        allocated.push_back(effect.getValue());
    if (allocated.size() != 1)
      return;
    const ExistingDealloc dealloc = findDealloc(allocated.front());
    if (!dealloc.isUnclear)
      allocations.push_back({allocated.front(), dealloc.op});
  });
  return allocations;
}

} // namespace memreflens::classic
