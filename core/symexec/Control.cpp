//===- core/symexec/Control.cpp - branches, calls and returns -------------===//

#include "core/symexec/CallGraph.h"
#include "core/symexec/Executor.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace memreflens::symexec {

//===--- Branches ---------------------------------------------------------===//

/// What a branch passes for an argument of its successor; null if that is not
/// known.
static Value operandFor(Operation *op, unsigned successor, unsigned argument) {
  auto branch = dyn_cast<BranchOpInterface>(op);
  if (!branch)
    return {};
  SuccessorOperands operands = branch.getSuccessorOperands(successor);
  return operands.isOperandProduced(argument) ? Value() : operands[argument];
}

Step Executor::goTo(State &state, Operation *op, unsigned successor) {
  Block *target = op->getSuccessor(successor);
  Frame &frame = state.frame();
  Scope &scope = state.scope();
  // Only ways back are counted, so that paths through a diamond meet again.
  bool goesBack = target == op->getBlock();
  for (Block *block = op->getBlock(); !goesBack && block;
       block = block->getPrevNode())
    goesBack = block == target;
  if (goesBack) {
    auto *visits = llvm::find_if(
        scope.visits, [&](auto &entry) { return entry.first == target; });
    if (visits == scope.visits.end()) {
      scope.visits.push_back({target, 0});
      visits = scope.visits.end() - 1;
    }
    if (++visits->second > options.exactIterations) {
      result.cutAtBound = true;
      addGap(trace::PeakGapKind::notAllPaths, op);
      return Step::end;
    }
  }
  std::vector<PathValue> passed;
  for (unsigned i = 0; i < target->getNumArguments(); ++i) {
    PathValue value;
    if (Value operand = operandFor(op, successor, i)) {
      value = isBuffer(operand.getType()) ? memrefOf(state, operand)
                                          : valueOf(state, operand);
    }
    passed.push_back(value);
  }
  Region *region = target->getParent();
  unbindFrom(frame, ir.firstIn(region), [&](unsigned number) {
    Value value = ir.valueOf(number);
    return value.getParentRegion() == region && !ir.isLiveInto(value, target);
  });
  for (auto [argument, value] : llvm::zip(target->getArguments(), passed)) {
    unbind(frame, ir.numberOf(argument));
    if (value.kind != ValueClass::none)
      set(state, argument, value);
  }
  scope.next = &target->front();
  return target->getSinglePredecessor() ? Step::entered : Step::moved;
}

/// A way out of a loop whose end is unknown is taken after some times.
static bool isBackEdge(Block *from, Block *to) {
  for (Block *block = from; block; block = block->getPrevNode())
    if (block == to)
      return true;
  return false;
}

Step Executor::branch(State &state, Operation *op) {
  if (op->getNumSuccessors() == 0)
    return Step::end;
  if (!isa<BranchOpInterface>(op))
    assumed.insert(op->getName().getStringRef().str() +
                   " goes to any of its successors");
  if (op->getNumSuccessors() == 1)
    return goTo(state, op, 0);
  if (auto conditional = dyn_cast<cf::CondBranchOp>(op)) {
    std::optional<bool> condition =
        truth(state, exprOf(state, conditional.getCondition()));
    if (condition)
      return goTo(state, op, *condition ? 0 : 1);
    for (unsigned side : {0u, 1u}) {
      Block *target = op->getSuccessor(side);
      auto *visits = llvm::find_if(state.scope().visits, [&](auto &entry) {
        return entry.first == target;
      });
      if (isBackEdge(op->getBlock(), target) &&
          visits != state.scope().visits.end() &&
          visits->second >= options.loopBound) {
        if (options.heap)
          options.heap->iterates(op, visits->second, state.live);
        result.cutAtBound = true;
        decide(state.decisions, forkOn, side == 1);
        return branch(state, op);
      }
    }
    return Step::fork;
  }
  // Of other branches any way may be taken, one after the other.
  SymbolicExpr flag = noExpr;
  Value operand = op->getNumOperands() ? op->getOperand(0) : Value();
  auto switchOp = dyn_cast<cf::SwitchOp>(op);
  for (unsigned i = op->getNumSuccessors() - 1; i > 0; --i) {
    if (switchOp && switchOp.getCaseValues()) {
      auto values = switchOp.getCaseValues()->getValues<APInt>();
      unsigned width = unsigned(operand.getType().getIntOrFloatBitWidth());
      flag = exprs.make(ExprKind::equal, 1,
                        {exprOf(state, operand),
                         exprs.constant(values[i - 1].getSExtValue(), width)});
    } else {
      flag = exprs.make(ExprKind::other, 1, {}, {},
                        "way:" + std::to_string(uintptr_t(op)) + ":" +
                            std::to_string(i));
    }
    std::optional<bool> taken = truth(state, flag);
    if (!taken)
      return Step::fork;
    if (*taken)
      return goTo(state, op, i);
  }
  return goTo(state, op, 0);
}

//===--- Calls ------------------------------------------------------------===//

/// Of a callee that may be null.
bool Executor::runsBody(FunctionOpInterface callee) {
  return callee && !callee.getFunctionBody().empty() &&
         !options.callsByBoundary && !(options.heap && isStandIn(callee));
}

Step Executor::call(State &state, CallOpInterface op) {
  FunctionOpInterface callee = calleeOf(op, symbols());
  if (callee && callHelper(state, op, callee))
    return Step::advance;
  unsigned depth = 0;
  for (Frame &frame : state.frames)
    depth += callee && frame.function == callee.getOperation();
  const bool isRun = runsBody(callee);
  if (isRun && depth < options.callDepth && state.frames.size() < 64) {
    Frame frame;
    frame.function = callee;
    frame.call = op;
    frame.liveBefore = state.live;
    std::vector<PathValue> arguments = valuesOf(state, op.getArgOperands());
    Region &body = callee.getFunctionBody();
    Scope scope;
    scope.parent = callee;
    scope.region = &body;
    scope.next = &body.front().front();
    scope.forksBefore = state.forksBefore;
    frame.scopes.push_back(scope);
    state.frames.push_back(std::move(frame));
    for (auto [argument, value] : llvm::zip(body.getArguments(), arguments))
      if (value.kind != ValueClass::none)
        set(state, argument, value);
    return Step::entered;
  }
  if (isRun) {
    // Too deep: nothing is said about this path.
    result.cutAtBound = true;
    if (options.watchesCopies)
      result.stopped = "a recursion";
    addGap(trace::PeakGapKind::recursion, op);
    return Step::end;
  }
  countCallee(state, op, callee);
  // A callee that is run shows by itself what it uses.
  for (Value operand : op.getArgOperands())
    if (isa<BaseMemRefType>(operand.getType()) &&
        !use(state, memrefOf(state, operand), op))
      return Step::end;
  for (Value operand : op.getArgOperands())
    if (isa<BaseMemRefType>(operand.getType())) {
      const PathValue passed = memrefOf(state, operand);
      state.objects[passed.object].cells.clear();
      read(state, passed, op, std::nullopt);
    }
  return bindCallResults(state, op, callee);
}

/// Whether the function's last results say who owns its buffers.
static bool saysOwnership(FunctionOpInterface callee) {
  if (!callee || !callee.isPrivate() || callee.getFunctionBody().empty())
    return false;
  ArrayRef<Type> types = callee.getResultTypes();
  size_t memrefs = size_t(llvm::count_if(types, llvm::IsaPred<BaseMemRefType>));
  return memrefs > 0 && types.size() >= 2 * memrefs &&
         llvm::all_of(types.take_back(memrefs),
                      [](Type type) { return type.isInteger(1); });
}

/// What is stated of an external callee's arguments; false where the path ends.
bool Executor::keepAndRelease(State &state, CallOpInterface op,
                              const Contract &contract) {
  const OperandRange operands = op.getArgOperands();
  auto isBufferAt = [&](unsigned number) {
    return number < operands.size() &&
           isa<BaseMemRefType>(operands[number].getType());
  };
  for (unsigned number : contract.kept)
    if (isBufferAt(number))
      state.objects[memrefOf(state, operands[number]).object].escaped = true;
  for (unsigned number : contract.released)
    if (isBufferAt(number) &&
        !release(state, memrefOf(state, operands[number]), op))
      return false;
  return true;
}

Step Executor::bindCallResults(State &state, CallOpInterface op,
                               FunctionOpInterface callee) {
  const Contract contract = contractOf(callee, trace.options);
  if (!keepAndRelease(state, op, contract))
    return Step::end;
  unsigned memrefs = 0, count = op->getNumResults();
  for (Value result : op->getResults())
    memrefs += isa<BaseMemRefType>(result.getType());
  bool isDynamic = options.dynamicCalls && saysOwnership(callee);
  SmallVector<bool> owned(memrefs, true);
  for (unsigned i = 0; isDynamic && i < memrefs; ++i) {
    std::string tag = "owned:" + std::to_string(uintptr_t(op.getOperation())) +
                      ":" + std::to_string(i) + ":" +
                      std::to_string(state.objects.size());
    std::optional<bool> isOwned =
        truth(state, exprs.make(ExprKind::other, 1, {}, {}, tag));
    if (!isOwned)
      return Step::fork;
    owned[i] = *isOwned;
  }
  for (unsigned i = 0; isDynamic && i < memrefs; ++i)
    set(state, op->getResult(count - memrefs + i),
        PathValue::scalar(exprs.boolean(owned[i])));
  unsigned number = 0;
  for (Value result : op->getResults())
    if (isa<BaseMemRefType>(result.getType())) {
      bool isOwned = owned[number++] && !contract.keepsResults;
      if (number == 1 && contract.returned >= 0 &&
          isa<BaseMemRefType>(
              op.getArgOperands()[unsigned(contract.returned)].getType())) {
        set(state, result,
            memrefOf(state, op.getArgOperands()[unsigned(contract.returned)]));
        continue;
      }
      ObjectKind kind = !options.callResultsOwned ? ObjectKind::unclear
                        : isOwned                 ? ObjectKind::external
                                                  : ObjectKind::foreign;
      // Bound even if nothing uses it: it has to be freed.
      int32_t object = addObject(state, kind, op, result);
      set(state, result, PathValue::memref(object));
      if (isOwned)
        grow(state, object, op);
      note(state, op, "returned by the call", object);
    }
  return Step::advance;
}

Step Executor::leaveFunction(State &state, Operation *op) {
  if (state.frames.size() == 1)
    return checkExit(state, op);
  std::vector<PathValue> results = valuesOf(state, op->getOperands());
  unsigned ended = unsigned(state.frames.size());
  Operation *call = state.frame().call;
  state.forksBefore = state.frame().scopes.front().forksBefore;
  state.frames.pop_back();
  for (Object &object : state.objects)
    if (object.kind == ObjectKind::stack && object.frame == ended) {
      object.freed = true;
      object.freedBy = op;
    }
  for (auto [result, value] : llvm::zip(call->getResults(), results))
    if (value.kind != ValueClass::none) {
      sizeResult(state, result, value);
      set(state, result, value);
    }
  advance(state, call);
  return behindOp(state);
}

//===--- The end of the function ------------------------------------------===//

/// Who gets what at the end, and what is left.
Step Executor::checkExit(State &state, Operation *op) {
  SmallVector<PathValue> returned;
  for (Value operand : op->getOperands())
    if (isBuffer(operand.getType()) && !isa<TensorType>(operand.getType()))
      returned.push_back(memrefOf(state, operand));
  SmallVector<bool> owned(returned.size(), true);
  size_t operands = op->getNumOperands();
  if (options.dynamicOwnership && operands >= returned.size())
    for (size_t i = 0; i < returned.size(); ++i) {
      Value flag = op->getOperand(unsigned(operands - returned.size() + i));
      std::optional<bool> isOwned = truth(state, exprOf(state, flag));
      if (!isOwned)
        return Step::fork;
      owned[i] = *isOwned;
    }
  readAtExit(state, op);
  llvm::SmallDenseSet<int32_t> given;
  for (Value operand : op->getOperands())
    if (isa<TensorType>(operand.getType()))
      if (PathValue value = valueOf(state, operand); value.isMemref()) {
        given.insert(value.object);
        if (state.objects[value.object].freed)
          report(state, FaultKind::returnedFreed, op,
                 state.objects[value.object]);
      }
  for (auto [i, value] : llvm::enumerate(returned)) {
    Object &object = state.objects[value.object];
    if (object.freed)
      report(state, FaultKind::returnedFreed, op, object);
    else if (object.kind == ObjectKind::stack)
      report(state, FaultKind::returnedUnowned, op, object);
    else if (!options.resultsOwned || object.kind == ObjectKind::unclear)
      given.insert(value.object);
    else if (owned[i] && !object.isOwned())
      report(state,
             options.dynamicOwnership ? FaultKind::indicatorWrong
                                      : FaultKind::returnedUnowned,
             op, object);
    else if (owned[i] && !given.insert(value.object).second &&
             !options.dynamicOwnership)
      report(state, FaultKind::returnedTwice, op, object);
  }
  for (auto [number, object] : llvm::enumerate(state.objects)) {
    if (object.escaped && object.freed)
      report(state, FaultKind::escapedFreed, op, object);
    if (object.isOwned() && !object.freed && !object.escaped &&
        !given.contains(int32_t(number)))
      report(state, FaultKind::leak, op, object);
  }
  return Step::end;
}

} // namespace memreflens::symexec
