//===- core/pipeline/bufferize/Analysis.h - upstream's analysis -----------===//
//
// MLIR's analysis stops at the first function that it rejects, and takes
// functions that do not call each other in an order that depends on addresses.
// Here a program that is rejected is rejected with the same words each time.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_ANALYSIS_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_ANALYSIS_H

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/IR/BuiltinOps.h"

namespace memreflens::bufferize {

/// Decides each operand of `module` by MLIR's own analysis, under `options`,
/// which `state` has too. Where it fails, it has reported the errors of the
/// first function that is rejected: callees first, then in program order.
mlir::LogicalResult
analyze(mlir::ModuleOp module,
        const mlir::bufferization::OneShotBufferizationOptions &options,
        mlir::bufferization::OneShotAnalysisState &state);

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_ANALYSIS_H
