//===- core/symexec/LoopWidening.cpp - what one iteration knows, forgotten ===//

#include "core/symexec/LoopWidening.h"

using namespace mlir;

namespace memreflens::symexec {

/// Numbers that a loop carries are of one iteration; an i1 says who owns what.
void LoopWidening::forget(std::vector<PathValue> &carried, ValueRange values) {
  for (auto [value, known] : llvm::zip(values, carried))
    if (value.getType().isIntOrIndex() && !value.getType().isInteger(1))
      known = PathValue();
}

/// So that a loop's later iterations meet, what it counts is forgotten: it says
/// nothing of buffers where the loop keeps none in memory by number.
bool LoopWidening::forgetsRounds(Operation *op) { return !ir.keepsBuffers(op); }

/// Where peaks are asked for, sizes are, too.
bool LoopWidening::isEachRoundAlike(Operation *op) {
  return forgetsRounds(op) &&
         !(options.heap && ir.countsRounds(op, !options.callsByBoundary));
}

/// Numbers that go round are others each time, but for those that are known.
void LoopWidening::forgetRound(std::vector<PathValue> &carried) {
  for (PathValue &value : carried)
    if (value.kind == ValueClass::scalar && exprs[value.expr].width > 1 &&
        !exprs.constantOf(value.expr))
      value.expr =
          exprs.fresh(exprs[value.expr].width, exprs[value.expr].source);
}

/// An induction variable of any iteration but the first.
SymbolicExpr LoopWidening::laterInduction(State &state,
                                          LoopLikeOpInterface op) {
  const SymbolicExpr later =
      exprs.fresh(64, op.getLoopInductionVars()->front());
  const SymbolicExpr first =
      values.exprOf(state, op.getLoopLowerBounds()->front());
  decide(state.decisions, exprs.make(ExprKind::equal, 1, {later, first}),
         false);
  return later;
}

} // namespace memreflens::symexec
