//===- core/symexec/Executor.cpp - runs paths op by op --------------------===//

#include "core/symexec/Executor.h"
#include "core/symexec/FaultReporter.h"
#include "core/symexec/HeapAccounting.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace memreflens::symexec {

State Executor::start() {
  State state;
  Frame frame;
  frame.function = function;
  Scope scope;
  scope.parent = function;
  scope.region = &function.getFunctionBody();
  Block &entry = scope.region->front();
  scope.next = &entry.front();
  frame.scopes.push_back(scope);
  state.frames.push_back(frame);
  for (BlockArgument argument : entry.getArguments())
    if (isBuffer(argument.getType())) {
      int32_t object =
          values.addObject(state, ObjectKind::argument, function, argument);
      values.set(state, argument, PathValue::memref(object));
      values.addStatedShape(state, object);
    } else if (argument.getType().isIntOrIndex()) {
      (void)values.exprOf(state, argument);
    }
  return state;
}

static std::unique_ptr<Observer> observerOf(Context &context, Values &values,
                                            Meetings &meetings) {
  if (HeapWatch *heap = context.options.heap)
    return std::make_unique<HeapAccounting>(context, values, *heap);
  return std::make_unique<FaultReporter>(context, meetings);
}

Executor::Executor(Context &context)
    : Part(context), values(context),
      observed(observerOf(context, values, meetings)), observer(*observed),
      copies(context, values, observer), memory(copies), calls(memory, copies),
      branches(context, values, observer), widening(context, values),
      regions(calls, copies, widening), budget(context),
      merging(context, observer, budget, meetings) {}

ExploreResult Executor::run() {
  result.bound = options.loopBound;
  result.callsByBoundary = options.callsByBoundary;
  if (function.getFunctionBody().empty())
    return result;
  wait(start());
  while (!waiting.empty() && !budget.isOver()) {
    State state = std::move(waiting.back().state);
    budget.takeWaiting(waiting.back().size);
    waiting.pop_back();
    meetings.takeNext(waiting.size(), result.steps);
    runPath(state);
  }
  if (!waiting.empty() && result.stopped.empty())
    (void)budget.isOver();
  observer.finish();
  result.assumed.assign(assumed.begin(), assumed.end());
  return std::move(result);
}

void Executor::wait(State state) {
  const uint64_t size = sizeOf(state);
  budget.addWaiting(size);
  waiting.push_back({std::move(state), size});
}

/// Goes on twice: with the condition true here, with it false later.
void Executor::fork(State &state, Operation *op) {
  merging.noteFork();
  State other = state;
  auto take = [&](State &which, bool value) {
    ++which.forks;
    decide(which.decisions, values.forkOn, value);
    observer.forked(which, op, values.forkOn, value);
  };
  take(other, false);
  take(state, true);
  wait(std::move(other));
}

void Executor::runPath(State &state) {
  // Whether it is known that no path was here.
  bool isAlone = false;
  while (true) {
    ++result.steps;
    // Of a path that is not run to its end nothing can be said.
    if (result.steps % 64 == 0 && budget.isOver()) {
      wait(std::move(state));
      return;
    }
    Operation *op = state.scope().next;
    const IrFacts::Known &known = ir.of(op);
    observer.atOp(state, op);
    const Step step = execute(state, op, known.action);
    if (step == Step::end) {
      ++result.paths;
      return;
    }
    if (step == Step::advance)
      values.advance(state, op, known);
    const bool isAsked =
        step == Step::moved || (step == Step::fork && !isAlone);
    if (isAsked && merging.wasHere(state, waiting.size())) {
      ++result.merged;
      return;
    }
    if (step == Step::fork)
      fork(state, op);
    else
      state.forksBefore = state.forks;
    isAlone = step == Step::fork || step == Step::moved;
  }
}

//===--- Ops --------------------------------------------------------------===//

/// An assertion of the pass that fails on this path stops the program there.
void Executor::noteFailing(State &state, cf::AssertOp assertion) {
  auto dealloc =
      dyn_cast_if_present<memref::DeallocOp>(assertion->getNextNode());
  const SymbolicExpr holds =
      exprs.resolve(values.exprOf(state, assertion.getArg()), state.decisions);
  if (dealloc && exprs.constantOf(holds) == 0)
    observer.happened(
        state, dealloc,
        "owned by the block: the assertion in front of its deallocation by "
        "hand fails, and stops the program",
        values.memrefOf(state, dealloc.getMemref()).object);
}

Step Executor::assertion(State &state, cf::AssertOp op) {
  // The pass guards a free by hand with this; what it guards against is worth a
  // report of its own.
  if (op.getMsg() == "expected that the block does not have ownership") {
    noteFailing(state, op);
    return Step::advance;
  }
  std::optional<bool> holds =
      values.truth(state, values.exprOf(state, op.getArg()));
  if (!holds)
    return Step::fork;
  return *holds ? Step::advance : Step::end;
}

Step Executor::choice(State &state, Operation *op) {
  std::optional<bool> first =
      values.truth(state, values.exprOf(state, op->getOperand(0)));
  if (!first)
    return Step::fork;
  values.set(state, op->getResult(0),
             values.memrefOf(state, op->getOperand(*first ? 1 : 2)));
  return Step::advance;
}

Step Executor::execute(State &state, Operation *op, Action action) {
  switch (action) {
  case Action::load:
    return memory.load(state, cast<memref::LoadOp>(op));
  case Action::store:
    return memory.store(state, cast<memref::StoreOp>(op));
  case Action::dealloc:
    return memory.dealloc(state, cast<bufferization::DeallocOp>(op));
  case Action::realloc:
    return memory.realloc(state, cast<memref::ReallocOp>(op));
  case Action::clone:
    return memory.clone(state, cast<bufferization::CloneOp>(op));
  case Action::dim:
    memory.dim(state, cast<memref::DimOp>(op));
    return Step::advance;
  case Action::assertion:
    return assertion(state, cast<cf::AssertOp>(op));
  case Action::choice:
    return choice(state, op);
  case Action::view:
    memory.executeView(state, op);
    return Step::advance;
  case Action::scalar:
    values.executeScalar(state, op);
    return Step::advance;
  case Action::effects:
    return memory.executeByEffects(state, op);
  case Action::region:
    return regions.enterOp(state, op);
  case Action::call:
    return calls.call(state, cast<CallOpInterface>(op));
  case Action::branch:
    return branches.branch(state, op);
  case Action::terminate:
    return regions.terminate(state, op);
  case Action::end:
    return Step::end;
  case Action::nothing:
    break;
  }
  return Step::advance;
}

ExploreResult explore(FunctionOpInterface function, const trace::Trace &trace,
                      const ExploreOptions &options) {
  Context context(function, trace, options);
  return Executor(context).run();
}

} // namespace memreflens::symexec
