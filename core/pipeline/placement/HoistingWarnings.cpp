//===- core/pipeline/placement/HoistingWarnings.cpp -----------------------===//

#include "core/pipeline/placement/DirectViews.h"
#include "core/pipeline/placement/Warnings.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <set>

using namespace mlir;

namespace memreflens::placement {

namespace {
/// Ways through a function that do not come past a block. On such a way what
/// the block allocated was not allocated, and nothing there can have used it.
class Detour {
public:
  explicit Detour(Block *avoided) : avoided(avoided) {}

  /// From behind an op to the end of its region.
  bool existsBehind(Operation *op) {
    return existsFrom(op->getNextNode()) && leaves(op->getBlock());
  }

private:
  bool existsFrom(Operation *op) {
    for (; op; op = op->getNextNode())
      if (!existsThrough(op))
        return false;
    return true;
  }
  /// An op around the block only where it is known that a region may be left
  /// out.
  bool existsThrough(Operation *op) {
    if (!op->isAncestor(avoided->getParentOp()))
      return true;
    return isa<scf::IfOp, scf::IndexSwitchOp, affine::AffineIfOp>(op) &&
           llvm::any_of(op->getRegions(), [&](Region &region) {
             return region.empty() || existsIn(&region.front());
           });
  }
  bool existsIn(Block *block) {
    return block != avoided && seen.insert(block).second &&
           (block->empty() || existsFrom(&block->front())) && leaves(block);
  }
  bool leaves(Block *block) {
    return block->getNumSuccessors() == 0 ||
           llvm::any_of(block->getSuccessors(),
                        [&](Block *next) { return existsIn(next); });
  }

  Block *avoided;
  llvm::SmallPtrSet<Block *, 16> seen;
};

class Warner {
public:
  Warner(FunctionOpInterface function, PlacementWarnings &warnings)
      : aliases(function), warnings(warnings) {}
  void look(const Hoisted &entry);

private:
  void lookAtLoop(const Hoisted &entry, Operation *loop);
  void lookAtOtherPaths(const Hoisted &entry);
  /// Once, though it may have left several loops.
  void warn(WarningKind kind, Operation *op, Operation *shown) {
    if (told.insert({kind, {op, shown}}).second)
      warnings.push_back({kind, op, shown});
  }

  BufferViewFlowAnalysis aliases;
  PlacementWarnings &warnings;
  std::set<std::pair<WarningKind, std::pair<Operation *, Operation *>>> told;
};
} // namespace

/// Whether iterations may run at the same time. Of a loop of OpenACC it is its
/// author that says so.
static bool isConcurrent(Operation *loop) {
  return isa<affine::AffineParallelOp>(loop) ||
         loop->hasTrait<OpTrait::HasParallelRegion>() ||
         (loop->getName().getStringRef() == "acc.loop" &&
          loop->getAttr("independent"));
}

void Warner::lookAtLoop(const Hoisted &entry, Operation *loop) {
  if (isConcurrent(loop))
    warn(WarningKind::sharedByIterations, entry.allocation, loop);
  Value allocated = entry.allocation->getResult(0);
  for (Value view : directViews(allocated))
    for (Operation *user : view.getUsers()) {
      if (!loop->isProperAncestor(user))
        continue;
      if (hasEffect<MemoryEffects::Free>(user, view))
        warn(WarningKind::freedEachIteration, entry.allocation, user);
      if (Operation *store = storeOfAddress(user, view);
          store && loop->isProperAncestor(store))
        warn(WarningKind::sharedThroughMemory, entry.allocation, store);
    }
}

void Warner::lookAtOtherPaths(const Hoisted &entry) {
  if (!Detour(entry.from).existsBehind(entry.allocation))
    return;
  // Who frees it can only be on the ways that it was allocated on.
  for (Value alias : aliases.resolve(entry.allocation->getResult(0)))
    for (Operation *user : alias.getUsers())
      if (hasEffect<MemoryEffects::Free>(user, alias)) {
        warn(WarningKind::leaked, entry.allocation, user);
        return;
      }
  warn(WarningKind::allocatedUnused, entry.allocation, nullptr);
}

void Warner::look(const Hoisted &entry) {
  if (entry.from == entry.to)
    return;
  for (Region *region = entry.from->getParent();
       region && region != entry.to->getParent();
       region = region->getParentRegion())
    if (isLoop(region->getParentOp()))
      lookAtLoop(entry, region->getParentOp());
  // The stack is not allocated anew, nor freed.
  if (!isa<memref::AllocaOp>(entry.allocation))
    lookAtOtherPaths(entry);
}

PlacementWarnings warningsOfHoisting(FunctionOpInterface function,
                                     const std::vector<Hoisted> &entries,
                                     const Peak &before) {
  PlacementWarnings warnings;
  Warner warner(function, warnings);
  for (const Hoisted &entry : entries)
    warner.look(entry);
  const Peak after = peakOf(function);
  if (!before.hasUnknown && !after.hasUnknown && after.bytes > before.bytes)
    warnings.push_back({WarningKind::higherPeak, function, nullptr,
                        before.bytes, after.bytes});
  return warnings;
}

bool isConditionalFree(Operation *op) {
  auto dealloc = dyn_cast<memref::DeallocOp>(op);
  auto branch = op->getParentOfType<scf::IfOp>();
  return dealloc && branch &&
         !branch->isAncestor(
             dealloc.getMemref().getParentRegion()->getParentOp());
}

static uint64_t conditionalFreesOf(Operation *function) {
  uint64_t count = 0;
  function->walk([&](Operation *op) { count += isConditionalFree(op); });
  return count;
}

PlacementWarnings warningsOfFrees(Operation *without, Operation *with) {
  const uint64_t before = conditionalFreesOf(without);
  const uint64_t after = conditionalFreesOf(with);
  if (after <= before)
    return {};
  return {{WarningKind::moreConditionalFrees, with, nullptr, before, after}};
}

} // namespace memreflens::placement
