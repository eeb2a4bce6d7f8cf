//===- core/pipeline/stages/UntracedRun.h - passes without a trace --------===//
//
// Passes that are run for what they make of the IR only.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_UNTRACEDRUN_H
#define MEMREFLENS_PIPELINE_STAGES_UNTRACEDRUN_H

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace memreflens {

/// Runs the classic pass on every function, and canonicalizes. What is refused
/// stays as it was; why, by name.
std::map<std::string, std::string> runClassic(mlir::ModuleOp module);

/// Runs textual passes; false if they fail. Diagnostics go nowhere.
bool runPasses(const std::string &passes, mlir::ModuleOp module);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_UNTRACEDRUN_H
