//===- core/pipeline/simplify/Simplify.cpp --------------------------------===//
//
// Fewer run-time checks before each free.

#include "core/pipeline/simplify/Simplify.h"
#include "core/pipeline/simplify/SimplifyPatterns.h"
#include "core/pipeline/simplify/WrappedPattern.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using bufferization::DeallocOp;

namespace memreflens {

SimplifyObserver::~SimplifyObserver() = default;
void SimplifyObserver::onPatternBegin(const Pattern &,
                                      bufferization::DeallocOp) {}

StringRef nameOf(const Pattern &pattern) {
  StringRef name = pattern.getDebugName();
  size_t colons = name.rfind("::");
  return colons == StringRef::npos ? name : name.drop_front(colons + 2);
}

namespace {

/// Keeps the analysis informed of what goes away, and the observer of the
/// patterns that are tried.
struct StageListener : RewriterBase::ForwardingListener {
  StageListener(OriginAnalysis &analysis, AliasOracle &oracle,
                const SimplifyOptions &options)
      : ForwardingListener(options.listener), analysis(analysis),
        oracle(oracle), observer(options.observer) {}

  void notifyOperationErased(Operation *op) override {
    analysis.operationErased(op);
    oracle.forget(op);
    ForwardingListener::notifyOperationErased(op);
  }

  void notifyOperationModified(Operation *op) override {
    oracle.forget(op);
    if (isa<ViewLikeOpInterface, memref::ExtractStridedMetadataOp>(op))
      analysis.viewModified();
    ForwardingListener::notifyOperationModified(op);
  }

  void notifyBlockErased(Block *block) override {
    analysis.blockErased(block);
    ForwardingListener::notifyBlockErased(block);
  }

  void notifyPatternBegin(const Pattern &pattern, Operation *op) override {
    if (observer)
      observer->onPatternBegin(pattern, cast<DeallocOp>(op));
    ForwardingListener::notifyPatternBegin(pattern, op);
  }

  void notifyPatternEnd(const Pattern &pattern, LogicalResult status) override {
    if (observer)
      observer->onPatternEnd(pattern, succeeded(status));
    ForwardingListener::notifyPatternEnd(pattern, status);
  }

private:
  OriginAnalysis &analysis;
  AliasOracle &oracle;
  SimplifyObserver *observer;
};

} // namespace

LogicalResult simplifyDeallocations(Operation *root,
                                    const SimplifyOptions &options) {
  OriginAnalysis analysis(root, options.refineDistinctObjects, options.isFresh);
  AliasOracle oracle(analysis, options);
  RewritePatternSet patterns(root->getContext());
  addSimplifyPatterns(patterns, oracle);
  bufferization::populateDeallocOpCanonicalizationPatterns(patterns,
                                                           root->getContext());
  wrapDeallocPatterns(patterns);
  StageListener listener(analysis, oracle, options);
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
  config.setListener(&listener);
  return applyPatternsGreedily(root, std::move(patterns), config);
}

} // namespace memreflens
