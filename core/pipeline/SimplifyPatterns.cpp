//===- core/pipeline/SimplifyPatterns.cpp - the stage's own four patterns
//---===//

#include "core/pipeline/SimplifyPatterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using bufferization::DeallocOp;

namespace memreflens {

std::optional<bool> AliasOracle::same(Value a, Value b) const {
  if (!observer)
    return analysis.verdict(a, b).same;
  AliasAnswer answer = analysis.isSameAllocation(a, b);
  observer->onAliasQuery(answer);
  return answer.same;
}

/// An allocation made below a block is not what the block was given.
static bool allocatedUnderBlockOf(Value allocation, Value argument) {
  auto blockArgument = dyn_cast<BlockArgument>(argument);
  Operation *op = allocation.getDefiningOp();
  return blockArgument && op &&
         hasEffect<MemoryEffects::Allocate>(op, allocation) &&
         blockArgument.getOwner()->findAncestorOpInBlock(*op);
}

bool AliasOracle::distinct(Value a, Value b) const {
  Value firstBase = stripViews(a);
  Value secondBase = stripViews(b);
  if (allocatedUnderBlockOf(firstBase, secondBase) ||
      allocatedUnderBlockOf(secondBase, firstBase)) {
    if (observer) {
      AliasAnswer answer;
      answer.first = a;
      answer.second = b;
      answer.same = false;
      answer.rule = trace::AliasRule::argumentOutlives;
      answer.firstTerminals = {firstBase};
      answer.secondTerminals = {secondBase};
      observer->onAliasQuery(answer);
    }
    return true;
  }
  return same(a, b) == false;
}

namespace {

/// What all four patterns share: the oracle and a name for the log.
struct DeallocPattern : OpRewritePattern<DeallocOp> {
  DeallocPattern(MLIRContext *context, StringRef name,
                 const AliasOracle &oracle)
      : OpRewritePattern(context), oracle(oracle) {
    setDebugName(name);
  }

  const AliasOracle &oracle;
};

/// The memrefs of a dealloc that are kept, with their conditions.
struct FreeList {
  SmallVector<Value> memrefs, conditions;

  void add(Value memref, Value condition) {
    memrefs.push_back(memref);
    conditions.push_back(condition);
  }
};

LogicalResult shrinkTo(const FreeList &kept, DeallocOp op,
                       PatternRewriter &rewriter) {
  if (kept.memrefs.size() == op.getMemrefs().size())
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    op.getMemrefsMutable().assign(kept.memrefs);
    op.getConditionsMutable().assign(kept.conditions);
  });
  return success();
}

/// The value whose metadata `memref` is the base buffer of, if any.
Value metadataSource(Value memref) {
  if (auto extract = memref.getDefiningOp<memref::ExtractStridedMetadataOp>())
    return extract.getSource();
  return {};
}

/// A memref that surely is, or surely is not, each retained value, and is one
/// of them, is never freed here: its condition goes to what retains it.
struct RemoveContained : DeallocPattern {
  RemoveContained(MLIRContext *context, const AliasOracle &oracle)
      : DeallocPattern(context, "RemoveDeallocMemrefsContainedInRetained",
                       oracle) {}

  LogicalResult matchAndRewrite(DeallocOp op,
                                PatternRewriter &rewriter) const override {
    DenseSet<Value> retained(op.getRetained().begin(), op.getRetained().end());
    if (retained.size() != op.getRetained().size())
      return failure();

    FreeList kept;
    for (auto [memref, condition] :
         llvm::zip(op.getMemrefs(), op.getConditions())) {
      if (moveToRetained(op, memref, condition, rewriter))
        continue;
      Value source = metadataSource(memref);
      if (!source || !moveToRetained(op, source, condition, rewriter))
        kept.add(memref, condition);
    }
    return shrinkTo(kept, op, rewriter);
  }

private:
  bool moveToRetained(DeallocOp op, Value memref, Value condition,
                      PatternRewriter &rewriter) const {
    SmallVector<Value> ownerships;
    for (auto [retained, ownership] :
         llvm::zip(op.getRetained(), op.getUpdatedConditions())) {
      std::optional<bool> same = oracle.same(retained, memref);
      if (!same)
        return false;
      if (*same)
        ownerships.push_back(ownership);
    }
    rewriter.setInsertionPointAfter(op);
    for (Value ownership : ownerships) {
      auto either =
          arith::OrIOp::create(rewriter, op.getLoc(), ownership, condition);
      rewriter.replaceAllUsesExcept(ownership, either.getResult(), either);
    }
    return !ownerships.empty();
  }
};

/// A retained value that aliases no memref keeps nothing alive.
struct RemoveRetained : DeallocPattern {
  RemoveRetained(MLIRContext *context, const AliasOracle &oracle)
      : DeallocPattern(context, "RemoveRetainedMemrefsGuaranteedToNotAlias",
                       oracle) {}

  LogicalResult matchAndRewrite(DeallocOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> retained, results;
    for (Value value : op.getRetained()) {
      bool needed = llvm::any_of(op.getMemrefs(), [&](Value memref) {
        return !oracle.distinct(value, memref);
      });
      if (needed) {
        retained.push_back(value);
        results.push_back({});
      } else {
        results.push_back(arith::ConstantOp::create(
            rewriter, op.getLoc(), rewriter.getBoolAttr(false)));
      }
    }
    if (retained.size() == op.getRetained().size())
      return failure();

    auto smaller = DeallocOp::create(rewriter, op.getLoc(), op.getMemrefs(),
                                     op.getConditions(), retained);
    auto next = smaller.getUpdatedConditions().begin();
    for (Value &result : results)
      if (!result)
        result = *next++;
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// A memref that aliases no other one is freed by an op of its own.
struct SplitDealloc : DeallocPattern {
  SplitDealloc(MLIRContext *context, const AliasOracle &oracle)
      : DeallocPattern(context, "SplitDeallocWhenNotAliasingAnyOther", oracle) {
  }

  LogicalResult matchAndRewrite(DeallocOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getMemrefs().size() <= 1)
      return failure();

    FreeList rest;
    SmallVector<DeallocOp> alone;
    for (auto [index, memref, condition] :
         llvm::enumerate(op.getMemrefs(), op.getConditions())) {
      if (aliasesAnother(op, index)) {
        rest.add(memref, condition);
        continue;
      }
      alone.push_back(
          DeallocOp::create(rewriter, op.getLoc(), ValueRange(memref),
                            ValueRange(condition), op.getRetained()));
    }
    if (alone.empty())
      return failure();

    auto remaining = DeallocOp::create(rewriter, op.getLoc(), rest.memrefs,
                                       rest.conditions, op.getRetained());
    SmallVector<Value> results(remaining.getUpdatedConditions());
    for (DeallocOp part : alone)
      for (auto [result, partResult] :
           llvm::zip(results, part.getUpdatedConditions()))
        result =
            arith::OrIOp::create(rewriter, op.getLoc(), result, partResult);
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  bool aliasesAnother(DeallocOp op, size_t index) const {
    Value memref = op.getMemrefs()[index];
    for (auto [otherIndex, other] : llvm::enumerate(op.getMemrefs()))
      if (otherIndex != index && !oracle.distinct(memref, other))
        return true;
    return false;
  }
};

/// A memref that is always given up makes the ownership of what retains it
/// true. Uses are replaced even where the op itself cannot be shortened.
struct RetainedAlwaysDeallocated : DeallocPattern {
  RetainedAlwaysDeallocated(MLIRContext *context, const AliasOracle &oracle)
      : DeallocPattern(context, "RetainedMemrefAliasingAlwaysDeallocatedMemref",
                       oracle) {}

  LogicalResult matchAndRewrite(DeallocOp op,
                                PatternRewriter &rewriter) const override {
    BitVector retainedCovered(op.getRetained().size());
    FreeList kept;
    for (auto [memref, condition] :
         llvm::zip(op.getMemrefs(), op.getConditions())) {
      bool covers = false;
      if (matchPattern(condition, m_One())) {
        Value source = metadataSource(memref);
        covers =
            markCovered(op, memref, condition, retainedCovered, rewriter) ||
            (source &&
             markCovered(op, source, condition, retainedCovered, rewriter));
      }
      if (!covers)
        kept.add(memref, condition);
    }
    if (!retainedCovered.all())
      return failure();
    return shrinkTo(kept, op, rewriter);
  }

private:
  bool markCovered(DeallocOp op, Value memref, Value always, BitVector &covered,
                   PatternRewriter &rewriter) const {
    bool any = false;
    for (auto [index, retained] : llvm::enumerate(op.getRetained())) {
      if (oracle.same(retained, memref) != true)
        continue;
      any = true;
      covered.set(index);
      rewriter.replaceAllUsesWith(op.getUpdatedConditions()[index], always);
    }
    return any;
  }
};

} // namespace

void addSimplifyPatterns(RewritePatternSet &patterns,
                         const AliasOracle &oracle) {
  patterns.add<RemoveContained, RemoveRetained, SplitDealloc,
               RetainedAlwaysDeallocated>(patterns.getContext(), oracle);
}

} // namespace memreflens
