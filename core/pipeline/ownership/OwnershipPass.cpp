//===- core/pipeline/ownership/OwnershipPass.cpp --------------------------===//
//
// Driver, block entry, defaults.

#include "core/pipeline/ownership/OwnershipPass.h"
#include "core/pipeline/ownership/Assumptions.h"
#include "core/pipeline/ownership/BackEdges.h"
#include "core/pipeline/ownership/Conditions.h"
#include "core/pipeline/ownership/Remedies.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/DepthFirstIterator.h"

#include <set>

using namespace mlir;

namespace memreflens {

using trace::none;
using trace::OpHandling;

bool hasStaticBoundary(Operation *op, const OwnershipOptions &options) {
  auto function = dyn_cast_or_null<FunctionOpInterface>(op);
  return function && (!options.privateFunctionDynamicOwnership ||
                      function.isPublic() || function.isExternal());
}

//===--- Block entry ------------------------------------------------------===//

static void enterLiveIns(OwnershipState &state, Block *block,
                         OpBuilder &builder) {
  for (Value memref : state.liveness.liveIn(block)) {
    Region *home = memref.getParentRegion();
    if (home == block->getParent()) {
      Block *definer = memref.getParentBlock();
      OwnershipValue stored = state.get(memref, definer);
      state.join(memref, block, stored, trace::OwnershipRule::liveInSameRegion,
                 nullptr, memref, stored);
      state.addCandidate(memref, block, trace::CandidateSource::liveIn,
                         nullptr);
      continue;
    }
    if (!home->isProperAncestor(block->getParent()))
      continue;
    Value borrowed = state.constant(builder, memref.getLoc(), false);
    state.joinIndicator(memref, block, borrowed,
                        trace::OwnershipRule::liveInAncestor, nullptr);
    state.noteDropped(memref, block, trace::CandidateSource::liveIn,
                      trace::DropReason::ancestorRegion, nullptr);
  }
}

/// Function arguments are the caller's: they are listed, and never freed.
static void enterFunctionArgument(OwnershipState &state, Block *block,
                                  BlockArgument argument, OpBuilder &builder) {
  Value borrowed = state.constant(builder, argument.getLoc(), false);
  state.joinIndicator(argument, block, borrowed,
                      trace::OwnershipRule::entryArgument, nullptr);
  state.addCandidate(argument, block, trace::CandidateSource::entryArgument,
                     nullptr);
}

static void enterBlockArgument(OwnershipState &state, Block *block,
                               BlockArgument argument) {
  Type i1 = IntegerType::get(argument.getContext(), 1);
  unsigned position = block->getNumArguments();
  BlockArgument indicator =
      block->insertArgument(position, i1, argument.getLoc());
  state.recorder.nameByRole(indicator, "own", argument);
  state.recorder.add(nullptr, block, argument,
                     trace::SignatureEvent{trace::SignaturePart::blockArgument,
                                           state.recorder.idOf(indicator),
                                           int(position), -1});
  state.joinIndicator(argument, block, indicator,
                      trace::OwnershipRule::blockArgument, nullptr);
  state.addCandidate(argument, block, trace::CandidateSource::blockArgument,
                     nullptr);
}

static void enterBlock(OwnershipState &state, Block *block) {
  OpBuilder builder = OpBuilder::atBlockBegin(block);
  enterLiveIns(state, block, builder);
  bool isFunctionEntry =
      isa<FunctionOpInterface>(block->getParentOp()) && block->isEntryBlock();
  SmallVector<BlockArgument> arguments(block->getArguments());
  for (BlockArgument argument : arguments) {
    if (!isMemref(argument))
      continue;
    if (isFunctionEntry)
      enterFunctionArgument(state, block, argument, builder);
    else
      enterBlockArgument(state, block, argument);
  }
}

//===--- Ops --------------------------------------------------------------===//

static Handled handleBy(HandlerContext &context, OpHandling handling,
                        Operation *op) {
  switch (handling) {
  case OpHandling::deallocationModel:
    return handleDeallocationModel(context, op);
  case OpHandling::memoryEffects:
    return handleMemoryEffects(context, op);
  case OpHandling::regionBranch:
    return handleRegionBranch(context, op);
  case OpHandling::call:
    return handleCall(context, op);
  case OpHandling::branch:
    return handleBranch(context, op);
  case OpHandling::regionTerminator:
    return handleRegionTerminator(context, op);
  }
  return op;
}

static Handled handleInterfaces(HandlerContext &context, Operation *op) {
  SmallVector<OpHandling, 4> handlings = handlingsOf(op->getName());
  bool hasModel = llvm::is_contained(handlings, OpHandling::deallocationModel);
  if (!hasModel && failed(checkPreconditions(context.state, op)))
    return failure();
  Handled current = op;
  for (OpHandling handling : handlings) {
    current = handleBy(context, handling, *current);
    if (failed(current))
      return failure();
  }
  return current;
}

/// Refinement: each result is one operand, and upstream's rule joins all.
static void takeFromOperand(OwnershipState &state, Operation *op,
                            OpResult result) {
  auto ownershipOf = [&](Value operand) {
    return state.get(operand, operand.getParentBlock());
  };
  OwnershipValue upstream;
  for (Value operand : op->getOperands())
    upstream = upstream.join(ownershipOf(operand));
  Value own = op->getOperand(result.getResultNumber());
  OwnershipValue ownership = ownershipOf(own);
  state.join(result, op->getBlock(), ownership,
             trace::OwnershipRule::distinctObject, op, own, ownership,
             upstream);
  state.noteDropped(result, op->getBlock(), trace::CandidateSource::allocation,
                    trace::DropReason::view, op);
}

/// A result that no handler knew may be any of the memref operands.
static void joinOperands(OwnershipState &state, Operation *op,
                         OpResult result) {
  Block *block = op->getBlock();
  if (state.options.refineDistinctObjects && isa<memref::DistinctObjectsOp>(op))
    return takeFromOperand(state, op, result);
  for (Value operand : op->getOperands()) {
    if (!isMemref(operand))
      continue;
    Block *home = operand.getParentBlock();
    OwnershipValue ownership = state.get(operand, home);
    state.join(result, block, ownership, trace::OwnershipRule::defaultJoin, op,
               operand, ownership);
  }
  if (!state.get(result, block).isUninitialized())
    return state.noteDropped(result, block, trace::CandidateSource::allocation,
                             trace::DropReason::view, op);
  OpBuilder builder(op);
  state.joinIndicator(result, block,
                      state.constant(builder, op->getLoc(), false),
                      trace::OwnershipRule::defaultNoOperand, op);
  state.noteDropped(result, block, trace::CandidateSource::allocation,
                    trace::DropReason::view, op);
}

static LogicalResult processBlock(HandlerContext &context, Block *block) {
  // Taken before anything is inserted: the pass does not look at its own ops.
  SmallVector<Operation *> ops =
      llvm::map_to_vector(*block, [](Operation &op) { return &op; });
  enterBlock(context.state, block);
  for (Operation *op : ops) {
    Handled handled = handleInterfaces(context, op);
    if (failed(handled))
      return failure();
    if (!*handled)
      continue;
    for (OpResult result : (*handled)->getResults())
      if (isMemref(result) &&
          context.state.get(result, (*handled)->getBlock()).isUninitialized())
        joinOperands(context.state, *handled, result);
  }
  return success();
}

//===--- Function ---------------------------------------------------------===//

/// The order of `Operation::walk` with a `ForwardDominanceIterator`, which
/// would copy the set of the blocks it has seen at each block.
static void walkInDominanceOrder(Operation *op,
                                 SmallVectorImpl<Block *> &order) {
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    for (Block *block : llvm::depth_first(&region.front())) {
      for (Operation &nested : *block)
        walkInDominanceOrder(&nested, order);
      order.push_back(block);
    }
  }
}

/// Blocks in dominance order; all blocks nested in a block go before it.
static void collectBlocks(Operation *op, SmallVectorImpl<Block *> &order) {
  walkInDominanceOrder(op, order);
}

/// The user's op that this is, or that it was made for.
static const trace::Op *userOp(OwnershipState &state, Operation *op) {
  const trace::Trace &trace = state.recorder.getTrace();
  trace::Id id = state.recorder.findId(op);
  if (id != none && trace.ops[size_t(id)].generated)
    id = trace.ops[size_t(id)].origin;
  return id == none ? nullptr : &trace.ops[size_t(id)];
}

/// What ends a block of the program as it was shown to the passes, and ends
/// this one now; null if that is of a later stage's making.
static const trace::Op *writtenTerminator(OwnershipState &state, Block *block) {
  const trace::Trace &trace = state.recorder.getTrace();
  auto isWritten = [&](const trace::Op &op) {
    return !op.generated ||
           (op.block != none && !trace.blocks[size_t(op.block)].ops.empty() &&
            trace.blocks[size_t(op.block)].ops.back() == op.id);
  };
  trace::Id id = state.recorder.findId(block->getTerminator());
  // What was made for one that was made before has a chain of them.
  while (id != none && !isWritten(trace.ops[size_t(id)]))
    id = trace.ops[size_t(id)].origin;
  // The yields of what a stage expands an op to are no one's but that op's.
  return id != none && trace.ops[size_t(id)].isTerminator
             ? &trace.ops[size_t(id)]
             : nullptr;
}

/// How the block differs from the user's, as far as its flow goes.
static void recordShape(OwnershipState &state, Block *block,
                        const std::set<trace::Id> &present,
                        trace::LivenessEvent &event) {
  trace::Id id = state.recorder.idOf(block);
  // A stand-in's blocks are none of the user's.
  if (id == none)
    return;
  for (Operation &op : *block) {
    const trace::Op *user = userOp(state, &op);
    // Constants are hoisted, and branches led past a block, without its code
    // going along.
    if (!user || user->block == none || &op == &block->back() ||
        op.hasTrait<OpTrait::ConstantLike>() || present.count(user->block) ||
        llvm::is_contained(event.merged, user->block))
      continue;
    event.merged.push_back(user->block);
  }
  if (!block->mightHaveTerminator())
    return;
  const trace::Op *user = writtenTerminator(state, block);
  if (user)
    event.terminator = user->id;
  for (Block *successor : block->getSuccessors())
    event.successors.push_back(state.recorder.idOf(successor));
  const trace::Block &written = state.recorder.getTrace().blocks[size_t(id)];
  event.reshaped = !event.merged.empty() ||
                   event.successors != written.successors ||
                   // What is behind an op whose blocks were put in its place.
                   (user && user->block != id && user->block != none);
  if (!event.reshaped) {
    event.terminator = none;
    event.successors.clear();
  }
}

static void recordLiveness(OwnershipState &state, ArrayRef<Block *> order) {
  std::set<trace::Id> present;
  for (Block *block : order)
    present.insert(state.recorder.idOf(block));
  for (Block *block : order) {
    trace::LivenessEvent event;
    recordShape(state, block, present, event);
    for (Value value : state.liveness.liveIn(block))
      event.liveIn.push_back(state.recorder.idOf(value));
    for (Value value : state.liveness.liveAcross(block, nullptr)) {
      event.liveOut.push_back(state.recorder.idOf(value));
      Operation *user = state.liveness.useAfter(value, block, state.recorder);
      event.keptAliveBy.push_back(user ? state.recorder.idOf(user) : none);
    }
    state.recorder.add(nullptr, block, {}, std::move(event));
  }
}

static LogicalResult rejectLoop(OwnershipState &state, Operation *function,
                                const BackEdge &edge) {
  return state.reject(function, {}, trace::RejectionCause::loopInControlFlow,
                      "Only structured control-flow loops are supported.",
                      loopWitnesses(state, edge.from, edge.to));
}

static LogicalResult updateSignature(OwnershipState &state,
                                     FunctionOpInterface function) {
  SmallVector<RegionBranchTerminatorOpInterface> returns;
  for (Block &block : function.getFunctionBody())
    for (Operation &op : block)
      if (auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(op))
        returns.push_back(terminator);
  auto typesOf = [](RegionBranchTerminatorOpInterface terminator) {
    Operation *parent = terminator->getParentOp();
    OperandRange operands = terminator.getMutableSuccessorOperands(
        RegionSuccessor(parent, parent->getResults()));
    return llvm::to_vector(operands.getTypes());
  };
  for (RegionBranchTerminatorOpInterface terminator : returns)
    if (typesOf(terminator) != typesOf(returns.front()))
      return state.reject(
          function, {}, trace::RejectionCause::returnTypesDiffer,
          "there are multiple return operations with different operand types",
          {state.recorder.idOf(returns.front().getOperation()),
           state.recorder.idOf(terminator.getOperation())});
  SmallVector<Type> results(function.getResultTypes());
  unsigned before = results.size();
  if (!returns.empty())
    results = typesOf(returns.front());
  function->setAttr(
      "function_type",
      TypeAttr::get(FunctionType::get(
          function->getContext(),
          function.getFunctionBody().front().getArgumentTypes(), results)));
  for (unsigned position = before; position < results.size(); ++position)
    state.recorder.add(
        function, nullptr, {},
        trace::SignatureEvent{trace::SignaturePart::functionResult, none,
                              int(position), -1});
  return success();
}

static LogicalResult processFunction(HandlerContext &context,
                                     FunctionOpInterface function) {
  OwnershipState &state = context.state;
  if (std::optional<BackEdge> edge = findBackEdge(function))
    return rejectLoop(state, function, *edge);
  SmallVector<Block *> order;
  collectBlocks(function, order);
  if (!state.recorder.isSilent()) {
    recordLiveness(state, order);
    recordAssumptions(function, state.recorder);
  }
  for (Block *block : order)
    if (failed(processBlock(context, block)))
      return failure();
  return updateSignature(state, function);
}

OwnershipResult runOwnershipPass(FunctionOpInterface function,
                                 OwnershipOptions options,
                                 SymbolTableCollection &symbolTables,
                                 Recorder &recorder) {
  recorder.enterFunction(function);
  OwnershipState state(function, options, recorder);
  HandlerContext context{state, symbolTables};
  OwnershipResult result;
  result.accepted = succeeded(processFunction(context, function));
  result.upstreamReadsFreedMemory = state.liveness.readsStaleValue();
  result.missedChange = state.missedChange();
  result.made = state.made;
  result.rejection = std::move(state.rejection);
  recorder.enterFunction(nullptr);
  return result;
}

} // namespace memreflens
