//===- core/source/Escapes.cpp --------------------------------------------===//

#include "core/source/Escapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace memreflens {

using trace::Escape;
using trace::TypeKind;

static TypeKind kindOf(Type type) {
  if (isa<BaseMemRefType>(type))
    return TypeKind::buffer;
  if (isa<TensorType>(type))
    return TypeKind::tensor;
  if (isa<FloatType, VectorType>(type))
    return TypeKind::number;
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() >= 64 ? TypeKind::wide : TypeKind::number;
  if (type.isIndex())
    return TypeKind::wide;
  // Its parameters say nothing, and may be long.
  if (!isa<BuiltinDialect>(type.getDialect()))
    return trace::typeKindOf("!" + type.getAbstractType().getName().str());
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return trace::typeKindOf(text);
}

static trace::OpShape shapeOf(Operation *op) {
  trace::OpShape shape;
  shape.name = op->getName().getStringRef();
  for (Type type : op->getOperandTypes())
    shape.operands.push_back(kindOf(type));
  for (Type type : op->getResultTypes())
    shape.results.push_back(kindOf(type));
  return shape;
}

bool isHelperCall(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  auto callee = call ? llvm::dyn_cast_if_present<SymbolRefAttr>(
                           call.getCallableForCallee())
                     : SymbolRefAttr();
  return callee &&
         callee.getLeafReference().getValue().starts_with("dealloc_helper");
}

bool isListForHelper(Value memory) {
  return llvm::any_of(memory.getUsers(), [](Operation *user) {
    return isHelperCall(user) ||
           (isa<memref::CastOp>(user) &&
            llvm::any_of(user->getResult(0).getUsers(), isHelperCall));
  });
}

/// Compared, or listed for the frees that compare: no way to the memory.
static bool onlyIdentifies(Operation *user) {
  if (isa<arith::CmpIOp>(user))
    return true;
  auto store = dyn_cast<memref::StoreOp>(user);
  return store && isListForHelper(store.getMemRef());
}

Escape escapeThrough(OpOperand &use) {
  Operation *op = use.getOwner();
  if (op->getNumResults() == 0 && !isa<memref::StoreOp>(op) &&
      !op->hasTrait<OpTrait::IsTerminator>() &&
      !op->getName().getStringRef().ends_with(".dma_start"))
    return Escape::none;
  const Escape kind = trace::escapeThrough(shapeOf(op), use.getOperandNumber());
  const bool isByResult = kind != Escape::none && kind != Escape::stored &&
                          kind != Escape::deferred;
  if (isByResult && op->use_empty())
    return Escape::none;
  if (kind == Escape::address && llvm::all_of(op->getUsers(), onlyIdentifies))
    return Escape::none;
  return kind;
}

bool isDeferred(Operation *op) { return trace::isDeferred(shapeOf(op)); }

bool runsConcurrently(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return name == "scf.parallel" || name == "scf.forall" ||
         name == "affine.parallel" || name == "async.execute" ||
         name == "gpu.launch" || name.starts_with("omp.");
}

bool mayUseByOtherWays(Operation *op) {
  return !isHelperCall(op) && trace::mayUseByOtherWays(shapeOf(op));
}

/// An op around `user`, but not around `value`, that runs later.
static Operation *deferringOpAround(Operation *user, Value value) {
  for (Operation *around = user->getParentOp();
       around && !around->isAncestor(value.getParentBlock()->getParentOp());
       around = around->getParentOp())
    if (isDeferred(around))
      return around;
  return nullptr;
}

/// What a function keeps of an argument when it returns: in memory, or by work
/// that is not done. What it does with an address ends with the call.
Escape EscapeFinder::keptArgument(BlockArgument argument) {
  auto [entry, isNew] = kept.try_emplace(argument, Escape::none);
  if (!isNew)
    return entry->second;
  Escape found = Escape::none;
  SmallVector<Value> pending = {argument};
  llvm::SmallDenseSet<Value> seen = {argument};
  while (!pending.empty() && found == Escape::none) {
    Value value = pending.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      const Escape kind = escapeAnew(use).kind;
      if (kind == Escape::deferred || kind == Escape::stored)
        found = kind;
      // Views; what flows through branches is taken to stay.
      for (Value result : use.getOwner()->getResults())
        if (isa<BaseMemRefType>(result.getType()) &&
            !isa<CallOpInterface>(use.getOwner()) && seen.insert(result).second)
          pending.push_back(result);
    }
  }
  return kept[argument] = found;
}

Escape EscapeFinder::keptByCallee(OpOperand &use) {
  auto call = dyn_cast<CallOpInterface>(use.getOwner());
  auto callee = call ? dyn_cast_if_present<FunctionOpInterface>(
                           call.resolveCallableInTable(&symbols))
                     : FunctionOpInterface();
  if (!callee || callee.isExternal())
    return Escape::none;
  Block &entry = callee.getFunctionBody().front();
  const unsigned number = use.getOperandNumber();
  return number < entry.getNumArguments() &&
                 entry.getArgument(number).getType() == use.get().getType()
             ? keptArgument(entry.getArgument(number))
             : Escape::none;
}

/// Whether no op of the function lets any memref go where it is not followed;
/// of one that comes back to itself, nothing is known.
bool EscapeFinder::keepsAllInSight(FunctionOpInterface callee) {
  auto [entry, isNew] = inSight.try_emplace(callee, false);
  if (!isNew)
    return entry->second;
  const bool isQuiet = !callee
                            ->walk([&](Operation *op) {
                              for (OpOperand &use : op->getOpOperands())
                                if (isa<BaseMemRefType>(use.get().getType()) &&
                                    escapeAnew(use).op)
                                  return WalkResult::interrupt();
                              return WalkResult::advance();
                            })
                            .wasInterrupted();
  return inSight[callee] = isQuiet;
}

/// A callee with a body is asked in place of the types that it returns.
bool EscapeFinder::isKnownToReturnNone(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  auto callee = call ? dyn_cast_if_present<FunctionOpInterface>(
                           call.resolveCallableInTable(&symbols))
                     : FunctionOpInterface();
  return callee && !callee.isExternal() && keepsAllInSight(callee);
}

/// Many buffers may flow to one use.
EscapeAt EscapeFinder::escapeAt(OpOperand &use) {
  auto known = uses.find(&use);
  return known != uses.end()
             ? known->second
             : uses.try_emplace(&use, escapeAnew(use)).first->second;
}

EscapeAt EscapeFinder::escapeAnew(OpOperand &use) {
  if (Operation *around = deferringOpAround(use.getOwner(), use.get()))
    return {Escape::deferred, around};
  Escape kind = escapeThrough(use);
  if (kind != Escape::none && isKnownToReturnNone(use.getOwner()))
    kind = Escape::none;
  if (kind == Escape::none)
    kind = keptByCallee(use);
  return {kind, kind == Escape::none ? nullptr : use.getOwner()};
}

EscapeFinder::EscapeFinder(Operation *function, SymbolTableCollection &symbols)
    : function(function), symbols(symbols) {
  hasAny =
      function
          ->walk([&](Operation *op) {
            for (OpOperand &use : op->getOpOperands())
              if (isa<BaseMemRefType>(use.get().getType()) && escapeAt(use).op)
                return WalkResult::interrupt();
            return WalkResult::advance();
          })
          .wasInterrupted();
}

/// Of two ops of a function: which comes first in the text.
static bool isBefore(Operation *first, Operation *second) {
  llvm::SmallPtrSet<Operation *, 16> around;
  for (Operation *op = first; op; op = op->getParentOp())
    around.insert(op);
  Operation *common = second, *below = second;
  for (; common && !around.contains(common); common = common->getParentOp())
    below = common;
  if (common == first || !common)
    return true;
  if (common == second)
    return false;
  Operation *other = first;
  while (other->getParentOp() != common)
    other = other->getParentOp();
  for (Region &region : common->getRegions())
    for (Block &block : region)
      for (Operation &op : block) {
        if (&op == other)
          return true;
        if (&op == below)
          return false;
      }
  return true;
}

/// Where memory is only given back or asked for.
static bool onlyFrees(Operation *op) {
  return isa<memref::DeallocOp, bufferization::DeallocOp>(op) ||
         op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op);
}

void EscapeFinder::number() {
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    const unsigned position = positions.size();
    positions[op] = position;
    if (!onlyFrees(op) && op->getNumRegions() == 0)
      acting.push_back(position);
    if (op != function && mayUseByOtherWays(op))
      byOtherWays.push_back(position);
    auto load = dyn_cast<memref::LoadOp>(op);
    if (load && isa<BaseMemRefType>(load.getType()))
      loads.push_back(position);
  });
}

/// Whether memory is the function's own, so that nobody finds there afterwards
/// what was stored into it.
static bool isLocal(Value memory) {
  while (Operation *view = memory.getDefiningOp()) {
    if (isa<memref::AllocOp, memref::AllocaOp>(view))
      return true;
    auto source = dyn_cast<ViewLikeOpInterface>(view);
    if (!source)
      return false;
    memory = source.getViewSource();
  }
  return false;
}

/// Whether what an op makes of an address reaches whoever called the function,
/// or memory that outlives it, and so may be used after each dealloc in it.
bool EscapeFinder::leavesFunction(Operation *escape) {
  auto [known, isNew] = leaving.try_emplace(escape, false);
  if (!isNew)
    return known->second;
  SmallVector<Value> pending(escape->getResults());
  llvm::SmallDenseSet<Value> seen(pending.begin(), pending.end());
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (kindOf(value.getType()) != TypeKind::buffer &&
          !value.getType().isInteger(1) && seen.insert(value).second)
        pending.push_back(value);
  };
  while (!pending.empty()) {
    for (OpOperand &use : pending.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      auto store = dyn_cast<memref::StoreOp>(user);
      const bool isReturned = user->hasTrait<OpTrait::IsTerminator>() &&
                              user->getParentOp() == function &&
                              user->getNumSuccessors() == 0;
      if (isReturned || (store && use.getOperandNumber() == 0 &&
                         !onlyIdentifies(user) && !isLocal(store.getMemRef())))
        return leaving[escape] = true;
      add(user->getResults());
      for (Block *successor : user->getSuccessors())
        add(successor->getArguments());
      // What a region yields may be a result of its op, or enter a region of
      // it.
      Operation *around = user->getParentOp();
      if (!user->hasTrait<OpTrait::IsTerminator>() || around == function)
        continue;
      add(around->getResults());
      for (Region &region : around->getRegions())
        if (!region.empty())
          add(region.front().getArguments());
    }
  }
  return false;
}

uint64_t EscapeFinder::unseenUsesBehind(Operation *free,
                                        const EscapeAt &escape) {
  if (positions.empty())
    number();
  const unsigned position = positions.lookup(free);
  auto behind = [&](const std::vector<unsigned> &ops) {
    return uint64_t(ops.end() - llvm::upper_bound(ops, position));
  };
  if (escape.kind == Escape::deferred)
    return 1 + behind(acting);
  if (escape.kind == Escape::stored)
    return behind(byOtherWays) + (loads.empty() ? 0 : behind(acting));
  return behind(byOtherWays) + leavesFunction(escape.op);
}

EscapeAt EscapeFinder::find(Value buffer) {
  if (!hasAny)
    return {};
  auto [known, isNew] = found.try_emplace(buffer);
  if (isNew)
    known->second = findAnew(buffer);
  return known->second;
}

EscapeAt EscapeFinder::findAnew(Value buffer) {
  EscapeAt first;
  if (!aliases)
    aliases = std::make_unique<BufferViewFlowAnalysis>(function);
  for (Value alias : aliases->resolve(buffer))
    for (OpOperand &use : alias.getUses())
      if (EscapeAt at = escapeAt(use);
          at.op &&
          (!first.op || (at.op != first.op && isBefore(at.op, first.op))))
        first = at;
  return first;
}

} // namespace memreflens
