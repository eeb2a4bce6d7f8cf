//===- core/pipeline/ownership/Models.cpp ---------------------------------===//
//
// Ops with a deallocation interface.
//
// Our own handling of the five ops for which upstream registers models, and the
// bridge to those of other dialects, whose `process` is called as it is.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/ownership/Conditions.h"
#include "core/pipeline/ownership/OwnershipPass.h"
#include "core/pipeline/ownership/ThirdParty.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memreflens {

using trace::OpHandling;
using trace::OpModel;
using trace::OwnershipRule;
using trace::RejectionCause;

//===--- cf.cond_br -------------------------------------------------------===//

namespace {
/// What one side of the branch made of its retained values.
struct BranchSide {
  bufferization::DeallocOp dealloc;
  llvm::DenseMap<Value, Value> ownershipOf;
};
} // namespace

/// `condition` and the branch being taken towards `edge`.
static Value conditionTowards(OwnershipState &state, OpBuilder &builder,
                              cf::CondBranchOp op, Value condition,
                              Value memref, unsigned edge) {
  Value taken = op.getCondition();
  if (edge == 1) {
    Value one = state.constant(builder, op.getLoc(), true);
    auto negated = arith::XOrIOp::create(builder, op.getLoc(), one, taken);
    state.recorder.generated(negated, "not_taken");
    taken = negated;
  }
  auto both = arith::AndIOp::create(builder, op.getLoc(), condition, taken);
  state.recorder.generated(both, "free", memref);
  return both;
}

static void forwardIndicators(OwnershipState &state, cf::CondBranchOp op,
                              MutableOperandRange operands, BranchSide &side,
                              unsigned edge) {
  SmallVector<Value> extended{OperandRange(operands)};
  for (Value operand : SmallVector<Value>(extended)) {
    if (!isMemref(operand))
      continue;
    Value indicator = side.ownershipOf.lookup(operand);
    state.recorder.add(
        op, op->getBlock(), operand,
        trace::SignatureEvent{trace::SignaturePart::branchOperand,
                              state.recorder.idOf(indicator),
                              int(extended.size()), int(edge)});
    extended.push_back(indicator);
  }
  operands.assign(extended);
}

static BranchSide handleSide(OwnershipState &state, OpBuilder &builder,
                             cf::CondBranchOp op, const DeallocList &list,
                             unsigned edge) {
  MutableOperandRange operands = edge == 0 ? op.getTrueDestOperandsMutable()
                                           : op.getFalseDestOperandsMutable();
  SmallVector<Retained> retained = state.toRetain(
      op->getBlock(), op->getSuccessor(edge), OperandRange(operands),
      trace::RetainReason::forwardedOperand);
  SmallVector<Value> conditions;
  for (auto [condition, memref] : llvm::zip(list.conditions, list.listed))
    conditions.push_back(
        conditionTowards(state, builder, op, condition, memref, edge));
  BranchSide side;
  side.dealloc =
      state.insertDealloc(builder, op, list, conditions, retained, edge);
  // By value, so that the last of several duplicates wins.
  for (auto [value, result] : llvm::zip(side.dealloc.getRetained(),
                                        side.dealloc.getUpdatedConditions()))
    side.ownershipOf[value] = result;
  forwardIndicators(state, op, operands, side, edge);
  return side;
}

static Handled handleCondBranch(OwnershipState &state, cf::CondBranchOp op) {
  OpBuilder builder(op);
  Block *block = op->getBlock();
  FailureOr<DeallocList> list = state.buildDeallocList(builder, op);
  if (failed(list))
    return failure();
  BranchSide taken = handleSide(state, builder, op, *list, 0);
  BranchSide notTaken = handleSide(state, builder, op, *list, 1);

  // Two results for one value would make its ownership unknown: merge them.
  llvm::SetVector<Value> onBothSides;
  for (Value value : notTaken.dealloc.getRetained())
    if (taken.ownershipOf.contains(value))
      onBothSides.insert(value);
  for (Value value : onBothSides) {
    Value first = taken.ownershipOf[value],
          second = notTaken.ownershipOf[value];
    auto merged = arith::SelectOp::create(builder, op.getLoc(),
                                          op.getCondition(), first, second);
    state.recorder.generated(merged, "own", value);
    state.reset(value, block);
    state.joinIndicator(value, block, merged, OwnershipRule::mergedAtCondBranch,
                        merged);
  }
  return op.getOperation();
}

//===--- Terminators that leave nothing to the parent ---------------------===//

static Handled handleEmptyTerminator(OwnershipState &state, Operation *op) {
  SmallVector<Value> ownerships;
  if (failed(
          insertDeallocForReturnLike(state, op, op->getOperands().take_front(0),
                                     trace::RetainReason::yielded, ownerships)))
    return failure();
  return op;
}

/// The memref that one must not return.
static Value returnedMemref(Operation *op, RejectionCause cause) {
  return cause == RejectionCause::reduceReturnMemref ? op->getOperand(0)
                                                     : Value();
}

Handled handleDeallocationModel(HandlerContext &context, Operation *op) {
  OwnershipState &state = context.state;
  if (std::optional<Rejection> rejection =
          rejectionOf(op, OpHandling::deallocationModel))
    return state.reject(op, returnedMemref(op, rejection->cause),
                        rejection->cause, rejection->message);
  switch (modelOf(op->getName())) {
  case OpModel::passThrough:
    return op;
  case OpModel::conditionalBranch:
    return handleCondBranch(state, cast<cf::CondBranchOp>(op));
  case OpModel::emptyTerminator:
  case OpModel::reductionTerminator:
  case OpModel::parallelTerminator:
    return handleEmptyTerminator(state, op);
  case OpModel::own:
  case OpModel::none:
    break;
  }
  return processThirdParty(context, op);
}

//===--- Unique indicators ------------------------------------------------===//

static std::pair<Value, Value> materializeSelect(OwnershipState &state,
                                                 OpBuilder &builder,
                                                 arith::SelectOp op) {
  Block *block = op->getBlock();
  OwnershipValue ifTrue = state.get(op.getTrueValue(), block);
  OwnershipValue ifFalse = state.get(op.getFalseValue(), block);
  if (!ifTrue.isUnique() || !ifFalse.isUnique())
    return state.uniqueOrClone(builder, op.getResult(), block,
                               trace::CloneDemand::functionReturn);
  auto indicator =
      arith::SelectOp::create(builder, op.getLoc(), op.getCondition(),
                              ifTrue.getIndicator(), ifFalse.getIndicator());
  state.recorder.generated(indicator, "own", op.getResult());
  trace::OwnershipEvent event;
  event.rule = OwnershipRule::selectMaterialized;
  event.before = state.recorder.toTrace(state.get(op.getResult(), block));
  event.with = event.after =
      state.recorder.toTrace(OwnershipValue::unique(indicator));
  event.inputs = state.recorder.idsOf({op.getTrueValue(), op.getFalseValue()});
  event.inputOwnerships = {state.recorder.toTrace(ifTrue),
                           state.recorder.toTrace(ifFalse)};
  state.recorder.add(indicator, block, op.getResult(), std::move(event));
  return {op.getResult(), indicator};
}

std::pair<Value, Value> materializeByModel(HandlerContext &context,
                                           OpBuilder &builder, Operation *owner,
                                           Value memref) {
  if (auto select = dyn_cast<arith::SelectOp>(owner))
    return materializeSelect(context.state, builder, select);
  if (modelOf(owner->getName()) == OpModel::own)
    return materializeThirdParty(context, builder, owner, memref);
  return context.state.uniqueOrClone(builder, memref, memref.getParentBlock(),
                                     trace::CloneDemand::functionReturn);
}

std::pair<Value, Value> materializeUnique(HandlerContext &context,
                                          OpBuilder &builder, Value memref,
                                          Block *block) {
  Operation *owner = memref.getDefiningOp();
  if (!owner)
    owner = memref.getParentBlock()->getParentOp();
  if (memref.getParentBlock() == block &&
      isa<bufferization::BufferDeallocationOpInterface>(owner))
    return materializeByModel(context, builder, owner, memref);
  return context.state.uniqueOrClone(builder, memref, block,
                                     trace::CloneDemand::functionReturn);
}

} // namespace memreflens
