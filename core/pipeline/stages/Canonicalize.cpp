//===- core/pipeline/stages/Canonicalize.cpp ------------------------------===//

#include "core/pipeline/stages/Canonicalize.h"
#include "core/pipeline/simplify/WrappedPattern.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memreflens {

//===--- Order ------------------------------------------------------------===//

static unsigned depthOf(Operation *op) {
  unsigned depth = 0;
  while ((op = op->getParentOp()))
    ++depth;
  return depth;
}

/// Whether `first` is printed before `second`.
static bool comesBefore(Operation *first, Operation *second) {
  unsigned firstDepth = depthOf(first), secondDepth = depthOf(second);
  Operation *one = first, *other = second;
  for (; firstDepth > secondDepth; --firstDepth)
    one = one->getParentOp();
  for (; secondDepth > firstDepth; --secondDepth)
    other = other->getParentOp();
  if (one == other)
    return one == first && other != second;
  while (one->getParentOp() != other->getParentOp()) {
    one = one->getParentOp();
    other = other->getParentOp();
  }
  Block *oneBlock = one->getBlock(), *otherBlock = other->getBlock();
  if (oneBlock == otherBlock)
    return one->isBeforeInBlock(other);
  Region *oneRegion = oneBlock->getParent(),
         *otherRegion = otherBlock->getParent();
  if (oneRegion != otherRegion)
    return oneRegion->getRegionNumber() < otherRegion->getRegionNumber();
  for (Block &block : *oneRegion)
    if (&block == oneBlock || &block == otherBlock)
      return &block == oneBlock;
  return false;
}

namespace {
/// Passes on which ops were modified in the order of the program, when the
/// pattern is done or something else happens.
class InOrder : public RewriterBase::ForwardingListener {
public:
  using ForwardingListener::ForwardingListener;
  ~InOrder() override { tell(); }

  void notifyOperationModified(Operation *op) override { modified.insert(op); }
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    tell();
    ForwardingListener::notifyOperationInserted(op, previous);
  }
  void notifyOperationReplaced(Operation *op, ValueRange values) override {
    tell();
    ForwardingListener::notifyOperationReplaced(op, values);
  }
  void notifyOperationReplaced(Operation *op, Operation *by) override {
    tell();
    ForwardingListener::notifyOperationReplaced(op, by);
  }
  void notifyOperationErased(Operation *op) override {
    tell();
    ForwardingListener::notifyOperationErased(op);
  }
  void notifyBlockErased(Block *block) override {
    tell();
    ForwardingListener::notifyBlockErased(block);
  }

private:
  void tell() {
    SmallVector<Operation *> ops = modified.takeVector();
    llvm::sort(ops, comesBefore);
    for (Operation *op : ops)
      ForwardingListener::notifyOperationModified(op);
  }

  llvm::SetVector<Operation *> modified;
};

class OrderedPattern : public WrappedPattern {
public:
  using WrappedPattern::WrappedPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    InOrder listener(rewriter.getListener());
    PatternRewriter inner(op->getContext());
    inner.setInsertionPoint(op);
    inner.setListener(&listener);
    return wrapped->matchAndRewrite(op, inner);
  }
};

/// Equal values into a region or out of it become one. MLIR's pattern takes
/// those of several blocks in an order that rests on addresses, and what it
/// does in one can make values of another equal: it is done once, until nothing
/// is equal.
class MergedInputs : public OrderedPattern {
public:
  using OrderedPattern::OrderedPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    bool isChanged = false;
    while (succeeded(OrderedPattern::matchAndRewrite(op, rewriter)))
      isChanged = true;
    return success(isChanged);
  }
};

/// The condition of a cf.cond_br is a constant in a block that only one of its
/// edges leads to. MLIR's pattern goes through all uses of the condition, so
/// that N branches on one value cost N * N; most often none is in such a block.
class TruthPropagation : public WrappedPattern {
public:
  using WrappedPattern::WrappedPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    auto branch = cast<cf::CondBranchOp>(op);
    for (Block *block : {branch.getTrueDest(), branch.getFalseDest()})
      if (block->getSinglePredecessor() &&
          isUsedIn(branch.getCondition(), block))
        return wrapped->matchAndRewrite(op, rewriter);
    return failure();
  }

private:
  /// Costs the fewer of the value's uses and the block's ops.
  static bool isUsedIn(Value value, Block *block) {
    auto use = value.use_begin(), lastUse = value.use_end();
    auto op = block->begin(), lastOp = block->end();
    for (; use != lastUse && op != lastOp; ++use, ++op)
      if (use->getOwner()->getBlock() == block ||
          llvm::is_contained(op->getOperands(), value))
        return true;
    return false;
  }
};
} // namespace

//===--- The pass ---------------------------------------------------------===//

FrozenRewritePatternSet canonicalizationPatterns(MLIRContext *context) {
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  for (std::unique_ptr<RewritePattern> &pattern :
       patterns.getNativePatterns()) {
    llvm::StringRef name = pattern->getDebugName();
    if (name.contains("RegionBranchOpSuccessorInputs"))
      wrap<OrderedPattern>(pattern);
    else if (name.ends_with("::RemoveDuplicateSuccessorInputUses"))
      wrap<MergedInputs>(pattern);
    else if (name.ends_with("::CondBranchTruthPropagation"))
      wrap<TruthPropagation>(pattern);
  }
  wrapDeallocPatterns(patterns);
  return patterns;
}

void canonicalize(Operation *root, const FrozenRewritePatternSet &patterns,
                  RewriterBase::Listener *listener) {
  GreedyRewriteConfig config;
  // The pass's own defaults, which the config does not share.
  config.setUseTopDownTraversal(true);
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
  config.setListener(listener);
  (void)applyPatternsGreedily(root, patterns, config);
}

//===--- Folds that must not be tried -------------------------------------===//

/// Dimension of the subview's source that its result's `index` comes from, as
/// the fold sees it.
static unsigned sourceDimension(memref::SubViewOp subview, unsigned index) {
  llvm::SmallBitVector dropped = subview.getDroppedDims();
  unsigned dimension = 0, kept = 0;
  for (; dimension < dropped.size(); ++dimension)
    if (!dropped.test(dimension) && kept++ == index)
      break;
  return dimension;
}

static bool foldReadsPastOperands(memref::DimOp dim) {
  auto subview = dim.getSource().getDefiningOp<memref::SubViewOp>();
  std::optional<int64_t> index = dim.getConstantIndex();
  if (!subview || !index || *index < 0 ||
      *index >= subview.getType().getRank() ||
      !subview.getType().isDynamicDim(*index))
    return false;
  unsigned dimension = sourceDimension(subview, *index);
  ArrayRef<int64_t> sizes = subview.getStaticSizes();
  if (dimension >= sizes.size() || ShapedType::isDynamic(sizes[dimension]))
    return false;
  auto before = sizes.take_front(dimension);
  return llvm::count_if(before, ShapedType::isDynamic) >=
         int64_t(subview.getSizes().size() + subview.getStrides().size());
}

Operation *findUnsafeFold(Operation *root) {
  Operation *found = nullptr;
  root->walk([&](memref::DimOp dim) {
    if (!found && foldReadsPastOperands(dim))
      found = dim;
  });
  return found;
}

} // namespace memreflens
