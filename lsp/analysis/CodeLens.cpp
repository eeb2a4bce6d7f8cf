//===- lsp/analysis/CodeLens.cpp - each function's sums, above it ---------===//

#include "lsp/analysis/Features.h"

#include "core/explain/Totals.h"

#include <nlohmann/json.hpp>

namespace memreflens::lsp {

using trace::Id;

static Json lens(const View &view, trace::Range range, const std::string &title,
                 const std::string &command, const std::string &function) {
  Json made = {{"title", title}, {"command", command}};
  if (!command.empty())
    made["arguments"] = {view.uri, function};
  return {{"range", view.toRange(range)}, {"command", made}};
}

void addCodeLenses(const View &view, Json &lenses) {
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

} // namespace memreflens::lsp
