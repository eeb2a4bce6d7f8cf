//===- core/pipeline/simplify/ValueFlow.cpp -------------------------------===//

#include "core/pipeline/simplify/ValueFlow.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace memreflens {

void visitBranchFlow(BranchOpInterface branch, FlowVisitor visit) {
  for (auto [index, successor] : llvm::enumerate(branch->getSuccessors())) {
    SuccessorOperands operands = branch.getSuccessorOperands(index);
    visit(operands.getForwardedOperands(),
          successor->getArguments().drop_front(
              operands.getProducedOperandCount()),
          branch);
  }
}

void visitRegionFlow(RegionBranchOpInterface op, FlowVisitor visit) {
  SmallVector<RegionSuccessor, 2> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (RegionSuccessor &successor : successors)
    visit(op.getEntrySuccessorOperands(successor),
          successor.getSuccessorInputs(), op);

  for (Region &region : op->getRegions())
    for (Block &block : region) {
      if (block.empty())
        continue;
      auto exit = dyn_cast<RegionBranchTerminatorOpInterface>(block.back());
      if (!exit)
        continue;
      successors.clear();
      op.getSuccessorRegions(RegionBranchPoint(exit), successors);
      for (RegionSuccessor &successor : successors)
        visit(exit.getSuccessorOperands(successor),
              successor.getSuccessorInputs(), exit);
    }
}

bool operandsInto(BlockArgument argument, SmallVectorImpl<Value> &from) {
  Block *block = argument.getOwner();
  for (auto edge = block->pred_begin(); edge != block->pred_end(); ++edge) {
    auto branch = dyn_cast<BranchOpInterface>((*edge)->getTerminator());
    Value operand = branch
                        ? branch.getSuccessorOperands(
                              edge.getSuccessorIndex())[argument.getArgNumber()]
                        : Value();
    if (!operand)
      return false;
    from.push_back(operand);
  }
  return true;
}

bool mayRunTwice(Operation *op) {
  for (Operation *inner = op; !isa<FunctionOpInterface>(inner);
       inner = inner->getParentOp()) {
    // A block that reaches itself.
    llvm::DenseSet<Block *> seen;
    SmallVector<Block *> pending(inner->getBlock()->getSuccessors());
    while (!pending.empty()) {
      Block *block = pending.pop_back_val();
      if (block == inner->getBlock())
        return true;
      if (seen.insert(block).second)
        llvm::append_range(pending, block->getSuccessors());
    }
    Operation *around = inner->getParentOp();
    if (!around)
      return true;
    if (isa<FunctionOpInterface>(around))
      return false;
    auto branch = dyn_cast<RegionBranchOpInterface>(around);
    if (isa<LoopLikeOpInterface>(around) || !branch || branch.hasLoop())
      return true;
  }
  return false;
}

} // namespace memreflens
