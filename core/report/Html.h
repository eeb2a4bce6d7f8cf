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
#include "core/explain/Lookup.h"
#include "core/graph/Theme.h"

#include <optional>
#include <string>

namespace memreflens::report {

struct HtmlOptions {
  /// Only this function; `none` for all.
  trace::Id function = trace::none;
  /// Blocks of a function, nested ones included, past which its graph shows no
  /// single ops.
  size_t graphOpsBlocks = 200;
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
};

/// Equal traces give equal bytes.
std::string htmlReport(const Lookup &lookup, const HtmlOptions &options);

} // namespace memreflens::report

#endif // MEMREFLENS_REPORT_HTML_H
