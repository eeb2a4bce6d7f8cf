//===- core/source/IrSteps.h - the program's step of each op --------------===//
//
// Where a reader sees an op of any stage: at the op of the program that it is,
// or, for what passes made, at the next one behind it.
//
//   IrSteps steps(function, trace, trace::programSteps(trace, id));
//   steps.of(op)    // number of a step; nothing behind the last one
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_IRSTEPS_H
#define MEMREFLENS_SOURCE_IRSTEPS_H

#include "core/trace/Steps.h"

#include "mlir/IR/Operation.h"

namespace memreflens {

class IrSteps {
public:
  IrSteps(mlir::Operation *function, const trace::Trace &trace,
          trace::ProgramSteps steps);

  /// An op's trace id, if it is a step itself.
  trace::Id stepOp(mlir::Operation *op) const;
  std::optional<uint32_t> of(mlir::Operation *op) const;
  /// The same as the id of the step's op; `none` for none.
  trace::Id opOf(mlir::Operation *op) const;
  /// No step is behind it in its block.
  bool isLast(mlir::Operation *op) const { return last.contains(op); }
  const trace::ProgramSteps &program() const { return steps; }

private:
  trace::Id stepAround(mlir::Operation *op) const;
  void addRegions(mlir::Operation *op, trace::Id behind);

  const trace::Trace &trace;
  trace::ProgramSteps steps;
  llvm::DenseMap<mlir::Operation *, trace::Id> byOp;
  llvm::DenseSet<mlir::Operation *> last;
};

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_IRSTEPS_H
