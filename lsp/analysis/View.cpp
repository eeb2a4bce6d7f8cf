//===- lsp/analysis/View.cpp ----------------------------------------------===//

#include "lsp/analysis/View.h"
#include "lsp/analysis/Analyst.h"

namespace memreflens::lsp {

std::optional<View> viewOf(Analyst &analyst, Document &document,
                           const Unit &unit) {
  const Batch *batch = analyst.scheduler.traceOf(document, unit);
  const Batch::Place *place = batch ? batch->find(unit.key) : nullptr;
  if (!place)
    return std::nullopt;
  return View{document.uri, *batch, analyst.options, place->range};
}

TextRange View::toRange(trace::Range range) const {
  return batch.getLines().rangeOf(batch.text(), range.begin, range.end,
                                  options.encoding);
}

uint32_t View::offsetOf(Position position) const {
  return uint32_t(
      batch.getLines().offsetOf(batch.text(), position, options.encoding));
}

std::vector<trace::Id> View::functions() const {
  std::vector<trace::Id> found;
  for (const trace::Function &function : trace().functions)
    if (range.contains(function.range.begin) && !function.range.empty())
      found.push_back(function.id);
  return found;
}

} // namespace memreflens::lsp
