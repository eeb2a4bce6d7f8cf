//===- core/symexec/CallOps.cpp - calls and returns -----------------------===//

#include "core/symexec/CallOps.h"
#include "core/source/Contracts.h"
#include "core/symexec/CallGraph.h"

using namespace mlir;

namespace memreflens::symexec {

/// Of a callee that may be null.
bool CallOps::runsBody(FunctionOpInterface callee) {
  return callee && !callee.getFunctionBody().empty() &&
         !options.callsByBoundary && observer.runsBody(callee);
}

Step CallOps::call(State &state, CallOpInterface op) {
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
    std::vector<PathValue> arguments =
        values.valuesOf(state, op.getArgOperands());
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
        values.set(state, argument, value);
    return Step::entered;
  }
  if (isRun) {
    // Too deep: nothing is said about this path.
    result.cutAtBound = true;
    if (options.watchesCopies)
      result.stopped = "a recursion";
    observer.gap(trace::PeakGapKind::recursion, op);
    return Step::end;
  }
  observer.calledUnrun(state, op, callee);
  // A callee that is run shows by itself what it uses.
  for (Value operand : op.getArgOperands())
    if (isa<BaseMemRefType>(operand.getType()) &&
        !memory.use(state, values.memrefOf(state, operand), op))
      return Step::end;
  for (Value operand : op.getArgOperands())
    if (isa<BaseMemRefType>(operand.getType())) {
      const PathValue passed = values.memrefOf(state, operand);
      state.objects[passed.object].cells.clear();
      copies.read(state, passed, op, std::nullopt);
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
bool CallOps::keepAndRelease(State &state, CallOpInterface op,
                             const Contract &contract) {
  const OperandRange operands = op.getArgOperands();
  auto isBufferAt = [&](unsigned number) {
    return number < operands.size() &&
           isa<BaseMemRefType>(operands[number].getType());
  };
  for (unsigned number : contract.kept)
    if (isBufferAt(number))
      state.objects[values.memrefOf(state, operands[number]).object].escaped =
          true;
  for (unsigned number : contract.released)
    if (isBufferAt(number) &&
        !memory.release(state, values.memrefOf(state, operands[number]), op))
      return false;
  return true;
}

Step CallOps::bindCallResults(State &state, CallOpInterface op,
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
        values.truth(state, exprs.make(ExprKind::other, 1, {}, {}, tag));
    if (!isOwned)
      return Step::fork;
    owned[i] = *isOwned;
  }
  for (unsigned i = 0; isDynamic && i < memrefs; ++i)
    values.set(state, op->getResult(count - memrefs + i),
               PathValue::scalar(exprs.boolean(owned[i])));
  unsigned number = 0;
  for (Value result : op->getResults())
    if (isa<BaseMemRefType>(result.getType())) {
      bool isOwned = owned[number++] && !contract.keepsResults;
      if (number == 1 && contract.returned >= 0 &&
          isa<BaseMemRefType>(
              op.getArgOperands()[unsigned(contract.returned)].getType())) {
        values.set(
            state, result,
            values.memrefOf(state,
                            op.getArgOperands()[unsigned(contract.returned)]));
        continue;
      }
      ObjectKind kind = !options.callResultsOwned ? ObjectKind::unclear
                        : isOwned                 ? ObjectKind::external
                                                  : ObjectKind::foreign;
      // Bound even if nothing uses it: it has to be freed.
      int32_t object = values.addObject(state, kind, op, result);
      values.set(state, result, PathValue::memref(object));
      if (isOwned)
        observer.allocated(state, object, op);
      observer.happened(state, op, "returned by the call", object);
    }
  return Step::advance;
}

Step CallOps::leaveFunction(State &state, Operation *op) {
  if (state.frames.size() == 1)
    return checkExit(state, op);
  std::vector<PathValue> results = values.valuesOf(state, op->getOperands());
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
      observer.returned(state, result, value);
      values.set(state, result, value);
    }
  values.advance(state, call);
  return behindOp(state);
}

//===--- The end of the function ------------------------------------------===//

/// Who gets what at the end, and what is left.
Step CallOps::checkExit(State &state, Operation *op) {
  SmallVector<PathValue> returned;
  for (Value operand : op->getOperands())
    if (isBuffer(operand.getType()) && !isa<TensorType>(operand.getType()))
      returned.push_back(values.memrefOf(state, operand));
  SmallVector<bool> owned(returned.size(), true);
  size_t operands = op->getNumOperands();
  if (options.dynamicOwnership && operands >= returned.size())
    for (size_t i = 0; i < returned.size(); ++i) {
      Value flag = op->getOperand(unsigned(operands - returned.size() + i));
      std::optional<bool> isOwned =
          values.truth(state, values.exprOf(state, flag));
      if (!isOwned)
        return Step::fork;
      owned[i] = *isOwned;
    }
  copies.readAtExit(state, op);
  llvm::SmallDenseSet<int32_t> given;
  for (Value operand : op->getOperands())
    if (isa<TensorType>(operand.getType()))
      if (PathValue value = values.valueOf(state, operand); value.isMemref()) {
        given.insert(value.object);
        if (state.objects[value.object].freed)
          observer.fault(state, FaultKind::returnedFreed, op,
                         state.objects[value.object]);
      }
  for (auto [i, value] : llvm::enumerate(returned)) {
    Object &object = state.objects[value.object];
    if (object.freed)
      observer.fault(state, FaultKind::returnedFreed, op, object);
    else if (object.kind == ObjectKind::stack)
      observer.fault(state, FaultKind::returnedUnowned, op, object);
    else if (!options.resultsOwned || object.kind == ObjectKind::unclear)
      given.insert(value.object);
    else if (owned[i] && !object.isOwned())
      observer.fault(state,
                     options.dynamicOwnership ? FaultKind::indicatorWrong
                                              : FaultKind::returnedUnowned,
                     op, object);
    else if (owned[i] && !given.insert(value.object).second &&
             !options.dynamicOwnership)
      observer.fault(state, FaultKind::returnedTwice, op, object);
  }
  for (auto [number, object] : llvm::enumerate(state.objects)) {
    if (object.escaped && object.freed)
      observer.fault(state, FaultKind::escapedFreed, op, object);
    if (object.isOwned() && !object.freed && !object.escaped &&
        !given.contains(int32_t(number)))
      observer.fault(state, FaultKind::leak, op, object);
  }
  return Step::end;
}

} // namespace memreflens::symexec
