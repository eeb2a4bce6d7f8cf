//===- core/pipeline/bufferize/FalseConflicts.cpp -------------------------===//

#include "core/pipeline/bufferize/FalseConflicts.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

using namespace mlir;
using namespace mlir::bufferization;

namespace memreflens::bufferize {

//===--- Tensors with no buffer in common ---------------------------------===//

FalseConflicts::Values FalseConflicts::originsOf(OpOperand &use) {
  if (stepsLeft == 0)
    return {};
  --stepsLeft;
  return state.findValueInReverseUseDefChain(&use, [](Value) { return false; });
}

/// Whether it is certain that the value is no other's buffer: an argument of a
/// block can be what any predecessor passes.
static bool isBeginning(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return !argument ||
         (argument.getOwner()->isEntryBlock() &&
          isa<FunctionOpInterface>(argument.getOwner()->getParentOp()));
}

static bool haveCommon(const SetVector<Value> &some,
                       const SetVector<Value> &others) {
  return llvm::any_of(some, [&](Value one) { return others.contains(one); });
}

static bool isFirst(Value one, Value other) {
  Operation *first = one.getDefiningOp(), *second = other.getDefiningOp();
  return first && second && first->getBlock() == second->getBlock() &&
         first->isBeforeInBlock(second);
}

Value FalseConflicts::joinOf(const Conflict &conflict) {
  if (conflict.definition.use_empty())
    return {};
  const Values written = originsOf(*conflict.write);
  Values needed = originsOf(*conflict.definition.use_begin());
  for (Value other : conflict.others) {
    if (other.use_empty())
      return {};
    needed.insert_range(originsOf(*other.use_begin()));
  }
  if (written.empty() || needed.empty() || haveCommon(written, needed) ||
      !llvm::all_of(written, isBeginning) || !llvm::all_of(needed, isBeginning))
    return {};
  Value first;
  state.applyOnAliases(conflict.definition, [&](Value alias) {
    if (alias.use_empty())
      return;
    const Values origins = originsOf(*alias.use_begin());
    if (haveCommon(origins, written) && haveCommon(origins, needed) &&
        (!first || isFirst(alias, first)))
      first = alias;
  });
  return first;
}

//===--- Parts of one tensor ----------------------------------------------===//

namespace {
/// A part of a tensor, by its place in it.
struct Part {
  Value whole;
  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

static Part sliceOf(Value whole, OffsetSizeAndStrideOpInterface op) {
  return {whole, op.getMixedOffsets(), op.getMixedSizes(),
          op.getMixedStrides()};
}

static Part elementOf(Value whole, ValueRange indices) {
  Part part;
  part.whole = whole;
  Builder builder(whole.getContext());
  for (Value index : indices) {
    part.offsets.push_back(getAsOpFoldResult(index));
    part.sizes.push_back(builder.getIndexAttr(1));
    part.strides.push_back(builder.getIndexAttr(1));
  }
  return part;
}

/// The slice that a value is of another, through ops that write all of it or a
/// part of it in place.
static std::optional<Part> sliceBehind(Value value) {
  for (unsigned step = 0; step < 32; ++step) {
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return std::nullopt;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(result.getOwner()))
      return sliceOf(slice.getSource(), slice);
    auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
    if (!op)
      return std::nullopt;
    value = op.getTiedOpOperand(result)->get();
  }
  return std::nullopt;
}

/// What the op reads of its operand, or writes into it, if `isWrite`.
static std::optional<Part> partOf(OpOperand &use, bool isWrite) {
  Operation *op = use.getOwner();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return sliceOf(use.get(), slice);
  if (auto element = dyn_cast<tensor::ExtractOp>(op))
    return elementOf(use.get(), element.getIndices());
  if (auto element = dyn_cast<tensor::InsertOp>(op); element && isWrite)
    return elementOf(use.get(), element.getIndices());
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op);
      slice && isWrite && &use == &slice.getDestMutable())
    return sliceOf(use.get(), slice);
  return sliceBehind(use.get());
}

static bool isConstant(const Part &part) {
  return llvm::all_of(
      llvm::concat<const OpFoldResult>(part.offsets, part.sizes, part.strides),
      [](OpFoldResult one) { return getConstantIntValue(one).has_value(); });
}

/// Of parts of one tensor.
static bool areDisjoint(const Conflict &conflict, const Part &read,
                        const Part &written) {
  if (read.offsets.size() != written.offsets.size())
    return false;
  // In another iteration an index is another number.
  if (conflict.isAcrossIterations && !(isConstant(read) && isConstant(written)))
    return false;
  const FailureOr<bool> overlap =
      ValueBoundsConstraintSet::areOverlappingSlices(
          conflict.definition.getContext(),
          HyperrectangularSlice(read.offsets, read.sizes, read.strides),
          HyperrectangularSlice(written.offsets, written.sizes,
                                written.strides));
  return succeeded(overlap) && !*overlap;
}

bool FalseConflicts::isDisjoint(const Conflict &conflict) {
  const std::optional<Part> read = partOf(*conflict.read, false);
  const std::optional<Part> written = partOf(*conflict.write, true);
  return read && written &&
         state.areEquivalentBufferizedValues(read->whole, written->whole) &&
         areDisjoint(conflict, *read, *written);
}

bool FalseConflicts::isDisjoint(const Conflict &conflict, Value writtenAs,
                                Value keptAs) {
  const std::optional<Part> read = partOf(*conflict.read, false);
  const std::optional<Part> written = partOf(*conflict.write, true);
  return read && written &&
         state.areEquivalentBufferizedValues(read->whole, keptAs) &&
         state.areEquivalentBufferizedValues(written->whole, writtenAs) &&
         areDisjoint(conflict, *read, *written);
}

} // namespace memreflens::bufferize
