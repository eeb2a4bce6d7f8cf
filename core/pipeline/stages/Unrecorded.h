//===- core/pipeline/stages/Unrecorded.h - the stages, for their IR alone -===//
//
// What upstream's pipeline makes of a chunk, where nobody asks how: the same
// passes without a record of what they do. Where a function is rejected, or
// anything else is to be told, the stages have to be recorded after all.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_UNRECORDED_H
#define MEMREFLENS_PIPELINE_STAGES_UNRECORDED_H

#include "core/pipeline/stages/Stages.h"

#include <optional>

namespace memreflens {

/// The chunk's IR after the last stage asked for, as upstream prints it.
/// Nothing if it has to be recorded: the module is spoiled then. Fit for
/// `StageText::upstream` with the last text only.
std::optional<std::string> irWithoutRecord(mlir::ModuleOp module,
                                           const StageOptions &options,
                                           const trace::RunOptions &run);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_UNRECORDED_H
