//===- core/pipeline/placement/AllocationLiveness.cpp ---------------------===//

#include "core/pipeline/placement/AllocationLiveness.h"

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens::placement {

namespace {
/// The uses of one buffer, as the pass goes through them.
class Uses {
public:
  Uses(Value allocated, const BufferViewFlowAnalysis::ValueSetT &aliases,
       FreeMove &move)
      : block(allocated.getParentBlock()), aliases(aliases), move(move) {
    for (Value alias : aliases)
      for (Operation *user : alias.getUsers())
        if (user != move.dealloc)
          add(user);
    if (move.lastUse)
      move.through = operandOf(move.lastUse, allocated);
  }

private:
  void add(Operation *user) {
    Operation *top = block->findAncestorOpInBlock(*user);
    if (!top) {
      move.uncounted = user;
      move.crashesUpstream |= move.after != nullptr;
      return;
    }
    if (move.after && !move.after->isBeforeInBlock(top) &&
        (top != move.after || !followsInText(user, move.lastUse)))
      return;
    move.after = top;
    move.lastUse = user;
  }

  /// Of two ops under one: an order that the order of aliases does not change.
  static bool followsInText(Operation *op, Operation *other) {
    if (op == other || op->isProperAncestor(other))
      return false;
    if (other->isProperAncestor(op))
      return true;
    Operation *around = other;
    while (!around->getParentOp()->isProperAncestor(op))
      around = around->getParentOp();
    Operation *beside = op;
    while (beside->getParentOp() != around->getParentOp())
      beside = beside->getParentOp();
    if (beside->getBlock() == around->getBlock())
      return around->isBeforeInBlock(beside);
    if (beside->getParentRegion() != around->getParentRegion())
      return around->getParentRegion()->getRegionNumber() <
             beside->getParentRegion()->getRegionNumber();
    return llvm::any_of(
        llvm::make_range(std::next(around->getBlock()->getIterator()),
                         around->getParentRegion()->end()),
        [&](Block &later) { return &later == beside->getBlock(); });
  }

  Value operandOf(Operation *user, Value allocated) const {
    Value found;
    for (Value operand : user->getOperands()) {
      if (operand == allocated)
        return operand;
      if (!found && aliases.contains(operand))
        found = operand;
    }
    return found;
  }

  Block *block;
  const BufferViewFlowAnalysis::ValueSetT &aliases;
  FreeMove &move;
};

class Mover {
public:
  explicit Mover(FunctionOpInterface function)
      : function(function), aliases(function) {}
  std::vector<FreeMove> run();

private:
  FreeMove look(Operation *op, ArrayRef<OpResult> allocated);
  MoveOutcome whyNotFreed(Value allocated, FreeMove &move);
  void moveFree(FreeMove &move);

  FunctionOpInterface function;
  BufferViewFlowAnalysis aliases;
};
} // namespace

std::vector<FreeMove> Mover::run() {
  std::vector<FreeMove> moves;
  // What is moved while the walk goes on may hide ops from it, as in the pass.
  function->walk([&](MemoryEffectOpInterface op) -> WalkResult {
    SmallVector<OpResult> allocated;
    for (OpResult result : op->getResults())
      if (hasEffect<MemoryEffects::Allocate>(op, result))
        allocated.push_back(result);
    if (!allocated.empty())
      moves.push_back(look(op, allocated));
    return WalkResult::advance();
  });
  return moves;
}

FreeMove Mover::look(Operation *op, ArrayRef<OpResult> allocated) {
  FreeMove move;
  move.allocation = op;
  if (allocated.size() > 1) {
    move.outcome = MoveOutcome::severalAllocations;
    return move;
  }
  const Value buffer = allocated.front();
  // A realloc frees too, which is why memref::findDealloc is no help.
  for (Operation *user : buffer.getUsers()) {
    if (!hasEffect<MemoryEffects::Free>(user, buffer))
      continue;
    if (move.dealloc) {
      move.dealloc = nullptr;
      move.outcome = MoveOutcome::freedSeveralTimes;
      return move;
    }
    move.dealloc = user;
  }
  if (!move.dealloc) {
    move.outcome = whyNotFreed(buffer, move);
    return move;
  }
  if (move.dealloc->getBlock() != op->getBlock()) {
    move.outcome = MoveOutcome::freedElsewhere;
    return move;
  }
  Uses(buffer, aliases.resolve(buffer), move);
  moveFree(move);
  return move;
}

MoveOutcome Mover::whyNotFreed(Value allocated, FreeMove &move) {
  for (Value alias : aliases.resolve(allocated))
    for (Operation *user : alias.getUsers())
      if (alias != allocated && hasEffect<MemoryEffects::Free>(user, alias)) {
        move.through = alias;
        return MoveOutcome::freedThroughAlias;
      }
  return MoveOutcome::notFreed;
}

/// Whether something that the free needs, or that needs it, ends up on the
/// wrong side of it.
static bool isSpoiled(const FreeMove &move) {
  if (move.after->hasTrait<OpTrait::IsTerminator>())
    return true;
  Block *block = move.dealloc->getBlock();
  for (Value operand : move.dealloc->getOperands()) {
    Operation *definition = operand.getDefiningOp();
    if (definition && definition->getBlock() == block &&
        move.after->isBeforeInBlock(definition))
      return true;
  }
  return llvm::any_of(move.dealloc->getUsers(), [&](Operation *user) {
    Operation *top = block->findAncestorOpInBlock(*user);
    return top && !move.after->isBeforeInBlock(top);
  });
}

void Mover::moveFree(FreeMove &move) {
  if (!move.after) {
    move.outcome =
        move.uncounted ? MoveOutcome::usedElsewhere : MoveOutcome::noUse;
    return;
  }
  Operation *dealloc = move.dealloc;
  const bool isUp = move.after->isBeforeInBlock(dealloc);
  if (isUp && move.after->getNextNode() == dealloc) {
    move.outcome = MoveOutcome::inPlace;
    return;
  }
  Operation *from = isUp ? move.after->getNextNode() : dealloc->getNextNode();
  Operation *to = isUp ? dealloc : move.after->getNextNode();
  for (; from != to; from = from->getNextNode())
    move.passed.push_back(from);
  const bool isInvalid = isSpoiled(move);
  dealloc->moveAfter(move.after);
  move.outcome = isInvalid ? MoveOutcome::spoiled
                 : isUp    ? MoveOutcome::movedUp
                           : MoveOutcome::movedDown;
}

std::vector<FreeMove> optimizeLiveness(FunctionOpInterface function) {
  return Mover(function).run();
}

} // namespace memreflens::placement
