//===- lsp/analysis/CodeActions.cpp - rewrites of the function here -------===//
//
// "Deallocate @f": the pipeline's result in place of the function. "Run
// lift-cf-to-scf on @f": a remedy that a finding names, applied, where the
// finding goes with it; for a dealloc by hand, without it, or with it marked as
// manual.
//
//===----------------------------------------------------------------------===//

#include "lsp/analysis/DistinctArguments.h"
#include "lsp/analysis/Features.h"
#include "lsp/analysis/Findings.h"
#include "lsp/analysis/FunctionText.h"
#include "lsp/analysis/ManualDealloc.h"

#include "core/trace/Plan.h"
#include "core/trace/Query.h"
#include "core/trace/StageTexts.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace memreflens::lsp {

using trace::Id;

/// Rules whose findings in the function name the pass as a remedy, by pass.
using RulesOfPass = std::map<std::string, std::set<std::string>>;

static RulesOfPass passesNamed(const std::vector<PathFinding> &findings,
                               const std::string &function) {
  RulesOfPass found;
  for (const PathFinding &one : findings)
    if (one.finding.function == function)
      for (const Advice &remedy : one.finding.remedies)
        for (RemedyPass pass : remedy.passes)
          if (rewritesFunction(pass))
            found[std::string(nameOf(pass))].insert(one.finding.rule);
  return found;
}

/// The client's own copies of diagnostics that the action is for.
static Json boundTo(const Json &params, const std::string &function,
                    const std::set<std::string> &rules, bool asWritten) {
  Json bound = Json::array();
  const Json &given = member(member(params, "context"), "diagnostics");
  if (!given.is_array())
    return bound;
  for (const Json &one : given) {
    const Json &data = member(one, "data");
    bool isOfRule = rules.contains(stringIn(one, "code")) ||
                    (asWritten && boolIn(data, "asWritten", false));
    if (isOfRule && stringIn(one, "source") == "memref-lens" &&
        stringIn(data, "function") == function)
      bound.push_back(one);
  }
  return bound;
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

/// A remedy; `isSure` if there is no better one.
static Json quickFix(const View &view, const trace::Function &function,
                     const std::string &title, const std::string &pass,
                     const std::set<std::string> &rules, Json bound,
                     bool isSure) {
  Json made = action(view, function, title, "quickfix", pass);
  made["data"]["rules"] = rules;
  if (bound.empty())
    return made;
  made["diagnostics"] = std::move(bound);
  if (isSure)
    made["isPreferred"] = true;
  return made;
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

/// Remedies for a dealloc by hand, by the names that a request's data has.
static constexpr std::pair<std::string_view, DeallocRemedy> deallocRemedies[] =
    {{"remove", DeallocRemedy::remove}, {"mark", DeallocRemedy::mark}};

static bool isDeallocRejected(const View &view, Id function) {
  for (Id event : view.lookup().eventsOfFunction(function)) {
    const auto *found =
        std::get_if<trace::RejectionEvent>(&view.lookup().event(event)->detail);
    Id op = view.lookup().event(event)->op;
    if (found && found->cause == trace::RejectionCause::freeEffect &&
        op != trace::none &&
        view.trace().ops[size_t(op)].name == "memref.dealloc")
      return true;
  }
  return false;
}

static void addQuickFixes(const View &view, Id id,
                          const std::vector<PathFinding> &findings,
                          const Json &params, Json &actions) {
  const trace::Function &function = view.trace().functions[size_t(id)];
  RulesOfPass passes = passesNamed(findings, function.title());
  for (const auto &[pass, rules] : passes)
    actions.push_back(quickFix(
        view, function, "Run " + pass + " on @" + function.name, pass, rules,
        boundTo(params, function.name, rules, false), passes.size() == 1));
  if (!isDeallocRejected(view, id))
    return;
  std::set<std::string> rules = {"free-in-input"};
  actions.push_back(
      quickFix(view, function,
               "Remove the deallocs of @" + function.name +
                   ", so that the pipeline places them",
               "remove", rules, boundTo(params, function.name, rules, true),
               !boundTo(params, function.name, {}, true).empty()));
  actions.push_back(quickFix(
      view, function,
      "Mark the deallocs of @" + function.name +
          " and their allocations as manual",
      "mark", rules, boundTo(params, function.name, rules, false), false));
}

/// What the engineer knows of a function's arguments, as an op.
static void addDistinct(const View &view, Id id, const Json &params,
                        Json &actions) {
  const Json &selected = member(params, "range");
  trace::Range range = {view.offsetOf(toPosition(member(selected, "start"))),
                        view.offsetOf(toPosition(member(selected, "end")))};
  std::vector<uint32_t> arguments = argumentsIn(view, id, range);
  const trace::Function &function = view.trace().functions[size_t(id)];
  // From its head only: in its body one is not after that.
  if (arguments.size() < 2 || function.blocks.empty())
    return;
  const auto &entry = view.trace().blocks[size_t(function.blocks.front())].ops;
  if (!entry.empty() &&
      range.begin >= view.trace().ops[size_t(entry.front())].nameRange.begin)
    return;
  Json made = action(view, function,
                     "Declare " + std::to_string(arguments.size()) +
                         " memref arguments of @" + function.name + " distinct",
                     "refactor.rewrite", "distinct");
  made["data"]["arguments"] = arguments;
  actions.push_back(std::move(made));
}

static void addCodeActions(const View &view,
                           const std::vector<PathFinding> &findings,
                           const Json &params, Json &actions) {
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
    if (isWanted(params, "refactor.rewrite"))
      addDistinct(view, id, params, actions);
    if (isWanted(params, "quickfix"))
      addQuickFixes(view, id, findings, params, actions);
  }
}

/// The range to replace, and the text that goes there; empty where the stages
/// did not come to an end.
static std::string rewritten(const trace::Trace &trace,
                             const std::string &function, int stage) {
  for (const trace::Chunk &chunk : trace.chunks) {
    std::optional<std::string> text = trace::stageText(trace, chunk.id, stage);
    if (!chunk.parsed || !text || chunk.stages.empty() ||
        chunk.stages.back().number < stage)
      continue;
    if (std::string found = functionIn(*text, function); !found.empty())
      return found;
  }
  return {};
}

/// The action with the one change that turns the document's text into `text`;
/// without, if `text` is empty.
static Json withText(Analyst &analyst, const Document &document, Json action,
                     const std::string &text) {
  const std::string &old = document.text;
  if (text.empty() || text == old)
    return action;
  auto [from, to] =
      std::mismatch(old.begin(), old.end(), text.begin(), text.end());
  size_t begin = size_t(from - old.begin());
  // A position between the bytes of a character is none.
  while (begin > 0 && (old[begin] & 0xc0) == 0x80)
    --begin;
  size_t same = 0, most = std::min(old.size(), text.size()) - begin;
  while (same < most &&
         old[old.size() - 1 - same] == text[text.size() - 1 - same])
    ++same;
  while (same > 0 && (old[old.size() - same] & 0xc0) == 0x80)
    --same;
  Encoding encoding = analyst.options.encoding;
  auto position = [&](size_t at) -> Json {
    Position found = document.lines.positionOf(old, at, encoding);
    return {{"line", found.line}, {"character", found.character}};
  };
  Json edit = {
      {"range",
       {{"start", position(begin)}, {"end", position(old.size() - same)}}},
      {"newText", text.substr(begin, text.size() - same - begin)}};
  action["edit"] = {{"changes", {{document.uri, Json::array({edit})}}}};
  return action;
}

/// Whether the rules that the action is against find nothing any more in the
/// function with that text.
static bool helps(Analyst &analyst, const Document &document, const Unit &unit,
                  const View &view, const trace::Function &function,
                  const std::string &text, const Json &data) {
  const Json &rules = member(data, "rules");
  if (!rules.is_array())
    return true;
  size_t begin = unit.begin + function.range.begin - view.range.begin;
  Document tried;
  tried.uri = document.uri;
  tried.version = document.version;
  tried.text = document.text;
  tried.text.replace(begin, function.range.end - function.range.begin, text);
  return std::ranges::none_of(
      analyst.findingsIn(tried, unit.line), [&](const Finding &finding) {
        return finding.function == function.title() &&
               std::ranges::find(rules, Json(finding.rule)) != rules.end();
      });
}

static Json resolveCodeAction(Analyst &analyst, Json action) {
  const Json data = member(action, "data");
  Document *document = analyst.find(stringIn(data, "uri"));
  const Unit *unit =
      document ? analyst.unitAt(*document, size_t(integerIn(data, "line", 0)))
               : nullptr;
  if (!unit)
    return action;
  std::string pass = stringIn(data, "pass");
  for (const auto &[name, remedy] : deallocRemedies)
    if (pass == name)
      return withText(
          analyst, *document, std::move(action),
          withRemedy(analyst, *document, stringIn(data, "function"), remedy));
  if (pass == "distinct") {
    std::vector<uint32_t> arguments;
    for (const Json &one : member(data, "arguments"))
      if (one.is_number_unsigned())
        arguments.push_back(one.get<uint32_t>());
    return withText(analyst, *document, std::move(action),
                    withDistinctArguments(analyst, *document, *unit,
                                          stringIn(data, "function"),
                                          arguments));
  }
  trace::RunOptions run = analyst.options.run;
  int stage = pass.empty() ? trace::lastStage(run) : 0;
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
    if (!helps(analyst, *document, *unit, *view, function, text, data))
      return action;
    if (text ==
        view->batch.text().substr(function.range.begin,
                                  function.range.end - function.range.begin))
      return action; // Nothing to do.
    Json edit = {{"range", view->toRange(function.range)}, {"newText", text}};
    action["edit"] = {{"changes", {{document->uri, Json::array({edit})}}}};
  }
  return action;
}

Json onResolveCodeAction(Request &request) {
  return resolveCodeAction(request.analyst, request.params);
}

Json onCodeAction(Request &request) {
  Analyst &analyst = request.analyst;
  Document &document = *request.document;
  Json found = Json::array();
  const Json &position = member(member(request.params, "range"), "start");
  const Unit *unit = analyst.unitAt(document, toPosition(position).line);
  if (!unit)
    return found;
  if (std::optional<View> view = viewOf(analyst, document, *unit))
    addCodeActions(*view, findingsOf(analyst, document, *unit), request.params,
                   found);
  // What is offered against a finding is tried first.
  for (size_t i = found.size(); i-- > 0;) {
    if (analyst.options.lazyActions && !found[i].contains("diagnostics"))
      continue;
    found[i] = resolveCodeAction(analyst, found[i]);
    if (!found[i].contains("edit"))
      found.erase(found.begin() + ptrdiff_t(i));
  }
  return found;
}

} // namespace memreflens::lsp
