//===- core/pipeline/simplify/SimplifyPatterns.h --------------------------===//
//
// The stage's own four patterns.

#ifndef MEMREFLENS_PIPELINE_SIMPLIFY_SIMPLIFYPATTERNS_H
#define MEMREFLENS_PIPELINE_SIMPLIFY_SIMPLIFYPATTERNS_H

#include "core/pipeline/simplify/AliasGroup.h"

namespace memreflens {

/// Adds the four patterns in the order in which they are tried; `oracle` must
/// outlive them.
void addSimplifyPatterns(mlir::RewritePatternSet &patterns,
                         const AliasOracle &oracle);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_SIMPLIFY_SIMPLIFYPATTERNS_H
