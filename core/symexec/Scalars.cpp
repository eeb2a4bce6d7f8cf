//===- core/symexec/Scalars.cpp - numbers and conditions ------------------===//

#include "core/symexec/Values.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace memreflens::symexec {

bool Values::isPoison(const State &state, const PathValue &pointer) const {
  Operation *site = state.objects[pointer.object].site;
  return site && isa<ub::PoisonOp>(site);
}

void Values::notePoison(const State &state, const PathValue &left,
                        const PathValue &right) {
  if (left.object == right.object ||
      !(isPoison(state, left) || isPoison(state, right)))
    return;
  result.comparesPoison = true;
  assumed.insert("the pointer of ub.poison, which may be any, is no buffer's");
}

/// i1: both point to the same place.
SymbolicExpr Values::samePointer(State &state, const PathValue &left,
                                 const PathValue &right) {
  notePoison(state, left, right);
  SymbolicExpr sameObject = isSame(state, left.object, right.object);
  if (left.expr == right.expr || exprs.constantOf(sameObject) == 0)
    return sameObject;
  auto shift = [&](const PathValue &value) {
    return value.expr == noExpr ? exprs.constant(0, 64) : value.expr;
  };
  SymbolicExpr sameShift =
      exprs.make(ExprKind::equal, 1, {shift(left), shift(right)});
  return exprs.make(ExprKind::bitAnd, 1, {sameObject, sameShift});
}

SymbolicExpr Values::compare(State &state, Operation *op) {
  auto compare = cast<arith::CmpIOp>(op);
  PathValue left = valueOf(state, compare.getLhs());
  PathValue right = valueOf(state, compare.getRhs());
  arith::CmpIPredicate predicate = compare.getPredicate();
  Value result = compare.getResult();
  using enum arith::CmpIPredicate;
  if (left.kind == ValueClass::pointer && right.kind == ValueClass::pointer &&
      (predicate == eq || predicate == ne)) {
    SymbolicExpr same = samePointer(state, left, right);
    return predicate == eq ? same : exprs.negate(same);
  }
  SymbolicExpr a = exprOf(state, compare.getLhs()),
               b = exprOf(state, compare.getRhs());
  auto make = [&](ExprKind kind, SymbolicExpr first, SymbolicExpr second,
                  bool negated) {
    SymbolicExpr expr =
        exprs.make(kind, 1, {first, second}, negated ? Value() : result);
    return negated ? exprs.negate(expr) : expr;
  };
  switch (predicate) {
  case eq:
    return make(ExprKind::equal, a, b, false);
  case ne:
    return make(ExprKind::equal, a, b, true);
  case slt:
    return make(ExprKind::lessSigned, a, b, false);
  case sgt:
    return make(ExprKind::lessSigned, b, a, false);
  case sge:
    return make(ExprKind::lessSigned, a, b, true);
  case sle:
    return make(ExprKind::lessSigned, b, a, true);
  case ult:
    return make(ExprKind::lessUnsigned, a, b, false);
  case ugt:
    return make(ExprKind::lessUnsigned, b, a, false);
  case uge:
    return make(ExprKind::lessUnsigned, a, b, true);
  case ule:
    return make(ExprKind::lessUnsigned, b, a, true);
  }
  return exprs.fresh(1, result);
}

static std::optional<ExprKind> binaryKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<ExprKind>>(op)
      .Case([](arith::AndIOp) { return ExprKind::bitAnd; })
      .Case([](arith::OrIOp) { return ExprKind::bitOr; })
      .Case([](arith::XOrIOp) { return ExprKind::bitXor; })
      .Case([](arith::AddIOp) { return ExprKind::add; })
      .Case([](arith::MulIOp) { return ExprKind::multiply; })
      .Default([](Operation *) { return std::nullopt; });
}

/// See `Action::scalar`.
void Values::executeScalar(State &state, Operation *op) {
  Value result = op->getResult(0);
  unsigned width = widthOf(result.getType());
  auto give = [&](SymbolicExpr expr) {
    set(state, result, PathValue::scalar(expr));
    exprs.name(expr, result);
  };
  if (isa<arith::CmpIOp>(op))
    return give(compare(state, op));
  if (auto extract = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op)) {
    PathValue source = memrefOf(state, extract.getSource());
    source.kind = ValueClass::pointer;
    // Of a pointer, only to where it points is asked.
    source.plain = false;
    set(state, result, source);
    return;
  }
  // A pointer stays what it is through a cast and a choice.
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    if (PathValue source = valueOf(state, op->getOperand(0));
        source.kind == ValueClass::pointer) {
      set(state, result, source);
      return;
    }
  llvm::SmallVector<SymbolicExpr, 3> arguments;
  for (Value operand : op->getOperands())
    arguments.push_back(exprOf(state, operand));
  if (auto kind = binaryKind(op))
    return give(exprs.make(*kind, width, arguments));
  if (isa<arith::SubIOp>(op))
    return give(exprs.make(
        ExprKind::add, width,
        {arguments[0], exprs.make(ExprKind::multiply, width,
                                  {arguments[1], exprs.constant(-1, width)})}));
  if (isa<arith::SelectOp>(op) && op->getOperand(0).getType().isInteger(1))
    return give(exprs.make(ExprKind::choice, width, arguments));
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op))
    if (auto known = exprs.constantOf(arguments[0]))
      return give(exprs.constant(
          isa<arith::ExtSIOp>(op) && exprs[arguments[0]].width == 1 ? -*known
                                                                    : *known,
          width));
  std::string tag =
      op->getName().getStringRef().str() + "#" +
      std::to_string(uintptr_t(op->getAttrDictionary().getAsOpaquePointer()));
  return give(exprs.make(ExprKind::other, width, arguments, result, tag));
}

} // namespace memreflens::symexec
