//===- core/pipeline/ValueFlow.cpp ----------------------------------------===//

#include "core/pipeline/ValueFlow.h"

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

} // namespace memreflens
