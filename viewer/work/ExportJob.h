//===- viewer/work/ExportJob.h - what is shown, as a file -----------------===//
//
// The ending says what is written: .dot, .svg and .png the graph as it is
// shown, .html and .md a report of the whole file, .json the trace.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_WORK_EXPORTJOB_H
#define MEMREFLENS_VIEWER_WORK_EXPORTJOB_H

#include "viewer/state/State.h"

#include <future>

namespace memreflens::viewer {

struct ExportRequest {
  std::shared_ptr<const Program> program;
  Place place;
  bool showsStageGraph = false;
  graph::ThemeName theme = graph::ThemeName::dark;
  std::string path;
  /// Whose counts are on the graph; null for none.
  std::shared_ptr<const execute::KeptRun> run = {};
};

/// Endings, with the dot.
inline constexpr const char *exportEndings[] = {".svg",  ".png", ".dot",
                                                ".html", ".md",  ".json"};
bool isExportPath(const std::string &path);
/// "diamond-stage-3.svg": a name for the file, from what is shown.
std::string exportName(const Program &program, const ViewState &state,
                       const std::string &ending);

/// One line that says what was written, or why not.
struct ExportOutcome {
  bool isWritten = false;
  std::string text;
};

ExportOutcome writeExport(const ExportRequest &request);

/// One export at a time, in a thread of its own.
class ExportJob {
public:
  /// False while another one runs.
  bool start(ExportRequest request);
  bool isRunning() const { return pending.valid(); }
  /// Puts the outcome, once there is one, into the notice.
  void poll(std::string &notice);

private:
  std::future<ExportOutcome> pending;
};

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WORK_EXPORTJOB_H
