//===- core/pipeline/ownership/Handlers.cpp -------------------------------===//
//
// Ownership rules by op interface.

#include "core/pipeline/ownership/Conditions.h"
#include "core/pipeline/ownership/OwnershipPass.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens {

using trace::CandidateSource;
using trace::DropReason;
using trace::none;
using trace::OpHandling;
using trace::OwnershipRule;
using trace::SignaturePart;

//===--- Memory effects ---------------------------------------------------===//

/// A buffer freed by hand must not be owned here; that is asserted at run time.
static void handleFree(OwnershipState &state, Operation *op, Value operand) {
  OwnershipValue ownership = state.get(operand, op->getBlock());
  if (!ownership.isUnique())
    return;
  OpBuilder builder(op);
  Value one = state.constant(builder, op->getLoc(), true);
  auto notOwned = arith::XOrIOp::create(builder, op->getLoc(),
                                        ownership.getIndicator(), one);
  state.recorder.generated(notOwned, "not_own", operand);
  auto assertion =
      cf::AssertOp::create(builder, op->getLoc(), notOwned,
                           "expected that the block does not have ownership");
  state.recorder.generated(assertion);
}

static void handleAllocation(OwnershipState &state, Operation *op, Value result,
                             bool onStack, OpBuilder &atBlockBegin) {
  Block *block = op->getBlock();
  bool byHand =
      op->hasAttr(bufferization::BufferizationDialect::kManualDeallocation);
  if (!onStack && !byHand) {
    Value owned = state.constant(atBlockBegin, op->getLoc(), true);
    state.joinIndicator(result, block, owned, OwnershipRule::allocation, op);
    state.addCandidate(result, block, CandidateSource::allocation, op);
    return;
  }
  state.reset(result, block);
  state.joinIndicator(result, block,
                      state.constant(atBlockBegin, op->getLoc(), false),
                      onStack ? OwnershipRule::stackAllocation
                              : OwnershipRule::manualDeallocation,
                      op);
  state.noteDropped(result, block, CandidateSource::allocation,
                    onStack ? DropReason::stackAllocation
                            : DropReason::manualDeallocation,
                    op);
}

Handled handleMemoryEffects(HandlerContext &context, Operation *op) {
  OwnershipState &state = context.state;
  auto effects = cast<MemoryEffectOpInterface>(op);
  OpBuilder atBlockBegin = OpBuilder::atBlockBegin(op->getBlock());
  std::optional<Rejection> rejection =
      rejectionOf(op, OpHandling::memoryEffects);
  if (rejection)
    return state.reject(op, freedMemref(op), rejection->cause,
                        rejection->message);
  for (Value operand : op->getOperands())
    if (!rejection && isMemref(operand) &&
        effects.getEffectOnValue<MemoryEffects::Free>(operand))
      handleFree(state, op, operand);
  for (Value result : op->getResults()) {
    if (!isMemref(result))
      continue;
    auto effect = effects.getEffectOnValue<MemoryEffects::Allocate>(result);
    if (!effect)
      continue;
    bool onStack = isa<SideEffects::AutomaticAllocationScopeResource>(
        effect->getResource());
    handleAllocation(state, op, result, onStack, atBlockBegin);
  }
  return op;
}

//===--- Region branch ops and calls --------------------------------------===//

/// Rebuilds `op` with `count` more i1 results; the old results' users follow.
static Operation *appendIndicators(OwnershipState &state, Operation *op,
                                   unsigned count) {
  SmallVector<Type> types(op->getResultTypes());
  types.append(count, IntegerType::get(op->getContext(), 1));
  OpBuilder builder(op);
  Operation *newOp = Operation::create(
      op->getLoc(), op->getName(), types, op->getOperands(),
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
      op->getSuccessors(), op->getNumRegions());
  builder.insert(newOp);
  for (auto [target, source] : llvm::zip(newOp->getRegions(), op->getRegions()))
    target.takeBody(source);
  for (OpResult result : op->getResults()) {
    Value renamed = newOp->getResult(result.getResultNumber());
    result.replaceAllUsesWith(renamed);
    state.renamed(result, renamed);
  }
  op->erase();
  return newOp;
}

static void recordIndicator(OwnershipState &state, Operation *op, Value memref,
                            Value indicator, SignaturePart part) {
  state.recorder.nameByRole(indicator, "own", memref);
  state.recorder.add(op, op->getBlock(), memref,
                     trace::SignatureEvent{
                         part, state.recorder.idOf(indicator),
                         int(cast<OpResult>(indicator).getResultNumber()), -1});
}

/// What enters a region from outside is borrowed there: one `false` for each.
static void extendRegionOperands(OwnershipState &state, Operation *op) {
  auto branch = cast<RegionBranchOpInterface>(op);
  OpBuilder atBlockBegin = OpBuilder::atBlockBegin(op->getBlock());
  Value borrowed = state.constant(atBlockBegin, op->getLoc(), false);
  SmallVector<RegionSuccessor> successors;
  branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  if (successors.empty())
    return;
  SmallVector<Value> entering(
      branch.getEntrySuccessorOperands(successors.front()));
  for (Value operand : entering) {
    if (!isMemref(operand))
      continue;
    int position = op->getNumOperands();
    op->insertOperands(position, borrowed);
    state.recorder.add(op, op->getBlock(), operand,
                       trace::SignatureEvent{SignaturePart::regionOpOperand,
                                             state.recorder.idOf(borrowed),
                                             position, -1});
  }
}

Handled handleRegionBranch(HandlerContext &context, Operation *op) {
  OwnershipState &state = context.state;
  extendRegionOperands(state, op);
  unsigned next = op->getNumResults();
  Operation *newOp =
      appendIndicators(state, op, llvm::count_if(op->getResults(), isMemref));
  Block *block = newOp->getBlock();
  for (Value result : newOp->getResults().take_front(next)) {
    if (!isMemref(result))
      continue;
    Value indicator = newOp->getResult(next++);
    recordIndicator(state, newOp, result, indicator,
                    SignaturePart::regionOpResult);
    state.joinIndicator(result, block, indicator, OwnershipRule::regionResult,
                        newOp);
    state.addCandidate(result, block, CandidateSource::regionResult, newOp);
  }
  return newOp;
}

static bool returnsDynamicOwnership(HandlerContext &context,
                                    CallOpInterface call) {
  if (!context.state.options.privateFunctionDynamicOwnership)
    return false;
  auto callee = dyn_cast_or_null<SymbolOpInterface>(
      call.resolveCallableInTable(&context.symbolTables));
  return callee && callee.isPrivate() && !callee.isDeclaration();
}

static Handled handleDynamicCall(OwnershipState &state, Operation *op) {
  unsigned next = op->getNumResults();
  Operation *newOp =
      appendIndicators(state, op, llvm::count_if(op->getResults(), isMemref));
  for (Value result : newOp->getResults().take_front(next)) {
    if (!isMemref(result))
      continue;
    Value indicator = newOp->getResult(next++);
    recordIndicator(state, newOp, result, indicator, SignaturePart::callResult);
    state.joinIndicator(result, newOp->getBlock(), indicator,
                        OwnershipRule::callResultDynamic, newOp);
    state.addCandidate(result, newOp->getBlock(), CandidateSource::callResult,
                       newOp);
  }
  return newOp;
}

Handled handleCall(HandlerContext &context, Operation *op) {
  OwnershipState &state = context.state;
  if (returnsDynamicOwnership(context, cast<CallOpInterface>(op)))
    return handleDynamicCall(state, op);
  OpBuilder builder(op);
  Value owned = state.constant(builder, op->getLoc(), true);
  for (Value result : op->getResults()) {
    if (!isMemref(result))
      continue;
    state.joinIndicator(result, op->getBlock(), owned,
                        OwnershipRule::callResult, op);
    state.addCandidate(result, op->getBlock(), CandidateSource::callResult, op);
  }
  return op;
}

//===--- Branches ---------------------------------------------------------===//

Handled handleBranch(HandlerContext &context, Operation *op) {
  OwnershipState &state = context.state;
  auto branch = cast<BranchOpInterface>(op);
  if (std::optional<Rejection> rejection = rejectionOf(op, OpHandling::branch))
    return state.reject(op, {}, rejection->cause, rejection->message);
  Block *block = op->getBlock();
  OpBuilder builder(op);
  FailureOr<DeallocList> list = state.buildDeallocList(builder, op);
  if (failed(list))
    return failure();
  MutableOperandRange forwarded =
      branch.getSuccessorOperands(0).getMutableForwardedOperands();
  SmallVector<Retained> retained =
      state.toRetain(block, op->getSuccessor(0), OperandRange(forwarded),
                     trace::RetainReason::forwardedOperand);
  bufferization::DeallocOp dealloc = state.insertDealloc(
      builder, op, *list, list->conditions, retained, /*edge=*/-1);

  SmallVector<Value> operands{OperandRange(forwarded)};
  unsigned memrefs = llvm::count_if(operands, isMemref);
  for (unsigned index = 0; index < memrefs; ++index) {
    Value indicator = dealloc.getUpdatedConditions()[index];
    state.recorder.add(op, block, retained[index].value,
                       trace::SignatureEvent{SignaturePart::branchOperand,
                                             state.recorder.idOf(indicator),
                                             int(operands.size()), 0});
    operands.push_back(indicator);
  }
  forwarded.assign(operands);
  return op;
}

//===--- Terminators of regions and functions -----------------------------===//

/// `memref`, or a copy of it, such that the caller may always free it.
static Value materializeOwned(HandlerContext &context, OpBuilder &builder,
                              Value memref, Block *block) {
  OwnershipState &state = context.state;
  auto [value, indicator] = materializeUnique(context, builder, memref, block);
  // Only a literal counts: select %c, true, true is not looked through.
  if (matchPattern(indicator, m_One()))
    return value;
  Location location = memref.getLoc();
  auto ifOp = scf::IfOp::create(builder, location, value.getType(), indicator,
                                /*withElseRegion=*/true);
  state.recorder.generated(ifOp, "owned", memref);
  OpBuilder inner = ifOp.getThenBodyBuilder();
  state.recorder.generated(scf::YieldOp::create(inner, location, value));
  inner = ifOp.getElseBodyBuilder();
  auto clone = bufferization::CloneOp::create(inner, location, value);
  ++state.made.clones;
  ++state.made.conditionalClones;
  state.recorder.generated(clone, "clone", memref);
  state.recorder.generated(
      scf::YieldOp::create(inner, location, clone.getResult()));

  trace::CloneEvent event;
  event.result = state.recorder.idOf(ifOp.getResult(0));
  event.demand = trace::CloneDemand::functionReturn;
  event.conditional = true;
  event.ownership = state.recorder.toTrace(OwnershipValue::unique(indicator));
  event.because = state.lastEvent(memref, block);
  state.recorder.add(clone, block, memref, event);

  Value owned = state.constant(builder, location, true);
  state.joinIndicator(ifOp.getResult(0), ifOp->getBlock(), owned,
                      OwnershipRule::conditionalClone, ifOp);
  state.addCandidate(ifOp.getResult(0), ifOp->getBlock(),
                     CandidateSource::materialized, ifOp);
  return ifOp.getResult(0);
}

LogicalResult insertDeallocForReturnLike(OwnershipState &state, Operation *op,
                                         OperandRange operands,
                                         trace::RetainReason reason,
                                         SmallVectorImpl<Value> &ownerships) {
  OpBuilder builder(op);
  FailureOr<DeallocList> list = state.buildDeallocList(builder, op);
  if (failed(list))
    return failure();
  SmallVector<Retained> retained =
      state.toRetain(op->getBlock(), nullptr, operands, reason);
  if (list->bases.empty() && retained.empty())
    return success();
  bufferization::DeallocOp dealloc = state.insertDealloc(
      builder, op, *list, list->conditions, retained, /*edge=*/-1);
  auto results = dealloc.getUpdatedConditions().take_front(
      llvm::count_if(operands, isMemref));
  ownerships.append(results.begin(), results.end());
  return success();
}

Handled handleRegionTerminator(HandlerContext &context, Operation *op) {
  OwnershipState &state = context.state;
  bool isStatic = hasStaticBoundary(op->getParentOp(), state.options);
  OpBuilder builder(op);
  if (isStatic)
    for (OpOperand &operand : op->getOpOperands())
      if (isMemref(operand.get()))
        operand.set(
            materializeOwned(context, builder, operand.get(), op->getBlock()));

  MutableOperandRange operands =
      cast<RegionBranchTerminatorOpInterface>(op).getMutableSuccessorOperands(
          RegionSuccessor(op->getParentOp(), op->getParentOp()->getResults()));
  bool leavesFunction = isa<FunctionOpInterface>(op->getParentOp());
  SmallVector<Value> ownerships;
  if (failed(insertDeallocForReturnLike(state, op, OperandRange(operands),
                                        leavesFunction
                                            ? trace::RetainReason::returned
                                            : trace::RetainReason::yielded,
                                        ownerships)))
    return failure();
  if (isStatic)
    return op;
  SmallVector<Value> memrefs(
      llvm::make_filter_range(OperandRange(operands), isMemref));
  int position = op->getNumOperands();
  for (auto [memref, indicator] : llvm::zip(memrefs, ownerships))
    state.recorder.add(op, op->getBlock(), memref,
                       trace::SignatureEvent{SignaturePart::terminatorOperand,
                                             state.recorder.idOf(indicator),
                                             position++, -1});
  operands.append(ownerships);
  return op;
}

} // namespace memreflens
