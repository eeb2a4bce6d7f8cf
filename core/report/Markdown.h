//===- core/report/Markdown.h - a summary for a pull request --------------===//
//
// A table with a line a function - allocations, deallocations, copies, run-time
// checks, peak bytes - and below it, folded, a small Mermaid diagram of each
// function with what every block allocates and frees.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REPORT_MARKDOWN_H
#define MEMREFLENS_REPORT_MARKDOWN_H

#include "core/check/Finding.h"
#include "core/execute/KeptRun.h"
#include "core/query/Lookup.h"

#include <string>

namespace memreflens::report {

struct MarkdownOptions {
  /// Only this function; `none` for all.
  trace::Id function = trace::none;
  /// Blocks of a function up to which its diagram is drawn.
  size_t diagramBlocks = 60;
  /// What `check` found; null: what it finds in the trace, without paths.
  const FileReport *findings = nullptr;
  /// One run of the trace's program, which is summed up, too; may be null.
  const execute::KeptRun *run = nullptr;
};

std::string markdownReport(const Lookup &lookup,
                           const MarkdownOptions &options);

/// Text of a file as text in Markdown, also inside `<code>` and tables.
std::string markdownEscaped(std::string_view text);
/// Text inside a quoted Mermaid label.
std::string mermaidEscaped(std::string_view text);

} // namespace memreflens::report

#endif // MEMREFLENS_REPORT_MARKDOWN_H
