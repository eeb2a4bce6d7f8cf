//===- core/report/HtmlData.h - what a page shows of a function, as data --===//
//
// Every sentence is made here, by core/explain; the page only places them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REPORT_HTMLDATA_H
#define MEMREFLENS_REPORT_HTMLDATA_H

#include "core/explain/Lookup.h"
#include "core/graph/StageText.h"
#include "core/report/Html.h"

namespace memreflens::report {

/// Values and events by function, found in one walk over the trace.
struct ByFunction {
  explicit ByFunction(const Lookup &lookup);
  std::vector<Lookup::Ids> values, events;
};

/// The list of functions and the problems of the file, as JSON.
std::string indexData(const Lookup &lookup, const HtmlOptions &options);

/// All about one function, as JSON.
std::string functionData(const Lookup &lookup, const ByFunction &by,
                         graph::StageFunctions &functions, trace::Id function,
                         const HtmlOptions &options);

/// Valid JSON in which nothing can end the element that holds it.
std::string embeddable(const std::string &json);

} // namespace memreflens::report

#endif // MEMREFLENS_REPORT_HTMLDATA_H
