//===- core/pipeline/SimplifyPatterns.h - the stage's own four patterns ---===//

#ifndef MEMREFLENS_PIPELINE_SIMPLIFYPATTERNS_H
#define MEMREFLENS_PIPELINE_SIMPLIFYPATTERNS_H

#include "core/pipeline/AliasGroup.h"

namespace memreflens {

/// Adds the four patterns in the order in which they are tried; `oracle` must
/// outlive them.
void addSimplifyPatterns(mlir::RewritePatternSet &patterns,
                         const AliasOracle &oracle);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_SIMPLIFYPATTERNS_H
