//===- core/report/Differences.h - two traces compared, to be read --------===//
//
// A comparison (core/diff) as text for a terminal, Markdown for a review, and
// JSON for programs: a summary, what differs about the runs, then function by
// function what each side says. Text of the files is escaped.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REPORT_DIFFERENCES_H
#define MEMREFLENS_REPORT_DIFFERENCES_H

#include "core/diff/Diff.h"

namespace memreflens::report {

std::string differencesAsText(const diff::TraceDifference &difference);
std::string differencesAsMarkdown(const diff::TraceDifference &difference);
/// One object; `docs/diff.md` lists its fields.
std::string differencesAsJson(const diff::TraceDifference &difference);

} // namespace memreflens::report

#endif // MEMREFLENS_REPORT_DIFFERENCES_H
