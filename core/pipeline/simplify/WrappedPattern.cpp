//===- core/pipeline/simplify/WrappedPattern.cpp --------------------------===//

#include "core/pipeline/simplify/WrappedPattern.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <vector>

using namespace mlir;
using bufferization::DeallocOp;

namespace memreflens {

namespace {

/// An allocation that only the dealloc uses goes away with it.
class RemovePair : public WrappedPattern {
public:
  using WrappedPattern::WrappedPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    for (Value memref : cast<DeallocOp>(op).getMemrefs())
      if (isUsedOnlyBy(op, memref) && isAllocated(memref))
        return wrapped->matchAndRewrite(op, rewriter);
    return failure();
  }

private:
  static bool isUsedOnlyBy(Operation *op, Value memref) {
    return llvm::all_of(memref.getUses(),
                        [&](OpOperand &use) { return use.getOwner() == op; });
  }
  static bool isAllocated(Value memref) {
    auto op = memref.getDefiningOp<MemoryEffectOpInterface>();
    return op && op.getEffectOnValue<MemoryEffects::Allocate>(memref);
  }
};

/// Memrefs whose condition is the constant false are left out.
class EraseNeverFreed : public WrappedPattern {
public:
  using WrappedPattern::WrappedPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    // Constants are one value each, and many in a row have the same.
    Value previous;
    for (Value condition : cast<DeallocOp>(op).getConditions()) {
      if (condition != previous && matchPattern(condition, m_Zero()))
        return wrapped->matchAndRewrite(op, rewriter);
      previous = condition;
    }
    return failure();
  }
};

/// A memref that stands in the list twice stands there once. The list itself
/// seldom changes: one that had none twice is known by its values.
class RemoveDuplicates : public WrappedPattern {
public:
  using WrappedPattern::WrappedPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    ValueRange memrefs = cast<DeallocOp>(op).getMemrefs();
    const bool isLong = memrefs.size() >= longList;
    if (isLong && llvm::equal(memrefs, withoutDuplicates))
      return failure();
    LogicalResult outcome = wrapped->matchAndRewrite(op, rewriter);
    if (isLong && failed(outcome))
      withoutDuplicates.assign(memrefs.begin(), memrefs.end());
    return outcome;
  }

private:
  /// To keep a shorter one costs as much as to look.
  static constexpr size_t longList = 64;
  mutable std::vector<Value> withoutDuplicates;
};

} // namespace

void wrapDeallocPatterns(RewritePatternSet &patterns) {
  for (std::unique_ptr<RewritePattern> &pattern :
       patterns.getNativePatterns()) {
    llvm::StringRef name = pattern->getDebugName();
    if (name.ends_with("::RemoveAllocDeallocPairWhenNoOtherUsers"))
      wrap<RemovePair>(pattern);
    else if (name.ends_with("::EraseAlwaysFalseDealloc"))
      wrap<EraseNeverFreed>(pattern);
    else if (name.ends_with("::DeallocRemoveDuplicateDeallocMemrefs"))
      wrap<RemoveDuplicates>(pattern);
  }
}

} // namespace memreflens
