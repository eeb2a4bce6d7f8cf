//===- core/pipeline/classic/AliasSets.cpp --------------------------------===//

#include "core/pipeline/classic/AliasSets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace memreflens::classic {

// Inner ops first: the order of the links is that of the sets, and the order of
// clones before one terminator comes from it.
AliasSets::AliasSets(Operation *root) {
  root->walk([&](Operation *op) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      add(view.getViewSource(), view.getViewDest(), op, AliasLink::view);
    else if (isa<BranchOpInterface>(op))
      addBranch(op);
    else if (isa<RegionBranchOpInterface>(op))
      addRegions(op);
    else if (auto select = dyn_cast<arith::SelectOp>(op))
      for (Value source : {select.getTrueValue(), select.getFalseValue()})
        add(source, select.getResult(), op, AliasLink::select);
  });
}

void AliasSets::add(ValueRange sources, ValueRange aliases, Operation *via,
                    AliasLink link) {
  for (auto [source, alias] : llvm::zip(sources, aliases))
    if (isa<BaseMemRefType>(alias.getType()) && flow[source].insert(alias))
      links.push_back({source, alias, via, link});
}

void AliasSets::addBranch(Operation *op) {
  auto branch = cast<BranchOpInterface>(op);
  for (auto [index, successor] : llvm::enumerate(op->getSuccessors())) {
    SuccessorOperands operands = branch.getSuccessorOperands(index);
    add(operands.getForwardedOperands(),
        successor->getArguments().drop_front(
            operands.getProducedOperandCount()),
        op, AliasLink::branch);
  }
}

void AliasSets::addRegions(Operation *op) {
  auto branch = cast<RegionBranchOpInterface>(op);
  SmallVector<RegionSuccessor, 2> successors;
  branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (RegionSuccessor &successor : successors)
    add(branch.getEntrySuccessorOperands(successor),
        successor.getSuccessorInputs(), op, AliasLink::regionEntry);

  for (Region &region : op->getRegions())
    for (Block &block : region) {
      if (block.empty())
        continue;
      auto exit = dyn_cast<RegionBranchTerminatorOpInterface>(block.back());
      if (!exit)
        continue;
      successors.clear();
      branch.getSuccessorRegions(RegionBranchPoint(exit), successors);
      for (RegionSuccessor &successor : successors)
        add(exit.getSuccessorOperands(successor),
            successor.getSuccessorInputs(), exit, AliasLink::regionExit);
    }
}

const ValueSet &AliasSets::direct(Value source) const {
  static const ValueSet empty;
  auto entry = flow.find(source);
  return entry == flow.end() ? empty : entry->second;
}

ValueSet AliasSets::resolve(Value source) const {
  ValueSet reached;
  SmallVector<Value> pending = {source};
  while (!pending.empty()) {
    const Value current = pending.pop_back_val();
    if (reached.insert(current))
      llvm::append_range(pending, direct(current));
  }
  return reached;
}

void AliasSets::cut(const ValueSet &values) {
  for (auto &entry : flow)
    entry.second.remove_if([&](Value value) { return values.contains(value); });
}

} // namespace memreflens::classic
