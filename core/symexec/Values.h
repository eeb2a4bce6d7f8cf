//===- core/symexec/Values.h - what SSA values are on a path --------------===//
//
// Reads and binds the values of the op that is next: scalars as expressions,
// buffers as the objects behind them (Scalars.cpp has the arithmetic).
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_VALUES_H
#define MEMREFLENS_SYMEXEC_VALUES_H

#include "core/symexec/StatedSizes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace memreflens::symexec {

class Values : Part {
public:
  explicit Values(Context &context) : Part(context), stated(context) {}

  PathValue valueOf(State &state, mlir::Value value);
  SymbolicExpr exprOf(State &state, mlir::Value value);
  SymbolicExpr exprOf(State &state, mlir::OpFoldResult value);
  /// The object behind a buffer; foreign memory where nothing is known.
  PathValue memrefOf(State &state, mlir::Value value);
  std::vector<PathValue> valuesOf(State &state, mlir::ValueRange values);
  void set(State &state, mlir::Value value, PathValue what);
  /// What the path says of it; if nothing, `forkOn` is to be decided.
  std::optional<bool> truth(State &state, SymbolicExpr condition);
  std::optional<int64_t> numberOf(State &state, mlir::Value value);
  std::optional<CellKey> cellOf(State &state, mlir::ValueRange indices);

  int32_t addObject(State &state, ObjectKind kind, mlir::Operation *site,
                    mlir::Value value);
  /// So that a cast of the argument has it, too.
  void addStatedShape(State &state, int32_t argument);
  /// Of a buffer or a view of one, as far as its type, the ops that make it,
  /// and its memory have it; else none.
  SymbolicExpr dimensionOf(State &state, mlir::Value buffer, int64_t dimension);
  /// i1: both are the same memory.
  SymbolicExpr isSame(State &state, int32_t left, int32_t right);
  /// i1: both point to the same place.
  SymbolicExpr samePointer(State &state, const PathValue &left,
                           const PathValue &right);
  bool isPoison(const State &state, const PathValue &pointer) const;
  void notePoison(const State &state, const PathValue &left,
                  const PathValue &right);

  /// See `Action::scalar`.
  void executeScalar(State &state, mlir::Operation *op);
  /// To the next op; what is dead behind this one is forgotten.
  void advance(State &state, mlir::Operation *op, const IrFacts::Known &known);
  void advance(State &state, mlir::Operation *op) {
    advance(state, op, ir.of(op));
  }

  /// The condition that a path forks on.
  SymbolicExpr forkOn = noExpr;
  StatedSizes stated;

private:
  SymbolicExpr constantExpr(unsigned number, int64_t value);
  SymbolicExpr compare(State &state, mlir::Operation *op);

  /// By number of the value; `noExpr` for those that are not asked for yet.
  std::vector<SymbolicExpr> constants;
  unsigned serials = 0;
};

/// Bits of a number as it is kept.
unsigned widthOf(mlir::Type type);

/// What the memory of a global is of; null if the symbol is not found.
mlir::memref::GlobalOp globalOf(const Object &object);

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_VALUES_H
