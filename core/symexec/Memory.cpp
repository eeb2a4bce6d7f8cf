//===- core/symexec/Memory.cpp - who allocates, uses and frees ------------===//

#include "core/symexec/Executor.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace memreflens::symexec {

/// Whether what is said of the memory, or done with it, goes by the op that
/// made it.
static bool siteMatters(ObjectKind kind, Operation *site) {
  return kind == ObjectKind::global ||
         (site && (isa<ub::PoisonOp>(site) ||
                   site->getName().getDialectNamespace() == "gpu"));
}

int32_t Executor::addObject(State &state, ObjectKind kind, Operation *site,
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
SymbolicExpr Executor::dimensionOf(State &state, Value buffer,
                                   int64_t dimension) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || dimension < 0 || dimension >= type.getRank())
    return noExpr;
  if (!type.isDynamicDim(unsigned(dimension)))
    return exprs.constant(type.getDimSize(unsigned(dimension)), 64);
  if (const int64_t size = statedDimension(buffer, dimension); size >= 0)
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

/// New memory as the result of `op`, with its sizes.
PathValue Executor::allocate(State &state, ObjectKind kind, Operation *op,
                             Value result) {
  int32_t number = addObject(state, kind, op, result);
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
      SymbolicExpr expr = isStatic              ? exprs.constant(size, 64)
                          : next < sizes.size() ? exprOf(state, sizes[next++])
                          : clone
                              ? dimensionOf(state, clone.getInput(), int64_t(i))
                              : noExpr;
      if (expr == noExpr)
        expr = exprs.fresh(64);
      state.objects[number].shape.push_back(expr);
    }
  }
  PathValue value = PathValue::memref(number);
  set(state, result, value);
  if (kind == ObjectKind::heap) {
    grow(state, number, op);
    note(state, op, "allocated", number);
  } else if (kind == ObjectKind::stack) {
    growStack(state, number, op);
  }
  return value;
}

/// False if it is gone already: the path ends there.
bool Executor::use(State &state, const PathValue &value, Operation *op) {
  if (!value.isMemref() || !state.objects[value.object].freed)
    return true;
  report(state, FaultKind::useAfterFree, op, state.objects[value.object]);
  return false;
}

static bool mismatches(Operation *allocation, Operation *release) {
  if (!allocation || !release)
    return false;
  StringRef from = allocation->getName().getDialectNamespace();
  StringRef by = release->getName().getDialectNamespace();
  return from == "gpu" && by != "gpu";
}

bool Executor::release(State &state, const PathValue &value, Operation *op) {
  Object &object = state.objects[value.object];
  if (object.freed) {
    report(state, FaultKind::doubleFree, op, object);
    return false;
  }
  if (!object.isOwned() && object.kind != ObjectKind::unclear) {
    report(state, FaultKind::freeOfUnowned, op, object);
    return false;
  }
  // Not the end of the path: what happens next may be worse.
  if (mismatches(object.site, op))
    report(state, FaultKind::allocatorMismatch, op, object);
  object.freed = true;
  object.freedBy = op;
  shrink(state, value.object, op);
  // A realloc hands its buffer on rather than ending it.
  if (!isa<memref::ReallocOp>(op))
    freedSites.insert(object.site);
  object.cells.clear();
  llvm::erase_if(state.twins, [&](const Twin &twin) {
    return twin.serial == object.serial;
  });
  note(state, op, "deallocated", value.object);
  if (!options.heap && mayBeUsedUnseen(object.value, op)) {
    noteUnfollowed(object.value);
    if (!options.tellsSitesApart)
      meetings.happens(object.serial, result.steps);
  }
  return true;
}

/// Of the function in which an op makes the value; null for others.
EscapeFinder *Executor::escapesAround(Value value) {
  Operation *site = value ? value.getDefiningOp() : nullptr;
  auto scope = site ? site->getParentOfType<FunctionOpInterface>()
                    : FunctionOpInterface();
  if (!scope)
    return nullptr;
  return &facts.escapes
              .try_emplace(scope.getOperation(), scope.getOperation(),
                           symbols())
              .first->second;
}

/// Where a buffer has left what can be followed, what comes behind its free may
/// use it.
bool Executor::mayBeUsedUnseen(Value buffer, Operation *release) {
  auto [known, isNew] = facts.usedUnseen.try_emplace({buffer, release}, false);
  EscapeFinder *finder = isNew ? escapesAround(buffer) : nullptr;
  if (!finder)
    return known->second;
  const EscapeAt escape = finder->find(buffer);
  return known->second =
             escape.op && (!finder->scope()->isAncestor(release) ||
                           finder->unseenUsesBehind(release, escape) > 0);
}

void Executor::noteUnfollowed(Value buffer) {
  EscapeFinder *finder = escapesAround(buffer);
  Operation *by = finder ? finder->find(buffer).op : nullptr;
  if (by)
    unfollowed.insert(nameOf(buffer) + " by way of " +
                      by->getName().getStringRef().str());
}

/// i1: both are the same memory.
SymbolicExpr Executor::isSame(State &state, int32_t left, int32_t right) {
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

//===--- Views ------------------------------------------------------------===//

/// An op whose result is the memory of an operand.
void Executor::executeView(State &state, Operation *op) {
  if (auto distinct = dyn_cast<memref::DistinctObjectsOp>(op)) {
    for (auto [operand, result] :
         llvm::zip(distinct.getOperands(), distinct.getResults()))
      set(state, result, memrefOf(state, operand));
    return;
  }
  if (isa<bufferization::ToTensorOp, bufferization::ToBufferOp>(op)) {
    set(state, op->getResult(0), memrefOf(state, op->getOperand(0)));
    return;
  }
  PathValue source =
      memrefOf(state, cast<ViewLikeOpInterface>(op).getViewSource());
  if (!isa<memref::CastOp, memref::MemorySpaceCastOp>(op) &&
      op->getName().getStringRef() != "memref.assume_alignment")
    source.plain = false;
  if (auto shifted = dyn_cast<memref::ViewOp>(op)) {
    SymbolicExpr shift = exprOf(state, shifted.getByteShift());
    source.expr = source.expr == noExpr
                      ? shift
                      : exprs.make(ExprKind::add, 64, {source.expr, shift});
    if (exprs.constantOf(source.expr) == 0)
      source.expr = noExpr;
  }
  for (Value result : op->getResults())
    if (isBuffer(result.getType()))
      set(state, result, source);
}

void Executor::dim(State &state, memref::DimOp op) {
  SymbolicExpr expr = exprs.fresh(64, op.getResult());
  if (std::optional<int64_t> index = numberOf(state, op.getIndex()))
    if (SymbolicExpr known = dimensionOf(state, op.getSource(), *index);
        known != noExpr)
      expr = known;
  set(state, op.getResult(), PathValue::scalar(expr));
}

//===--- Loads and stores -------------------------------------------------===//

std::optional<CellKey> Executor::cellOf(State &state, ValueRange indices) {
  CellKey key;
  for (Value index : indices) {
    std::optional<int64_t> known = numberOf(state, index);
    if (!known)
      return std::nullopt;
    key.push_back(*known);
  }
  return key;
}

Step Executor::load(State &state, memref::LoadOp op) {
  PathValue source = memrefOf(state, op.getMemRef());
  if (!use(state, source, op))
    return Step::end;
  if (hasTwin(state, source))
    read(state, source, op, placeOf(state, source, op.getIndices()));
  Type element = op.getResult().getType();
  if (!isFollowed(element))
    return Step::advance;
  std::optional<CellKey> key = cellOf(state, op.getIndices());
  if (source.plain && key)
    if (const PathValue *known =
            contentOf(state.objects[source.object], *key)) {
      set(state, op.getResult(), *known);
      return Step::advance;
    }
  if (isa<BaseMemRefType>(element))
    (void)memrefOf(state, op.getResult());
  else
    (void)exprOf(state, op.getResult());
  // Read twice it is the same, as long as nothing is written.
  if (source.plain && key)
    writeCell(state.objects[source.object], *key,
              valueOf(state, op.getResult()));
  return Step::advance;
}

Step Executor::store(State &state, memref::StoreOp op) {
  PathValue target = memrefOf(state, op.getMemRef());
  if (!use(state, target, op))
    return Step::end;
  if (hasTwin(state, target))
    wrote(state, target, op, placeOf(state, target, op.getIndices()),
          op.getValueToStore());
  Type element = op.getValueToStore().getType();
  if (!isFollowed(element))
    return Step::advance;
  PathValue value = isa<BaseMemRefType>(element)
                        ? memrefOf(state, op.getValueToStore())
                        : valueOf(state, op.getValueToStore());
  if (value.kind == ValueClass::none)
    value = PathValue::scalar(exprOf(state, op.getValueToStore()));
  if (value.isMemref() && !state.objects[target.object].isOwned())
    state.objects[value.object].escaped = true;
  std::optional<CellKey> key = cellOf(state, op.getIndices());
  if (target.plain && key)
    writeCell(state.objects[target.object], *key, value);
  else
    state.objects[target.object].cells.clear();
  return Step::advance;
}

//===--- Allocation and deallocation --------------------------------------===//

/// As the op's description has it: a memref is freed if its condition holds,
/// and neither a retained value nor an earlier memref is the same memory.
Step Executor::dealloc(State &state, bufferization::DeallocOp op) {
  SmallVector<PathValue> memrefs, retained;
  SmallVector<SymbolicExpr> conditions;
  for (auto [memref, condition] :
       llvm::zip(op.getMemrefs(), op.getConditions())) {
    memrefs.push_back(memrefOf(state, memref));
    conditions.push_back(exprOf(state, condition));
  }
  for (Value value : op.getRetained())
    retained.push_back(memrefOf(state, value));
  SmallVector<int> freed;
  for (auto [i, memref] : llvm::enumerate(memrefs)) {
    std::optional<bool> condition = truth(state, conditions[i]);
    if (!condition)
      return Step::fork;
    bool spared = !*condition;
    auto others = llvm::concat<const PathValue>(
        ArrayRef(retained), ArrayRef(memrefs).take_front(i));
    for (const PathValue &other : others) {
      if (spared)
        break;
      std::optional<bool> same =
          truth(state, isSame(state, memref.object, other.object));
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
      SymbolicExpr same = isSame(state, memref.object, value.object);
      SymbolicExpr both =
          exprs.make(ExprKind::bitAnd, 1, {same, conditions[i]});
      owned = exprs.make(ExprKind::bitOr, 1, {owned, both});
    }
    set(state, op.getUpdatedConditions()[j], PathValue::scalar(owned));
  }
  for (int i : freed)
    if (!release(state, memrefs[i], op))
      return Step::end;
  return Step::advance;
}

/// Grown, it is new memory and the old one is gone; else it is the same.
Step Executor::realloc(State &state, memref::ReallocOp op) {
  PathValue source = memrefOf(state, op.getSource());
  // Asked anew each time; the op is run once more when it is decided.
  SymbolicExpr &grows = state.objects[source.object].grows;
  if (grows == noExpr)
    grows = exprs.make(ExprKind::other, 1, {exprs.fresh(64)}, {}, "grows");
  std::optional<bool> isNew = truth(state, grows);
  if (!isNew)
    return Step::fork;
  grows = noExpr;
  if (!*isNew) {
    set(state, op.getResult(), source);
    return use(state, source, op) ? Step::advance : Step::end;
  }
  if (!release(state, source, op))
    return Step::end;
  (void)allocate(state, ObjectKind::heap, op, op.getResult());
  return Step::advance;
}

Step Executor::clone(State &state, bufferization::CloneOp op) {
  PathValue source = memrefOf(state, op.getInput());
  if (!use(state, source, op))
    return Step::end;
  PathValue copy = allocate(state, ObjectKind::heap, op, op.getResult());
  if (source.plain)
    state.objects[copy.object].cells = state.objects[source.object].cells;
  link(state, source, copy, op);
  return Step::advance;
}

//===--- Any other op -----------------------------------------------------===//

/// Results of which nothing is known: a buffer may be any operand's memory.
void Executor::assumeResults(State &state, Operation *op) {
  for (Value result : op->getResults()) {
    if (!isa<BaseMemRefType>(result.getType()) || result.use_empty() ||
        valueOf(state, result).isMemref())
      continue;
    PathValue from;
    for (Value operand : op->getOperands())
      if (!from.isMemref() && isBuffer(operand.getType()))
        from = memrefOf(state, operand);
    from.plain = false;
    std::string name = op->getName().getStringRef().str();
    assumed.insert(
        from.isMemref()
            ? "a result of " + name + " is a view of its first buffer"
            : "a result of " + name +
                  " is memory that may, but need not be deallocated here");
    if (!from.isMemref())
      addGap(trace::PeakGapKind::unknownSize, op);
    set(state, result,
        from.isMemref()
            ? from
            : PathValue::memref(
                  addObject(state, ObjectKind::unclear, op, result), false));
  }
}

/// Of a tensor: all but its type and sizes.
static bool readsContents(Operation *op) {
  const StringRef name = op->getName().getStringRef();
  return name != "tensor.dim" && name != "tensor.rank" && name != "tensor.cast";
}

Step Executor::executeByEffects(State &state, Operation *op) {
  if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    for (auto [number, object] : llvm::enumerate(state.objects))
      if (object.kind == ObjectKind::global &&
          cast<memref::GetGlobalOp>(object.site).getName() ==
              global.getName()) {
        set(state, global, PathValue::memref(int32_t(number)));
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
      if (PathValue value = valueOf(state, operand); value.isMemref())
        if (!use(state, value, op))
          return Step::end;
    if (!isa<BaseMemRefType>(operand.getType()) || isPure ||
        llvm::is_contained(freed, operand))
      continue;
    PathValue value = memrefOf(state, operand);
    if (!use(state, value, op))
      return Step::end;
    state.objects[value.object].cells.clear();
  }
  readAndWrite(state, op);
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    link(state, memrefOf(state, copy.getSource()),
         memrefOf(state, copy.getTarget()), op);
  for (Value value : freed)
    if (!release(state, memrefOf(state, value), op))
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
