//===- core/report/RunData.h - what one run counted, for a page -----------===//
//
// Of the file what happened, and what went wrong; of each function that ran its
// counts: behind the lines of the source, on the graph of what ran, in tables.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REPORT_RUNDATA_H
#define MEMREFLENS_REPORT_RUNDATA_H

#include "core/execute/KeptRun.h"
#include "core/graph/OwnershipPicture.h"
#include "core/query/Lookup.h"

#include <string>

namespace memreflens::report {

/// As JSON: "verdict"; "faults": [text, line, function]; "remarks".
std::string runOfFile(const trace::Trace &trace, const execute::KeptRun &run);

/// As JSON: "notes": texts by line; "tables": [title, rows], a row being
/// [times, op, words, line]; "graph", where any of it ran.
std::string runOfFunction(const Lookup &lookup, const execute::KeptRun &run,
                          trace::Id function,
                          const graph::PictureOptions &options);

} // namespace memreflens::report

#endif // MEMREFLENS_REPORT_RUNDATA_H
