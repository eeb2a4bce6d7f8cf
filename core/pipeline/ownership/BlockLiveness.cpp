//===- core/pipeline/ownership/BlockLiveness.cpp --------------------------===//

#include "core/pipeline/ownership/BlockLiveness.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memreflens {

/// A use below an op of the same block does not count as one past its end.
static bool isUsedPastEnd(Value value) {
  Block *home = value.getParentBlock();
  Region *region = home->getParent();
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return user->getBlock() != home &&
           region->findAncestorBlockInRegion(*user->getBlock()) != home;
  });
}

void BlockLiveness::gather(Block *block, Facts &facts) {
  auto noteOut = [&](Value value) {
    if (isUsedPastEnd(value))
      facts.liveOut.insert(value);
  };
  llvm::for_each(block->getArguments(), noteOut);
  for (Operation &op : *block)
    llvm::for_each(op.getResults(), noteOut);

  for (BlockArgument argument : block->getArguments())
    facts.definitions.insert(argument);
  block->walk([&](Operation *op) {
    for (Value result : op->getResults())
      facts.definitions.insert(result);
    for (Value operand : op->getOperands())
      facts.uses.insert(operand);
    for (Region &region : op->getRegions())
      for (Block &nested : region)
        for (BlockArgument argument : nested.getArguments())
          facts.definitions.insert(argument);
  });
  facts.uses.subtract(facts.definitions);
}

/// False if nothing was added.
bool BlockLiveness::updateLiveIn(Facts &facts) {
  LiveSet live = facts.uses;
  live.add(facts.liveOut);
  live.subtract(facts.definitions);
  if (live.size() == facts.liveIn.size())
    return false;
  facts.liveIn = std::move(live);
  return true;
}

void BlockLiveness::updateLiveOut(Block *block, Facts &facts) {
  for (Block *successor : block->getSuccessors())
    facts.liveOut.add(blocks.find(successor)->second.liveIn);
}

BlockLiveness::BlockLiveness(Operation *root) {
  llvm::SetVector<Block *> changed;
  auto spread = [&](Block *block) {
    changed.insert(block->pred_begin(), block->pred_end());
  };
  root->walk<WalkOrder::PreOrder>([&](Block *block) {
    Facts &facts = blocks[block];
    gather(block, facts);
    if (updateLiveIn(facts))
      spread(block);
  });
  while (!changed.empty()) {
    Block *block = changed.pop_back_val();
    Facts &facts = blocks.find(block)->second;
    updateLiveOut(block, facts);
    if (updateLiveIn(facts))
      spread(block);
  }
}

const LiveSet &BlockLiveness::liveIn(Block *block) const {
  return blocks.find(block)->second.liveIn;
}

const LiveSet &BlockLiveness::liveOut(Block *block) const {
  return blocks.find(block)->second.liveOut;
}

} // namespace memreflens
