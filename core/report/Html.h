//===- core/report/Html.h - a report to step through, in one file ---------===//
//
// One HTML file that opens from disk without a network: the functions, and of
// each the source, the graph, who owns what, the lifetimes and what each stage
// changed, linked by value, with every decision in order and why it was taken.
//
//   std::string html = report::htmlReport(lookup, {});
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REPORT_HTML_H
#define MEMREFLENS_REPORT_HTML_H

#include "core/check/Finding.h"
#include "core/execute/KeptRun.h"
#include "core/graph/Theme.h"
#include "core/query/Lookup.h"
#include "core/trace/Workers.h"

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

namespace memreflens::report {

struct HtmlOptions {
  /// Only this function; `none` for all.
  trace::Id function = trace::none;
  /// Blocks of a function, nested ones included, past which its graph shows no
  /// single ops.
  size_t graphOpsBlocks = 200;
  /// Graphs of a report: those of functions with findings come first. A page
  /// with thousands takes minutes to make, and opens in no browser.
  size_t mostGraphs = 300;
  /// What `check` found; null: what it finds in the trace, without paths.
  const FileReport *findings = nullptr;
  /// One run of the trace's program: its counts stand in the source, on a graph
  /// of what ran, and in tables, and the page opens with them; may be null.
  const execute::KeptRun *run = nullptr;
  /// What the page opens with; nothing: what the browser prefers.
  std::optional<graph::ThemeName> theme;
  /// The page opens with the memory of this function; `none`: with the graph of
  /// the first.
  trace::Id opensOnMemoryOf = trace::none;
  /// Make the functions' parts; empty for the calling thread.
  trace::Workers workers;
  /// Told how many of the functions are done; from any of the threads, one at a
  /// time.
  std::function<void(size_t done, size_t count)> onProgress;
};

/// Equal traces give equal bytes, with any number of threads.
void writeHtmlReport(const Lookup &lookup, const HtmlOptions &options,
                     std::ostream &out);
std::string htmlReport(const Lookup &lookup, const HtmlOptions &options);

} // namespace memreflens::report

#endif // MEMREFLENS_REPORT_HTML_H
