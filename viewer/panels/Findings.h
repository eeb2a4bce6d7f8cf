//===- viewer/panels/Findings.h - what is wrong, and the way that leads there
//----===//
//
// The findings of `memref-lens check` as a table. A click goes to the place;
// F8 walks the path of a finding, step by step, on the graph and in the source.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_PANELS_FINDINGS_H
#define MEMREFLENS_VIEWER_PANELS_FINDINGS_H

#include "viewer/state/TableView.h"
#include "viewer/work/CheckRun.h"

#include "core/causes/Overview.h"

namespace memreflens::viewer {

class Findings {
public:
  bool isRunning() const { return run.isRunning(); }
  /// Whether a check was asked for since the file was read.
  bool wasAsked() const { return asked; }
  void start(RunRequest request, const std::string &tool);
  /// Of a saved trace, what can be told without the program.
  void start(std::shared_ptr<const Program> saved);
  void stop() { run.cancel(); }
  /// The program is another one; what was found is of the old one.
  void forget();
  void poll();
  const std::vector<Finding> &all() const { return result.report.findings; }
  const FileReport &report() const { return result.report; }
  const Overview &overview() const { return summary; }
  const std::string &problem() const { return result.error; }
  const FactTable &rows() const { return table; }

  /// The finding that is shown, and the stop on the way to it; -1 if none was
  /// gone to.
  int chosen = -1, step = -1;
  /// Of the overview, the one whose places are listed; -1 for none.
  int entry = -1;
  TableView view;
  bool wantsScroll = false;

  void choose(const Program &program, ViewState &state, int number, int step);
  /// The next (+1) or previous (-1) step; from finding to finding at the ends.
  void walk(const Program &program, ViewState &state, int direction);
  /// The next or previous finding, at its own place.
  void next(const Program &program, ViewState &state, int direction);

private:
  CheckRun run;
  CheckResult result;
  Overview summary;
  FactTable table;
  bool asked = false;
};

/// "12:3"; empty where the place is not known.
std::string textOf(const memreflens::Place &place);
/// Bytes of the program's text; empty where the place is not known.
trace::Range rangeOf(const Program &program, const memreflens::Place &place);

/// The panel. True when a check is asked for. `isWhole`: not of a saved trace,
/// of which paths are not tried.
bool drawFindings(const Program &program, ViewState &state, Findings &findings,
                  bool isWhole);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_FINDINGS_H
