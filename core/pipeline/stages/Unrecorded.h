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

#include "mlir/Support/LLVM.h"

#include <optional>

namespace memreflens {

/// Whether the passes of the run are upstream's eight, with any others behind
/// them.
bool canDoWithoutRecord(const trace::RunOptions &run);

/// Runs the stages asked for; gives the IR after the last one, if a text is
/// wanted. Of each function the trace is told what the ownership pass found,
/// and nothing else. Nothing if a stage has to be recorded: the module is
/// spoiled then.
std::optional<std::string> runWithoutRecord(mlir::ModuleOp module,
                                            const StageOptions &options,
                                            trace::Trace &trace);

/// Runs a pass, as text for a `builtin.module`, of the user's or a remedy's.
mlir::LogicalResult runText(mlir::ModuleOp module, const std::string &pass);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_UNRECORDED_H
