//===- core/report/HtmlData.h - what a page shows of a function, as data --===//
//
// Every sentence is made here, by core/explain; the page only places them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REPORT_HTMLDATA_H
#define MEMREFLENS_REPORT_HTMLDATA_H

#include "core/graph/StageText.h"
#include "core/graph/tensors/TensorFlow.h"
#include "core/memory/Memory.h"
#include "core/query/Lookup.h"
#include "core/report/Html.h"

#include <mutex>

namespace memreflens::report {

/// What the functions of a page are made from. The trace must outlive it.
struct PageSources {
  explicit PageSources(const Lookup &lookup);
  /// By function, found in one walk over the trace.
  std::vector<Lookup::Ids> values, events, blocks;
  /// For one thread at a time.
  std::mutex readingStages;
  graph::StageFunctions stages;
  graph::TensorFlows tensors;
  memory::MemoryReader memory;
};

/// The list of functions and the problems of the file, as JSON.
std::string indexData(const Lookup &lookup, const HtmlOptions &options);

/// All about one function, as JSON, with its graph or without. For several
/// threads.
std::string functionData(const Lookup &lookup, PageSources &sources,
                         trace::Id function, bool isDrawn,
                         const HtmlOptions &options);

/// Valid JSON in which nothing can end the element that holds it.
std::string embeddable(const std::string &json);

} // namespace memreflens::report

#endif // MEMREFLENS_REPORT_HTMLDATA_H
