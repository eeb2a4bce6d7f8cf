//===- core/pipeline/lifetimes/BufferFlow.cpp -----------------------------===//

#include "core/pipeline/lifetimes/BufferFlow.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens::lifetimes {

static bool isMemref(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

static void addMemrefs(ValueRange values, BufferFlow::Values &targets) {
  llvm::copy_if(values, std::back_inserter(targets), isMemref);
}

bool mayRunAgain(Operation *op, Region &region) {
  if (isa<LoopLikeOpInterface>(op))
    return true;
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    return branch.isRepetitiveRegion(region.getRegionNumber());
  return true;
}

const BufferFlow::Mapping &BufferFlow::mappingOf(Operation *op) {
  auto [entry, isNew] = mappings.try_emplace(op);
  if (!isNew)
    return entry->second;
  RegionBranchSuccessorMapping found;
  cast<RegionBranchOpInterface>(op).getSuccessorOperandInputMapping(found);
  Mapping mapping;
  for (auto &[operand, inputs] : found) {
    Values targets;
    addMemrefs(inputs, targets);
    if (!targets.empty())
      mapping[operand] = std::move(targets);
  }
  return mappings[op] = std::move(mapping);
}

/// In a recursion all may come back.
const llvm::SmallDenseSet<unsigned> &
BufferFlow::returnedFrom(BlockArgument argument) {
  auto [entry, isNew] = returned.try_emplace(argument);
  if (!isNew)
    return entry->second;
  Operation *function = argument.getOwner()->getParentOp();
  const auto results = cast<FunctionOpInterface>(function).getNumResults();
  for (unsigned i = 0; i < results; ++i)
    entry->second.insert(i);
  llvm::SmallDenseSet<unsigned> found;
  SmallVector<Value> pending = {argument};
  llvm::SmallDenseSet<Value> seen = {argument};
  while (!pending.empty())
    for (OpOperand &use : pending.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (user->getParentOp() == function &&
          user->hasTrait<OpTrait::ReturnLike>())
        found.insert(use.getOperandNumber());
      for (Value target : targetsOf(use))
        if (seen.insert(target).second)
          pending.push_back(target);
    }
  return returned[argument] = std::move(found);
}

void BufferFlow::addCall(CallOpInterface call, OpOperand &use,
                         Values &targets) {
  auto callee = dyn_cast_if_present<FunctionOpInterface>(
      call.resolveCallableInTable(&symbols));
  // A call by address has the contract, too; of another dialect's call nothing
  // is known.
  const bool mayReturn =
      callee ? callee.isExternal() && returnsOperands(call)
             : call->getName().getStringRef() != "func.call_indirect";
  if (mayReturn)
    addMemrefs(call->getResults(), targets);
  if (!callee || callee.isExternal())
    return;
  auto operands = call.getArgOperands();
  Block &entry = callee.getFunctionBody().front();
  const unsigned first = operands.getBeginOperandIndex();
  const unsigned number = use.getOperandNumber() - first;
  if (use.getOperandNumber() < first || number >= entry.getNumArguments())
    return addMemrefs(call->getResults(), targets);
  for (unsigned result : returnedFrom(entry.getArgument(number)))
    if (result < call->getNumResults())
      addMemrefs(ValueRange(call->getResult(result)), targets);
}

BufferFlow::Values BufferFlow::targetsOf(OpOperand &use) {
  Operation *op = use.getOwner();
  Values targets;
  if (!isMemref(use.get()))
    return targets;
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    addCall(call, use, targets);
    return targets;
  }
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    if (auto argument =
            branch.getSuccessorBlockArgument(use.getOperandNumber()))
      targets.push_back(*argument);
    return targets;
  }
  if (isa<RegionBranchOpInterface>(op))
    return mappingOf(op).lookup(&use);
  if (op->hasTrait<OpTrait::IsTerminator>()) {
    Operation *around = op->getParentOp();
    if (!around || isa<FunctionOpInterface>(around))
      return targets;
    if (isa<RegionBranchOpInterface>(around))
      return mappingOf(around).lookup(&use);
    // Of an op that says nothing of its regions.
    addMemrefs(around->getResults(), targets);
    for (Region &region : around->getRegions())
      if (!region.empty())
        addMemrefs(region.front().getArguments(), targets);
    return targets;
  }
  // What is loaded from a buffer of buffers is another one.
  if (isa<memref::LoadOp>(op))
    return targets;
  for (OpResult result : op->getResults())
    if (!hasEffect<MemoryEffects::Allocate>(op, result))
      addMemrefs(ValueRange(result), targets);
  for (Region &region : op->getRegions())
    if (!region.empty())
      addMemrefs(region.front().getArguments(), targets);
  return targets;
}

} // namespace memreflens::lifetimes
