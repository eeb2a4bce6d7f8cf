//===- core/symexec/LoopFacts.cpp - what a loop's rounds differ in --------===//
//
// Rounds that differ in numbers alone are one to who asks for buffers: what
// they count need not be told apart.
//
//===----------------------------------------------------------------------===//

#include "core/source/Escapes.h"
#include "core/symexec/IrFacts.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace memreflens::symexec {

//===--- Buffers kept in memory by number ---------------------------------===//

static Value throughViews(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

namespace {
class MarkFinder {
public:
  explicit MarkFinder(Value memory) : memory(memory) {}
  bool holdsMarks();

private:
  bool isMark(Value value);
  bool decidesNumbersOnly(Operation *op);

  Value memory;
  llvm::SmallDenseSet<Value, 8> seen;
};
} // namespace

/// Whichever way is taken through the op: loads and stores of numbers, and
/// marks.
bool MarkFinder::decidesNumbersOnly(Operation *op) {
  if (!llvm::all_of(op->getResults(), [&](Value result) {
        return result.getType().isIntOrIndexOrFloat() && isMark(result);
      }))
    return false;
  return !op->walk([&](Operation *nested) {
              if (auto store = dyn_cast<memref::StoreOp>(nested)) {
                Value stored = store.getValueToStore();
                return !decidesOwnership(stored.getType()) ||
                               (throughViews(store.getMemRef()) == memory &&
                                isMark(stored))
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              }
              const bool isHarmless =
                  isa<memref::LoadOp, scf::IfOp, scf::ForOp, scf::YieldOp>(
                      nested) ||
                  (nested->getNumRegions() == 0 && isMemoryEffectFree(nested));
              return isHarmless && llvm::none_of(nested->getResultTypes(),
                                                 llvm::IsaPred<TensorType>)
                         ? WalkResult::advance()
                         : WalkResult::interrupt();
            }).wasInterrupted();
}

/// All that is made of an i1 is put back into the memory, or decides about
/// numbers; of other numbers nobody knows what they are.
bool MarkFinder::isMark(Value value) {
  if (!value.getType().isInteger(1) || !seen.insert(value).second)
    return true;
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (auto store = dyn_cast<memref::StoreOp>(user))
      return throughViews(store.getMemRef()) == memory;
    if (isa<scf::IfOp>(user))
      return decidesNumbersOnly(user);
    return user->getNumRegions() == 0 && user->getNumSuccessors() == 0 &&
           !user->hasTrait<OpTrait::IsTerminator>() &&
           isMemoryEffectFree(user) &&
           llvm::all_of(user->getResults(), [&](Value result) {
             return result.getType().isIntOrIndexOrFloat() && isMark(result);
           });
  });
}

bool MarkFinder::holdsMarks() {
  Operation *site = memory.getDefiningOp();
  auto type = dyn_cast<MemRefType>(memory.getType());
  if (!type || !type.getElementType().isInteger(1) || !site ||
      !hasEffect<MemoryEffects::Allocate>(site))
    return false;
  SmallVector<Value> open = {memory};
  while (!open.empty())
    for (OpOperand &use : open.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (auto load = dyn_cast<memref::LoadOp>(user)) {
        if (!isMark(load.getResult()))
          return false;
      } else if (isa<ViewLikeOpInterface>(user)) {
        open.append(user->result_begin(), user->result_end());
      } else if (auto store = dyn_cast<memref::StoreOp>(user)) {
        if (store.getValueToStore() == use.get())
          return false;
      } else if (user->getNumResults() > 0 ||
                 !isa<MemoryEffectOpInterface>(user) ||
                 hasEffect<MemoryEffects::Read>(user, use.get())) {
        // Elsewhere it may be read in any way.
        return false;
      }
    }
  return true;
}

bool IrFacts::holdsMarks(Value memory) {
  memory = throughViews(memory);
  auto [entry, isNew] = marks.try_emplace(memory, false);
  if (isNew)
    entry->second = MarkFinder(memory).holdsMarks();
  return entry->second;
}

/// The op puts a buffer or an i1 that tells of one into memory, or takes one
/// out of it, at a place that is no constant; or a callee may.
static bool keepsByNumber(Operation *op, IrFacts &ir) {
  Type kept;
  Value memory;
  ValueRange indices;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    kept = load.getType();
    memory = load.getMemRef();
    indices = load.getIndices();
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    kept = store.getValueToStore().getType();
    memory = store.getMemRef();
    indices = store.getIndices();
  } else if (auto call = dyn_cast<CallOpInterface>(op)) {
    // Lists for the helper are read in one step.
    return !isHelperCall(op) &&
           llvm::any_of(call.getArgOperands().getTypes(), [](Type type) {
             auto memref = dyn_cast<BaseMemRefType>(type);
             return memref && decidesOwnership(memref.getElementType());
           });
  }
  return kept && decidesOwnership(kept) &&
         !llvm::all_of(
             indices,
             [](Value index) { return matchPattern(index, m_Constant()); }) &&
         !ir.holdsMarks(memory);
}

bool IrFacts::keepsBuffers(Operation *op) {
  auto [entry, isNew] = keeps.try_emplace(op, false);
  if (!isNew)
    return entry->second;
  const bool found = op->walk([&](Operation *nested) {
                         return keepsByNumber(nested, *this)
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       }).wasInterrupted();
  return keeps[op] = found;
}

//===--- Numbers ----------------------------------------------------------===//

static bool isNumber(Type type) {
  return type.isIntOrIndex() && !type.isInteger(1);
}

/// What it goes into is compared, kept in memory, or gives a bound or a size;
/// to tell a place is no question.
static bool isAsked(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto store = dyn_cast<memref::StoreOp>(user))
    return store.getValueToStore() == use.get();
  // What a region gives back is looked at by itself.
  if (isa<memref::LoadOp, ViewLikeOpInterface, CallOpInterface,
          RegionBranchTerminatorOpInterface>(user))
    return false;
  return user->getNumRegions() > 0 || !isMemoryEffectFree(user) ||
         llvm::any_of(user->getResultTypes(),
                      [](Type type) { return type.isInteger(1); });
}

/// One of the numbers, or another that is made of them.
static bool isAskedForAny(SmallVector<Value> open) {
  llvm::SmallDenseSet<Value, 16> seen;
  while (!open.empty()) {
    const Value value = open.pop_back_val();
    if (!isNumber(value.getType()) || !seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      if (isAsked(use))
        return true;
      if (isMemoryEffectFree(use.getOwner()))
        llvm::append_range(open, use.getOwner()->getResults());
    }
  }
  return false;
}

/// An allocation whose size is no number of its type, or a number put into
/// memory but for a pointer.
static bool makesByNumber(Operation *op) {
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    Value stored = store.getValueToStore();
    return isNumber(stored.getType()) &&
           !stored.getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>();
  }
  return hasEffect<MemoryEffects::Allocate>(op) &&
         llvm::any_of(op->getResultTypes(), [](Type type) {
           auto shaped = dyn_cast<ShapedType>(type);
           return !shaped || !shaped.hasStaticShape();
         });
}

bool IrFacts::countsRounds(Operation *loop, bool runsCalls) {
  auto [entry, isNew] = counts[runsCalls].try_emplace(loop, false);
  if (!isNew)
    return entry->second;
  SmallVector<Value> numbers(loop->getResults());
  for (Region &region : loop->getRegions())
    llvm::append_range(numbers, region.getArguments());
  const WalkResult all = loop->walk([&](Operation *nested) {
    if (isa<memref::LoadOp>(nested) || nested->getNumRegions() > 0)
      llvm::append_range(numbers, nested->getResults());
    return makesByNumber(nested) ||
                   (runsCalls && isa<CallOpInterface>(nested) &&
                    !isHelperCall(nested))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  const bool found = all.wasInterrupted() || isAskedForAny(std::move(numbers));
  return counts[runsCalls][loop] = found;
}

} // namespace memreflens::symexec
