//===- cli/Run.h - memref-lens run ----------------------------------------===//

#ifndef MEMREFLENS_CLI_RUN_H
#define MEMREFLENS_CLI_RUN_H

#include "cli/Options.h"
#include "core/execute/KeptRun.h"
#include "core/pipeline/run/Analysis.h"

namespace memreflens {

/// Runs the program as the pipeline leaves it, and tells what happened; the
/// exit status.
int runProgram(const CliOptions &options, const trace::Source &source,
               const mlir::DialectRegistry &registry, AnalysisOptions analysis);

/// `--with-run PATH`, held against the trace; says on stderr what is wrong with
/// it. The trace needs the texts of its stages.
std::optional<execute::KeptRun> openRun(const std::string &path,
                                        const trace::Trace &trace);

} // namespace memreflens

#endif // MEMREFLENS_CLI_RUN_H
