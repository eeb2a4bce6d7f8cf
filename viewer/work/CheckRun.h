//===- viewer/work/CheckRun.h - what `memref-lens check` finds, in a thread
//----===//

#ifndef MEMREFLENS_VIEWER_WORK_CHECKRUN_H
#define MEMREFLENS_VIEWER_WORK_CHECKRUN_H

#include "viewer/work/Load.h"

#include "core/check/Finding.h"

#include <functional>
#include <future>

namespace memreflens::viewer {

struct CheckResult {
  FileReport report;
  /// Why there is no report.
  std::string error;
};

/// Runs `memref-lens check` to its end.
CheckResult check(const RunRequest &request, const std::string &tool,
                  Progress &progress);

/// What can be told of a trace without the program: no path is tried.
CheckResult checkSaved(const Program &program);

/// One check in a thread of its own; ends it when destroyed.
class CheckRun {
public:
  ~CheckRun();
  void start(RunRequest request, std::string tool);
  /// What a saved trace tells by itself.
  void start(std::shared_ptr<const Program> saved);
  void cancel();
  bool isRunning() const { return pending.valid(); }
  /// Once, when it is done.
  std::optional<CheckResult> take();

private:
  void startWith(std::function<CheckResult(Progress &)> check);

  std::unique_ptr<Progress> progress;
  std::future<CheckResult> pending;
};

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WORK_CHECKRUN_H
