//===- core/symexec/LoopOps.cpp - loops, iteration by iteration -----------===//

#include "core/symexec/RegionOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace memreflens::symexec {

/// Iterations of a loop, where its bounds are numbers; adds its bounds, first
/// and last of each variable.
std::optional<int64_t> RegionOps::tripsOf(State &state, LoopLikeOpInterface op,
                                          std::vector<SymbolicExpr> &bounds) {
  auto lower = op.getLoopLowerBounds(), upper = op.getLoopUpperBounds();
  auto steps = op.getLoopSteps();
  if (!lower || !upper || !steps || lower->size() != upper->size())
    return std::nullopt;
  int64_t trips = 1;
  bool isKnown = true;
  for (auto [from, to, step] : llvm::zip(*lower, *upper, *steps)) {
    bounds.push_back(values.exprOf(state, from));
    bounds.push_back(values.exprOf(state, to));
    auto first = exprs.constantOf(bounds[bounds.size() - 2]);
    auto last = exprs.constantOf(bounds.back());
    auto by = exprs.constantOf(values.exprOf(state, step));
    isKnown = isKnown && first && last && by && *by > 0;
    if (isKnown)
      trips *= *last > *first ? (*last - *first + *by - 1) / *by : 0;
  }
  return isKnown ? std::optional(trips) : std::nullopt;
}

/// Whether another iteration follows; none if that has to be decided first.
std::optional<bool> RegionOps::goesOn(State &state, LoopLikeOpInterface op,
                                      unsigned iteration,
                                      SymbolicExpr induction, bool &isExact) {
  const bool matters = ir.mattersBelow(op);
  // What one round writes, the next one may read.
  const unsigned plain = options.watchesCopies ? 2 : 1;
  unsigned bound = matters ? options.loopBound : plain;
  std::vector<SymbolicExpr> bounds;
  const std::optional<int64_t> trips = tripsOf(state, op, bounds);
  isExact = trips && matters &&
            *trips <= int64_t(widening.isEachRoundAlike(op)
                                  ? options.countedIterations
                                  : options.exactIterations);
  if (trips && matters && !isExact &&
      *trips <= int64_t(options.exactIterations))
    observer.passesRounds();
  // Rounds of a long loop meet sooner than they are counted.
  const bool meets = matters && !isExact && widening.forgetsRounds(op);
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
  return values.truth(state, condition);
}

/// Before iteration `iteration`, outside of the loop's region.
Step RegionOps::loop(State &state, LoopLikeOpInterface op, unsigned iteration,
                     SymbolicExpr induction,
                     const std::vector<PathValue> &carried) {
  bool isExact = false;
  std::optional<bool> more = goesOn(state, op, iteration, induction, isExact);
  if (!more)
    return Step::fork;
  if (!isExact)
    observer.iterates(op, iteration, state);
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
    widening.forget(entering, op.getRegionIterArgs());
  if (iteration > 0 && !isExact && widening.forgetsRounds(op)) {
    widening.forgetRound(entering);
    if (induction != noExpr)
      induction = widening.laterInduction(state, op);
  }
  Step step = enter(state, op, region, iteration, entering, first);
  state.scope().induction = induction;
  state.scope().isCounted = isExact;
  if (induction != noExpr && first == 1 && !forgets)
    values.set(state, variables->front(), PathValue::scalar(induction));
  return step;
}

/// `scf.condition`: on with the body, or out.
Step RegionOps::whileCondition(State &state, Operation *terminator) {
  auto op = cast<scf::WhileOp>(terminator->getParentOp());
  auto condition = cast<scf::ConditionOp>(terminator);
  std::optional<bool> more =
      values.truth(state, values.exprOf(state, condition.getCondition()));
  unsigned iteration = state.scope().iteration;
  // Known of this iteration even if the path meets another here.
  observer.iterates(op, iteration, state);
  if (!more && iteration >= options.loopBound) {
    result.cutAtBound = true;
    decide(state.decisions, values.forkOn, false);
    more = values.truth(state, values.exprOf(state, condition.getCondition()));
  }
  if (!more)
    return Step::fork;
  if (*more && iteration >= options.exactIterations) {
    result.cutAtBound = true;
    observer.gap(trace::PeakGapKind::notAllPaths, op);
    return Step::end;
  }
  std::vector<PathValue> passed = values.valuesOf(state, condition.getArgs());
  if (options.heap && *more)
    LoopWidening::forget(passed, op.getAfterArguments());
  leave(state);
  return *more ? enter(state, op, op.getAfter(), iteration, passed)
               : finish(state, op, passed);
}

} // namespace memreflens::symexec
