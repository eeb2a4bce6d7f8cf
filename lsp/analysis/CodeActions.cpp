//===- lsp/analysis/CodeActions.cpp - rewrites of the function here -------===//
//
// "Deallocate @f": the pipeline's result in place of the function. "Run
// lift-cf-to-scf on @f": a remedy that a refusal names, applied.
//
//===----------------------------------------------------------------------===//

#include "lsp/analysis/Features.h"
#include "lsp/analysis/FunctionText.h"

#include "core/explain/RejectionText.h"
#include "core/trace/Query.h"

#include <set>

namespace memreflens::lsp {

using trace::Id;

/// Passes that remedies name, and that rewrite one function.
static constexpr std::string_view remedyPasses[] = {"lift-cf-to-scf",
                                                    "expand-realloc"};

static std::set<std::string> passesNamed(const View &view, Id function) {
  std::set<std::string> found;
  for (Id event : view.lookup().eventsOfFunction(function))
    for (const std::string &remedy :
         explainRejection(view.lookup(), event).remedies)
      for (std::string_view pass : remedyPasses)
        if (remedy.find(pass) != std::string::npos)
          found.insert(std::string(pass));
  return found;
}

static Json action(const View &view, const trace::Function &function,
                   const std::string &title, const std::string &kind,
                   const std::string &pass) {
  return {{"title", title},
          {"kind", kind},
          {"data",
           {{"memrefLens", "rewrite"},
            {"uri", view.uri},
            {"function", function.name},
            {"line", view.position(function.range.begin)["line"]},
            {"pass", pass}}}};
}

static bool isWanted(const Json &params, const std::string &kind) {
  const Json &only = member(member(params, "context"), "only");
  if (!only.is_array())
    return true;
  for (const Json &one : only)
    if (one.is_string() && kind.starts_with(one.get<std::string>()))
      return true;
  return false;
}

void addCodeActions(const View &view, const Json &params, Json &actions) {
  uint32_t offset =
      view.offsetOf(toPosition(member(member(params, "range"), "start")));
  for (Id id : view.functions()) {
    const trace::Function &function = view.trace().functions[size_t(id)];
    if (!function.range.contains(offset))
      continue;
    if (function.status == trace::FunctionStatus::traced &&
        isWanted(params, "refactor.rewrite"))
      actions.push_back(action(view, function, "Deallocate @" + function.name,
                               "refactor.rewrite", ""));
    if (isWanted(params, "quickfix"))
      for (const std::string &pass : passesNamed(view, id))
        actions.push_back(action(view, function,
                                 "Run " + pass + " on @" + function.name,
                                 "quickfix", pass));
  }
}

/// The range to replace, and the text that goes there; empty where the stages
/// did not come to an end.
static std::string rewritten(const trace::Trace &trace,
                             const std::string &function, int stage) {
  for (const trace::Chunk &chunk : trace.chunks) {
    std::optional<std::string_view> text =
        trace::stageText(trace, chunk.id, stage);
    if (!chunk.parsed || !text || chunk.stages.empty() ||
        chunk.stages.back().number < stage)
      continue;
    if (std::string found = functionIn(*text, function); !found.empty())
      return found;
  }
  return {};
}

Json resolveCodeAction(Analyst &analyst, Json action) {
  const Json data = member(action, "data");
  Document *document = analyst.find(stringIn(data, "uri"));
  const Unit *unit =
      document ? analyst.unitAt(*document, size_t(integerIn(data, "line", 0)))
               : nullptr;
  if (!unit)
    return action;
  trace::RunOptions run = analyst.options.run;
  std::string pass = stringIn(data, "pass");
  int stage = pass.empty() ? stageCount : 0;
  if (!pass.empty())
    run.prePipeline =
        pass == "lift-cf-to-scf" ? "func.func(" + pass + ")" : pass;
  std::string name = stringIn(data, "function");
  trace::Trace trace = analyst.wholeTrace(*document, *unit, run, stage);
  std::string text = rewritten(trace, name, stage);
  std::optional<View> view = viewOf(analyst, *document, *unit);
  if (text.empty() || !view)
    return action;
  for (Id id : view->functions()) {
    const trace::Function &function = view->trace().functions[size_t(id)];
    if (function.name != name)
      continue;
    uint32_t column = view->position(function.range.begin)["character"];
    text = indented(text, column);
    if (text ==
        view->batch.text().substr(function.range.begin,
                                  function.range.end - function.range.begin))
      return action; // Nothing to do.
    Json edit = {{"range", view->toRange(function.range)}, {"newText", text}};
    action["edit"] = {{"changes", {{document->uri, Json::array({edit})}}}};
  }
  return action;
}

} // namespace memreflens::lsp
