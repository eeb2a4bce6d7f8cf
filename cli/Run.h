//===- cli/Run.h - memref-lens run ----------------------------------------===//

#ifndef MEMREFLENS_CLI_RUN_H
#define MEMREFLENS_CLI_RUN_H

#include "cli/Options.h"
#include "core/pipeline/run/Analysis.h"

namespace memreflens {

/// Runs the program as the pipeline leaves it, and tells what happened; the
/// exit status.
int runProgram(const CliOptions &options, const trace::Source &source,
               const mlir::DialectRegistry &registry, AnalysisOptions analysis);

} // namespace memreflens

#endif // MEMREFLENS_CLI_RUN_H
