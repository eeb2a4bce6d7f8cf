//===- core/pipeline/placement/ToStack.cpp --------------------------------===//

#include "core/pipeline/placement/ToStack.h"
#include "core/pipeline/placement/Hoisting.h"
#include "core/source/ElementSize.h"

#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/Bufferization/IR/AllocationOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferUtils.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace memreflens::placement {

namespace {
class Promoter {
public:
  Promoter(FunctionOpInterface function, StackLimits limits)
      : limits(limits), aliases(function), allocations(function),
        liveness(function) {}
  std::vector<Promotion> run();

private:
  Promotion promote(Value allocated, Operation *dealloc);
  bool isSmall(Value allocated, Promotion &entry) const;
  bool hasScope(Value allocated, Promotion &entry) const;
  Value whatLeaves(Region *region, Value allocated) const;

  StackLimits limits;
  BufferViewFlowAnalysis aliases;
  bufferization::BufferPlacementAllocs allocations;
  Liveness liveness;
};
} // namespace

std::vector<Promotion> Promoter::run() {
  std::vector<Promotion> entries;
  for (const auto &[value, dealloc] : allocations)
    entries.push_back(promote(value, dealloc));
  return entries;
}

/// Whether asking for the size of an element is safe.
static bool hasSize(Type element) {
  return element.isIntOrIndexOrFloat() ||
         isa<ComplexType, VectorType, DataLayoutTypeInterface>(element);
}

bool Promoter::isSmall(Value allocated, Promotion &entry) const {
  auto type = dyn_cast<ShapedType>(allocated.getType());
  auto alloc = allocated.getDefiningOp<memref::AllocOp>();
  if (!type || !alloc) {
    entry.outcome = MoveOutcome::otherOp;
    return false;
  }
  if (!type.hasStaticShape()) {
    entry.outcome = MoveOutcome::dynamicShape;
    // As many elements as a memref has dimensions are few.
    return type.getRank() <= int64_t(limits.dynamicRank) &&
           llvm::all_of(alloc->getOperands(), [](Value size) {
             return size.getDefiningOp<memref::RankOp>() != nullptr;
           });
  }
  if (!hasSize(type.getElementType())) {
    entry.outcome = MoveOutcome::unknownSize;
    return false;
  }
  // Upstream takes the bits without padding. Of a vector without a dimension a
  // data layout knows no size.
  auto vector = dyn_cast<VectorType>(type.getElementType());
  const std::optional<uint64_t> bytes =
      memrefBytes(alloc, cast<MemRefType>(type));
  const uint64_t bits = vector && vector.getRank() == 0
                            ? bytes.value_or(UINT64_MAX / 8) * 8
                            : uint64_t(type.getNumElements()) *
                                  DataLayout::closest(alloc).getTypeSizeInBits(
                                      type.getElementType());
  entry.bytes = bytes.value_or((bits + 7) / 8);
  entry.outcome = MoveOutcome::tooLarge;
  return bits <= uint64_t(limits.bytes) * 8;
}

/// An alias that a terminator passes out of `region`.
Value Promoter::whatLeaves(Region *region, Value allocated) const {
  for (Value alias : aliases.resolve(allocated))
    for (Operation *user : alias.getUsers())
      if (user->getParentRegion() == region &&
          (isa<RegionBranchTerminatorOpInterface>(user) ||
           user->hasTrait<OpTrait::ReturnLike>()))
        return alias;
  return {};
}

/// Whether something frees the stack that the buffer would be on, and nothing
/// runs more than once before that.
bool Promoter::hasScope(Value allocated, Promotion &entry) const {
  for (Region *region = allocated.getParentRegion(); region;
       region = region->getParentRegion()) {
    Operation *around = region->getParentOp();
    if (!around)
      continue;
    if (around->hasTrait<OpTrait::AutomaticAllocationScope>()) {
      Value leaves = whatLeaves(region, allocated);
      if (!leaves)
        return true;
      entry.outcome = MoveOutcome::leavesScope;
      entry.because = leaves;
    }
    entry.around = around;
    if (isLoop(around)) {
      if (!entry.because)
        entry.outcome = MoveOutcome::inLoop;
      return false;
    }
    if (!isKnownControlFlow(around)) {
      if (!entry.because)
        entry.outcome = MoveOutcome::inUnknownRegion;
      return false;
    }
  }
  return false;
}

Promotion Promoter::promote(Value allocated, Operation *dealloc) {
  Promotion entry;
  entry.op = allocated.getDefiningOp();
  if (!isSmall(allocated, entry))
    return entry;
  if (dealloc) {
    entry.outcome = MoveOutcome::freed;
    return entry;
  }
  if (!hasScope(allocated, entry))
    return entry;
  auto interface = dyn_cast<bufferization::AllocationOpInterface>(entry.op);
  OpBuilder builder(bufferization::BufferPlacementAllocs::getStartOperation(
      allocated, allocated.getParentBlock(), liveness));
  std::optional<Operation *> alloca =
      interface ? interface.buildPromotedAlloc(builder, allocated)
                : std::nullopt;
  if (!alloca) {
    entry.outcome = MoveOutcome::otherOp;
    return entry;
  }
  entry.op->replaceAllUsesWith(*alloca);
  entry.op->erase();
  entry.op = *alloca;
  entry.outcome = MoveOutcome::promoted;
  return entry;
}

std::vector<Promotion> promoteToStack(FunctionOpInterface function,
                                      StackLimits limits) {
  return Promoter(function, limits).run();
}

} // namespace memreflens::placement
