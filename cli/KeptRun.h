//===- cli/KeptRun.h - a run that was kept, beside its program ------------===//
//
// `memref-lens run FILE --format json -o RUN.json`, taken up again by
// `--with-run RUN.json` of a command that shows the program. A run of another
// program, or of this one by other options, is rejected.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_KEPTRUN_H
#define MEMREFLENS_CLI_KEPTRUN_H

#include "core/execute/Record.h"

#include <optional>

namespace memreflens {

struct KeptRun {
  execute::Record record;
  /// The part of the file that has the program, and the function that ran.
  trace::Id chunk = trace::none, entry = trace::none;
  /// The stage whose program ran.
  int stage = 0;

  /// Of a function of the trace; nothing where the run is of another part.
  std::optional<graph::RunCounts>
  countsOf(const trace::Function &function) const;
};

/// Says on stderr what is wrong with it. The trace needs the stages' texts.
std::optional<KeptRun> openRun(const std::string &path,
                               const trace::Trace &trace);

} // namespace memreflens

#endif // MEMREFLENS_CLI_KEPTRUN_H
