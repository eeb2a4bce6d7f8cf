//===- core/symexec/RegionOps.cpp - ops with regions ----------------------===//

#include "core/symexec/RegionOps.h"
#include "core/symexec/CallGraph.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace memreflens::symexec {

Step RegionOps::enter(State &state, Operation *op, Region &region,
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
      values.set(state, entry.getArgument(unsigned(firstArgument + i)), value);
  // Paths meet behind an op, and where a loop goes round.
  return iteration > 0 && !isa<scf::WhileOp>(op) ? Step::moved : Step::entered;
}

/// Ends the innermost region; its values are gone.
void RegionOps::leave(State &state) {
  Region *region = state.scope().region;
  // Most often they were bound last: those before them need no look.
  unbindFrom(state.frame(), ir.firstIn(region), [&](unsigned number) {
    return ir.valueOf(number).getParentRegion() == region;
  });
  state.forksBefore = state.scope().forksBefore;
  state.frame().scopes.pop_back();
}

Step RegionOps::finish(State &state, Operation *op,
                       const std::vector<PathValue> &results) {
  for (auto [result, value] : llvm::zip(op->getResults(), results))
    if (value.kind != ValueClass::none)
      values.set(state, result, value);
  values.advance(state, op);
  return behindOp(state);
}

//===--- Any op with regions ----------------------------------------------===//

/// Takes one of the ways, each under a condition of its own.
Step RegionOps::follow(State &state, Operation *op,
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
    std::optional<bool> taken = values.truth(state, way);
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
    observer.gap(trace::PeakGapKind::notAllPaths, op);
    return Step::end;
  }
  std::vector<PathValue> passed = values.valuesOf(state, operands(target));
  ValueRange inputs = target.getSuccessorInputs();
  if (state.scope().parent == op)
    leave(state);
  if (!target.isParent()) {
    Step step = enter(state, op, *target.getSuccessor(), iteration, {});
    for (auto [input, value] : llvm::zip(inputs, passed))
      if (value.kind != ValueClass::none)
        values.set(state, input, value);
    return step;
  }
  for (auto [input, value] : llvm::zip(inputs, passed))
    if (value.kind != ValueClass::none)
      values.set(state, input, value);
  return finish(state, op, {});
}

/// What is decided about the path, or numbers of the program, say how it goes
/// through the op.
bool RegionOps::hasOneWay(State &state, Operation *op) {
  if (auto conditional = dyn_cast<scf::IfOp>(op))
    return values.truth(state, values.exprOf(state, conditional.getCondition()))
        .has_value();
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
    return values.numberOf(state, choice.getArg()).has_value();
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  std::vector<SymbolicExpr> bounds;
  return loop && !isa<scf::WhileOp>(op) &&
         tripsOf(state, loop, bounds).has_value();
}

/// What each way through a condition gives back, as a choice of the two. False
/// where a way gives back a known number: it may be a size or a place.
bool RegionOps::setChoices(State &state, Operation *op) {
  auto conditional = dyn_cast<scf::IfOp>(op);
  if (!conditional || op->getNumResults() == 0)
    return true;
  auto valuesOfWay = [&](Region &region) {
    for (Operation &nested : region.front().without_terminator())
      if (ir.of(&nested).action == Action::scalar)
        values.executeScalar(state, &nested);
    std::vector<PathValue> passed =
        values.valuesOf(state, region.front().getTerminator()->getOperands());
    unbindFrom(state.frame(), ir.firstIn(&region), [&](unsigned number) {
      return ir.valueOf(number).getParentRegion() == &region;
    });
    return passed;
  };
  const std::vector<PathValue> first = valuesOfWay(conditional.getThenRegion());
  const std::vector<PathValue> other = valuesOfWay(conditional.getElseRegion());
  auto isKnown = [&](const PathValue &value) {
    return value.kind == ValueClass::scalar && exprs[value.expr].width > 1 &&
           exprs.constantOf(value.expr);
  };
  if (llvm::any_of(first, isKnown) || llvm::any_of(other, isKnown))
    return false;
  const SymbolicExpr condition =
      values.exprOf(state, conditional.getCondition());
  for (auto [result, a, b] : llvm::zip(op->getResults(), first, other))
    if (a.kind == ValueClass::scalar && b.kind == ValueClass::scalar)
      values.set(
          state, result,
          PathValue::scalar(exprs.make(ExprKind::choice, exprs[a.expr].width,
                                       {condition, a.expr, b.expr}, result)));
  return true;
}

/// All ways through the op at once, where they differ in nothing that is
/// followed. False where they may differ.
bool RegionOps::passOver(State &state, Operation *op) {
  const OpSummary &summary = ir.summaryOf(op);
  if (!summary.isPossible || hasOneWay(state, op))
    return false;
  // A use of what is gone is a fault of some of the ways.
  // Which of two is used, there and in which order, is asked of twins.
  for (Value buffer : summary.used)
    if (const PathValue value = values.memrefOf(state, buffer);
        state.objects[value.object].freed || copies.hasTwin(state, value))
      return false;
  for (Value number : summary.stored)
    if (values.valueOf(state, number).kind == ValueClass::pointer)
      return false;
  for (CallOpInterface call : summary.calls)
    if (calls.runsBody(calleeOf(call, symbols())))
      return false;
  if (!setChoices(state, op))
    return false;
  for (CallOpInterface call : summary.calls)
    observer.calledUnrun(state, call, calleeOf(call, symbols()));
  for (Value buffer : summary.written)
    state.objects[values.memrefOf(state, buffer).object].cells.clear();
  observer.passedOver(state, op);
  return true;
}

Step RegionOps::enterOp(State &state, Operation *op) {
  if (passOver(state, op))
    return Step::advance;
  if (auto conditional = dyn_cast<scf::IfOp>(op)) {
    std::optional<bool> condition =
        values.truth(state, values.exprOf(state, conditional.getCondition()));
    if (!condition)
      return Step::fork;
    return enter(state, op,
                 *condition ? conditional.getThenRegion()
                            : conditional.getElseRegion(),
                 0, {});
  }
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op)) {
    SymbolicExpr value = values.exprOf(state, choice.getArg());
    for (auto [i, number] : llvm::enumerate(choice.getCases())) {
      std::optional<bool> isCase =
          values.truth(state, exprs.make(ExprKind::equal, 1,
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
                 values.valuesOf(state, loop.getInits()));
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    SymbolicExpr induction = noExpr;
    auto variables = loop.getLoopInductionVars();
    auto lower = loop.getLoopLowerBounds();
    if (variables && variables->size() == 1 && lower)
      induction = values.exprOf(state, lower->front());
    std::vector<PathValue> inits;
    for (OpOperand &init : loop.getInitsMutable())
      inits.push_back(values.valuesOf(state, init.get()).front());
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

Step RegionOps::terminate(State &state, Operation *op) {
  Scope &scope = state.scope();
  Operation *parent = scope.parent;
  if (parent == state.frame().function)
    return calls.leaveFunction(state, op);
  if (isa<scf::ConditionOp>(op))
    return whileCondition(state, op);
  unsigned iteration = scope.iteration;
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    std::vector<PathValue> passed = values.valuesOf(state, op->getOperands());
    leave(state);
    if (widening.forgetsRounds(parent))
      widening.forgetRound(passed);
    observer.iterates(parent, iteration + 1, state);
    (void)enter(state, parent, loop.getBefore(), iteration + 1, passed);
    return Step::moved;
  }
  if (auto loop = dyn_cast<LoopLikeOpInterface>(parent)) {
    std::vector<PathValue> passed;
    if (loop->getNumResults() == op->getNumOperands())
      passed = values.valuesOf(state, op->getOperands());
    SymbolicExpr induction = scope.induction;
    if (induction != noExpr)
      if (auto steps = loop.getLoopSteps(); steps && steps->size() == 1)
        induction =
            exprs.make(ExprKind::add, 64,
                       {induction, values.exprOf(state, steps->front())});
    return this->loop(state, loop, iteration + 1, induction, passed);
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
  std::vector<PathValue> passed;
  if (parent->getNumResults() == op->getNumOperands())
    passed = values.valuesOf(state, op->getOperands());
  leave(state);
  if (next < parent->getNumRegions() && !parent->getRegion(next).empty())
    return enter(state, parent, parent->getRegion(next), 0, {});
  return finish(state, parent, passed);
}

} // namespace memreflens::symexec
