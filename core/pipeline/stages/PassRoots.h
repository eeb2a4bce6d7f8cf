//===- core/pipeline/stages/PassRoots.h - what a pass runs on -------------===//
//
// The ops that the anchors of a pass lead to.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_PASSROOTS_H
#define MEMREFLENS_PIPELINE_STAGES_PASSROOTS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace memreflens {

/// The module itself without anchors, outermost first.
std::vector<mlir::Operation *>
passRoots(mlir::ModuleOp module, const std::vector<std::string> &anchors);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_PASSROOTS_H
