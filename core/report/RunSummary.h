//===- core/report/RunSummary.h - one run, for a pull request -------------===//

#ifndef MEMREFLENS_REPORT_RUNSUMMARY_H
#define MEMREFLENS_REPORT_RUNSUMMARY_H

#include "core/execute/KeptRun.h"
#include "core/trace/Model.h"

#include <string>

namespace memreflens::report {

/// A section in Markdown: what happened, what went wrong, and how often each op
/// ran; of one function, or of all that ran with `none`.
std::string runSummary(const trace::Trace &trace, const execute::KeptRun &run,
                       trace::Id function);

} // namespace memreflens::report

#endif // MEMREFLENS_REPORT_RUNSUMMARY_H
