//===- passes/SliceFromDestinationPass.cpp - slices that can go back ------===//
//
// one-shot-bufferize computes a slice in its place where it is taken from the
// very value that it goes back into. Where other parts of the tensor are
// written between the two, that value comes first:
//
//   %s = tensor.extract_slice %t[8, 0] [8, 64] [1, 1]
//   %w = linalg.exp ins(%s) outs(%s)
//   %u = tensor.insert %v into %t[%c0, %c0]
//   %r = tensor.insert_slice %w into %u[8, 0] [8, 64] [1, 1]
//
//   %u = tensor.insert %v into %t[%c0, %c0]
//   %s = tensor.extract_slice %u[8, 0] [8, 64] [1, 1]
//   %w = linalg.exp ins(%s) outs(%s)
//   %r = tensor.insert_slice %w into %u[8, 0] [8, 64] [1, 1]
//
//===----------------------------------------------------------------------===//

#include "passes/LensPasses.h"
#include "passes/Options.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memreflens {

/// Writes between a slice and the place that it goes back into.
static constexpr unsigned mostSteps = 32;

static HyperrectangularSlice elementAt(ValueRange indices) {
  SmallVector<OpFoldResult> offsets, ones;
  for (Value index : indices) {
    offsets.push_back(getAsOpFoldResult(index));
    ones.push_back(IntegerAttr::get(IndexType::get(index.getContext()), 1));
  }
  return HyperrectangularSlice(offsets, ones, ones);
}

static HyperrectangularSlice sliceOf(OffsetSizeAndStrideOpInterface op) {
  return HyperrectangularSlice(op.getMixedOffsets(), op.getMixedSizes(),
                               op.getMixedStrides());
}

/// The tensor of which the op writes another part than that of `slice`; null
/// if that is not known.
static Value writtenApart(Operation *op, tensor::ExtractSliceOp slice) {
  MLIRContext *context = slice.getContext();
  FailureOr<bool> overlaps = failure();
  Value whole;
  if (auto element = dyn_cast_or_null<tensor::InsertOp>(op)) {
    whole = element.getDest();
    overlaps = ValueBoundsConstraintSet::areOverlappingSlices(
        context, elementAt(element.getIndices()), sliceOf(slice));
  } else if (auto part = dyn_cast_or_null<tensor::InsertSliceOp>(op)) {
    whole = part.getDest();
    if (part.getDestType().getRank() == slice.getSourceType().getRank())
      overlaps = ValueBoundsConstraintSet::areOverlappingSlices(
          context, sliceOf(part), sliceOf(slice));
  }
  return succeeded(overlaps) && !*overlaps ? whole : Value();
}

/// The slice in which `value` is computed.
static tensor::ExtractSliceOp sliceBehind(Value value) {
  for (unsigned step = 0; step < mostSteps; ++step) {
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return {};
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(result.getOwner()))
      return slice;
    auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
    if (!op)
      return {};
    value = op.getTiedOpOperand(result)->get();
  }
  return {};
}

static bool isSamePlace(tensor::ExtractSliceOp slice,
                        tensor::InsertSliceOp back) {
  return slice.getType() == back.getSourceType() &&
         slice.getMixedOffsets() == back.getMixedOffsets() &&
         slice.getMixedSizes() == back.getMixedSizes() &&
         slice.getMixedStrides() == back.getMixedStrides();
}

/// Ops that are to stand before `slice` so that it can be of `whole`, in
/// program order; nothing if they cannot.
static std::optional<SmallVector<Operation *>>
movedBefore(tensor::ExtractSliceOp slice, Value whole) {
  llvm::SetVector<Operation *> needed;
  Block *block = slice->getBlock();
  if (Operation *op = whole.getDefiningOp();
      op && op->getBlock() == block && slice->isBeforeInBlock(op))
    needed.insert(op);
  else if (!DominanceInfo().properlyDominates(whole, slice))
    return std::nullopt;
  for (size_t at = 0; at < needed.size(); ++at) {
    if (!isPure(needed[at]))
      return std::nullopt;
    llvm::SetVector<Value> values;
    needed[at]->walk(
        [&](Operation *inside) { values.insert_range(inside->getOperands()); });
    for (Value value : values) {
      Operation *op = value.getDefiningOp();
      if (op == slice)
        return std::nullopt;
      if (op && op->getBlock() == block && slice->isBeforeInBlock(op))
        needed.insert(op);
    }
  }
  SmallVector<Operation *> ordered(needed.begin(), needed.end());
  llvm::sort(ordered, [](Operation *one, Operation *other) {
    return one->isBeforeInBlock(other);
  });
  return ordered;
}

namespace {
class SliceFromDestinationPass
    : public PassWrapper<SliceFromDestinationPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SliceFromDestinationPass)

  SliceFromDestinationPass() = default;
  SliceFromDestinationPass(const SliceFromDestinationPass &other)
      : PassWrapper(other) {}

  StringRef getArgument() const override {
    return options::sliceFromDestinationPass;
  }
  StringRef getDescription() const override {
    return "A slice that goes back into a tensor is taken from the value that "
           "it goes back into";
  }
  void runOnOperation() override;

private:
  bool take(tensor::InsertSliceOp back);

  Statistic taken{this, "taken", "slices that are taken from another value"};
};
} // namespace

bool SliceFromDestinationPass::take(tensor::InsertSliceOp back) {
  tensor::ExtractSliceOp slice = sliceBehind(back.getSource());
  if (!slice || slice.getSource() == back.getDest() ||
      slice->getBlock() != back->getBlock() || !isSamePlace(slice, back))
    return false;
  Value whole = back.getDest();
  for (unsigned step = 0; whole != slice.getSource(); ++step)
    if (step == mostSteps ||
        !(whole = writtenApart(whole.getDefiningOp(), slice)))
      return false;
  const auto moved = movedBefore(slice, back.getDest());
  if (!moved)
    return false;
  for (Operation *op : *moved)
    op->moveBefore(slice);
  slice.getSourceMutable().assign(back.getDest());
  return true;
}

void SliceFromDestinationPass::runOnOperation() {
  getOperation()->walk([&](tensor::InsertSliceOp back) {
    if (take(back))
      ++taken;
  });
}

std::unique_ptr<Pass> createLensSliceFromDestinationPass() {
  return std::make_unique<SliceFromDestinationPass>();
}

void registerSliceFromDestinationPass() {
  PassRegistration<SliceFromDestinationPass>();
}

} // namespace memreflens
