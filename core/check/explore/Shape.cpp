//===- core/check/explore/Shape.cpp ---------------------------------------===//

#include "core/check/explore/Shape.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens::explorer {

bool isBuffer(Type type) { return isa<BaseMemRefType, TensorType>(type); }

unsigned Shape::numberOf(Value value) {
  auto [entry, isNew] = numbers.try_emplace(value, values.size());
  if (isNew) {
    values.push_back(value);
    firstOfRegion.try_emplace(value.getParentRegion(), entry->second);
  }
  return entry->second;
}

const LivenessBlockInfo *Shape::liveness(Block *block) {
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

void Shape::findDead(Block *block) {
  const LivenessBlockInfo *info = liveness(block);
  Region *region = block->getParent();
  llvm::DenseSet<Value> later;
  for (Operation &op : llvm::reverse(*block)) {
    std::vector<unsigned> &list = dead[&op];
    auto look = [&](Value value) {
      if (value.getParentRegion() != region || !later.insert(value).second)
        return;
      if (!info || !info->isLiveOut(value))
        list.push_back(numberOf(value));
    };
    for (Value result : op.getResults())
      look(result);
    op.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        look(operand);
    });
  }
}

const std::vector<unsigned> &Shape::deadAfter(Operation *op) {
  auto entry = dead.find(op);
  if (entry == dead.end()) {
    findDead(op->getBlock());
    entry = dead.find(op);
  }
  return entry->second;
}

bool Shape::isLiveInto(Value value, Block *block) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (argument.getOwner() == block)
      return true;
  const LivenessBlockInfo *info = liveness(block);
  return !info || info->isLiveIn(value);
}

bool Shape::touchesMemory(Operation *op) {
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

bool Shape::mattersBelow(Operation *op) {
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

} // namespace memreflens::explorer
