//===- core/symexec/RegionOps.h - ops with regions ------------------------===//
//
// Enters the regions that the path takes, and leaves them at their terminators;
// LoopOps.cpp has loops, iteration by iteration.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_REGIONOPS_H
#define MEMREFLENS_SYMEXEC_REGIONOPS_H

#include "core/symexec/CallOps.h"
#include "core/symexec/LoopWidening.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace memreflens::symexec {

class RegionOps : public OpPart {
public:
  RegionOps(CallOps &calls, CopyTracker &copies, LoopWidening &widening)
      : OpPart(copies), calls(calls), copies(copies), widening(widening) {}

  Step enterOp(State &state, mlir::Operation *op);
  Step terminate(State &state, mlir::Operation *op);

private:
  bool hasOneWay(State &state, mlir::Operation *op);
  bool passOver(State &state, mlir::Operation *op);
  bool setChoices(State &state, mlir::Operation *op);
  Step enter(State &state, mlir::Operation *op, mlir::Region &region,
             unsigned iteration, const std::vector<PathValue> &arguments,
             unsigned firstArgument = 0);
  void leave(State &state);
  Step finish(State &state, mlir::Operation *op,
              const std::vector<PathValue> &results);
  std::optional<int64_t> tripsOf(State &state, mlir::LoopLikeOpInterface op,
                                 std::vector<SymbolicExpr> &bounds);
  std::optional<bool> goesOn(State &state, mlir::LoopLikeOpInterface op,
                             unsigned iteration, SymbolicExpr induction,
                             bool &isExact);
  Step loop(State &state, mlir::LoopLikeOpInterface op, unsigned iteration,
            SymbolicExpr induction, const std::vector<PathValue> &carried);
  Step whileCondition(State &state, mlir::Operation *terminator);
  Step
  follow(State &state, mlir::Operation *op,
         llvm::ArrayRef<mlir::RegionSuccessor> successors,
         llvm::function_ref<mlir::ValueRange(mlir::RegionSuccessor)> operands,
         unsigned iteration);

  CallOps &calls;
  CopyTracker &copies;
  LoopWidening &widening;
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_REGIONOPS_H
