//===- cli/Bundle.h - `bundle`: a run, to be sent to somebody -------------===//

#ifndef MEMREFLENS_CLI_BUNDLE_H
#define MEMREFLENS_CLI_BUNDLE_H

#include "cli/Options.h"
#include "core/pipeline/run/Analysis.h"
#include "core/pipeline/upstream/Compare.h"

namespace memreflens {

/// Runs the program, compares it with MLIR, and writes the archive. An
/// `ExitStatus`; complaints go to stderr.
int runBundle(const CliOptions &options, const trace::Source &source,
              const mlir::DialectRegistry &registry,
              const AnalysisOptions &analysis);

/// The line, or lines, of `compare` on a function.
std::string verdictLine(const std::string &path, const trace::RunOptions &run,
                        const FunctionVerdict &entry);

} // namespace memreflens

#endif // MEMREFLENS_CLI_BUNDLE_H
