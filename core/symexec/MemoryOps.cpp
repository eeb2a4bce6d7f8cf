//===- core/symexec/MemoryOps.cpp - who allocates, uses and frees ---------===//

#include "core/symexec/MemoryOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace memreflens::symexec {

/// New memory as the result of `op`, with its sizes.
PathValue MemoryOps::allocate(State &state, ObjectKind kind, Operation *op,
                              Value result) {
  int32_t number = values.addObject(state, kind, op, result);
  if (auto type = dyn_cast<MemRefType>(result.getType())) {
    ValueRange sizes;
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      sizes = alloc.getDynamicSizes();
    else if (auto alloca = dyn_cast<memref::AllocaOp>(op))
      sizes = alloca.getDynamicSizes();
    auto clone = dyn_cast<bufferization::CloneOp>(op);
    size_t next = 0;
    for (auto [i, size] : llvm::enumerate(type.getShape())) {
      bool isStatic = !ShapedType::isDynamic(size);
      SymbolicExpr expr =
          isStatic              ? exprs.constant(size, 64)
          : next < sizes.size() ? values.exprOf(state, sizes[next++])
          : clone ? values.dimensionOf(state, clone.getInput(), int64_t(i))
                  : noExpr;
      if (expr == noExpr)
        expr = exprs.fresh(64);
      state.objects[number].shape.push_back(expr);
    }
  }
  PathValue value = PathValue::memref(number);
  values.set(state, result, value);
  if (kind == ObjectKind::heap) {
    observer.allocated(state, number, op);
    observer.happened(state, op, "allocated", number);
  } else if (kind == ObjectKind::stack) {
    observer.allocatedOnStack(state, number, op);
  }
  return value;
}

/// False if it is gone already: the path ends there.
bool MemoryOps::use(State &state, const PathValue &value, Operation *op) {
  if (!value.isMemref() || !state.objects[value.object].freed)
    return true;
  observer.fault(state, FaultKind::useAfterFree, op,
                 state.objects[value.object]);
  return false;
}

/// A constant lies in memory that must not be written.
void MemoryOps::write(State &state, const PathValue &value, Operation *op) {
  if (!value.isMemref())
    return;
  const Object &object = state.objects[value.object];
  if (object.kind != ObjectKind::global)
    return;
  const auto [known, isNew] = constants.try_emplace(object.site, false);
  if (isNew) {
    memref::GlobalOp global = globalOf(object);
    known->second = global && global.getConstant();
  }
  // Not the end of the path: some memory lets itself be written.
  if (known->second)
    observer.fault(state, FaultKind::constantWritten, op, object);
}

static bool mismatches(Operation *allocation, Operation *release) {
  if (!allocation || !release)
    return false;
  StringRef from = allocation->getName().getDialectNamespace();
  StringRef by = release->getName().getDialectNamespace();
  return from == "gpu" && by != "gpu";
}

bool MemoryOps::release(State &state, const PathValue &value, Operation *op) {
  Object &object = state.objects[value.object];
  if (object.freed) {
    observer.fault(state, FaultKind::doubleFree, op, object);
    return false;
  }
  if (!object.isOwned() && object.kind != ObjectKind::unclear) {
    observer.fault(state, FaultKind::freeOfUnowned, op, object);
    return false;
  }
  // Not the end of the path: what happens next may be worse.
  if (mismatches(object.site, op))
    observer.fault(state, FaultKind::allocatorMismatch, op, object);
  object.freed = true;
  object.freedBy = op;
  object.cells.clear();
  llvm::erase_if(state.twins, [&](const Twin &twin) {
    return twin.serial == object.serial;
  });
  observer.deallocated(state, value.object, op);
  return true;
}

//===--- Allocation and deallocation --------------------------------------===//

/// As the op's description has it: a memref is freed if its condition holds,
/// and neither a retained value nor an earlier memref is the same memory.
Step MemoryOps::dealloc(State &state, bufferization::DeallocOp op) {
  SmallVector<PathValue> memrefs, retained;
  SmallVector<SymbolicExpr> conditions;
  for (auto [memref, condition] :
       llvm::zip(op.getMemrefs(), op.getConditions())) {
    memrefs.push_back(values.memrefOf(state, memref));
    conditions.push_back(values.exprOf(state, condition));
  }
  for (Value value : op.getRetained())
    retained.push_back(values.memrefOf(state, value));
  SmallVector<int> freed;
  for (auto [i, memref] : llvm::enumerate(memrefs)) {
    std::optional<bool> condition = values.truth(state, conditions[i]);
    if (!condition)
      return Step::fork;
    bool spared = !*condition;
    auto others = llvm::concat<const PathValue>(
        ArrayRef(retained), ArrayRef(memrefs).take_front(i));
    for (const PathValue &other : others) {
      if (spared)
        break;
      std::optional<bool> same = values.truth(
          state, values.isSame(state, memref.object, other.object));
      if (!same)
        return Step::fork;
      spared = *same;
    }
    if (!spared)
      freed.push_back(int(i));
  }
  for (auto [j, value] : llvm::enumerate(retained)) {
    SymbolicExpr owned = exprs.boolean(false);
    for (auto [i, memref] : llvm::enumerate(memrefs)) {
      SymbolicExpr same = values.isSame(state, memref.object, value.object);
      SymbolicExpr both =
          exprs.make(ExprKind::bitAnd, 1, {same, conditions[i]});
      owned = exprs.make(ExprKind::bitOr, 1, {owned, both});
    }
    values.set(state, op.getUpdatedConditions()[j], PathValue::scalar(owned));
  }
  for (int i : freed)
    if (!release(state, memrefs[i], op))
      return Step::end;
  return Step::advance;
}

/// Grown, it is new memory and the old one is gone; else it is the same.
Step MemoryOps::realloc(State &state, memref::ReallocOp op) {
  PathValue source = values.memrefOf(state, op.getSource());
  // Asked anew each time; the op is run once more when it is decided.
  SymbolicExpr &grows = state.objects[source.object].grows;
  if (grows == noExpr)
    grows = exprs.make(ExprKind::other, 1, {exprs.fresh(64)}, {}, "grows");
  std::optional<bool> isNew = values.truth(state, grows);
  if (!isNew)
    return Step::fork;
  grows = noExpr;
  if (!*isNew) {
    values.set(state, op.getResult(), source);
    return use(state, source, op) ? Step::advance : Step::end;
  }
  if (!release(state, source, op))
    return Step::end;
  (void)allocate(state, ObjectKind::heap, op, op.getResult());
  return Step::advance;
}

Step MemoryOps::clone(State &state, bufferization::CloneOp op) {
  PathValue source = values.memrefOf(state, op.getInput());
  if (!use(state, source, op))
    return Step::end;
  PathValue copy = allocate(state, ObjectKind::heap, op, op.getResult());
  if (source.plain)
    state.objects[copy.object].cells = state.objects[source.object].cells;
  copies.link(state, source, copy, op);
  return Step::advance;
}

//===--- Any other op -----------------------------------------------------===//

/// Results of which nothing is known: a buffer may be any operand's memory.
void MemoryOps::assumeResults(State &state, Operation *op) {
  for (Value result : op->getResults()) {
    if (!isa<BaseMemRefType>(result.getType()) || result.use_empty() ||
        values.valueOf(state, result).isMemref())
      continue;
    PathValue from;
    for (Value operand : op->getOperands())
      if (!from.isMemref() && isBuffer(operand.getType()))
        from = values.memrefOf(state, operand);
    from.plain = false;
    std::string name = op->getName().getStringRef().str();
    assumed.insert(
        from.isMemref()
            ? "a result of " + name + " is a view of its first buffer"
            : "a result of " + name +
                  " is memory that may, but need not be deallocated here");
    if (!from.isMemref())
      observer.gap(trace::PeakGapKind::unknownSize, op);
    values.set(
        state, result,
        from.isMemref()
            ? from
            : PathValue::memref(
                  values.addObject(state, ObjectKind::unclear, op, result),
                  false));
  }
}

/// Of a tensor: all but its type and sizes.
static bool readsContents(Operation *op) {
  const StringRef name = op->getName().getStringRef();
  return name != "tensor.dim" && name != "tensor.rank" && name != "tensor.cast";
}

Step MemoryOps::executeByEffects(State &state, Operation *op) {
  if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    for (auto [number, object] : llvm::enumerate(state.objects))
      if (object.kind == ObjectKind::global &&
          cast<memref::GetGlobalOp>(object.site).getName() ==
              global.getName()) {
        values.set(state, global, PathValue::memref(int32_t(number)));
        return Step::advance;
      }
    (void)allocate(state, ObjectKind::global, op, global);
    return Step::advance;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(op))
    interface.getEffects(effects);
  SmallVector<Value> freed;
  for (const auto &effect : effects)
    if (isa<MemoryEffects::Free>(effect.getEffect()) && effect.getValue())
      freed.push_back(effect.getValue());
  bool isPure = isMemoryEffectFree(op);
  for (Value operand : op->getOperands()) {
    // What a buffer holds is read where its tensor is.
    if (isa<TensorType>(operand.getType()) && readsContents(op))
      if (PathValue value = values.valueOf(state, operand); value.isMemref())
        if (!use(state, value, op))
          return Step::end;
    if (!isa<BaseMemRefType>(operand.getType()) || isPure ||
        llvm::is_contained(freed, operand))
      continue;
    PathValue value = values.memrefOf(state, operand);
    if (!use(state, value, op))
      return Step::end;
    state.objects[value.object].cells.clear();
  }
  for (const auto &effect : effects)
    if (isa<MemoryEffects::Write>(effect.getEffect()) && effect.getValue() &&
        isa<BaseMemRefType>(effect.getValue().getType()))
      write(state, values.memrefOf(state, effect.getValue()), op);
  copies.readAndWrite(state, op);
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    copies.link(state, values.memrefOf(state, copy.getSource()),
                values.memrefOf(state, copy.getTarget()), op);
  for (Value value : freed)
    if (!release(state, values.memrefOf(state, value), op))
      return Step::end;
  for (const auto &effect : effects)
    if (isa<MemoryEffects::Allocate>(effect.getEffect()) && effect.getValue() &&
        isBuffer(effect.getValue().getType()))
      (void)allocate(state,
                     isa<SideEffects::AutomaticAllocationScopeResource>(
                         effect.getResource())
                         ? ObjectKind::stack
                         : ObjectKind::heap,
                     op, effect.getValue());
  assumeResults(state, op);
  return Step::advance;
}

} // namespace memreflens::symexec
