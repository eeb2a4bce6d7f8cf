//===- core/pipeline/stages/StandIn.h - in place of what was set aside ----===//

#ifndef MEMREFLENS_PIPELINE_STAGES_STANDIN_H
#define MEMREFLENS_PIPELINE_STAGES_STANDIN_H

#include "mlir/IR/Operation.h"

#include <string>

namespace memreflens {

/// Replaces the body of `function` by one that returns `ub.poison`.
void makeStandIn(mlir::Operation *function);
/// Puts a comment above a function in the text of a stage: `number` counts
/// those of the same name before it.
std::string annotateFunction(std::string text, llvm::StringRef symbol,
                             unsigned number, llvm::StringRef comment);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_STANDIN_H
