//===- core/symexec/Regions.cpp - ops with regions ------------------------===//

#include "core/symexec/CallGraph.h"
#include "core/symexec/Executor.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens::symexec {

std::vector<PathValue> Executor::valuesOf(State &state, ValueRange values) {
  std::vector<PathValue> found;
  for (Value value : values) {
    if (isBuffer(value.getType()))
      found.push_back(memrefOf(state, value));
    else if (value.getType().isIntOrIndex() &&
             valueOf(state, value).kind == ValueClass::none)
      found.push_back(PathValue::scalar(exprOf(state, value)));
    else
      found.push_back(valueOf(state, value));
  }
  return found;
}

Step Executor::enter(State &state, Operation *op, Region &region,
                     unsigned iteration,
                     const std::vector<PathValue> &arguments,
                     unsigned firstArgument) {
  if (region.empty())
    return finish(state, op, {});
  Scope scope;
  scope.parent = op;
  scope.region = &region;
  scope.iteration = iteration;
  scope.forksBefore = state.forksBefore;
  Block &entry = region.front();
  scope.next = &entry.front();
  state.frame().scopes.push_back(std::move(scope));
  for (auto [i, value] : llvm::enumerate(arguments))
    if (firstArgument + i < entry.getNumArguments() &&
        value.kind != ValueClass::none)
      set(state, entry.getArgument(unsigned(firstArgument + i)), value);
  // Paths meet behind an op, and where a loop goes round.
  return iteration > 0 && !isa<scf::WhileOp>(op) ? Step::moved : Step::entered;
}

/// Ends the innermost region; its values are gone.
void Executor::leave(State &state) {
  Region *region = state.scope().region;
  // Most often they were bound last: those before them need no look.
  unbindFrom(state.frame(), ir.firstIn(region), [&](unsigned number) {
    return ir.valueOf(number).getParentRegion() == region;
  });
  state.forksBefore = state.scope().forksBefore;
  state.frame().scopes.pop_back();
}

/// Behind an op: paths that parted in it may meet. Others do where they fork.
Step Executor::behindOp(const State &state) {
  return state.forks > state.forksBefore ? Step::moved : Step::entered;
}

Step Executor::finish(State &state, Operation *op,
                      const std::vector<PathValue> &results) {
  for (auto [result, value] : llvm::zip(op->getResults(), results))
    if (value.kind != ValueClass::none)
      set(state, result, value);
  advance(state, op);
  return behindOp(state);
}

//===--- Loops ------------------------------------------------------------===//

/// Iterations of a loop, where its bounds are numbers; adds its bounds, first
/// and last of each variable.
std::optional<int64_t> Executor::tripsOf(State &state, LoopLikeOpInterface op,
                                         std::vector<SymbolicExpr> &bounds) {
  auto lower = op.getLoopLowerBounds(), upper = op.getLoopUpperBounds();
  auto steps = op.getLoopSteps();
  if (!lower || !upper || !steps || lower->size() != upper->size())
    return std::nullopt;
  int64_t trips = 1;
  bool isKnown = true;
  for (auto [from, to, step] : llvm::zip(*lower, *upper, *steps)) {
    bounds.push_back(exprOf(state, from));
    bounds.push_back(exprOf(state, to));
    auto first = exprs.constantOf(bounds[bounds.size() - 2]);
    auto last = exprs.constantOf(bounds.back());
    auto by = exprs.constantOf(exprOf(state, step));
    isKnown = isKnown && first && last && by && *by > 0;
    if (isKnown)
      trips *= *last > *first ? (*last - *first + *by - 1) / *by : 0;
  }
  return isKnown ? std::optional(trips) : std::nullopt;
}

/// Whether another iteration follows; none if that has to be decided first.
std::optional<bool> Executor::goesOn(State &state, LoopLikeOpInterface op,
                                     unsigned iteration, SymbolicExpr induction,
                                     bool &isExact) {
  const bool matters = ir.mattersBelow(op);
  // What one round writes, the next one may read.
  const unsigned plain = options.watchesCopies ? 2 : 1;
  unsigned bound = matters ? options.loopBound : plain;
  std::vector<SymbolicExpr> bounds;
  const std::optional<int64_t> trips = tripsOf(state, op, bounds);
  isExact = trips && matters &&
            *trips <= int64_t(isEachRoundAlike(op) ? options.countedIterations
                                                   : options.exactIterations);
  if (options.heap && trips && matters && !isExact)
    options.heap->passesRounds |= *trips <= int64_t(options.exactIterations);
  // Rounds of a long loop meet sooner than they are counted.
  const bool meets = matters && !isExact && forgetsRounds(op);
  if (trips && (!meets || iteration == 0)) {
    int64_t limit = isExact ? *trips : std::min(*trips, int64_t(bound));
    if (iteration >= limit && limit < *trips && matters)
      result.cutAtBound = true;
    return iteration < limit;
  }
  if (bounds.empty())
    bounds.push_back(exprs.constant(int64_t(uintptr_t(op.getOperation())), 64));
  if (iteration >= bound) {
    result.cutAtBound |= matters;
    return false;
  }
  SymbolicExpr condition = noExpr;
  if (induction != noExpr && bounds.size() == 2) {
    condition = exprs.make(ExprKind::lessSigned, 1, {induction, bounds[1]});
  } else {
    bounds.push_back(exprs.constant(iteration, 64));
    condition = exprs.make(ExprKind::other, 1, bounds, {}, "iterates");
  }
  return truth(state, condition);
}

/// Numbers that a loop carries are of one iteration; an i1 says who owns what.
void Executor::forget(std::vector<PathValue> &carried, ValueRange values) {
  for (auto [value, known] : llvm::zip(values, carried))
    if (value.getType().isIntOrIndex() && !value.getType().isInteger(1))
      known = PathValue();
}

/// So that a loop's later iterations meet, what it counts is forgotten: it says
/// nothing of buffers where the loop keeps none in memory by number.
bool Executor::forgetsRounds(Operation *op) { return !ir.keepsBuffers(op); }

/// Where peaks are asked for, sizes are, too.
bool Executor::isEachRoundAlike(Operation *op) {
  return forgetsRounds(op) &&
         !(options.heap && ir.countsRounds(op, !options.callsByBoundary));
}

/// Numbers that go round are others each time, but for those that are known.
void Executor::forgetRound(std::vector<PathValue> &carried) {
  for (PathValue &value : carried)
    if (value.kind == ValueClass::scalar && exprs[value.expr].width > 1 &&
        !exprs.constantOf(value.expr))
      value.expr =
          exprs.fresh(exprs[value.expr].width, exprs[value.expr].source);
}

/// An induction variable of any iteration but the first.
SymbolicExpr Executor::laterInduction(State &state, LoopLikeOpInterface op) {
  const SymbolicExpr later =
      exprs.fresh(64, op.getLoopInductionVars()->front());
  const SymbolicExpr first = exprOf(state, op.getLoopLowerBounds()->front());
  decide(state.decisions, exprs.make(ExprKind::equal, 1, {later, first}),
         false);
  return later;
}

/// Before iteration `iteration`, outside of the loop's region.
Step Executor::loop(State &state, LoopLikeOpInterface op, unsigned iteration,
                    SymbolicExpr induction,
                    const std::vector<PathValue> &carried) {
  bool isExact = false;
  std::optional<bool> more = goesOn(state, op, iteration, induction, isExact);
  if (!more)
    return Step::fork;
  if (options.heap && !isExact)
    options.heap->iterates(op, iteration, state.live);
  if (!*more) {
    if (iteration > 0)
      leave(state);
    return finish(state, op, carried);
  }
  if (iteration > 0)
    leave(state);
  Region &region = *op.getLoopRegions().front();
  auto variables = op.getLoopInductionVars();
  unsigned first = variables ? unsigned(variables->size()) : 0;
  const bool forgets = options.heap && !isExact;
  std::vector<PathValue> entering = carried;
  if (forgets)
    forget(entering, op.getRegionIterArgs());
  if (iteration > 0 && !isExact && forgetsRounds(op)) {
    forgetRound(entering);
    if (induction != noExpr)
      induction = laterInduction(state, op);
  }
  Step step = enter(state, op, region, iteration, entering, first);
  state.scope().induction = induction;
  state.scope().isCounted = isExact;
  if (induction != noExpr && first == 1 && !forgets)
    set(state, variables->front(), PathValue::scalar(induction));
  return step;
}

/// `scf.condition`: on with the body, or out.
Step Executor::whileCondition(State &state, Operation *terminator) {
  auto op = cast<scf::WhileOp>(terminator->getParentOp());
  auto condition = cast<scf::ConditionOp>(terminator);
  std::optional<bool> more =
      truth(state, exprOf(state, condition.getCondition()));
  unsigned iteration = state.scope().iteration;
  // Known of this iteration even if the path meets another here.
  if (options.heap)
    options.heap->iterates(op, iteration, state.live);
  if (!more && iteration >= options.loopBound) {
    result.cutAtBound = true;
    decide(state.decisions, forkOn, false);
    more = truth(state, exprOf(state, condition.getCondition()));
  }
  if (!more)
    return Step::fork;
  if (*more && iteration >= options.exactIterations) {
    result.cutAtBound = true;
    addGap(trace::PeakGapKind::notAllPaths, op);
    return Step::end;
  }
  std::vector<PathValue> values = valuesOf(state, condition.getArgs());
  if (options.heap && *more)
    forget(values, op.getAfterArguments());
  leave(state);
  return *more ? enter(state, op, op.getAfter(), iteration, values)
               : finish(state, op, values);
}

//===--- Any op with regions ----------------------------------------------===//

/// Takes one of the ways, each under a condition of its own.
Step Executor::follow(State &state, Operation *op,
                      ArrayRef<RegionSuccessor> successors,
                      llvm::function_ref<ValueRange(RegionSuccessor)> operands,
                      unsigned iteration) {
  size_t chosen = successors.size() - 1;
  // Ways back into the op end at the bound.
  bool isLast = iteration >= options.loopBound;
  for (size_t i = 0; i + 1 < successors.size(); ++i) {
    if (isLast && successors[i].isParent()) {
      chosen = i;
      break;
    }
    if (isLast)
      continue;
    SymbolicExpr way =
        exprs.make(ExprKind::other, 1, {}, {},
                   "region:" + std::to_string(uintptr_t(op)) + ":" +
                       std::to_string(i) + ":" + std::to_string(iteration) +
                       ":" + std::to_string(state.frames.size()));
    std::optional<bool> taken = truth(state, way);
    if (!taken)
      return Step::fork;
    if (*taken) {
      chosen = i;
      break;
    }
  }
  const RegionSuccessor &target = successors[chosen];
  if (isLast && !target.isParent()) {
    result.cutAtBound = true;
    addGap(trace::PeakGapKind::notAllPaths, op);
    return Step::end;
  }
  std::vector<PathValue> values = valuesOf(state, operands(target));
  ValueRange inputs = target.getSuccessorInputs();
  if (state.scope().parent == op)
    leave(state);
  if (!target.isParent()) {
    Step step = enter(state, op, *target.getSuccessor(), iteration, {});
    for (auto [input, value] : llvm::zip(inputs, values))
      if (value.kind != ValueClass::none)
        set(state, input, value);
    return step;
  }
  for (auto [input, value] : llvm::zip(inputs, values))
    if (value.kind != ValueClass::none)
      set(state, input, value);
  return finish(state, op, {});
}

/// What is decided about the path, or numbers of the program, say how it goes
/// through the op.
bool Executor::hasOneWay(State &state, Operation *op) {
  if (auto conditional = dyn_cast<scf::IfOp>(op))
    return truth(state, exprOf(state, conditional.getCondition())).has_value();
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
    return numberOf(state, choice.getArg()).has_value();
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  std::vector<SymbolicExpr> bounds;
  return loop && !isa<scf::WhileOp>(op) &&
         tripsOf(state, loop, bounds).has_value();
}

/// What each way through a condition gives back, as a choice of the two. False
/// where a way gives back a known number: it may be a size or a place.
bool Executor::setChoices(State &state, Operation *op) {
  auto conditional = dyn_cast<scf::IfOp>(op);
  if (!conditional || op->getNumResults() == 0)
    return true;
  auto valuesOfWay = [&](Region &region) {
    for (Operation &nested : region.front().without_terminator())
      if (ir.of(&nested).action == Action::scalar)
        executeScalar(state, &nested);
    std::vector<PathValue> values =
        valuesOf(state, region.front().getTerminator()->getOperands());
    unbindFrom(state.frame(), ir.firstIn(&region), [&](unsigned number) {
      return ir.valueOf(number).getParentRegion() == &region;
    });
    return values;
  };
  const std::vector<PathValue> first = valuesOfWay(conditional.getThenRegion());
  const std::vector<PathValue> other = valuesOfWay(conditional.getElseRegion());
  auto isKnown = [&](const PathValue &value) {
    return value.kind == ValueClass::scalar && exprs[value.expr].width > 1 &&
           exprs.constantOf(value.expr);
  };
  if (llvm::any_of(first, isKnown) || llvm::any_of(other, isKnown))
    return false;
  const SymbolicExpr condition = exprOf(state, conditional.getCondition());
  for (auto [result, a, b] : llvm::zip(op->getResults(), first, other))
    if (a.kind == ValueClass::scalar && b.kind == ValueClass::scalar)
      set(state, result,
          PathValue::scalar(exprs.make(ExprKind::choice, exprs[a.expr].width,
                                       {condition, a.expr, b.expr}, result)));
  return true;
}

/// All ways through the op at once, where they differ in nothing that is
/// followed. False where they may differ.
bool Executor::passOver(State &state, Operation *op) {
  const OpSummary &summary = ir.summaryOf(op);
  if (!summary.isPossible || hasOneWay(state, op))
    return false;
  // A use of what is gone is a fault of some of the ways.
  // Which of two is used, there and in which order, is asked of twins.
  for (Value buffer : summary.used)
    if (const PathValue value = memrefOf(state, buffer);
        state.objects[value.object].freed || hasTwin(state, value))
      return false;
  for (Value number : summary.stored)
    if (valueOf(state, number).kind == ValueClass::pointer)
      return false;
  for (CallOpInterface call : summary.calls)
    if (runsBody(calleeOf(call, symbols())))
      return false;
  if (!setChoices(state, op))
    return false;
  for (CallOpInterface call : summary.calls)
    countCallee(state, call, calleeOf(call, symbols()));
  for (Value buffer : summary.written)
    state.objects[memrefOf(state, buffer).object].cells.clear();
  if (options.heap && state.frames.size() == 1)
    op->walk([&](Operation *nested) { see(state, nested); });
  return true;
}

Step Executor::enterOp(State &state, Operation *op) {
  if (passOver(state, op))
    return Step::advance;
  if (auto conditional = dyn_cast<scf::IfOp>(op)) {
    std::optional<bool> condition =
        truth(state, exprOf(state, conditional.getCondition()));
    if (!condition)
      return Step::fork;
    return enter(state, op,
                 *condition ? conditional.getThenRegion()
                            : conditional.getElseRegion(),
                 0, {});
  }
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op)) {
    SymbolicExpr value = exprOf(state, choice.getArg());
    for (auto [i, number] : llvm::enumerate(choice.getCases())) {
      std::optional<bool> isCase =
          truth(state, exprs.make(ExprKind::equal, 1,
                                  {value, exprs.constant(number, 64)}));
      if (!isCase)
        return Step::fork;
      if (*isCase)
        return enter(state, op, choice.getCaseRegions()[i], 0, {});
    }
    return enter(state, op, choice.getDefaultRegion(), 0, {});
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return enter(state, op, loop.getBefore(), 0,
                 valuesOf(state, loop.getInits()));
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    SymbolicExpr induction = noExpr;
    auto variables = loop.getLoopInductionVars();
    auto lower = loop.getLoopLowerBounds();
    if (variables && variables->size() == 1 && lower)
      induction = exprOf(state, lower->front());
    std::vector<PathValue> inits;
    for (OpOperand &init : loop.getInitsMutable())
      inits.push_back(valuesOf(state, init.get()).front());
    return this->loop(state, loop, 0, induction, inits);
  }
  if (auto interface = dyn_cast<RegionBranchOpInterface>(op)) {
    SmallVector<RegionSuccessor> successors;
    interface.getSuccessorRegions(RegionBranchPoint::parent(), successors);
    if (!successors.empty())
      return follow(
          state, op, successors,
          [&](RegionSuccessor target) -> ValueRange {
            return interface.getEntrySuccessorOperands(target);
          },
          0);
  }
  assumed.insert("the first region of " + op->getName().getStringRef().str() +
                 " runs once");
  return enter(state, op, op->getRegion(0), 0, {});
}

//===--- Terminators ------------------------------------------------------===//

Step Executor::terminate(State &state, Operation *op) {
  Scope &scope = state.scope();
  Operation *parent = scope.parent;
  if (parent == state.frame().function)
    return leaveFunction(state, op);
  if (isa<scf::ConditionOp>(op))
    return whileCondition(state, op);
  unsigned iteration = scope.iteration;
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    std::vector<PathValue> values = valuesOf(state, op->getOperands());
    leave(state);
    if (forgetsRounds(parent))
      forgetRound(values);
    if (options.heap)
      options.heap->iterates(parent, iteration + 1, state.live);
    (void)enter(state, parent, loop.getBefore(), iteration + 1, values);
    return Step::moved;
  }
  if (auto loop = dyn_cast<LoopLikeOpInterface>(parent)) {
    std::vector<PathValue> values;
    if (loop->getNumResults() == op->getNumOperands())
      values = valuesOf(state, op->getOperands());
    SymbolicExpr induction = scope.induction;
    if (induction != noExpr)
      if (auto steps = loop.getLoopSteps(); steps && steps->size() == 1)
        induction = exprs.make(ExprKind::add, 64,
                               {induction, exprOf(state, steps->front())});
    return this->loop(state, loop, iteration + 1, induction, values);
  }
  auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(op);
  if (terminator && isa<RegionBranchOpInterface>(parent)) {
    SmallVector<RegionSuccessor> successors;
    cast<RegionBranchOpInterface>(parent).getSuccessorRegions(
        RegionBranchPoint(terminator), successors);
    if (!successors.empty())
      return follow(
          state, parent, successors,
          [&](RegionSuccessor target) -> ValueRange {
            return terminator.getSuccessorOperands(target);
          },
          iteration + 1);
  }
  // Regions one after the other, each once.
  unsigned next = scope.region->getRegionNumber() + 1;
  std::vector<PathValue> values;
  if (parent->getNumResults() == op->getNumOperands())
    values = valuesOf(state, op->getOperands());
  leave(state);
  if (next < parent->getNumRegions() && !parent->getRegion(next).empty())
    return enter(state, parent, parent->getRegion(next), 0, {});
  return finish(state, parent, values);
}

} // namespace memreflens::symexec
