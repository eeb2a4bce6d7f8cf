//===- core/pipeline/run/Worker.h - analysis that no input can kill -------===//
//
// Stock passes can die on valid input. A job runs in a child process; when it
// dies (or exceeds its time), the function that killed it is found by
// bisection, and the job runs again with that function set aside before the
// fatal stage. The parent must have no other threads.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RUN_WORKER_H
#define MEMREFLENS_PIPELINE_RUN_WORKER_H

#include "core/pipeline/stages/Stages.h"

#include <functional>

namespace memreflens {

/// What the child tells its parent, in shared memory.
struct WorkerProgress {
  int file = 0;
  int chunk = trace::none;
  int stage = 0;
  /// All stages are done: what runs is bounded by itself, or by nothing.
  bool isPastStages = false;
  /// Where a file is analysed in batches: how many, and how many are done.
  int batches = 0, batchesDone = 0;
  /// Set by a probe: functions of the chunk, and the first one's name.
  int functionCount = 0;
  char functionName[1024] = {};
  /// The pass ahead of the pipeline that runs, and on what; empty if none does.
  char prePass[256] = {};
  char prePassOn[1024] = {};
};

/// A run that only finds out whether functions [begin, end) of `chunk` survive
/// `stage`; it writes nothing.
struct WorkerProbe {
  int file = 0;
  int chunk = trace::none;
  int stage = 0;
  int begin = 0;
  int end = 0;
};

struct WorkerRequest {
  /// Per file (index in the job), what to set aside.
  std::vector<std::pair<int, Quarantined>> quarantine;
  /// Null for the real run.
  const WorkerProbe *probe = nullptr;
  /// False once a run died that was cut into batches, or did not ask the
  /// verifier behind each stage: which function did it, and what is wrong with
  /// it, is found in a run of the whole with the verifier.
  bool mayHurry = true;
  WorkerProgress *progress = nullptr;
  std::vector<Quarantined> quarantineOf(int file) const;
};

struct WorkerOptions {
  /// Longest that one stage may take, in seconds; 0 for no limit.
  double stageSeconds = 0;
  /// Run the job in this process, where nothing protects it: for debuggers.
  bool inProcess = false;
  /// Show the stage on stderr while it runs.
  bool showProgress = false;
  /// What is run, for the names of its stages.
  trace::RunOptions run;
};

/// Runs `job` in a child until it exits; its exit status, or 70 (EX_SOFTWARE)
/// if it died outside any stage, 71 (EX_OSERR) if the system gave no process or
/// too little memory.
int runInWorker(const std::function<int(const WorkerRequest &)> &job,
                const WorkerOptions &options);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RUN_WORKER_H
