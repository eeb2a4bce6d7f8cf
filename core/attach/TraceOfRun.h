//===- core/attach/TraceOfRun.h - from a tool's run to its trace ----------===//
//
// Runs our traced passes over the program that a tool ran its passes on, in a
// context of its own, and holds each against the tool's.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_ATTACH_TRACEOFRUN_H
#define MEMREFLENS_ATTACH_TRACEOFRUN_H

#include "core/attach/PassRecorder.h"
#include "core/trace/Model.h"

#include <functional>

namespace memreflens {

/// The program that a run began with, as text.
struct RunSource {
  trace::Source source;
  /// The chunk of it.
  trace::Id chunk = 0;
  /// The text is that of the file that the tool read.
  bool isFile = false;
};

/// The file that the program's locations name, if it holds just this program;
/// else the program as MLIR prints it, under `nameOtherwise`.
RunSource sourceOf(const RecordedRun &run, const std::string &nameOtherwise);

struct TracingOptions {
  bool aliases = false;
  double stageSeconds = 0;
};

/// Gives the trace to `use`, in a worker: where a pass dies in our run, the
/// function that kills it is set aside. Not to be called in a process with
/// other threads. Exit status: 0, or 70 if all of it failed.
int traceOf(const RecordedRun &run, const RunSource &source,
            const TracingOptions &options,
            const std::function<void(const trace::Trace &)> &use);

} // namespace memreflens

#endif // MEMREFLENS_ATTACH_TRACEOFRUN_H
