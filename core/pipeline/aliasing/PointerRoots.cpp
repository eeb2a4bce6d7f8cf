//===- core/pipeline/aliasing/PointerRoots.cpp ----------------------------===//

#include "core/pipeline/aliasing/PointerRoots.h"
#include "core/pipeline/simplify/ValueFlow.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include <set>

using namespace mlir;

namespace memreflens::aliasing {

namespace {
/// A value, or the part of an aggregate.
struct Part {
  Value value;
  SmallVector<int64_t> position;

  bool operator<(const Part &other) const {
    const void *mine = value.getAsOpaquePointer();
    const void *theirs = other.value.getAsOpaquePointer();
    return mine != theirs
               ? mine < theirs
               : std::lexicographical_compare(position.begin(), position.end(),
                                              other.position.begin(),
                                              other.position.end());
  }
};

class RootFinder {
public:
  llvm::SetVector<Value> run(Value address);

private:
  void push(Value value, ArrayRef<int64_t> position);
  /// False where the part is not computed from others, as far as is known.
  bool follow(const Part &part);
  bool followArgument(BlockArgument argument, const Part &part);
  bool followAggregate(Operation *op, const Part &part);
  bool followAddress(Operation *op);
  bool followNumber(Operation *op);

  std::set<Part> seen;
  SmallVector<Part> pending;
};
} // namespace

void RootFinder::push(Value value, ArrayRef<int64_t> position) {
  Part part{value, SmallVector<int64_t>(position)};
  if (seen.insert(part).second)
    pending.push_back(std::move(part));
}

llvm::SetVector<Value> RootFinder::run(Value address) {
  llvm::SetVector<Value> roots;
  push(address, {});
  while (!pending.empty()) {
    const Part part = pending.pop_back_val();
    if (!follow(part))
      roots.insert(part.value);
  }
  return roots;
}

bool RootFinder::follow(const Part &part) {
  if (auto argument = dyn_cast<BlockArgument>(part.value))
    return followArgument(argument, part);
  Operation *op = part.value.getDefiningOp();
  if (isa<LLVM::UndefOp, LLVM::PoisonOp, LLVM::ZeroOp>(op))
    return true;
  if (auto select = dyn_cast<LLVM::SelectOp>(op)) {
    push(select.getTrueValue(), part.position);
    push(select.getFalseValue(), part.position);
    return true;
  }
  return followAggregate(op, part) ||
         (part.position.empty() && (followAddress(op) || followNumber(op)));
}

bool RootFinder::followArgument(BlockArgument argument, const Part &part) {
  if (argument.getOwner()->isEntryBlock())
    return false;
  SmallVector<Value> from;
  if (!operandsInto(argument, from))
    return false;
  for (Value operand : from)
    push(operand, part.position);
  return true;
}

bool RootFinder::followAggregate(Operation *op, const Part &part) {
  ArrayRef<int64_t> wanted = part.position;
  if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op)) {
    SmallVector<int64_t> position(extract.getPosition());
    llvm::append_range(position, wanted);
    push(extract.getContainer(), position);
    return true;
  }
  auto insert = dyn_cast<LLVM::InsertValueOp>(op);
  if (!insert)
    return false;
  ArrayRef<int64_t> place = insert.getPosition();
  if (wanted.take_front(place.size()) == place) {
    push(insert.getValue(), wanted.drop_front(place.size()));
    return true;
  }
  push(insert.getContainer(), wanted);
  // Something is put into a part of what is wanted.
  if (place.take_front(wanted.size()) == wanted)
    push(insert.getValue(), {});
  return true;
}

bool RootFinder::followAddress(Operation *op) {
  if (auto offset = dyn_cast<LLVM::GEPOp>(op))
    push(offset.getBase(), {});
  else if (isa<LLVM::BitcastOp, LLVM::AddrSpaceCastOp, LLVM::FreezeOp,
               LLVM::PtrToIntOp, LLVM::IntToPtrOp>(op))
    push(op->getOperand(0), {});
  else
    return false;
  return true;
}

/// An address is aligned by arithmetic on it.
bool RootFinder::followNumber(Operation *op) {
  if (!op->getResult(0).getType().isInteger())
    return false;
  if (isa<LLVM::ConstantOp>(op))
    return true;
  if (!isa<LLVM::AddOp, LLVM::SubOp, LLVM::AndOp, LLVM::URemOp>(op))
    return false;
  for (Value operand : op->getOperands())
    push(operand, {});
  return true;
}

llvm::SetVector<Value> pointerRoots(Value address) {
  return RootFinder().run(address);
}

} // namespace memreflens::aliasing
