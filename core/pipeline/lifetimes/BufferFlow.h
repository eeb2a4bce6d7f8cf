//===- core/pipeline/lifetimes/BufferFlow.h - where a memref goes ---------===//
//
// From each use of a memref to the values that may be the same buffer behind
// it: views and casts, arguments of blocks, what regions yield, and what a call
// returns, of which the callee is looked into.
//
//   BufferFlow flow(symbols, {});
//   flow.targetsOf(use)    // %r#0 and %x of `scf.yield %b`
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_LIFETIMES_BUFFERFLOW_H
#define MEMREFLENS_PIPELINE_LIFETIMES_BUFFERFLOW_H

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"

#include <functional>

namespace memreflens::lifetimes {

class BufferFlow {
public:
  using Values = llvm::SmallVector<mlir::Value, 2>;

  /// `returnsOperands`: of a call whose callee has no body, whether its results
  /// may be what it is passed. By the contract of ownership-based deallocation
  /// they are not.
  BufferFlow(mlir::SymbolTableCollection &symbols,
             std::function<bool(mlir::CallOpInterface call)> returnsOperands)
      : symbols(symbols), returnsOperands(std::move(returnsOperands)) {}

  Values targetsOf(mlir::OpOperand &use);

private:
  using Mapping = llvm::DenseMap<mlir::OpOperand *, Values>;

  const Mapping &mappingOf(mlir::Operation *op);
  void addCall(mlir::CallOpInterface call, mlir::OpOperand &use,
               Values &targets);
  const llvm::SmallDenseSet<unsigned> &
  returnedFrom(mlir::BlockArgument argument);

  mlir::SymbolTableCollection &symbols;
  std::function<bool(mlir::CallOpInterface call)> returnsOperands;
  /// Of ops with regions.
  llvm::DenseMap<mlir::Operation *, Mapping> mappings;
  /// By argument of a function: numbers of its results that may be it.
  llvm::DenseMap<mlir::Value, llvm::SmallDenseSet<unsigned>> returned;
};

/// Whether the op's regions may run again before it is done; true of an op that
/// nobody knows.
bool mayRunAgain(mlir::Operation *op, mlir::Region &region);

} // namespace memreflens::lifetimes

#endif // MEMREFLENS_PIPELINE_LIFETIMES_BUFFERFLOW_H
