//===- core/pipeline/placement/Hoisting.cpp -------------------------------===//

#include "core/pipeline/placement/Hoisting.h"

#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/Bufferization/IR/AllocationOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferUtils.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace memreflens::placement {

bool isKnownControlFlow(Operation *op) {
  return isa<LoopLikeOpInterface, RegionBranchOpInterface>(op);
}

bool isLoop(Operation *op) {
  if (isa<LoopLikeOpInterface>(op))
    return true;
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  return branch && branch.hasLoop();
}

namespace {
/// One pass over one function.
class Hoister {
public:
  Hoister(FunctionOpInterface function, HoistingPass pass)
      : pass(pass), function(function), aliases(function),
        allocations(function), liveness(function), dominance(function) {}
  std::vector<Hoisted> run();

private:
  bool isHoistable(Operation *op) const;
  Hoisted hoist(Value allocated);
  /// The block of the operand that comes last, and that operand.
  std::pair<Block *, Value> lastOperand(Operation *op);
  Block *goUp(Hoisted &entry, Block *upperBound, Block *ofUses);
  bool mayLeave(Hoisted &entry, Operation *around, Block *ofUses);

  HoistingPass pass;
  FunctionOpInterface function;
  BufferViewFlowAnalysis aliases;
  bufferization::BufferPlacementAllocs allocations;
  Liveness liveness;
  DominanceInfo dominance;
};
} // namespace

std::vector<Hoisted> Hoister::run() {
  std::vector<Hoisted> entries;
  for (const auto &[value, dealloc] : allocations)
    entries.push_back(hoist(value));
  SmallVector<memref::AllocaOp> stack;
  function->walk([&](memref::AllocaOp op) { stack.push_back(op); });
  for (memref::AllocaOp op : stack)
    entries.push_back(hoist(op.getMemref()));
  return entries;
}

bool Hoister::isHoistable(Operation *op) const {
  auto interface = dyn_cast<bufferization::AllocationOpInterface>(op);
  if (!interface)
    return false;
  const HoistingKind wanted =
      pass == HoistingPass::blocks ? HoistingKind::Block : HoistingKind::Loop;
  return (uint8_t(interface.getHoistingKind()) & uint8_t(wanted)) != 0;
}

std::pair<Block *, Value> Hoister::lastOperand(Operation *op) {
  Block *last = nullptr;
  Value because;
  for (Value operand : op->getOperands()) {
    Block *block = operand.getParentBlock();
    if (last && !dominance.dominates(last, block))
      continue;
    last = block;
    because = operand;
  }
  return {last, because};
}

Hoisted Hoister::hoist(Value allocated) {
  Operation *op = allocated.getDefiningOp();
  Hoisted entry;
  entry.allocation = op;
  entry.from = entry.to = op->getBlock();
  if (!isHoistable(op))
    return entry;
  Block *ofUses = bufferization::findCommonDominator(
      allocated, aliases.resolve(allocated), dominance);
  auto [ofOperands, operand] = lastOperand(op);
  entry.because = operand;
  Block *upperBound = ofOperands;
  entry.limit = MoveOutcome::operand;
  // Loop hoisting asks for the uses only where it leaves a loop.
  if (pass == HoistingPass::blocks &&
      (!ofOperands || !dominance.properlyDominates(ofUses, ofOperands))) {
    upperBound = ofUses;
    entry.limit = MoveOutcome::usesBelow;
    entry.because = {};
  }
  entry.to = goUp(entry, upperBound, ofUses);
  op->moveBefore(bufferization::BufferPlacementAllocs::getStartOperation(
      allocated, entry.to, liveness));
  return entry;
}

/// Goes up until `upperBound` (null: none), and says in `entry` what stops it
/// before.
Block *Hoister::goUp(Hoisted &entry, Block *upperBound, Block *ofUses) {
  Block *current = entry.from, *reached = entry.from;
  while (Operation *around = current->getParentOp()) {
    Block *outer = around->getBlock();
    if (!outer)
      break;
    if (upperBound && !dominance.properlyDominates(upperBound, current))
      return reached;
    // A region of one block has no tree of dominators.
    DominanceInfoNode *node =
        current->isEntryBlock() ? nullptr : dominance.getNode(current);
    DominanceInfoNode *above = node ? node->getIDom() : nullptr;
    if (above && dominance.properlyDominates(outer, above->getBlock())) {
      current = above->getBlock();
      // Only a step out of a loop counts for loop hoisting.
      if (pass == HoistingPass::blocks)
        reached = current;
      continue;
    }
    if (!mayLeave(entry, around, ofUses))
      return reached;
    current = reached = outer;
  }
  entry.limit = MoveOutcome::unknownRegion;
  entry.around = current->getParentOp();
  entry.because = {};
  return reached;
}

bool Hoister::mayLeave(Hoisted &entry, Operation *around, Block *ofUses) {
  auto stop = [&](MoveOutcome limit) {
    entry.limit = limit;
    entry.around = around;
    entry.because = {};
    return false;
  };
  if (!isKnownControlFlow(around))
    return stop(MoveOutcome::unknownRegion);
  if (pass == HoistingPass::blocks)
    return !isLoop(around) || stop(MoveOutcome::loop);
  if (!isLoop(around))
    return stop(MoveOutcome::noLoop);
  if (around->hasTrait<OpTrait::HasParallelRegion>())
    return stop(MoveOutcome::parallelLoop);
  return !dominance.dominates(ofUses, around->getBlock()) ||
         stop(MoveOutcome::usedOutsideLoop);
}

std::vector<Hoisted> hoistAllocations(FunctionOpInterface function,
                                      HoistingPass pass) {
  return Hoister(function, pass).run();
}

} // namespace memreflens::placement
