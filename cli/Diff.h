//===- cli/Diff.h - `diff`: two traces, compared --------------------------===//

#ifndef MEMREFLENS_CLI_DIFF_H
#define MEMREFLENS_CLI_DIFF_H

#include "cli/Options.h"

#include <functional>

namespace memreflens {

/// Runs `trace` with these options on this program, in a worker process; its
/// exit status.
using TraceOne =
    std::function<int(const CliOptions &options, const trace::Source &source)>;

/// An `ExitStatus`: `findings` where the two sides differ. Complaints go to
/// stderr.
int runDiff(const CliOptions &options, const TraceOne &traceOne);

} // namespace memreflens

#endif // MEMREFLENS_CLI_DIFF_H
