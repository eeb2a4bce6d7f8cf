//===- lsp/analysis/CodeActions.cpp - rewrites of the function here -------===//
//
// "Run lift-cf-to-scf on @f": a remedy that a finding names, applied, where the
// finding goes with it; for a dealloc by hand, without it, or with it marked as
// manual. None is offered whose result does not parse or has more findings.
//
//===----------------------------------------------------------------------===//

#include "lsp/analysis/DistinctArguments.h"
#include "lsp/analysis/Features.h"
#include "lsp/analysis/Findings.h"
#include "lsp/analysis/FunctionText.h"
#include "lsp/analysis/ManualDealloc.h"

#include "core/query/Index.h"
#include "core/trace/Plan.h"
#include "core/trace/StageTexts.h"

#include <algorithm>
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

/// Numbers of the client's diagnostics that the action is for.
static std::vector<size_t> boundTo(const CodeActionContext &context,
                                   const std::string &function,
                                   const std::set<std::string> &rules,
                                   bool asWritten) {
  std::vector<size_t> bound;
  for (size_t i = 0; i < context.diagnostics.size(); ++i) {
    const CodeActionContext::Diagnostic &one = context.diagnostics[i];
    bool isOfRule = rules.contains(one.rule) || (asWritten && one.asWritten);
    if (isOfRule && one.function == function)
      bound.push_back(i);
  }
  return bound;
}

static CodeAction action(const View &view, const trace::Function &function,
                         const std::string &title, const std::string &kind,
                         const std::string &pass) {
  size_t line = view.position(function.range.begin).line;
  return {title, kind, {view.uri, function.name, line, pass}};
}

/// A remedy; `isSure` if there is no better one.
static CodeAction quickFix(const View &view, const trace::Function &function,
                           const std::string &title, const std::string &pass,
                           const std::set<std::string> &rules,
                           std::vector<size_t> bound, bool isSure) {
  CodeAction made = action(view, function, title, "quickfix", pass);
  made.rewrite.rules.assign(rules.begin(), rules.end());
  made.diagnostics = std::move(bound);
  made.isPreferred = isSure && !made.diagnostics.empty();
  return made;
}

static bool isWanted(const CodeActionContext &context, std::string_view kind) {
  return !context.only ||
         std::ranges::any_of(*context.only, [&](const std::string &one) {
           return kind.starts_with(one);
         });
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
                          const CodeActionContext &context,
                          std::vector<CodeAction> &actions) {
  const trace::Function &function = view.trace().functions[size_t(id)];
  RulesOfPass passes = passesNamed(findings, function.title());
  for (const auto &[pass, rules] : passes)
    actions.push_back(quickFix(
        view, function, "Run " + pass + " on @" + function.name, pass, rules,
        boundTo(context, function.name, rules, false), passes.size() == 1));
  if (!isDeallocRejected(view, id))
    return;
  std::set<std::string> rules = {ruleIds::freeInInput};
  actions.push_back(
      quickFix(view, function,
               "Remove the deallocs of @" + function.name +
                   ", so that the pipeline places them",
               "remove", rules, boundTo(context, function.name, rules, true),
               !boundTo(context, function.name, {}, true).empty()));
  actions.push_back(quickFix(
      view, function,
      "Mark the deallocs of @" + function.name +
          " and their allocations as manual",
      "mark", rules, boundTo(context, function.name, rules, false), false));
}

/// What the engineer knows of a function's arguments, as an op.
static void addDistinct(const View &view, Id id, trace::Range range,
                        std::vector<CodeAction> &actions) {
  std::vector<uint32_t> arguments = argumentsIn(view, id, range);
  const trace::Function &function = view.trace().functions[size_t(id)];
  // From its head only: in its body one is not after that.
  if (arguments.size() < 2 || function.blocks.empty())
    return;
  const auto &entry = view.trace().blocks[size_t(function.blocks.front())].ops;
  if (!entry.empty() &&
      range.begin >= view.trace().ops[size_t(entry.front())].nameRange.begin)
    return;
  CodeAction made = action(view, function,
                           "State that " + std::to_string(arguments.size()) +
                               " memref arguments of @" + function.name +
                               " are distinct (nothing checks it)",
                           "refactor.rewrite", "distinct");
  made.rewrite.arguments = std::move(arguments);
  actions.push_back(std::move(made));
}

static void addCodeActions(const View &view,
                           const std::vector<PathFinding> &findings,
                           const TextRange &selected,
                           const CodeActionContext &context,
                           std::vector<CodeAction> &actions) {
  trace::Range range = {view.offsetOf(selected.start),
                        view.offsetOf(selected.end)};
  for (Id id : view.functions()) {
    const trace::Function &function = view.trace().functions[size_t(id)];
    if (!function.range.contains(range.begin))
      continue;
    if (isWanted(context, "refactor.rewrite"))
      addDistinct(view, id, range, actions);
    if (isWanted(context, "quickfix"))
      addQuickFixes(view, id, findings, context, actions);
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

/// The one change that turns the document's text into `text`; none if that is
/// empty.
static std::optional<TextEdit>
editTo(const std::string &text, const Document &document, Encoding encoding) {
  const std::string &old = document.text;
  if (text.empty() || text == old)
    return std::nullopt;
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
  return TextEdit{
      document.lines.rangeOf(old, begin, old.size() - same, encoding),
      text.substr(begin, text.size() - same - begin)};
}

/// Of the function that begins on that line, by rule.
static std::map<std::string, size_t> countsOf(Analyst &analyst,
                                              Document &document, size_t line) {
  std::map<std::string, size_t> counts;
  for (const Finding &finding : analyst.scheduler.findingsIn(document, line))
    ++counts[finding.rule];
  return counts;
}

/// Whether a rule finds more in the function where the document is that text.
static bool addsFinding(Analyst &analyst, Document &document, const Unit &unit,
                        const std::string &text) {
  Document tried;
  tried.uri = document.uri;
  tried.version = document.version;
  tried.text = text;
  const auto before = countsOf(analyst, document, unit.line);
  return std::ranges::any_of(
      countsOf(analyst, tried, unit.line), [&](const auto &entry) {
        const auto known = before.find(entry.first);
        return entry.second > (known == before.end() ? 0 : known->second);
      });
}

/// Whether the rules that the action is against find nothing any more in the
/// function with that text.
static bool helps(Analyst &analyst, const Document &document, const Unit &unit,
                  const View &view, const trace::Function &function,
                  const std::string &text,
                  const std::vector<std::string> &rules) {
  if (rules.empty())
    return true;
  size_t begin = unit.begin + function.range.begin - view.range.begin;
  Document tried;
  tried.uri = document.uri;
  tried.version = document.version;
  tried.text = document.text;
  tried.text.replace(begin, function.range.end - function.range.begin, text);
  return std::ranges::none_of(analyst.scheduler.findingsIn(tried, unit.line),
                              [&](const Finding &finding) {
                                return finding.function == function.title() &&
                                       std::ranges::find(rules, finding.rule) !=
                                           rules.end();
                              });
}

/// A pass's result in place of the function.
static std::optional<TextEdit> editByStages(Analyst &analyst,
                                            Document &document,
                                            const Unit &unit,
                                            const Rewrite &rewrite) {
  const std::string &pass = rewrite.pass;
  trace::RunOptions run = analyst.options.run;
  constexpr int stage = 0;
  run.prePipeline = pass == "lift-cf-to-scf" ? "func.func(" + pass + ")" : pass;
  trace::Trace trace = analyst.soloRuns.wholeTrace(document, unit, run, stage);
  std::string text = rewritten(trace, rewrite.function, stage);
  std::optional<View> view = viewOf(analyst, document, unit);
  if (text.empty() || !view)
    return std::nullopt;
  std::optional<TextEdit> edit;
  for (Id id : view->functions()) {
    const trace::Function &function = view->trace().functions[size_t(id)];
    if (function.name != rewrite.function)
      continue;
    text = indented(text, view->position(function.range.begin).character);
    if (!helps(analyst, document, unit, *view, function, text, rewrite.rules))
      return edit;
    if (text ==
        view->batch.text().substr(function.range.begin,
                                  function.range.end - function.range.begin))
      return edit; // Nothing to do.
    edit = {view->toRange(function.range), text};
  }
  return edit;
}

std::optional<TextEdit> onResolveCodeAction(Analyst &analyst,
                                            const Rewrite &rewrite) {
  Document *document = analyst.documents.find(rewrite.uri);
  const Unit *unit =
      document ? analyst.documents.unitAt(*document, rewrite.line) : nullptr;
  if (!unit)
    return std::nullopt;
  const Encoding encoding = analyst.options.encoding;
  for (const auto &[name, remedy] : deallocRemedies)
    if (rewrite.pass == name)
      return editTo(withRemedy(analyst, *document, rewrite.function, remedy),
                    *document, encoding);
  if (rewrite.pass == "distinct") {
    const std::string text = withDistinctArguments(
        analyst, *document, *unit, rewrite.function, rewrite.arguments);
    if (text.empty() || addsFinding(analyst, *document, *unit, text))
      return std::nullopt;
    return editTo(text, *document, encoding);
  }
  return editByStages(analyst, *document, *unit, rewrite);
}

std::vector<CodeAction> onCodeAction(Request &request,
                                     const CodeActionContext &context) {
  Analyst &analyst = request.analyst;
  Document &document = *request.document;
  std::vector<CodeAction> found;
  const Unit *unit =
      analyst.documents.unitAt(document, request.range.start.line);
  if (!unit)
    return found;
  if (std::optional<View> view = viewOf(analyst, document, *unit))
    addCodeActions(*view, findingsOf(analyst, document, *unit), request.range,
                   context, found);
  // What is offered against a finding, or may make one, is tried first.
  auto isTried = [&](const CodeAction &one) {
    return !analyst.options.lazyActions || !one.diagnostics.empty() ||
           one.rewrite.pass == "distinct";
  };
  for (CodeAction &one : found)
    if (isTried(one))
      one.edit = onResolveCodeAction(analyst, one.rewrite);
  std::erase_if(
      found, [&](const CodeAction &one) { return isTried(one) && !one.edit; });
  return found;
}

} // namespace memreflens::lsp
