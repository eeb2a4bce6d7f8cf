//===- core/pipeline/simplify/WrappedPattern.h - MLIR's patterns, cheaper -===//
//
// MLIR's own patterns behind a question that costs less than they do. They look
// like themselves to the driver and to listeners, and change the same.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_SIMPLIFY_WRAPPEDPATTERN_H
#define MEMREFLENS_PIPELINE_SIMPLIFY_WRAPPEDPATTERN_H

#include "mlir/IR/PatternMatch.h"

#include <memory>

namespace memreflens {

class WrappedPattern : public mlir::RewritePattern {
public:
  explicit WrappedPattern(std::unique_ptr<mlir::RewritePattern> wrapped)
      : RewritePattern(*wrapped), wrapped(std::move(wrapped)) {}

protected:
  std::unique_ptr<mlir::RewritePattern> wrapped;
};

template <class Wrapper>
void wrap(std::unique_ptr<mlir::RewritePattern> &pattern) {
  pattern = std::make_unique<Wrapper>(std::move(pattern));
}

/// The canonicalizations of bufferization.dealloc go through all its memrefs
/// with a table or an interface call for each, and the driver tries them once
/// more whenever a condition folds: N memrefs cost N * N. Now each asks first
/// whether it would find anything.
void wrapDeallocPatterns(mlir::RewritePatternSet &patterns);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_SIMPLIFY_WRAPPEDPATTERN_H
