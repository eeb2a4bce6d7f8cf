//===- core/explain/Render.h - explanations as lines of text --------------===//
//
// What `memref-lens explain` prints. Control characters of the user's file are
// shown as escapes, so a file cannot write to the terminal.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_RENDER_H
#define MEMREFLENS_EXPLAIN_RENDER_H

#include "core/explain/Explanation.h"
#include "core/explain/FateText.h"
#include "core/query/Totals.h"

namespace memreflens {

struct ReportOptions {
  /// ANSI colours.
  bool color = false;
  /// Only this function; empty for all.
  std::string function;
  /// Behind each line, the line of our own source that made it.
  bool tracksSentences = false;
};

/// The sentence, then each fact with its line and column, then what to do.
std::string renderText(const trace::Trace &trace,
                       const Explanation &explanation,
                       const ReportOptions &options);

/// Of every function one line per buffer with its steps, then rejections; what
/// the functions come to is added to `totals`.
std::string renderFunctions(const trace::Trace &trace,
                            const ReportOptions &options, Totals &totals);

/// The last line of such a report.
std::string renderTotals(const Totals &totals, const ReportOptions &options);

/// The functions; then the problems of the file, and totals.
std::string renderReport(const trace::Trace &trace,
                         const ReportOptions &options);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_RENDER_H
