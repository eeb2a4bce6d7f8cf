//===- core/report/Findings.h - findings for pages and summaries ----------===//
//
// The findings of core/check with the function and block of each place, so that
// a reader gets from one to the picture and along its path.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REPORT_FINDINGS_H
#define MEMREFLENS_REPORT_FINDINGS_H

#include "core/check/Finding.h"
#include "core/execute/KeptRun.h"
#include "core/query/Lookup.h"

namespace memreflens::report {

/// As JSON. Only of one function and of the file as a whole, unless `function`
/// is `none`.
std::string findingsData(const Lookup &lookup, const FileReport &report,
                         trace::Id function);

/// What `check` found, or without that what it finds in the trace alone,
/// without paths, and what is behind it; with what the checks found in the run.
/// Both may be null.
FileReport findingsWithCauses(const Lookup &lookup, const FileReport *found,
                              const execute::KeptRun *run);

/// What it costs and because of what, as a list in Markdown.
std::string causesList(const Lookup &lookup, const FileReport &report,
                       trace::Id function);

/// A table in GitHub's Markdown, and what was tried.
std::string findingsTable(const Lookup &lookup, const FileReport &report,
                          trace::Id function);

/// "Paths were tried ...": how far, in a sentence for all functions.
std::string boundsSentence(const FileReport &report);

} // namespace memreflens::report

#endif // MEMREFLENS_REPORT_FINDINGS_H
