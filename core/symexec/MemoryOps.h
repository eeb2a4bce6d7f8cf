//===- core/symexec/MemoryOps.h - who allocates, uses and frees -----------===//
//
// Ops on memory: MemoryOps.cpp has allocation, deallocation and any op by its
// effects, Accesses.cpp views, loads and stores.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_MEMORYOPS_H
#define MEMREFLENS_SYMEXEC_MEMORYOPS_H

#include "core/symexec/CopyTracker.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

namespace memreflens::symexec {

class MemoryOps : public OpPart {
public:
  explicit MemoryOps(CopyTracker &copies) : OpPart(copies), copies(copies) {}

  /// False if it is gone already: the path ends there.
  bool use(State &state, const PathValue &value, mlir::Operation *op);
  bool release(State &state, const PathValue &value, mlir::Operation *op);
  /// What is said of a write, apart from a use.
  void write(State &state, const PathValue &value, mlir::Operation *op);

  Step dealloc(State &state, mlir::bufferization::DeallocOp op);
  Step realloc(State &state, mlir::memref::ReallocOp op);
  Step clone(State &state, mlir::bufferization::CloneOp op);
  Step executeByEffects(State &state, mlir::Operation *op);
  /// An op whose result is the memory of an operand.
  void executeView(State &state, mlir::Operation *op);
  void dim(State &state, mlir::memref::DimOp op);
  Step load(State &state, mlir::memref::LoadOp op);
  Step store(State &state, mlir::memref::StoreOp op);

private:
  PathValue allocate(State &state, ObjectKind kind, mlir::Operation *op,
                     mlir::Value result);
  void assumeResults(State &state, mlir::Operation *op);

  CopyTracker &copies;
  /// By the op that gets a global.
  llvm::DenseMap<mlir::Operation *, bool> constants;
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_MEMORYOPS_H
