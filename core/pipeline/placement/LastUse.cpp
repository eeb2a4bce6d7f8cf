//===- core/pipeline/placement/LastUse.cpp --------------------------------===//

#include "core/pipeline/placement/LastUse.h"
#include "core/pipeline/placement/DirectViews.h"
#include "core/source/Escapes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens::placement {

namespace {
/// What is known of arguments of functions with a body below `root`.
class Callees {
public:
  Callees(Operation *root, SymbolTableCollection &symbols,
          const StatedOfCalls &stated)
      : root(root), symbols(symbols), stated(stated) {}

  /// Whether the callee may use the operand after it returned, other than
  /// through its own memref results.
  bool keeps(OpOperand &use);
  bool isFresh(Operation *call) const {
    return stated.isFresh && stated.isFresh(call);
  }

private:
  Operation *root;
  SymbolTableCollection &symbols;
  const StatedOfCalls &stated;
  /// True as long as one is being looked at, so that recursion proves nothing.
  llvm::DenseMap<Value, bool> kept;
};

/// Follows one buffer to all its uses.
class Follower {
public:
  /// `block`: where the buffer is allocated; null for an argument of a callee,
  /// of which no use is the last.
  Follower(Callees &callees, Block *block, ArrayRef<Operation *> frees = {})
      : callees(callees), block(block), frees(frees) {}

  /// False if there may be uses that cannot be seen.
  bool follow(Value buffer);
  /// The op of the block that is, or holds, the last use; null for none.
  Operation *last() const { return lastUse; }

private:
  bool visit(OpOperand &use);
  bool visitCall(CallOpInterface call, OpOperand &use);
  bool visitTerminator(OpOperand &use);
  bool visitAddress(Operation *op);
  bool note(Operation *user);
  void add(ValueRange values) {
    for (Value value : values)
      if (isa<BaseMemRefType>(value.getType()) && seen.insert(value).second)
        pending.push_back(value);
  }
  void addRegions(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &inside : region)
        add(inside.getArguments());
  }

  Callees &callees;
  Block *block;
  /// The free, and what it alone needs.
  ArrayRef<Operation *> frees;
  Operation *lastUse = nullptr;
  SmallVector<Value> pending;
  llvm::SmallDenseSet<Value> seen;
};
} // namespace

bool Callees::keeps(OpOperand &use) {
  auto call = cast<CallOpInterface>(use.getOwner());
  auto callee = dyn_cast_if_present<FunctionOpInterface>(
      call.resolveCallableInTable(&symbols));
  if (!callee)
    return true;
  if (callee.isExternal())
    return !stated.keepsNothing || !stated.keepsNothing(call);
  if (!root->isProperAncestor(callee))
    return true;
  auto operands = call.getArgOperands();
  Block &entry = callee.getFunctionBody().front();
  for (auto [operand, argument] : llvm::zip(operands, entry.getArguments())) {
    if (operand != use.get())
      continue;
    auto [known, isNew] = kept.try_emplace(argument, true);
    if (isNew) {
      const bool isKept = !Follower(*this, nullptr).follow(argument);
      kept[argument] = isKept;
    }
    if (kept.lookup(argument))
      return true;
  }
  return operands.size() != entry.getNumArguments();
}

/// Whether its regions are done when it is. What a dialect unknown to us does
/// with a region is not known.
static bool runsInPlace(Operation *op) {
  return !isDeferred(op) &&
         (isa<RegionBranchOpInterface>(op) ||
          isa_and_nonnull<scf::SCFDialect, affine::AffineDialect,
                          linalg::LinalgDialect, memref::MemRefDialect>(
              op->getDialect()));
}

/// Counts it as a use; false if it is out of sight.
bool Follower::note(Operation *user) {
  for (Operation *around = user->getParentOp();
       around && !isa<FunctionOpInterface>(around) &&
       (!block || around != block->getParentOp());
       around = around->getParentOp())
    if (!runsInPlace(around))
      return false;
  if (!block)
    return true;
  Operation *top = block->findAncestorOpInBlock(*user);
  if (!top || !top->isBeforeInBlock(frees.back()))
    return false;
  if (!lastUse || lastUse->isBeforeInBlock(top))
    lastUse = top;
  return true;
}

bool Follower::visitCall(CallOpInterface call, OpOperand &use) {
  if (escapeThrough(use) != trace::Escape::none || callees.keeps(use))
    return false;
  if (!callees.isFresh(call))
    add(call->getResults());
  return true;
}

bool Follower::visitTerminator(OpOperand &use) {
  Operation *op = use.getOwner();
  // Out of the block, or of the function: what a callee returns is its caller's
  // to follow.
  if (op->getBlock() == block)
    return false;
  if (!block && isa<FunctionOpInterface>(op->getParentOp()) &&
      op->hasTrait<OpTrait::ReturnLike>())
    return true;
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    auto argument = branch.getSuccessorBlockArgument(use.getOperandNumber());
    if (!argument)
      return false;
    add(ValueRange(*argument));
    return true;
  }
  if (op->getNumSuccessors() != 0 ||
      !isa<RegionBranchOpInterface>(op->getParentOp()))
    return false;
  // To the results, or around once more.
  add(op->getParentOp()->getResults());
  addRegions(op->getParentOp());
  return true;
}

/// Of an address: compared only, and these comparisons come before the free: a
/// later allocation may get the same address.
bool Follower::visitAddress(Operation *op) {
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    return isa<arith::CmpIOp>(user) && note(user);
  });
}

bool Follower::visit(OpOperand &use) {
  Operation *op = use.getOwner();
  if (llvm::is_contained(frees, op))
    return true;
  if (!note(op) || hasEffect<MemoryEffects::Free>(op, use.get()))
    return false;
  if (op->hasTrait<OpTrait::IsTerminator>())
    return visitTerminator(use);
  if (auto call = dyn_cast<CallOpInterface>(op))
    return visitCall(call, use);
  if (isa<memref::ExtractAlignedPointerAsIndexOp>(op))
    return visitAddress(op);
  if (escapeThrough(use) != trace::Escape::none)
    return false;
  // What is loaded from a buffer of buffers is another one.
  if (isa<memref::LoadOp>(op))
    return true;
  if (op->getNumRegions() != 0) {
    if (!runsInPlace(op))
      return false;
    addRegions(op);
  } else if (!isa<MemoryEffectOpInterface>(op) && !isMemoryEffectFree(op)) {
    return false;
  }
  for (OpResult result : op->getResults())
    if (!hasEffect<MemoryEffects::Allocate>(op, result))
      add(ValueRange(result));
  return true;
}

bool Follower::follow(Value buffer) {
  add(buffer);
  while (!pending.empty())
    for (OpOperand &use : pending.pop_back_val().getUses())
      if (!visit(use))
        return false;
  return true;
}

/// The free behind the views, in its block, that nothing else uses.
static SmallVector<Operation *> withOwnViews(memref::DeallocOp free) {
  SmallVector<Operation *> ops = {free};
  while (Operation *view = ops.back()->getOperand(0).getDefiningOp()) {
    const bool isOwn =
        view->getBlock() == free->getBlock() && view->getNumOperands() == 1 &&
        rootOf(view->getResult(0)) != view->getResult(0) &&
        llvm::all_of(view->getUsers(),
                     [&](Operation *user) { return user == ops.back(); });
    if (!isOwn)
      break;
    ops.push_back(view);
  }
  std::reverse(ops.begin(), ops.end());
  return ops;
}

/// Not by `moveAfter`, behind which the next question for an order would number
/// the whole block anew.
static void insertAfter(Operation *after, Operation *op) {
  op->remove();
  after->getBlock()->getOperations().insertAfter(after->getIterator(), op);
}

FreesMoved freeAfterLastUse(Operation *root, SymbolTableCollection &symbols,
                            const StatedOfCalls &stated) {
  FreesMoved count;
  Callees callees(root, symbols, stated);
  SmallVector<memref::DeallocOp> frees;
  root->walk([&](memref::DeallocOp free) { frees.push_back(free); });
  for (memref::DeallocOp free : frees) {
    SmallVector<Operation *> together = withOwnViews(free);
    Block *block = free->getBlock();
    auto buffer = dyn_cast<OpResult>(rootOf(free.getMemref()));
    Operation *allocation = buffer ? buffer.getOwner() : nullptr;
    Follower follower(callees, block, together);
    if (!allocation || allocation->getBlock() != block ||
        !(hasEffect<MemoryEffects::Allocate>(allocation, buffer) ||
          callees.isFresh(allocation)) ||
        !follower.follow(buffer)) {
      ++count.unknown;
      continue;
    }
    Operation *after = follower.last() ? follower.last() : allocation;
    if (after->getNextNode() == together.front())
      continue;
    for (Operation *op : together) {
      insertAfter(after, op);
      after = op;
    }
    ++count.moved;
  }
  return count;
}

} // namespace memreflens::placement
