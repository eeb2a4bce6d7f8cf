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

/// Never dies, also where a pass that we hold against the tool's does: then the
/// trace has the tool's IR alone and says so.
trace::Trace traceOf(const RecordedRun &run, const RunSource &source,
                     bool aliases);

} // namespace memreflens

#endif // MEMREFLENS_ATTACH_TRACEOFRUN_H
