//===- core/symexec/Executor.cpp ------------------------------------------===//

#include "core/symexec/Executor.h"
#include "core/trace/Names.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

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
          addObject(state, ObjectKind::argument, function, argument);
      set(state, argument, PathValue::memref(object));
      addStatedShape(state, object);
    } else if (argument.getType().isIntOrIndex()) {
      (void)exprOf(state, argument);
    }
  return state;
}

static std::string memory(uint64_t words) {
  const uint64_t kilobytes = words * sizeof(uint64_t) / 1'000;
  return kilobytes < 1'000 ? std::to_string(kilobytes) + " KB"
                           : trace::grouped(kilobytes / 1'000) + " MB";
}

static std::string seconds(double time) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g s", time);
  return text;
}

bool Executor::isOver() {
  auto stop = [&](std::string why) {
    result.stopped = std::move(why);
    return true;
  };
  if (result.faults.size() >= options.maxFaults)
    return stop(trace::grouped(options.maxFaults) + " faults");
  if (result.steps >= options.maxSteps)
    return stop(trace::grouped(options.maxSteps) + " steps");
  if (result.paths + result.merged >= options.maxPaths)
    return stop(trace::grouped(options.maxPaths) + " paths");
  if (words >= options.maxWords)
    return stop(memory(options.maxWords) +
                " of paths' states copied and compared");
  if (waitingWords >= options.maxWaitingWords)
    return stop(memory(options.maxWaitingWords) + " of paths that wait");
  if (result.steps % 256 == 0) {
    std::chrono::duration<double> spent =
        std::chrono::steady_clock::now() - begun;
    if (spent.count() > options.seconds)
      return stop(seconds(options.seconds));
    if (options.goesOn && !options.goesOn())
      return stop("an interruption");
  }
  return false;
}

ExploreResult Executor::run() {
  begun = std::chrono::steady_clock::now();
  result.bound = options.loopBound;
  result.callsByBoundary = options.callsByBoundary;
  if (function.getFunctionBody().empty())
    return result;
  readStated();
  wait(start());
  while (!waiting.empty() && !isOver()) {
    State state = std::move(waiting.back().state);
    waitingWords -= waiting.back().size;
    waiting.pop_back();
    meetings.takeNext(waiting.size(), result.steps);
    runPath(state);
  }
  if (!waiting.empty() && result.stopped.empty())
    (void)isOver();
  for (size_t i = 0; i < faultSites.size(); ++i)
    result.faults[i].isFreedElsewhere = freedSites.contains(faultSites[i]);
  meetings.spread([&](Value buffer) { noteUnfollowed(buffer); });
  result.assumed.assign(assumed.begin(), assumed.end());
  result.comparesPoison = comparesPoison;
  result.unfollowed.assign(unfollowed.begin(), unfollowed.end());
  return std::move(result);
}

void Executor::wait(State state) {
  const uint64_t size = sizeOf(state);
  words += size;
  waitingWords += size;
  waiting.push_back({std::move(state), size});
}

/// Goes on twice: with the condition true here, with it false later.
void Executor::fork(State &state, Operation *op) {
  hasForked = true;
  State other = state;
  auto take = [&](State &which, bool value) {
    ++which.forks;
    decide(which.decisions, forkOn, value);
    log.push_back({which.log, op, -1, forkOn, value, nullptr});
    which.log = int32_t(log.size() - 1);
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
    if (result.steps % 64 == 0 && isOver()) {
      wait(std::move(state));
      return;
    }
    Operation *op = state.scope().next;
    const IrFacts::Known &known = ir.of(op);
    see(state, op);
    const Step step = execute(state, op, known.action);
    if (step == Step::end) {
      ++result.paths;
      return;
    }
    if (step == Step::advance)
      advance(state, op, known);
    const bool isAsked =
        step == Step::moved || (step == Step::fork && !isAlone);
    if (isAsked && wasHere(state)) {
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

/// A path that is the only one so far can meet itself alone, on a way back.
bool Executor::mayMeetAnother(const State &state) const {
  const Scope &scope = state.frames.back().scopes.back();
  return hasForked || scope.iteration > 0 || !scope.visits.empty();
}

/// The path ends here, and does again what one of fewer iterations does.
void Executor::noteRepeats(const State &state, ArrayRef<unsigned> before) {
  if (!options.heap)
    return;
  for (const Frame &frame : state.frames)
    for (const Scope &scope : frame.scopes)
      if (!scope.isCounted) {
        if (before.front() < scope.iteration)
          options.heap->repeats.insert(
              {scope.parent, before.front(), scope.iteration});
        before = before.drop_front();
      }
}

const LiveContents &Executor::liveContents() {
  const bool runsCalls = !options.callsByBoundary;
  std::optional<LiveContents> &known =
      runsCalls ? facts.withCalls : facts.withoutCalls;
  if (!known)
    known.emplace(function, runsCalls, symbols());
  return *known;
}

bool Executor::wasHere(State &state) {
  if (!mayMeetAnother(state))
    return false;
  Normalised now =
      normalise(state, exprs, ir, liveContents(), options.heap != nullptr);
  words += now.size;
  auto [entry, isNew] = seen.try_emplace(now.key);
  Seen &before = entry->second;
  auto isWithin = [](ArrayRef<unsigned> few, ArrayRef<unsigned> many) {
    return llvm::all_of(llvm::zip_equal(few, many), [](auto pair) {
      return std::get<0>(pair) <= std::get<1>(pair);
    });
  };
  if (!isNew && isWithin(before.iterations, now.iterations)) {
    noteRepeats(state, before.iterations);
    if (!options.tellsSitesApart)
      meetings.meet(state, before.number, result.steps);
    return true;
  }
  if (isNew || isWithin(now.iterations, before.iterations)) {
    before.iterations = std::move(now.iterations);
    if (!options.tellsSitesApart)
      before.number = meetings.addState(state, waiting.size(), result.steps);
  }
  return false;
}

void Executor::advance(State &state, Operation *op,
                       const IrFacts::Known &known) {
  for (unsigned number : known.dead)
    unbind(state.frame(), number);
  state.scope().next = op->getNextNode();
}

//===--- Ops --------------------------------------------------------------===//

/// An assertion of the pass that fails on this path stops the program there.
void Executor::noteFailing(State &state, cf::AssertOp assertion) {
  auto dealloc =
      dyn_cast_if_present<memref::DeallocOp>(assertion->getNextNode());
  const SymbolicExpr holds =
      exprs.resolve(exprOf(state, assertion.getArg()), state.decisions);
  if (dealloc && exprs.constantOf(holds) == 0)
    note(state, dealloc,
         "owned by the block: the assertion in front of its deallocation by "
         "hand fails, and stops the program",
         memrefOf(state, dealloc.getMemref()).object);
}

Step Executor::assertion(State &state, cf::AssertOp op) {
  // The pass guards a free by hand with this; what it guards against is worth a
  // report of its own.
  if (op.getMsg() == "expected that the block does not have ownership") {
    noteFailing(state, op);
    return Step::advance;
  }
  std::optional<bool> holds = truth(state, exprOf(state, op.getArg()));
  if (!holds)
    return Step::fork;
  return *holds ? Step::advance : Step::end;
}

Step Executor::choice(State &state, Operation *op) {
  std::optional<bool> first = truth(state, exprOf(state, op->getOperand(0)));
  if (!first)
    return Step::fork;
  set(state, op->getResult(0), memrefOf(state, op->getOperand(*first ? 1 : 2)));
  return Step::advance;
}

Step Executor::execute(State &state, Operation *op, Action action) {
  switch (action) {
  case Action::load:
    return load(state, cast<memref::LoadOp>(op));
  case Action::store:
    return store(state, cast<memref::StoreOp>(op));
  case Action::dealloc:
    return dealloc(state, cast<bufferization::DeallocOp>(op));
  case Action::realloc:
    return realloc(state, cast<memref::ReallocOp>(op));
  case Action::clone:
    return clone(state, cast<bufferization::CloneOp>(op));
  case Action::dim:
    dim(state, cast<memref::DimOp>(op));
    return Step::advance;
  case Action::assertion:
    return assertion(state, cast<cf::AssertOp>(op));
  case Action::choice:
    return choice(state, op);
  case Action::view:
    executeView(state, op);
    return Step::advance;
  case Action::scalar:
    executeScalar(state, op);
    return Step::advance;
  case Action::effects:
    return executeByEffects(state, op);
  case Action::region:
    return enterOp(state, op);
  case Action::call:
    return call(state, cast<CallOpInterface>(op));
  case Action::branch:
    return branch(state, op);
  case Action::terminate:
    return terminate(state, op);
  case Action::end:
    return Step::end;
  case Action::nothing:
    break;
  }
  return Step::advance;
}

ExploreResult explore(FunctionOpInterface function, const trace::Trace &trace,
                      const ExploreOptions &options) {
  return Executor(function, trace, options).run();
}

} // namespace memreflens::symexec
