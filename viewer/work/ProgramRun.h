//===- viewer/work/ProgramRun.h - what really happens when the program runs
//----===//
//
// Runs a function by `memref-lens run` as a child, in a thread: the panel has
// its fields and what was counted, the graph of the stage that ran has the
// counts.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_WORK_PROGRAMRUN_H
#define MEMREFLENS_VIEWER_WORK_PROGRAMRUN_H

#include "viewer/state/TableView.h"
#include "viewer/work/Load.h"

#include "core/execute/KeptRun.h"

namespace memreflens::viewer {

/// What is asked of `memref-lens run`.
struct ProgramRunRequest {
  RunRequest program;
  std::string function;
  /// "n=64 x=8xf32:iota", as typed.
  std::string arguments;
  int seed = 1;
};

struct ProgramRunResult {
  std::shared_ptr<const execute::KeptRun> run;
  /// Why there is none.
  std::string error;
};

/// Runs it to its end, and holds it against the program that is shown.
ProgramRunResult runProgram(const ProgramRunRequest &request,
                            const std::string &tool, const Program &shown,
                            Progress &progress);

class ProgramRun {
public:
  struct Fields {
    char arguments[512] = "";
    int seed = 1;
  };
  Fields fields;

  ~ProgramRun();
  /// Of a function of the program that is shown.
  void start(const RunRequest &program, const std::string &tool,
             std::shared_ptr<const Program> shown, Id function, double now);
  void stop();
  /// The program is another one.
  void forget();
  /// True once, when a run has come to its end.
  bool poll();
  bool isRunning() const { return pending.valid(); }
  std::string stage() const { return progress ? progress->text() : ""; }

  const std::shared_ptr<const execute::KeptRun> &last() const {
    return result.run;
  }
  const std::string &problem() const { return result.error; }
  const FactTable &rows() const { return table; }
  /// Site of each row.
  const execute::Site &siteOf(size_t row) const;
  /// When the run began.
  double since = 0;
  TableView view;

private:
  void fill();

  std::unique_ptr<Progress> progress;
  std::future<ProgramRunResult> pending;
  ProgramRunResult result;
  FactTable table;
  std::vector<size_t> sites;
};

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WORK_PROGRAMRUN_H
