//===- core/pipeline/ownership/HandlerState.h -----------------------------===//
//
// MLIR's own state, beside ours.
//
// Handlers of other dialects expect MLIR's DeallocationState. A function has
// one from its first such op on. It is told of each change as we make it, and
// what a handler changes is read from it, so that a call costs what the handler
// does, and not what the function has. Its liveness is analysed again only
// where an op that it names is gone.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_OWNERSHIP_HANDLERSTATE_H
#define MEMREFLENS_PIPELINE_OWNERSHIP_HANDLERSTATE_H

#include "core/pipeline/record/Lattice.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

#include <memory>

namespace mlir::bufferization {
class DeallocationState;
} // namespace mlir::bufferization

namespace memreflens {

class HandlerState {
public:
  HandlerState(mlir::Operation *function,
               mlir::SymbolTableCollection &symbolTables);
  ~HandlerState();

  /// For one call of a handler.
  mlir::bufferization::DeallocationState &forCall();

  OwnershipValue get(mlir::Value memref, mlir::Block *block) const;
  void set(mlir::Value memref, mlir::Block *block,
           const OwnershipValue &ownership);
  llvm::ArrayRef<mlir::Value> candidates(mlir::Block *block) const;
  void addCandidate(mlir::Value memref, mlir::Block *block);

  /// The value is erased, or will be at once; it is not looked at.
  void gone(mlir::Value value) { isStale |= acrossBlocks.contains(value); }

private:
  void analyse();

  mlir::Operation *function;
  mlir::SymbolTableCollection &symbolTables;
  std::unique_ptr<mlir::bufferization::DeallocationState> state;
  /// All that the state's liveness may name, by address.
  llvm::DenseSet<mlir::Value> acrossBlocks;
  bool isStale = false;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OWNERSHIP_HANDLERSTATE_H
