//===- core/symexec/Accesses.cpp - views, loads and stores ----------------===//

#include "core/symexec/MemoryOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace memreflens::symexec {

//===--- Views ------------------------------------------------------------===//

/// An op whose result is the memory of an operand.
void MemoryOps::executeView(State &state, Operation *op) {
  if (auto distinct = dyn_cast<memref::DistinctObjectsOp>(op)) {
    for (auto [operand, result] :
         llvm::zip(distinct.getOperands(), distinct.getResults()))
      values.set(state, result, values.memrefOf(state, operand));
    return;
  }
  if (isa<bufferization::ToTensorOp, bufferization::ToBufferOp>(op)) {
    values.set(state, op->getResult(0),
               values.memrefOf(state, op->getOperand(0)));
    return;
  }
  PathValue source =
      values.memrefOf(state, cast<ViewLikeOpInterface>(op).getViewSource());
  if (!isa<memref::CastOp, memref::MemorySpaceCastOp>(op) &&
      op->getName().getStringRef() != "memref.assume_alignment")
    source.plain = false;
  if (auto shifted = dyn_cast<memref::ViewOp>(op)) {
    SymbolicExpr shift = values.exprOf(state, shifted.getByteShift());
    source.expr = source.expr == noExpr
                      ? shift
                      : exprs.make(ExprKind::add, 64, {source.expr, shift});
    if (exprs.constantOf(source.expr) == 0)
      source.expr = noExpr;
  }
  for (Value result : op->getResults())
    if (isBuffer(result.getType()))
      values.set(state, result, source);
}

void MemoryOps::dim(State &state, memref::DimOp op) {
  SymbolicExpr expr = exprs.fresh(64, op.getResult());
  if (std::optional<int64_t> index = values.numberOf(state, op.getIndex()))
    if (SymbolicExpr known = values.dimensionOf(state, op.getSource(), *index);
        known != noExpr)
      expr = known;
  values.set(state, op.getResult(), PathValue::scalar(expr));
}

//===--- Loads and stores -------------------------------------------------===//

Step MemoryOps::load(State &state, memref::LoadOp op) {
  PathValue source = values.memrefOf(state, op.getMemRef());
  if (!use(state, source, op))
    return Step::end;
  if (copies.hasTwin(state, source))
    copies.read(state, source, op,
                copies.placeOf(state, source, op.getIndices()));
  Type element = op.getResult().getType();
  if (!isFollowed(element))
    return Step::advance;
  std::optional<CellKey> key = values.cellOf(state, op.getIndices());
  if (source.plain && key)
    if (const PathValue *known =
            contentOf(state.objects[source.object], *key)) {
      values.set(state, op.getResult(), *known);
      return Step::advance;
    }
  if (isa<BaseMemRefType>(element))
    (void)values.memrefOf(state, op.getResult());
  else
    (void)values.exprOf(state, op.getResult());
  // Read twice it is the same, as long as nothing is written.
  if (source.plain && key)
    writeCell(state.objects[source.object], *key,
              values.valueOf(state, op.getResult()));
  return Step::advance;
}

Step MemoryOps::store(State &state, memref::StoreOp op) {
  PathValue target = values.memrefOf(state, op.getMemRef());
  if (!use(state, target, op))
    return Step::end;
  write(state, target, op);
  if (copies.hasTwin(state, target))
    copies.wrote(state, target, op,
                 copies.placeOf(state, target, op.getIndices()),
                 op.getValueToStore());
  Type element = op.getValueToStore().getType();
  if (!isFollowed(element))
    return Step::advance;
  PathValue value = isa<BaseMemRefType>(element)
                        ? values.memrefOf(state, op.getValueToStore())
                        : values.valueOf(state, op.getValueToStore());
  if (value.kind == ValueClass::none)
    value = PathValue::scalar(values.exprOf(state, op.getValueToStore()));
  if (value.isMemref() && !state.objects[target.object].isOwned())
    state.objects[value.object].escaped = true;
  std::optional<CellKey> key = values.cellOf(state, op.getIndices());
  if (target.plain && key)
    writeCell(state.objects[target.object], *key, value);
  else
    state.objects[target.object].cells.clear();
  return Step::advance;
}

} // namespace memreflens::symexec
