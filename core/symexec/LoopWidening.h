//===- core/symexec/LoopWidening.h - what one iteration knows, forgotten --===//
//
// So that a loop's later iterations meet, what it counts is forgotten: it says
// nothing of buffers where the loop keeps none in memory by number
// (LoopFacts.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_LOOPWIDENING_H
#define MEMREFLENS_SYMEXEC_LOOPWIDENING_H

#include "core/symexec/Values.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

namespace memreflens::symexec {

class LoopWidening : Part {
public:
  LoopWidening(Context &context, Values &values)
      : Part(context), values(values) {}

  /// Numbers that a loop carries are of one iteration; an i1 says who owns
  /// what.
  static void forget(std::vector<PathValue> &carried, mlir::ValueRange values);
  bool forgetsRounds(mlir::Operation *op);
  /// Where peaks are asked for, sizes are, too.
  bool isEachRoundAlike(mlir::Operation *op);
  /// Numbers that go round are others each time, but for those that are known.
  void forgetRound(std::vector<PathValue> &carried);
  /// An induction variable of any iteration but the first.
  SymbolicExpr laterInduction(State &state, mlir::LoopLikeOpInterface op);

private:
  Values &values;
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_LOOPWIDENING_H
