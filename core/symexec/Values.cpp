//===- core/symexec/Values.cpp - what SSA values are on a path ------------===//

#include "core/symexec/Values.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace memreflens::symexec {

unsigned widthOf(Type type) {
  if (type.isInteger())
    return std::min(64u, unsigned(type.getIntOrFloatBitWidth()));
  return 64;
}

void Values::set(State &state, Value value, PathValue what) {
  if (value.use_empty())
    return;
  bind(state.frame(), ir.numberOf(value), what);
}

SymbolicExpr Values::constantExpr(unsigned number, int64_t value) {
  if (number >= constants.size())
    constants.resize(number + 1, noExpr);
  if (constants[number] == noExpr) {
    const Value source = ir.valueOf(number);
    constants[number] = exprs.constant(value, widthOf(source.getType()));
    exprs.name(constants[number], source);
  }
  return constants[number];
}

PathValue Values::valueOf(State &state, Value value) {
  if (!stated.empty() && value.getType().isIntOrIndex())
    if (const int64_t size = stated.sizeOf(value); size >= 0)
      return PathValue::scalar(exprs.constant(size, widthOf(value.getType())));
  const unsigned number = ir.numberOf(value);
  if (auto constant = ir.constantOf(number))
    return PathValue::scalar(constantExpr(number, *constant));
  PathValue found = lookUp(state.frame(), number);
  if (found.expr != noExpr)
    found.expr = exprs.resolve(found.expr, state.decisions);
  return found;
}

SymbolicExpr Values::exprOf(State &state, Value value) {
  PathValue found = valueOf(state, value);
  if (found.kind == ValueClass::scalar)
    return found.expr;
  SymbolicExpr expr = exprs.fresh(widthOf(value.getType()), value);
  if (found.kind == ValueClass::none)
    bind(state.frame(), ir.numberOf(value), PathValue::scalar(expr));
  return expr;
}

SymbolicExpr Values::exprOf(State &state, OpFoldResult value) {
  if (auto known = getConstantIntValue(value))
    return exprs.constant(*known, 64);
  if (auto dynamic = dyn_cast<Value>(value))
    return exprOf(state, dynamic);
  return exprs.fresh(64);
}

/// The object behind a buffer; foreign memory where nothing is known.
PathValue Values::memrefOf(State &state, Value value) {
  PathValue found = valueOf(state, value);
  if (found.isMemref())
    return found;
  int32_t object =
      addObject(state, ObjectKind::foreign, value.getDefiningOp(), value);
  PathValue made = PathValue::memref(object);
  bind(state.frame(), ir.numberOf(value), made);
  return made;
}

std::vector<PathValue> Values::valuesOf(State &state, ValueRange values) {
  std::vector<PathValue> found;
  for (Value value : values) {
    if (isBuffer(value.getType()))
      found.push_back(memrefOf(state, value));
    else if (value.getType().isIntOrIndex() &&
             valueOf(state, value).kind == ValueClass::none)
      found.push_back(PathValue::scalar(exprOf(state, value)));
    else
      found.push_back(valueOf(state, value));
  }
  return found;
}

std::optional<bool> Values::truth(State &state, SymbolicExpr condition) {
  SymbolicExpr resolved = exprs.resolve(condition, state.decisions);
  if (auto known = exprs.constantOf(resolved))
    return *known != 0;
  forkOn = exprs.undecided(resolved);
  return std::nullopt;
}

std::optional<int64_t> Values::numberOf(State &state, Value value) {
  return exprs.constantOf(exprOf(state, value));
}

std::optional<CellKey> Values::cellOf(State &state, ValueRange indices) {
  CellKey key;
  for (Value index : indices) {
    std::optional<int64_t> known = numberOf(state, index);
    if (!known)
      return std::nullopt;
    key.push_back(*known);
  }
  return key;
}

void Values::advance(State &state, Operation *op, const IrFacts::Known &known) {
  for (unsigned number : known.dead)
    unbind(state.frame(), number);
  state.scope().next = op->getNextNode();
}

//===--- Objects ----------------------------------------------------------===//

/// Whether what is said of the memory, or done with it, goes by the op that
/// made it.
static bool siteMatters(ObjectKind kind, Operation *site) {
  return kind == ObjectKind::global ||
         (site && (isa<ub::PoisonOp>(site) ||
                   site->getName().getDialectNamespace() == "gpu"));
}

int32_t Values::addObject(State &state, ObjectKind kind, Operation *site,
                          Value value) {
  Object object;
  object.kind = kind;
  object.site = site;
  object.value = value;
  if (options.tellsSitesApart || siteMatters(kind, site))
    object.origin = site;
  object.serial = serials++;
  object.frame = unsigned(state.frames.size());
  state.objects.push_back(std::move(object));
  return int32_t(state.objects.size() - 1);
}

/// So that a cast of the argument has it, too.
void Values::addStatedShape(State &state, int32_t argument) {
  auto type = dyn_cast<MemRefType>(state.objects[argument].value.getType());
  if (stated.empty() || !type)
    return;
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    const int64_t known =
        ShapedType::isDynamic(size)
            ? stated.dimensionOf(state.objects[argument].value, int64_t(i))
            : size;
    state.objects[argument].shape.push_back(
        known < 0 ? exprs.fresh(64) : exprs.constant(known, 64));
  }
}

/// Of a view, where its op has the sizes; else empty.
static SmallVector<OpFoldResult> sizesOfView(Operation *op) {
  if (auto view = dyn_cast_or_null<memref::SubViewOp>(op)) {
    const llvm::SmallBitVector dropped = view.getDroppedDims();
    SmallVector<OpFoldResult> sizes;
    for (auto [i, size] : llvm::enumerate(view.getMixedSizes()))
      if (!dropped.test(unsigned(i)))
        sizes.push_back(size);
    return sizes;
  }
  if (auto view = dyn_cast_or_null<memref::ReinterpretCastOp>(op))
    return view.getMixedSizes();
  if (auto view = dyn_cast_or_null<memref::ExpandShapeOp>(op))
    return view.getMixedOutputShape();
  return {};
}

/// Of a buffer or a view of one, as far as its type, the ops that make it, and
/// its memory have it; else none.
SymbolicExpr Values::dimensionOf(State &state, Value buffer,
                                 int64_t dimension) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || dimension < 0 || dimension >= type.getRank())
    return noExpr;
  if (!type.isDynamicDim(unsigned(dimension)))
    return exprs.constant(type.getDimSize(unsigned(dimension)), 64);
  if (const int64_t size = stated.dimensionOf(buffer, dimension); size >= 0)
    return exprs.constant(size, 64);
  const auto index = size_t(dimension);
  PathValue source = valueOf(state, buffer);
  if (source.isMemref() && source.plain) {
    const auto &known = state.objects[source.object].shape;
    return index < known.size() ? known[index] : noExpr;
  }
  Operation *op = buffer.getDefiningOp();
  if (op && isa<memref::CastOp, memref::MemorySpaceCastOp>(op))
    return dimensionOf(state, op->getOperand(0), dimension);
  const SmallVector<OpFoldResult> sizes = sizesOfView(op);
  if (index >= sizes.size())
    return noExpr;
  // What is not needed any more is not known again.
  auto value = dyn_cast<Value>(sizes[index]);
  return value && valueOf(state, value).kind != ValueClass::scalar
             ? noExpr
             : exprOf(state, sizes[index]);
}

/// i1: both are the same memory.
SymbolicExpr Values::isSame(State &state, int32_t left, int32_t right) {
  if (left == right)
    return exprs.boolean(true);
  if (!state.objects[left].mayBeShared() || !state.objects[right].mayBeShared())
    return exprs.boolean(false);
  unsigned first = state.objects[left].serial,
           second = state.objects[right].serial;
  return exprs.make(ExprKind::other, 1, {}, {},
                    "same:" + std::to_string(std::min(first, second)) + ":" +
                        std::to_string(std::max(first, second)));
}

memref::GlobalOp globalOf(const Object &object) {
  auto use = cast<memref::GetGlobalOp>(object.site);
  return SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      use, use.getNameAttr());
}

} // namespace memreflens::symexec
