//===- core/symexec/LiveContents.cpp --------------------------------------===//

#include "core/symexec/LiveContents.h"
#include "core/symexec/CallGraph.h"
#include "core/symexec/IrFacts.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <limits>

using namespace mlir;

namespace memreflens::symexec {

namespace {
/// Goes from the ops that ask back to all that may be what they ask about.
class AskFinder {
public:
  AskFinder(bool runsCalls, SymbolTableCollection &symbols)
      : runsCalls(runsCalls), symbols(symbols) {}
  void lookAt(Operation *op);
  /// Calls `found` for each operand by which a buffer is one of those that are
  /// asked about.
  void find(std::vector<OpOperand *> from,
            llvm::function_ref<void(OpOperand &)> found) const;

  std::vector<OpOperand *> asking, cloning;

private:
  bool asks(OpOperand &use);
  void handOn(OpOperand &use, ValueRange to);
  void handOnToRegions(Operation *op);
  void handOnToSuccessors(BranchOpInterface branch);

  bool runsCalls;
  SymbolTableCollection &symbols;
  /// By value: operands that it may be.
  llvm::DenseMap<Value, llvm::SmallVector<OpOperand *, 2>> sources;
};
} // namespace

void AskFinder::handOn(OpOperand &use, ValueRange to) {
  for (Value value : to)
    if (isBuffer(value.getType()))
      sources[value].push_back(&use);
}

bool AskFinder::asks(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<memref::LoadOp, memref::StoreOp>(op)) {
    auto type = dyn_cast<MemRefType>(use.get().getType());
    auto store = dyn_cast<memref::StoreOp>(op);
    return !type || (store && use.get() == store.getValueToStore()) ||
           isFollowed(type.getElementType());
  }
  if (isa<memref::DimOp>(op))
    return true;
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    FunctionOpInterface callee = calleeOf(call, symbols);
    return callee && !callee.getFunctionBody().empty() &&
           (runsCalls || isDeallocHelper(callee));
  }
  return false;
}

/// A way into or out of the regions, as the op says; any where it does not.
void AskFinder::handOnToRegions(Operation *op) {
  if (auto ways = dyn_cast<RegionBranchOpInterface>(op)) {
    RegionBranchSuccessorMapping mapping;
    ways.getSuccessorOperandInputMapping(mapping);
    for (auto &[use, values] : mapping)
      handOn(*use, values);
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      for (auto [init, argument] :
           llvm::zip(loop.getInitsMutable(), loop.getRegionIterArgs()))
        handOn(init, Value(argument));
    return;
  }
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      for (OpOperand &use : op->getOpOperands())
        handOn(use, block.getArguments());
      if (!block.empty())
        for (OpOperand &use : block.back().getOpOperands())
          handOn(use, op->getResults());
    }
  for (OpOperand &use : op->getOpOperands())
    handOn(use, op->getResults());
}

void AskFinder::handOnToSuccessors(BranchOpInterface branch) {
  for (auto [i, successor] : llvm::enumerate(branch->getSuccessors())) {
    SuccessorOperands passed = branch.getSuccessorOperands(unsigned(i));
    for (unsigned number = 0; number < successor->getNumArguments(); ++number)
      if (!passed.isOperandProduced(number))
        handOn(branch->getOpOperand(passed.getOperandIndex(number)),
               successor->getArgument(number));
  }
}

void AskFinder::lookAt(Operation *op) {
  for (OpOperand &use : op->getOpOperands())
    if (isBuffer(use.get().getType()) && asks(use))
      asking.push_back(&use);
  if (isa<bufferization::CloneOp>(op))
    cloning.push_back(&op->getOpOperand(0));
  if (op->getNumRegions() > 0)
    handOnToRegions(op);
  else if (auto branch = dyn_cast<BranchOpInterface>(op))
    handOnToSuccessors(branch);
  else if (!isa<CallOpInterface>(op))
    // Views, choices, copies; what else gives a buffer may give any of its own.
    for (OpOperand &use : op->getOpOperands())
      if (isBuffer(use.get().getType())) {
        handOn(use, op->getResults());
        for (Block *successor : op->getSuccessors())
          handOn(use, successor->getArguments());
      }
}

void AskFinder::find(std::vector<OpOperand *> from,
                     llvm::function_ref<void(OpOperand &)> found) const {
  llvm::SmallPtrSet<void *, 32> known;
  while (!from.empty()) {
    OpOperand *use = from.back();
    from.pop_back();
    found(*use);
    if (!known.insert(use->get().getAsOpaquePointer()).second)
      continue;
    if (auto next = sources.find(use->get()); next != sources.end())
      from.insert(from.end(), next->second.begin(), next->second.end());
  }
}

LiveContents::LiveContents(Operation *function, bool runsCalls,
                           SymbolTableCollection &symbols) {
  AskFinder finder(runsCalls, symbols);
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    positions.try_emplace(op, positions.size() + 1);
    if (op != function)
      finder.lookAt(op);
  });
  auto lastBelow = [&](Operation *op) {
    while (op->getNumRegions() > 0) {
      Region *last = nullptr;
      for (Region &region : op->getRegions())
        if (!region.empty() && !region.back().empty())
          last = &region;
      if (!last)
        break;
      op = &last->back().back();
    }
    return positions.lookup(op);
  };
  // A value of a block is what it is until control comes there again.
  auto noteIn = [&](llvm::DenseMap<Value, unsigned> &until) {
    return [&](OpOperand &use) {
      Operation *here =
          use.get().getParentBlock()->findAncestorOpInBlock(*use.getOwner());
      unsigned &last = until[use.get()];
      last = here ? std::max(last, lastBelow(here))
                  : std::numeric_limits<unsigned>::max();
    };
  };
  finder.find(finder.asking, noteIn(asked));
  finder.find(finder.cloning, noteIn(cloned));
}

} // namespace memreflens::symexec
