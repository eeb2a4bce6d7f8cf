//===- lsp/analysis/CodeLens.cpp - each function's sums, above it ---------===//

#include "lsp/analysis/Features.h"

#include "core/explain/Totals.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace memreflens::lsp {

using trace::Id;

static Json lens(const View &view, trace::Range range, const std::string &title,
                 const std::string &command, const std::string &function) {
  Json made = {{"title", title}, {"command", command}};
  if (!command.empty())
    made["arguments"] = {view.uri, function};
  return {{"range", view.toRange(range)}, {"command", made}};
}

static void addCodeLenses(const View &view, Json &lenses) {
  const LensOptions &options = view.options.lenses;
  if (!options.enabled)
    return;
  for (Id id : view.functions()) {
    const trace::Function &function = view.trace().functions[size_t(id)];
    if (function.status == trace::FunctionStatus::declaration ||
        function.status == trace::FunctionStatus::skipped)
      continue;
    lenses.push_back(lens(view, function.nameRange,
                          buffersLine(totalsOf(view.lookup(), id)), "",
                          function.name));
    if (!options.commands)
      continue;
    lenses.push_back(lens(view, function.nameRange, "step through",
                          "memrefLens.stepThrough", function.name));
    lenses.push_back(lens(view, function.nameRange, "show CFG",
                          "memrefLens.showCfg", function.name));
  }
}

Json onCodeLens(Request &request) {
  Analyst &analyst = request.analyst;
  Document &document = *request.document;
  analyst.refresh(document);
  bool isPartial = request.params.contains("partialResultToken");
  size_t step = isPartial ? std::max<size_t>(analyst.options.batchSize, 1)
                          : document.units.size();
  Json found = Json::array();
  for (size_t i = 0; i < document.units.size(); i += step) {
    size_t end = std::min(i + step, document.units.size());
    if (!ensureTraces(request, i, end))
      return Json::array();
    for (size_t unit = i; unit < end; ++unit)
      if (std::optional<View> view =
              viewOf(analyst, document, document.units[unit]))
        addCodeLenses(*view, found);
    if (isPartial)
      request.sendPart(std::exchange(found, Json::array()));
  }
  return found;
}

} // namespace memreflens::lsp
