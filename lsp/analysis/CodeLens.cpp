//===- lsp/analysis/CodeLens.cpp - each function's sums, above it ---------===//

#include "lsp/analysis/Features.h"

#include "core/causes/Overview.h"
#include "core/explain/TotalsText.h"

#include <algorithm>
#include <utility>

namespace memreflens::lsp {

using trace::Id;

/// A name may look like the icon of an editor, `$(bug)`: something that is not
/// seen stands within.
static std::string withoutIcons(std::string text) {
  constexpr std::string_view sign = "$(", apart = "$\u200b(";
  for (size_t at = text.find(sign); at != text.npos;
       at = text.find(sign, at + apart.size()))
    text.replace(at, sign.size(), apart);
  return text;
}

/// "6 clones because @step returns 6 of its arguments"; empty where nothing was
/// found.
static std::string causeLine(const FileReport &report, const std::string &of) {
  const Cause *cause = leadingCause(report, of);
  if (!cause)
    return {};
  const std::string costs = costsText(cause->kind, cause->costs);
  const std::string &why = cause->sentence;
  return withoutIcons(costs.empty() ? why : costs + " because " + why);
}

static void addCodeLenses(const View &view, const FileReport &report,
                          std::vector<CodeLens> &lenses) {
  const LensOptions &options = view.options.lenses;
  if (!options.enabled)
    return;
  for (Id id : view.functions()) {
    const trace::Function &function = view.trace().functions[size_t(id)];
    if (function.status == trace::FunctionStatus::declaration ||
        function.status == trace::FunctionStatus::skipped)
      continue;
    const TextRange range = view.toRange(function.nameRange);
    lenses.push_back({range, buffersLine(totalsOf(view.lookup(), id)), "", {}});
    if (std::string cause = causeLine(report, function.title()); !cause.empty())
      lenses.push_back({range, std::move(cause), "", {}});
    if (!options.commands)
      continue;
    const std::vector<std::string> here = {view.uri, function.name};
    lenses.push_back({range, "step through", "memrefLens.stepThrough", here});
    lenses.push_back({range, "show CFG", "memrefLens.showCfg", here});
  }
}

/// Nothing where findings are not wanted.
static const FileReport &findingsHere(const Analyst &analyst,
                                      Document &document, size_t unit) {
  static const FileReport nothing;
  auto at = document.traces.find(document.units[unit].key);
  const bool isWanted =
      analyst.options.findings.enabled && at != document.traces.end();
  return isWanted ? at->second->findings() : nothing;
}

std::vector<CodeLens> onCodeLens(Request &request, const SendLenses &sendPart) {
  Analyst &analyst = request.analyst;
  Document &document = *request.document;
  analyst.documents.refresh(document);
  size_t step = sendPart ? std::max<size_t>(analyst.options.batchSize, 1)
                         : document.units.size();
  std::vector<CodeLens> found;
  for (size_t i = 0; i < document.units.size(); i += step) {
    size_t end = std::min(i + step, document.units.size());
    if (!ensureTraces(request, i, end))
      return {};
    for (size_t unit = i; unit < end; ++unit)
      if (std::optional<View> view =
              viewOf(analyst, document, document.units[unit]))
        addCodeLenses(*view, findingsHere(analyst, document, unit), found);
    if (sendPart)
      sendPart(std::exchange(found, {}));
  }
  return found;
}

} // namespace memreflens::lsp
