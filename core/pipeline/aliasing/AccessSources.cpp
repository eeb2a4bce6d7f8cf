//===- core/pipeline/aliasing/AccessSources.cpp ---------------------------===//

#include "core/pipeline/aliasing/AccessSources.h"
#include "core/dialect/LensDialect.h"
#include "core/pipeline/simplify/ValueFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace memreflens::aliasing {

AccessSources::AccessSources(FunctionOpInterface function)
    : function(function) {}

//===--- Where memory comes from ------------------------------------------===//

/// The operand whose memory an op may hand on instead of new memory: a clone is
/// folded away where nobody writes to either, and a realloc keeps a buffer that
/// is large enough. Null for all others.
static Value mayBeKept(Value value) {
  if (auto clone = value.getDefiningOp<bufferization::CloneOp>())
    return clone.getInput();
  if (auto realloc = value.getDefiningOp<memref::ReallocOp>())
    return realloc.getSource();
  return {};
}

const SourceSet &AccessSources::sourcesOf(Value memref) {
  auto known = found.find(memref);
  if (known != found.end())
    return known->second;
  SourceSet sources;
  SmallVector<Value> pending = {memref};
  llvm::DenseSet<Value> seen = {memref};
  while (!pending.empty()) {
    const Value value = pending.pop_back_val();
    SmallVector<Value> from;
    if (Value old = mayBeKept(value)) {
      sources.insert(value);
      if (seen.insert(old).second)
        pending.push_back(old);
      continue;
    }
    // Where one way in is not known, the value itself stands for it.
    if (kindOf(value) != SourceKind::unknown || !flowInto(value, from) ||
        from.empty()) {
      sources.insert(value);
      continue;
    }
    for (Value source : from)
      if (seen.insert(source).second)
        pending.push_back(source);
  }
  return found.try_emplace(memref, std::move(sources)).first->second;
}

static bool isAllocated(OpResult result) {
  return hasEffect<MemoryEffects::Allocate>(result.getOwner(), result);
}

/// Objects with a region are distinct inside of it only, and what an access
/// outside reaches through a result of it may be two of them at once.
static bool handsOnMemory(Operation *objects) {
  return llvm::any_of(objects->getResultTypes(),
                      [](Type type) { return isa<BaseMemRefType>(type); });
}

SourceKind AccessSources::kindOf(Value source) const {
  if (auto argument = dyn_cast<BlockArgument>(source)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (parent == function && argument.getOwner()->isEntryBlock())
      return SourceKind::argument;
    return isa<dialect::DistinctObjectsOp>(parent) && !mayRunTwice(parent) &&
                   !handsOnMemory(parent)
               ? SourceKind::distinct
               : SourceKind::unknown;
  }
  auto result = cast<OpResult>(source);
  if (isAllocated(result))
    return SourceKind::allocation;
  if (isa<memref::GetGlobalOp>(result.getOwner()))
    return SourceKind::global;
  // Of an op that runs again, a result may be told apart from those of the same
  // run only, and nothing says of which run a value is.
  if (isa<memref::DistinctObjectsOp>(result.getOwner()) &&
      !mayRunTwice(result.getOwner()))
    return SourceKind::distinct;
  return SourceKind::unknown;
}

bool AccessSources::flowInto(Value value, SmallVectorImpl<Value> &from) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return flowIntoArgument(argument, from);
  Operation *op = value.getDefiningOp();
  if (auto view = dyn_cast<ViewLikeOpInterface>(op)) {
    if (view.getViewDest() != value)
      return false;
    from.push_back(view.getViewSource());
    return true;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    from.append({select.getTrueValue(), select.getFalseValue()});
    return true;
  }
  // In a loop: the objects are all that is known.
  if (auto objects = dyn_cast<memref::DistinctObjectsOp>(op)) {
    from.push_back(
        objects->getOperand(cast<OpResult>(value).getResultNumber()));
    return true;
  }
  auto regions = dyn_cast<RegionBranchOpInterface>(op);
  return regions && flowThroughRegions(regions, value, from);
}

bool AccessSources::flowIntoArgument(BlockArgument argument,
                                     SmallVectorImpl<Value> &from) {
  if (!operandsInto(argument, from))
    return false;
  Block *block = argument.getOwner();
  if (!block->isEntryBlock())
    return true;
  auto op = dyn_cast<RegionBranchOpInterface>(block->getParentOp());
  return op && flowThroughRegions(op, argument, from);
}

/// What flows into `value`, an argument of a region of `op` or a result of it,
/// from `op` itself and from its regions' ends; false where not all is known.
bool AccessSources::flowThroughRegions(RegionBranchOpInterface op, Value value,
                                       SmallVectorImpl<Value> &from) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!block.empty() && block.getNumSuccessors() == 0 &&
          !isa<RegionBranchTerminatorOpInterface>(block.back()))
        return false;
  const size_t before = from.size();
  visitRegionFlow(op, [&](ValueRange sources, ValueRange inputs, Operation *) {
    for (auto [source, input] : llvm::zip(sources, inputs))
      if (input == value)
        from.push_back(source);
  });
  // Else it is a value that the op makes itself.
  return from.size() > before;
}

//===--- Apart or not -----------------------------------------------------===//

Separation AccessSources::separate(Value first, Value second) {
  // Copies: a question about objects may make the map grow.
  const SourceSet left = sourcesOf(first), right = sourcesOf(second);
  Separation why = Separation::none;
  for (Value one : left)
    for (Value other : right) {
      const Separation pair = separateSources(one, other);
      if (pair == Separation::none)
        return pair;
      if (why == Separation::none)
        why = pair;
    }
  return why;
}

Value AccessSources::objectBehind(Value source) const {
  if (auto argument = dyn_cast<BlockArgument>(source))
    return cast<dialect::DistinctObjectsOp>(argument.getOwner()->getParentOp())
        .getObjects()[argument.getArgNumber()];
  auto result = cast<OpResult>(source);
  return result.getOwner()->getOperand(result.getResultNumber());
}

static Operation *statedBy(Value source) {
  auto argument = dyn_cast<BlockArgument>(source);
  return argument ? argument.getOwner()->getParentOp() : source.getDefiningOp();
}

Separation AccessSources::separateSources(Value first, Value second) {
  if (first == second)
    return Separation::none;
  const SourceKind left = kindOf(first), right = kindOf(second);
  // What is behind distinct objects may be any of the other kinds.
  if (left == SourceKind::distinct) {
    if (right == SourceKind::distinct && statedBy(first) == statedBy(second))
      return Separation::distinctObjects;
    return separate(objectBehind(first), second);
  }
  if (right == SourceKind::distinct)
    return separate(first, objectBehind(second));
  if (left == SourceKind::unknown || right == SourceKind::unknown)
    return Separation::none;
  if (left == SourceKind::allocation && right == SourceKind::allocation)
    return Separation::allocations;
  if (left == SourceKind::allocation || right == SourceKind::allocation)
    return Separation::allocationOrOlder;
  if (left == SourceKind::global && right == SourceKind::global)
    return first.getDefiningOp<memref::GetGlobalOp>().getName() !=
                   second.getDefiningOp<memref::GetGlobalOp>().getName()
               ? Separation::globals
               : Separation::none;
  return Separation::none;
}

} // namespace memreflens::aliasing
