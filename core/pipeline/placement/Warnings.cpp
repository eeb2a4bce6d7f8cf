//===- core/pipeline/placement/Warnings.cpp -------------------------------===//

#include "core/pipeline/placement/Warnings.h"
#include "core/pipeline/placement/DirectViews.h"
#include "core/source/Escapes.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens::placement {

//===----------------------------------------------------------------------===//
// Promotion to the stack
//===----------------------------------------------------------------------===//

/// Whether a call in `from` leads to `function`, at last.
static bool reaches(Operation *from, FunctionOpInterface function,
                    SymbolTableCollection &symbols,
                    llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (from == function.getOperation())
    return true;
  if (!seen.insert(from).second)
    return false;
  return from
      ->walk([&](CallOpInterface call) {
        Operation *callee = call.resolveCallableInTable(&symbols);
        return callee && reaches(callee, function, symbols, seen)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Calls of a function that come back to it.
static SmallVector<Operation *> recursionsOf(FunctionOpInterface function) {
  SmallVector<Operation *> calls;
  SymbolTableCollection symbols;
  function->walk([&](CallOpInterface call) {
    llvm::SmallPtrSet<Operation *, 8> seen;
    Operation *callee = call.resolveCallableInTable(&symbols);
    if (callee && reaches(callee, function, symbols, seen))
      calls.push_back(call);
  });
  return calls;
}

/// A place that is there before the function and after it.
static bool outlives(Value memory, FunctionOpInterface function) {
  Value root = rootOf(memory);
  if (isa_and_nonnull<memref::GetGlobalOp>(root.getDefiningOp()))
    return true;
  auto argument = dyn_cast<BlockArgument>(root);
  return argument && argument.getOwner() == &function.getFunctionBody().front();
}

/// The op that hands an address out of the function; null for none.
static Operation *escapeOf(Operation *user, Value view,
                           FunctionOpInterface function) {
  if (auto store =
          dyn_cast_or_null<memref::StoreOp>(storeOfAddress(user, view)))
    return outlives(store.getMemref(), function) ? store : nullptr;
  if (!isa<memref::ExtractAlignedPointerAsIndexOp>(user))
    return nullptr;
  for (Operation *next : user->getUsers())
    if (next->hasTrait<OpTrait::ReturnLike>() &&
        next->getParentOp() == function.getOperation())
      return next;
  return nullptr;
}

PlacementWarnings warningsOfPromotion(FunctionOpInterface function,
                                      const std::vector<Promotion> &entries) {
  PlacementWarnings warnings;
  const SmallVector<Operation *> recursions = recursionsOf(function);
  for (const Promotion &entry : entries) {
    if (entry.outcome != MoveOutcome::promoted)
      continue;
    Operation *scope =
        entry.op->getParentWithTrait<OpTrait::AutomaticAllocationScope>();
    for (Operation *call : recursions)
      if (scope && scope->isProperAncestor(call)) {
        warnings.push_back({WarningKind::stackInRecursion, entry.op, call,
                            entry.bytes, entry.bytes});
        break;
      }
    for (Value view : directViews(entry.op->getResult(0)))
      for (Operation *user : view.getUsers())
        if (Operation *escape = escapeOf(user, view, function))
          warnings.push_back({WarningKind::stackEscapes, entry.op, escape});
  }
  return warnings;
}

//===----------------------------------------------------------------------===//
// Earlier frees
//===----------------------------------------------------------------------===//

namespace {
/// What follows from a buffer in ways that the pass does not follow, and where
/// that is used among the ops that a free has passed.
class UnseenUses {
public:
  explicit UnseenUses(const FreeMove &move) : move(move) {}
  void warn(PlacementWarnings &warnings);

private:
  bool isPassed(Operation *op) const {
    Operation *top = move.allocation->getBlock()->findAncestorOpInBlock(*op);
    return top && llvm::is_contained(move.passed, top);
  }
  /// Of an address, a tensor or the like: the first use that acts on it.
  Operation *useOf(Value derived);
  Operation *useAfterLoad(memref::StoreOp store);
  Operation *useOfResults(OpOperand &use);
  Operation *waitFor(async::ExecuteOp task);

  const FreeMove &move;
  llvm::SmallPtrSet<Operation *, 16> seen;
};
} // namespace

Operation *UnseenUses::useOf(Value derived) {
  for (Operation *user : derived.getUsers()) {
    if (!seen.insert(user).second)
      continue;
    const bool acts = !isMemoryEffectFree(user) || isa<tensor::ExtractOp>(user);
    if (acts && isPassed(user))
      return user;
    if (acts)
      continue;
    // What two addresses compare to is no way to memory.
    for (Value result : user->getResults())
      if (!result.getType().isInteger(1))
        if (Operation *found = useOf(result))
          return found;
  }
  return nullptr;
}

/// A load, from where the buffer was stored, that gets it for certain.
Operation *UnseenUses::useAfterLoad(memref::StoreOp store) {
  for (Operation *op = store->getNextNode(); op; op = op->getNextNode()) {
    auto load = dyn_cast<memref::LoadOp>(op);
    if (load && load.getMemref() == store.getMemref() &&
        load.getIndices() == store.getIndices())
      if (Operation *found = useOf(load.getResult()))
        return found;
    if (!load && !isa<memref::DeallocOp>(op) && !isMemoryEffectFree(op))
      return nullptr;
  }
  return nullptr;
}

Operation *UnseenUses::useOfResults(OpOperand &use) {
  const trace::Escape kind = escapeThrough(use);
  if (kind != trace::Escape::address && kind != trace::Escape::tensor &&
      kind != trace::Escape::cast)
    return nullptr;
  for (Value result : use.getOwner()->getResults())
    if (Operation *found = useOf(result))
      return found;
  return nullptr;
}

/// The wait for a task that uses the buffer, if the free has passed it.
Operation *UnseenUses::waitFor(async::ExecuteOp task) {
  Operation *passed = nullptr;
  for (Operation *wait : task.getToken().getUsers()) {
    if (!isa<async::AwaitOp>(wait))
      return nullptr;
    if (isPassed(wait))
      passed = wait;
    else if (!move.dealloc->getBlock()->findAncestorOpInBlock(*wait) ||
             wait->getBlock() != move.dealloc->getBlock() ||
             wait->isBeforeInBlock(move.dealloc))
      return nullptr;
  }
  return passed;
}

void UnseenUses::warn(PlacementWarnings &warnings) {
  llvm::SmallPtrSet<Operation *, 8> shown;
  auto add = [&](WarningKind kind, Operation *op) {
    if (op && shown.insert(op).second)
      warnings.push_back({kind, move.dealloc, op});
  };
  for (Value view : directViews(move.allocation->getResult(0)))
    for (OpOperand &use : view.getUses()) {
      Operation *user = use.getOwner();
      add(WarningKind::usedAfterFree, useOfResults(use));
      if (auto store = dyn_cast<memref::StoreOp>(user);
          store && store.getValueToStore() == view)
        add(WarningKind::usedAfterFree, useAfterLoad(store));
      if (auto task = user->getParentOfType<async::ExecuteOp>();
          task && move.after->isAncestor(task))
        add(WarningKind::freedBeforeAwait, waitFor(task));
    }
}

PlacementWarnings warningsOfLiveness(const std::vector<FreeMove> &moves) {
  PlacementWarnings warnings;
  for (const FreeMove &move : moves) {
    if (move.outcome == MoveOutcome::movedUp)
      UnseenUses(move).warn(warnings);
    if (move.crashesUpstream)
      warnings.push_back(
          {WarningKind::upstreamCrashes, move.allocation, move.uncounted});
  }
  return warnings;
}

//===----------------------------------------------------------------------===//
// Results that became arguments
//===----------------------------------------------------------------------===//

static void addOfReturn(const OutParam &result, const ReturnedBuffer &returned,
                        PlacementWarnings &warnings) {
  func::FuncOp function = result.function;
  auto warn = [&](WarningKind kind, Operation *shown) {
    warnings.push_back({kind, function, shown});
  };
  const ReturnedBuffer &first = result.returns.front();
  if (returned.hadContents)
    warn(WarningKind::contentsLost, returned.at);
  if (!first.sizes.empty() && returned.outcome == ReturnOutcome::hoisted &&
      returned.sizes != first.sizes)
    warn(WarningKind::otherSize, returned.at);
  if (returned.outcome == ReturnOutcome::hoistedBeside)
    warn(WarningKind::upstreamCrashes, returned.at);
  if (returned.alignment && !result.allocations.empty())
    warnings.push_back({WarningKind::alignmentLost, function,
                        result.allocations.front(), returned.alignment, 0});
  if (!returned.copy)
    return;
  Value root = rootOf(cast<memref::CopyOp>(returned.copy).getSource());
  if (root == function.getArgument(result.argument))
    warn(WarningKind::copyOntoItself, returned.copy);
  else if (returned.outcome == ReturnOutcome::notAllocation &&
           isa<BlockArgument>(root) && outlives(root, function))
    warn(WarningKind::copyOfArgument, returned.copy);
}

PlacementWarnings warningsOfOutParams(const OutParams &converted) {
  PlacementWarnings warnings;
  // The module of a failed pass is of no use to anybody.
  if (converted.succeeded)
    for (const OutParam &result : converted.results)
      for (const ReturnedBuffer &returned : result.returns)
        addOfReturn(result, returned, warnings);
  return warnings;
}

} // namespace memreflens::placement
