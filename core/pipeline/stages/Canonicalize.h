//===- core/pipeline/stages/Canonicalize.h --------------------------------===//
//
// MLIR's canonicalizer, repeatable.
//
// Does what the canonicalize pass does with its default options, in an order
// that is the same on each run. Some of MLIR's patterns tell the driver what
// they changed in the order of a hash of pointers; the IR in the end does not
// depend on it, but the order of rewrites does, and a trace shows that.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_CANONICALIZE_H
#define MEMREFLENS_PIPELINE_STAGES_CANONICALIZE_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace memreflens {

/// Canonicalization patterns of all dialects that are loaded.
mlir::FrozenRewritePatternSet
canonicalizationPatterns(mlir::MLIRContext *context);

/// As the pass, it does as much as it can: not to converge is no failure.
void canonicalize(mlir::Operation *root,
                  const mlir::FrozenRewritePatternSet &patterns,
                  mlir::RewriterBase::Listener *listener);

/// An op below `root` on which a fold of MLIR 22 reads past the operands of
/// another op: the size of a subview, taken at a dimension that is not dynamic
/// there. Whether that kills the process is chance. Null if there is none.
mlir::Operation *findUnsafeFold(mlir::Operation *root);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_CANONICALIZE_H
