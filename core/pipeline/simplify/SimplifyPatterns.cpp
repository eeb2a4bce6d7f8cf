//===- core/pipeline/simplify/SimplifyPatterns.cpp ------------------------===//
//
// The stage's own four patterns.

#include "core/pipeline/simplify/SimplifyPatterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using bufferization::DeallocOp;

namespace memreflens {

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

/// A pattern that changes nothing where it fails. That depends on the op's
/// operands and on what is known of them alone, so it is not tried again until
/// one of these changes: each op that goes away puts the deallocs around it
/// back on the worklist.
struct OnceFailingPattern : DeallocPattern {
  using DeallocPattern::DeallocPattern;

  LogicalResult matchAndRewrite(DeallocOp op,
                                PatternRewriter &rewriter) const final {
    if (oracle.hasFailed(*this, op))
      return failure();
    LogicalResult outcome = simplify(op, rewriter);
    if (failed(outcome))
      oracle.noteFailure(*this, op);
    return outcome;
  }
  virtual LogicalResult simplify(DeallocOp op,
                                 PatternRewriter &rewriter) const = 0;
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
struct RemoveContained : OnceFailingPattern {
  RemoveContained(MLIRContext *context, const AliasOracle &oracle)
      : OnceFailingPattern(context, "RemoveDeallocMemrefsContainedInRetained",
                           oracle) {}

  LogicalResult simplify(DeallocOp op,
                         PatternRewriter &rewriter) const override {
    DenseSet<Value> retained(op.getRetained().begin(), op.getRetained().end());
    if (retained.size() != op.getRetained().size())
      return failure();

    const AliasGroup &group = oracle.groupOf(op.getRetained());
    FreeList kept;
    for (auto [memref, condition] :
         llvm::zip(op.getMemrefs(), op.getConditions())) {
      if (moveToRetained(op, group, memref, condition, rewriter))
        continue;
      Value source = metadataSource(memref);
      if (!source || !moveToRetained(op, group, source, condition, rewriter))
        kept.add(memref, condition);
    }
    return shrinkTo(kept, op, rewriter);
  }

private:
  static bool moveToRetained(DeallocOp op, const AliasGroup &group,
                             Value memref, Value condition,
                             PatternRewriter &rewriter) {
    std::optional<AliasGroup::Positions> same = group.allKnown(memref);
    if (!same || same->empty())
      return false;
    rewriter.setInsertionPointAfter(op);
    for (unsigned position : *same) {
      Value ownership = op.getUpdatedConditions()[position];
      // Upstream makes one that nobody uses, and erases it later.
      if (ownership.use_empty())
        continue;
      auto either =
          arith::OrIOp::create(rewriter, op.getLoc(), ownership, condition);
      rewriter.replaceAllUsesExcept(ownership, either.getResult(), either);
    }
    return true;
  }
};

/// A retained value that aliases no memref keeps nothing alive.
struct RemoveRetained : OnceFailingPattern {
  RemoveRetained(MLIRContext *context, const AliasOracle &oracle)
      : OnceFailingPattern(context, "RemoveRetainedMemrefsGuaranteedToNotAlias",
                           oracle) {}

  LogicalResult simplify(DeallocOp op,
                         PatternRewriter &rewriter) const override {
    const AliasGroup &group = oracle.groupOf(op.getMemrefs());
    SmallVector<Value> retained, results;
    for (Value value : op.getRetained()) {
      if (group.mayShare(value)) {
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
struct SplitDealloc : OnceFailingPattern {
  SplitDealloc(MLIRContext *context, const AliasOracle &oracle)
      : OnceFailingPattern(context, "SplitDeallocWhenNotAliasingAnyOther",
                           oracle) {}

  LogicalResult simplify(DeallocOp op,
                         PatternRewriter &rewriter) const override {
    if (op.getMemrefs().size() <= 1)
      return failure();

    const AliasGroup &group = oracle.groupOf(op.getMemrefs());
    FreeList rest;
    SmallVector<DeallocOp> alone;
    for (auto [index, memref, condition] :
         llvm::enumerate(op.getMemrefs(), op.getConditions())) {
      if (group.mayShare(memref, index)) {
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
};

/// A memref that is always given up makes the ownership of what retains it
/// true. Uses are replaced even where the op itself cannot be shortened.
struct RetainedAlwaysDeallocated : DeallocPattern {
  RetainedAlwaysDeallocated(MLIRContext *context, const AliasOracle &oracle)
      : DeallocPattern(context, "RetainedMemrefAliasingAlwaysDeallocatedMemref",
                       oracle) {}

  LogicalResult matchAndRewrite(DeallocOp op,
                                PatternRewriter &rewriter) const override {
    const AliasGroup &group = oracle.groupOf(op.getRetained());
    BitVector covered(op.getRetained().size());
    FreeList kept;
    for (auto [memref, condition] :
         llvm::zip(op.getMemrefs(), op.getConditions())) {
      if (!matchPattern(condition, m_One()) ||
          !replaceOwnership(op, group, memref, condition, covered, rewriter))
        kept.add(memref, condition);
    }
    if (!covered.all())
      return failure();
    return shrinkTo(kept, op, rewriter);
  }

private:
  /// Returns whether a retained value is known to be `memref`'s buffer.
  static bool replaceOwnership(DeallocOp op, const AliasGroup &group,
                               Value memref, Value always, BitVector &covered,
                               PatternRewriter &rewriter) {
    AliasGroup::Positions same = group.knownSame(memref);
    if (same.empty())
      if (Value source = metadataSource(memref))
        same = group.knownSame(source);
    for (unsigned position : same) {
      covered.set(position);
      rewriter.replaceAllUsesWith(op.getUpdatedConditions()[position], always);
    }
    return !same.empty();
  }
};

} // namespace

void addSimplifyPatterns(RewritePatternSet &patterns,
                         const AliasOracle &oracle) {
  patterns.add<RemoveContained, RemoveRetained, SplitDealloc,
               RetainedAlwaysDeallocated>(patterns.getContext(), oracle);
}

} // namespace memreflens
