//===- lsp/analysis/Diagnostics.cpp - what the pipeline refuses or pays ---===//

#include "lsp/analysis/Features.h"

#include "core/explain/DecisionText.h"
#include "core/explain/RejectionText.h"
#include "core/trace/Names.h"

#include <algorithm>

namespace memreflens::lsp {

using namespace trace;

static Json relatedOf(const View &view, const Explanation &explanation) {
  Json related = Json::array();
  for (const Evidence &fact : explanation.evidence)
    if (!fact.range.empty() && view.range.contains(fact.range.begin))
      related.push_back(
          {{"location", view.toLocation(fact.range)}, {"message", fact.text}});
  return related;
}

/// The first line only of what spans several: an op with its regions is no
/// place to underline.
static Range firstLine(const View &view, Range range) {
  size_t end = view.batch.text().find('\n', range.begin);
  if (end < range.end)
    range.end = uint32_t(end);
  return range;
}

static void add(const View &view, const Event &event, int severity,
                const std::string &code, const Explanation &words,
                Json &diagnostics) {
  Range range = rangeOfEvent(view.lookup(), event);
  if (severity == 0 || words.empty() || !view.range.contains(range.begin))
    return;
  std::string message = words.sentence;
  for (const std::string &remedy : words.remedies)
    message += "\n→ " + remedy;
  diagnostics.push_back({{"range", view.toRange(firstLine(view, range))},
                         {"severity", severity},
                         {"source", "memref-lens"},
                         {"code", code},
                         {"message", message},
                         {"relatedInformation", relatedOf(view, words)}});
}

static bool isCheck(const LoweringEvent &lowering) {
  return !lowering.compared.empty() ||
         lowering.lowering == LoweringCase::libraryFunction;
}

static void addEvent(const View &view, const Event &event, Json &own) {
  const DiagnosticOptions &wanted = view.options.diagnostics;
  if (const auto *found = std::get_if<RejectionEvent>(&event.detail))
    add(view, event, wanted.rejections, std::string(nameOf(found->cause)),
        explainRejection(view.lookup(), event.id), own);
  if (wanted.clones && std::get_if<CloneEvent>(&event.detail))
    add(view, event, wanted.clones, "clone",
        explainEvent(view.lookup(), event.id), own);
  const auto *lowering = std::get_if<LoweringEvent>(&event.detail);
  if (wanted.checks && lowering && isCheck(*lowering))
    add(view, event, wanted.checks, "run-time-check",
        explainEvent(view.lookup(), event.id), own);
}

static int severityOf(Severity severity) {
  switch (severity) {
  case Severity::error:
    return 1;
  case Severity::warning:
    return 2;
  case Severity::remark:
  case Severity::note:
    return 3;
  }
  return 1;
}

/// A refusal is told by its event; a problem says it once more.
static bool isToldByEvent(const View &view, const Problem &problem) {
  if (problem.function == none)
    return false;
  auto events = view.lookup().eventsOfFunction(problem.function);
  return std::any_of(events.begin(), events.end(), [&](Id id) {
    return std::holds_alternative<RejectionEvent>(
        view.lookup().event(id)->detail);
  });
}

static void addProblem(const View &view, const Problem &problem, Json &own,
                       Json &parser) {
  bool isParsers = problem.stage == none;
  if (!isParsers && isToldByEvent(view, problem))
    return;
  Range range = problem.range;
  if (range.begin < view.range.begin || range.begin > view.range.end) {
    // In a batch of several, another unit shows it.
    if (range.begin != range.end || range.begin != 0)
      return;
    range = {view.range.begin, view.range.begin};
  }
  std::string message = problem.message;
  if (!problem.remedy.empty())
    message += "\n→ " + problem.remedy;
  Json related = Json::array();
  for (const Problem &note : problem.notes)
    related.push_back(
        {{"location", view.toLocation(note.range)}, {"message", note.message}});
  (isParsers ? parser : own)
      .push_back({{"range", view.toRange(firstLine(view, range))},
                  {"severity", severityOf(problem.severity)},
                  {"source", "memref-lens"},
                  {"message", message},
                  {"relatedInformation", related}});
}

void addDiagnostics(const View &view, Json &own, Json &parser) {
  for (Id function : view.functions())
    for (Id event : view.lookup().eventsOfFunction(function))
      addEvent(view, *view.lookup().event(event), own);
  for (const Problem &problem : view.trace().problems)
    addProblem(view, problem, own, parser);
}

} // namespace memreflens::lsp
