//===- core/pipeline/bufferize/Decisions.h - what the analysis decided ----===//
//
// Each tensor operand with its decision and the reasons for it, what callers
// know of each function, which tensors are one buffer, and arguments that the
// analysis of MLIR 22 lets be overwritten though they are read later.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_DECISIONS_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_DECISIONS_H

#include "core/trace/Model.h"

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"

namespace memreflens::bufferize {

/// Adds to `record` what `state` knows of `module`, whose ops and arguments
/// carry the ids of `trace` (core/source/Identity.h). `options` are those of
/// the pass: functions that they leave out of the analysis copy each write.
void recordDecisions(
    mlir::ModuleOp module, mlir::bufferization::OneShotAnalysisState &state,
    const mlir::bufferization::OneShotBufferizationOptions &options,
    const trace::Trace &trace, trace::Bufferization &record);

/// The same where the option says that each write copies.
void recordCopiesBeforeWrite(
    mlir::Operation *root,
    const mlir::bufferization::OneShotBufferizationOptions &options,
    const trace::Trace &trace, trace::Bufferization &record);

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_DECISIONS_H
