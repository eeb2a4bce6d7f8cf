//===- core/symexec/IrFacts.cpp -------------------------------------------===//

#include "core/symexec/IrFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace memreflens::symexec {

bool isBuffer(Type type) { return isa<BaseMemRefType, TensorType>(type); }

bool isFollowed(Type element) {
  return element.isIntOrIndex() || isa<BaseMemRefType>(element);
}

bool decidesOwnership(Type stored) {
  return isa<BaseMemRefType>(stored) || stored.isInteger(1);
}

static std::optional<int64_t> constantIn(Value value) {
  IntegerAttr number;
  if (!value.getType().isIntOrIndex() ||
      !matchPattern(value, m_Constant(&number)))
    return std::nullopt;
  return number.getValue().getSExtValue();
}

unsigned IrFacts::numberOf(Value value) {
  auto [entry, isNew] = numbers.try_emplace(value, values.size());
  if (isNew) {
    values.push_back(value);
    constants.push_back(constantIn(value));
    firstOfRegion.try_emplace(value.getParentRegion(), entry->second);
  }
  return entry->second;
}

const LivenessBlockInfo *IrFacts::liveness(Block *block) {
  Operation *top = block->getParentOp();
  while (top && !isa<FunctionOpInterface>(top))
    top = top->getParentOp();
  if (!top)
    return nullptr;
  std::unique_ptr<Liveness> &analysis = analyses[top];
  if (!analysis)
    analysis = std::make_unique<Liveness>(top);
  return analysis->getLiveness(block);
}

/// Ops of which memory, or who frees it, is all that matters.
static std::optional<Action> actionOnMemory(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Action>>(op)
      .Case([](memref::LoadOp) { return Action::load; })
      .Case([](memref::StoreOp) { return Action::store; })
      .Case([](bufferization::DeallocOp) { return Action::dealloc; })
      .Case([](memref::ReallocOp) { return Action::realloc; })
      .Case([](bufferization::CloneOp) { return Action::clone; })
      .Case([](memref::DimOp) { return Action::dim; })
      .Case([](cf::AssertOp) { return Action::assertion; })
      .Case<ub::UnreachableOp, LLVM::UnreachableOp>(
          [](Operation *) { return Action::end; })
      .Default([](Operation *) { return std::nullopt; });
}

static bool isView(Operation *op) {
  if (isa<memref::DistinctObjectsOp, bufferization::ToTensorOp,
          bufferization::ToBufferOp>(op))
    return true;
  auto view = dyn_cast<ViewLikeOpInterface>(op);
  return view && isBuffer(view.getViewSource().getType());
}

/// Of an op that is none of the others.
static Action actionOnValues(Operation *op) {
  const bool isFree = isMemoryEffectFree(op);
  if (op->getNumResults() != 1 || op->getNumRegions() > 0 ||
      !op->getResult(0).getType().isIntOrIndex())
    return isFree && llvm::none_of(op->getResultTypes(), isBuffer)
               ? Action::nothing
               : Action::effects;
  if (constantIn(op->getResult(0)))
    return Action::nothing;
  const bool isPointer = isa<memref::ExtractAlignedPointerAsIndexOp>(op);
  return isPointer || (isFree && llvm::none_of(op->getOperandTypes(), isBuffer))
             ? Action::scalar
             : Action::effects;
}

Action IrFacts::actionOf(Operation *op) {
  if (std::optional<Action> onMemory = actionOnMemory(op))
    return *onMemory;
  if (isa<BranchOpInterface>(op) || op->getNumSuccessors() > 0)
    return Action::branch;
  if (op->hasTrait<OpTrait::IsTerminator>() || !op->getNextNode())
    return Action::terminate;
  if (isa<CallOpInterface>(op))
    return Action::call;
  if (op->getNumRegions() > 0 && touchesMemory(op) &&
      !op->hasTrait<OpTrait::IsIsolatedFromAbove>())
    return Action::region;
  // The one scalar op that may need a decision.
  if (isa<arith::SelectOp>(op) && isBuffer(op->getResult(0).getType()))
    return Action::choice;
  return isView(op) ? Action::view : actionOnValues(op);
}

void IrFacts::lookAt(Block *block) {
  Region *region = block->getParent();
  // Nothing of a region leaves its only block.
  const LivenessBlockInfo *info =
      region->hasOneBlock() ? nullptr : liveness(block);
  // In their order: what is made last is added at the end of a frame's list.
  for (Operation &op : *block)
    for (Value result : op.getResults())
      numberOf(result);
  llvm::DenseSet<Value> later;
  for (Operation &op : llvm::reverse(*block)) {
    Known &entry = allKnown.emplace_back();
    entry.action = actionOf(&op);
    known[&op] = &entry;
    auto look = [&](Value value) {
      if (value.getParentRegion() != region || !later.insert(value).second)
        return;
      const unsigned number = numberOf(value);
      if (!constants[number] && (!info || !info->isLiveOut(value)))
        entry.dead.push_back(number);
    };
    for (Value result : op.getResults())
      look(result);
    op.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        look(operand);
    });
  }
}

const IrFacts::Known &IrFacts::of(Operation *op) {
  if (auto entry = known.find(op); entry != known.end())
    return *entry->second;
  lookAt(op->getBlock());
  return *known.lookup(op);
}

bool IrFacts::isLiveInto(Value value, Block *block) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (argument.getOwner() == block)
      return true;
  const LivenessBlockInfo *info = liveness(block);
  return !info || info->isLiveIn(value);
}

bool IrFacts::touchesMemory(Operation *op) {
  auto [entry, isNew] = touches.try_emplace(op, false);
  if (!isNew)
    return entry->second;
  bool found = false;
  op->walk([&](Operation *nested) {
    if (nested == op)
      return WalkResult::advance();
    found = llvm::any_of(nested->getOperandTypes(), isBuffer) ||
            llvm::any_of(nested->getResultTypes(), isBuffer) ||
            isa<CallOpInterface>(nested);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return touches[op] = found;
}

/// An i1, index or memref put into memory is read back by the code that the
/// lowering makes.
static bool storesWhatMatters(Operation *op) {
  auto store = dyn_cast<memref::StoreOp>(op);
  if (!store)
    return false;
  Type type = store.getMemRefType().getElementType();
  return isa<BaseMemRefType, IndexType>(type) || type.isInteger(1);
}

bool IrFacts::mattersBelow(Operation *op) {
  auto [entry, isNew] = matters.try_emplace(op, false);
  if (!isNew)
    return entry->second;
  auto isCarried = [](Type type) {
    return isBuffer(type) || type.isInteger(1);
  };
  bool found = llvm::any_of(op->getResultTypes(), isCarried);
  if (!found)
    op->walk([&](Operation *nested) {
      if (nested == op)
        return WalkResult::advance();
      bool isUnknown = !isa<MemoryEffectOpInterface>(nested) &&
                       !nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
      found = isa<CallOpInterface>(nested) ||
              hasEffect<MemoryEffects::Allocate>(nested) ||
              hasEffect<MemoryEffects::Free>(nested) ||
              storesWhatMatters(nested) ||
              (isUnknown && !nested->hasTrait<OpTrait::IsTerminator>());
      return found ? WalkResult::interrupt() : WalkResult::advance();
    });
  return matters[op] = found;
}

} // namespace memreflens::symexec
