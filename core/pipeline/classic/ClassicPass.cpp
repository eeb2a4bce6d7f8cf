//===- core/pipeline/classic/ClassicPass.cpp ------------------------------===//

#include "core/pipeline/classic/ClassicPass.h"

#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/Bufferization/IR/AllocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using bufferization::AllocationOpInterface;

namespace memreflens::classic {

namespace {
/// One run on one function.
class Run {
public:
  Run(FunctionOpInterface function, Observer &observer)
      : function(function), observer(observer), aliases(function),
        liveness(function), dominance(function), postDominance(function) {}
  LogicalResult run();

private:
  LogicalResult findInterfaces();
  void findCriticals();
  void follow(Value source, Block *from);
  LogicalResult copyInto(Value critical);
  LogicalResult copyAtBranches(BlockArgument argument);
  LogicalResult copyAtEntry(RegionBranchOpInterface op, BlockArgument argument);
  LogicalResult copyAtExits(RegionBranchOpInterface op, Value critical,
                            Region *successor);
  FailureOr<Value> copy(Value critical, Value operand, Operation *user);
  LogicalResult place(Allocation allocation);
  Block *commonPostDominator(Value value, const ValueSet &aliasSet);
  FailureOr<Operation *> buildDealloc(Value value, Operation *before);

  FunctionOpInterface function;
  Observer &observer;
  AliasSets aliases;
  // As they are before the first clone: a clone ends what it copies, and the
  // question where a value is still needed was the user's program's.
  Liveness liveness;
  DominanceInfo dominance;
  PostDominanceInfo postDominance;

  std::vector<Allocation> allocations;
  /// The op that knows how an alias's memory is copied and freed.
  llvm::DenseMap<Value, AllocationOpInterface> interfaces;
  ValueSet criticals;
  llvm::DenseSet<std::pair<Value, Block *>> followed;
  SmallVector<std::pair<Value, Block *>> pending;
  llvm::DenseSet<Value> clones;
};
} // namespace

LogicalResult Run::run() {
  for (const Alias &alias : aliases.getLinks())
    observer.foundAlias(alias);
  allocations = findAllocations(function);
  if (failed(findInterfaces()))
    return failure();
  findCriticals();
  aliases.cut(criticals);
  for (Value critical : criticals) {
    if (failed(copyInto(critical)))
      return failure();
    allocations.push_back({critical, nullptr});
  }
  for (const Allocation &allocation : allocations)
    if (failed(place(allocation)))
      return failure();
  return success();
}

LogicalResult Run::findInterfaces() {
  for (const Allocation &allocation : allocations) {
    observer.foundAllocation(allocation);
    auto interface = allocation.value.getDefiningOp<AllocationOpInterface>();
    if (!interface && !allocation.dealloc) {
      observer.rejected(allocation.value.getDefiningOp(),
                        "Allocation is not deallocated explicitly nor does the "
                        "operation implement the AllocationOpInterface.",
                        Rejection::other);
      return failure();
    }
    for (Value alias : aliases.resolve(allocation.value))
      interfaces[alias] = interface;
  }
  return success();
}

//===--- Critical aliases -------------------------------------------------===//

void Run::findCriticals() {
  for (Allocation allocation : allocations)
    follow(allocation.value, allocation.value.getParentBlock());
  while (!pending.empty()) {
    auto [value, from] = pending.pop_back_val();
    follow(value, from);
  }
}

/// Memory of `from` reaches `source`: what of its aliases is safe with that?
void Run::follow(Value source, Block *from) {
  for (Value alias : aliases.direct(source)) {
    if (criticals.contains(alias))
      continue;
    Block *block = alias.getParentBlock();
    const bool isBackEdge = from == block && isa<BlockArgument>(alias);
    if (!dominance.dominates(from, block) || isBackEdge) {
      observer.foundCritical({alias, source, from,
                              isBackEdge ? CriticalReason::backEdge
                                         : CriticalReason::notDominated});
      criticals.insert(alias);
      pending.emplace_back(alias, block);
    } else if (followed.insert({alias, from}).second) {
      pending.emplace_back(alias, from);
    }
  }
}

//===--- Copies -----------------------------------------------------------===//

LogicalResult Run::copyInto(Value critical) {
  auto argument = dyn_cast<BlockArgument>(critical);
  if (!argument)
    return copyAtExits(critical.getDefiningOp<RegionBranchOpInterface>(),
                       critical, /*successor=*/nullptr);
  if (failed(copyAtBranches(argument)))
    return failure();
  Block *block = argument.getOwner();
  auto op = dyn_cast<RegionBranchOpInterface>(block->getParentOp());
  if (!op || !block->isEntryBlock())
    return success();
  if (failed(copyAtExits(op, critical, block->getParent())))
    return failure();
  return copyAtEntry(op, argument);
}

LogicalResult Run::copyAtBranches(BlockArgument argument) {
  Block *block = argument.getOwner();
  for (auto edge = block->pred_begin(); edge != block->pred_end(); ++edge) {
    Operation *terminator = (*edge)->getTerminator();
    auto branch = dyn_cast<BranchOpInterface>(terminator);
    if (!branch) {
      observer.rejected(terminator,
                        "a buffer that has to be copied is passed by "
                        "a terminator without BranchOpInterface",
                        Rejection::other);
      return failure();
    }
    SuccessorOperands operands =
        branch.getSuccessorOperands(edge.getSuccessorIndex());
    Value operand = operands[argument.getArgNumber()];
    if (!operand) {
      observer.rejected(terminator,
                        "a buffer that has to be copied is made by "
                        "the terminator itself",
                        Rejection::other);
      return failure();
    }
    FailureOr<Value> clone = copy(argument, operand, terminator);
    if (failed(clone))
      return failure();
    operands.slice(argument.getArgNumber(), 1).assign(*clone);
  }
  return success();
}

/// Copies what the terminators below `op` pass to `critical`, an argument of
/// `successor`, or a result of `op` where that is null.
LogicalResult Run::copyAtExits(RegionBranchOpInterface op, Value critical,
                               Region *successor) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      auto exit =
          block.empty()
              ? nullptr
              : dyn_cast<RegionBranchTerminatorOpInterface>(block.back());
      if (!exit)
        continue;
      SmallVector<RegionSuccessor, 2> successors;
      op.getSuccessorRegions(RegionBranchPoint(exit), successors);
      auto *to = llvm::find_if(successors, [&](RegionSuccessor &candidate) {
        return candidate.getSuccessor() == successor;
      });
      if (to == successors.end())
        continue;
      ValueRange inputs = to->getSuccessorInputs();
      auto input = llvm::find(inputs, critical);
      if (input == inputs.end())
        continue;
      MutableOperandRange operands = exit.getMutableSuccessorOperands(*to);
      OpOperand &operand = operands[std::distance(inputs.begin(), input)];
      FailureOr<Value> clone = copy(critical, operand.get(), exit);
      if (failed(clone))
        return failure();
      operand.set(*clone);
    }
  return success();
}

LogicalResult Run::copyAtEntry(RegionBranchOpInterface op,
                               BlockArgument argument) {
  SmallVector<RegionSuccessor, 2> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (RegionSuccessor &successor : successors) {
    if (successor.getSuccessor() != argument.getOwner()->getParent())
      continue;
    ValueRange inputs = successor.getSuccessorInputs();
    auto input = llvm::find(inputs, Value(argument));
    if (input == inputs.end())
      return success();
    OperandRange operands = op.getEntrySuccessorOperands(successor);
    OpOperand &operand = op->getOpOperand(operands.getBeginOperandIndex() +
                                          std::distance(inputs.begin(), input));
    FailureOr<Value> clone = copy(argument, operand.get(), op);
    if (failed(clone))
      return failure();
    operand.set(*clone);
    return success();
  }
  return success();
}

FailureOr<Value> Run::copy(Value critical, Value operand, Operation *user) {
  // One terminator may pass an operand to its own region and out of it: a copy
  // of the copy would be freed by nobody.
  if (clones.contains(operand)) {
    observer.copied({critical, operand, operand, user});
    return operand;
  }
  OpBuilder builder(user);
  Value clone;
  if (AllocationOpInterface interface = interfaces.lookup(operand)) {
    std::optional<Value> built = interface.buildClone(builder, operand);
    if (!built) {
      observer.rejected(user,
                        "Allocation does not support cloning of its "
                        "memory, which has to be copied here.",
                        Rejection::other);
      return failure();
    }
    clone = *built;
  } else {
    clone = bufferization::CloneOp::create(builder, operand.getLoc(), operand);
  }
  clones.insert(clone);
  observer.copied({critical, operand, clone, user});
  return clone;
}

//===--- Deallocs ---------------------------------------------------------===//

/// The nearest block through which every way from the uses leads.
Block *Run::commonPostDominator(Value value, const ValueSet &aliasSet) {
  Block *common = value.getParentBlock();
  auto include = [&](Block *block) {
    if (common)
      common = postDominance.findNearestCommonDominator(common, block);
  };
  for (Value alias : aliasSet) {
    for (Operation *user : alias.getUsers())
      include(user->getBlock());
    include(alias.getParentBlock());
  }
  return common;
}

/// By the op itself, or in its regions.
static bool isUsedIn(Value value, Operation *op) {
  return llvm::any_of(value.getUsers(),
                      [&](Operation *user) { return op->isAncestor(user); });
}

LogicalResult Run::place(Allocation allocation) {
  const ValueSet aliasSet = aliases.resolve(allocation.value);
  Placement placement;
  placement.value = allocation.value;
  placement.block = commonPostDominator(allocation.value, aliasSet);
  if (!placement.block) {
    observer.rejected(allocation.value.getDefiningOp()
                          ? allocation.value.getDefiningOp()
                          : allocation.value.getParentBlock()->getParentOp(),
                      "no block lies on every way from the buffer's uses",
                      Rejection::other);
    return failure();
  }
  const LivenessBlockInfo *info = liveness.getLiveness(placement.block);
  placement.after = &placement.block->front();
  for (Value alias : aliasSet) {
    Operation *start = placement.after;
    if (Operation *definition = alias.getDefiningOp())
      start = placement.block->findAncestorOpInBlock(*definition);
    if (!start)
      continue;
    Operation *end = info->getEndOperation(alias, start);
    if (end->getBlock() != placement.block ||
        end->isBeforeInBlock(placement.after))
      continue;
    if (end != placement.after)
      placement.lastAlias = {};
    placement.after = end;
    // Of an alias that is not used from there on, it is the start again.
    if (!placement.lastAlias && isUsedIn(alias, end))
      placement.lastAlias = alias;
  }
  if (allocation.dealloc) {
    if (placement.after->hasTrait<OpTrait::IsTerminator>()) {
      observer.rejected(allocation.dealloc,
                        "a buffer that leaves its block is deallocated before",
                        Rejection::other);
      return failure();
    }
    allocation.dealloc->moveAfter(placement.after);
    placement.dealloc = allocation.dealloc;
    placement.moved = true;
  } else if (Operation *next = placement.after->getNextNode()) {
    FailureOr<Operation *> dealloc = buildDealloc(allocation.value, next);
    if (failed(dealloc))
      return failure();
    placement.dealloc = *dealloc;
  }
  observer.placed(placement);
  return success();
}

FailureOr<Operation *> Run::buildDealloc(Value value, Operation *before) {
  OpBuilder builder(before);
  AllocationOpInterface interface = interfaces.lookup(value);
  if (!interface)
    return memref::DeallocOp::create(builder, value.getLoc(), value)
        .getOperation();
  std::optional<Operation *> built = interface.buildDealloc(builder, value);
  if (built)
    return *built;
  observer.rejected(before,
                    "Allocation does not support compatible deallocation "
                    "operations, which are needed here.",
                    Rejection::other);
  return failure();
}

LogicalResult runClassicPass(FunctionOpInterface function, Observer &observer) {
  if (failed(checkControlFlow(function, observer)))
    return failure();
  return Run(function, observer).run();
}

} // namespace memreflens::classic
