//===- cli/FileRun.h - a command on one file, inside a worker -------------===//
//
// Commands share how a file that was read is analysed, how its problems are
// shown, and how the exit status follows.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_FILERUN_H
#define MEMREFLENS_CLI_FILERUN_H

#include "cli/Input.h"
#include "cli/Options.h"
#include "core/pipeline/run/Analysis.h"
#include "core/pipeline/run/Worker.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace memreflens {

/// A command on one file.
struct FileRun {
  const CliOptions &options;
  const trace::Source &source;
  InputKind kind;
  const mlir::DialectRegistry &registry;
  const WorkerRequest &request;
};

/// Threads for the functions of a file; 0: it is analysed as a whole.
unsigned threadsOf(const FileRun &run);

AnalysisOptions analysisOptions(const FileRun &run);
/// The same with peaks of heap memory.
AnalysisOptions withHeap(const FileRun &run);

/// The trace of a program, or the one that the file is: `status` is `done`
/// unless that cannot be shown.
const trace::Trace &obtain(const FileRun &run, const AnalysisOptions &options,
                           int &status);

/// 3 if nothing could be analysed.
int statusOf(const trace::Trace &trace);

/// Whether a function has the name, or the name is empty; says on stderr if
/// none has.
bool knowsFunction(const trace::Trace &trace, const std::string &name);

/// Prints what was wrong, then the result; the exit status.
int finish(const FileRun &run, const trace::Trace &trace,
           const OutputWriter &write);
int finish(const FileRun &run, const trace::Trace &trace,
           const std::string &text);

} // namespace memreflens

#endif // MEMREFLENS_CLI_FILERUN_H
