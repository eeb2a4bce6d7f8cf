//===- core/symexec/CopyTracker.cpp - writes that copies do not see -------===//
//
// A clone that the pipeline makes stands for the memref that the program names.
// Where one of the two is written and the other one is read afterwards, the
// program computes something else than it did as written.
//
//===----------------------------------------------------------------------===//

#include "core/symexec/CopyTracker.h"
#include "core/source/Identity.h"
#include "core/symexec/CallGraph.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens::symexec {
/// It is in the program as written, and no stage put it there.
static bool isWritten(Operation *op, const trace::Trace &trace) {
  const trace::Id id = taggedOp(op->getLoc());
  if (id < 0 || size_t(id) >= trace.ops.size())
    return false;
  const trace::Op &known = trace.ops[size_t(id)];
  return !known.generated && known.name == op->getName().getStringRef();
}

/// What `buffer-results-to-out-params` makes of a result that is returned.
static bool isOfOutParam(Operation *op) {
  auto copy = dyn_cast<memref::CopyOp>(op);
  auto target =
      copy ? dyn_cast<BlockArgument>(copy.getTarget()) : BlockArgument();
  return target && isa<FunctionOpInterface>(target.getOwner()->getParentOp()) &&
         target.getOwner()->getParentOp() == op->getParentOp() &&
         op->getBlock()->getTerminator()->hasTrait<OpTrait::ReturnLike>();
}

bool standsForItsSource(Operation *op, const trace::Trace &trace) {
  return (isa<bufferization::CloneOp>(op) || isOfOutParam(op)) &&
         !isWritten(op, trace);
}

//===--- Who stands for whom ----------------------------------------------===//

static Twin *twinOf(State &state, const PathValue &value) {
  if (state.twins.empty() || !value.isMemref())
    return nullptr;
  return const_cast<Twin *>(twinOf(state, state.objects[size_t(value.object)]));
}

bool CopyTracker::hasTwin(const State &state, const PathValue &value) const {
  return value.isMemref() &&
         twinOf(state, state.objects[size_t(value.object)]) != nullptr;
}

void CopyTracker::link(State &state, const PathValue &source,
                       const PathValue &copy, Operation *op) {
  if (!options.watchesCopies || !source.isMemref() || !copy.isMemref() ||
      !standsForItsSource(op, trace))
    return;
  const Object &from = state.objects[size_t(source.object)];
  const Object &to = state.objects[size_t(copy.object)];
  if (!twinOf(state, source))
    state.twins.push_back({from.serial, from.serial, op, from.value, true, {}});
  Twin twin = *twinOf(state, source);
  twin.serial = to.serial;
  twin.copy = op;
  twin.isAligned &= source.plain && copy.plain;
  if (Twin *known = twinOf(state, copy))
    *known = std::move(twin);
  else
    state.twins.push_back(std::move(twin));
}

//===--- Writes and reads -------------------------------------------------===//

/// Whether two accesses are of one place; none if that is not known.
static std::optional<bool> overlap(const std::optional<AccessPlace> &one,
                                   const std::optional<AccessPlace> &other) {
  if (!one || !other)
    return std::nullopt;
  if (one->empty() || other->empty() || *one == *other)
    return true;
  auto isOther = [](const auto &pair) {
    const auto &[left, right] = pair;
    return left.isNumber && right.isNumber && left.value != right.value;
  };
  return llvm::any_of(llvm::zip(*one, *other), isOther) ? std::optional(false)
                                                        : std::nullopt;
}

/// Of an element of what starts where its object does.
std::optional<AccessPlace>
CopyTracker::placeOf(State &state, const PathValue &value, ValueRange indices) {
  if (!value.plain)
    return std::nullopt;
  AccessPlace place;
  for (Value index : indices) {
    const SymbolicExpr expr =
        exprs.resolve(values.exprOf(state, index), state.decisions);
    const std::optional<int64_t> number = exprs.constantOf(expr);
    place.push_back({number.has_value(), number.value_or(int64_t(expr))});
  }
  return place;
}

/// Drops what is written anew, and doubts what may be.
static void writeAnew(Twin &own, const std::optional<AccessPlace> &place) {
  llvm::erase_if(own.lost, [&](const LostWrite &lost) {
    return place && (place->empty() || lost.place == place);
  });
  for (LostWrite &lost : own.lost)
    lost.isMaybe |= overlap(place, lost.place).value_or(true);
}

/// What may be in the other one already: it was read from somewhere.
static bool mayBeThere(Operation *op, Value stored) {
  return isa<memref::CopyOp>(op) ||
         (stored && stored.getDefiningOp<memref::LoadOp>());
}

void CopyTracker::wrote(State &state, const PathValue &value, Operation *op,
                        std::optional<AccessPlace> place, Value stored) {
  Twin *own = twinOf(state, value);
  if (!own)
    return;
  if (!own->isAligned)
    place = std::nullopt;
  Attribute constant;
  if (stored)
    matchPattern(stored, m_Constant(&constant));
  const bool isInBoth =
      constant && llvm::any_of(own->lost, [&](const LostWrite &lost) {
        return lost.place == place && lost.stored == constant && !lost.isMaybe;
      });
  writeAnew(*own, place);
  if (isInBoth)
    return;
  for (Twin &other : state.twins) {
    if (other.memory != own->memory || other.serial == own->serial)
      continue;
    Operation *copy = other.copy == own->copy || own->serial == own->memory
                          ? other.copy
                          : own->copy;
    const LostWrite lost = {op,
                            copy,
                            place,
                            other.serial != other.memory,
                            mayBeThere(op, stored),
                            constant};
    constexpr size_t mostLost = 8;
    if (llvm::is_contained(other.lost, lost))
      continue;
    // The last one stands for all that follow.
    if (other.lost.size() == mostLost)
      other.lost.back().place = std::nullopt;
    else
      other.lost.push_back(lost);
  }
}

void CopyTracker::read(State &state, const PathValue &value, Operation *op,
                       std::optional<AccessPlace> place) {
  const Twin *own = twinOf(state, value);
  if (!own)
    return;
  if (!own->isAligned)
    place = std::nullopt;
  for (const LostWrite &lost : own->lost) {
    const std::optional<bool> isSame = overlap(place, lost.place);
    if (isSame.value_or(true))
      observer.lostWrite(lost, op, *own, isSame.has_value() && !lost.isMaybe);
  }
}

/// From one twin to another it changes nothing of the memory that they are as
/// written: the one is what the other is.
bool CopyTracker::copyAmongTwins(State &state, memref::CopyOp op) {
  const PathValue from = values.memrefOf(state, op.getSource());
  const PathValue to = values.memrefOf(state, op.getTarget());
  const Twin *source = twinOf(state, from);
  Twin *target = twinOf(state, to);
  if (!source || !target || source->memory != target->memory || !from.plain ||
      !to.plain)
    return false;
  if (source != target)
    target->lost = source->lost;
  return true;
}

/// Whether the effect is on each element of what the op is passed.
static bool isOnAll(Operation *op,
                    const MemoryEffects::EffectInstance &effect) {
  if (isa<memref::CopyOp>(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  auto *operand = effect.getEffectValue<OpOperand *>();
  return linalgOp && operand &&
         linalgOp.getMatchingIndexingMap(operand).isPermutation();
}

/// An op that reads one twin while it writes another: which element comes first
/// is known only where it goes through both alike.
void CopyTracker::noteBoth(State &state, Operation *op) {
  SmallVector<OpOperand *> buffers;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<BaseMemRefType>(operand.get().getType()) &&
        twinOf(state, values.memrefOf(state, operand.get())))
      buffers.push_back(&operand);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  for (OpOperand *one : buffers)
    for (OpOperand *other : buffers) {
      const PathValue read = values.memrefOf(state, one->get());
      const PathValue written = values.memrefOf(state, other->get());
      const Twin *from = twinOf(state, read);
      const Twin *to = twinOf(state, written);
      if (from == to || from->memory != to->memory ||
          (linalgOp && linalgOp.getMatchingIndexingMap(one) ==
                           linalgOp.getMatchingIndexingMap(other)) ||
          !hasEffect<MemoryEffects::Read>(op, one->get()) ||
          !hasEffect<MemoryEffects::Write>(op, other->get()))
        continue;
      observer.lostWrite({op,
                          from->serial == from->memory ? to->copy : from->copy,
                          std::nullopt,
                          from->serial != from->memory,
                          true,
                          {}},
                         op, *from, /*isSure=*/false);
    }
}

/// Of an op that has memory effects, those that say on what.
void CopyTracker::readAndWrite(State &state, Operation *op) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (state.twins.empty() || !interface)
    return;
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    if (copyAmongTwins(state, copy))
      return;
  noteBoth(state, op);
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  Value stored;
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    stored = fill.getInputs().front();
  // Of an op that does both, the read comes first.
  for (bool isWrite : {false, true})
    for (const auto &effect : effects) {
      Value buffer = effect.getValue();
      const bool isSought = isWrite
                                ? isa<MemoryEffects::Write>(effect.getEffect())
                                : isa<MemoryEffects::Read>(effect.getEffect());
      if (!isSought || !buffer || !isa<BaseMemRefType>(buffer.getType()))
        continue;
      const PathValue value = values.memrefOf(state, buffer);
      const std::optional<AccessPlace> place =
          value.plain && isOnAll(op, effect)
              ? std::optional<AccessPlace>(AccessPlace())
              : std::nullopt;
      if (isWrite)
        wrote(state, value, op, place, stored);
      else
        read(state, value, op, place);
    }
}

/// Who reads it afterwards is in the module, and is tried by itself.
static bool isPrivateGlobal(const Object &object) {
  memref::GlobalOp global = globalOf(object);
  return global && global.isPrivate();
}

/// What a caller can see at the end, where nobody in the module calls it.
void CopyTracker::readAtExit(State &state, Operation *op) {
  if (state.twins.empty() || !function.isPublic())
    return;
  llvm::SmallDenseSet<int32_t> seen;
  for (Value operand : op->getOperands())
    if (isa<BaseMemRefType>(operand.getType()))
      seen.insert(values.memrefOf(state, operand).object);
  for (auto [number, object] : llvm::enumerate(state.objects)) {
    if (object.kind == ObjectKind::global && isPrivateGlobal(object))
      continue;
    const bool isOutside = object.kind == ObjectKind::argument ||
                           object.kind == ObjectKind::global || object.escaped;
    if (!object.freed && (isOutside || seen.contains(int32_t(number))))
      read(state, PathValue::memref(int32_t(number)), op, AccessPlace());
  }
}

bool hasCopiesThatStandIn(FunctionOpInterface function,
                          const trace::Trace &trace,
                          SymbolTableCollection &symbols) {
  llvm::SmallPtrSet<Operation *, 8> known = {function};
  SmallVector<Operation *> open = {function};
  bool hasAny = false;
  while (!open.empty() && !hasAny)
    open.pop_back_val()->walk([&](Operation *op) {
      hasAny |= standsForItsSource(op, trace);
      if (auto call = dyn_cast<CallOpInterface>(op))
        if (FunctionOpInterface callee = calleeOf(call, symbols);
            callee && !callee.isExternal() && known.insert(callee).second)
          open.push_back(callee);
      return hasAny ? WalkResult::interrupt() : WalkResult::advance();
    });
  return hasAny;
}

} // namespace memreflens::symexec
