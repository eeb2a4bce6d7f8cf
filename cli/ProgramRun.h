//===- cli/ProgramRun.h - what `run` does ---------------------------------===//

#ifndef MEMREFLENS_CLI_PROGRAMRUN_H
#define MEMREFLENS_CLI_PROGRAMRUN_H

#include "cli/Options.h"
#include "core/execute/KeptRun.h"
#include "core/execute/Options.h"
#include "core/pipeline/run/Analysis.h"

namespace memreflens {

/// What `run` runs, and how it reports it.
struct ProgramOptions {
  /// Empty: the only public function, or main.
  std::string entry;
  execute::RunOptions run;
  /// text or json.
  std::string format = "text";
  /// Text: every row of each table.
  bool showsAll = false;
};

/// Runs the program as the pipeline leaves it, and tells what happened; the
/// exit status.
int runProgram(const CliOptions &options, const trace::Source &source,
               const mlir::DialectRegistry &registry, AnalysisOptions analysis);

/// `--with-run PATH`, held against the trace; says on stderr what is wrong with
/// it. The trace needs the texts of its stages.
std::optional<execute::KeptRun> openRun(const std::string &path,
                                        const trace::Trace &trace);

} // namespace memreflens

#endif // MEMREFLENS_CLI_PROGRAMRUN_H
