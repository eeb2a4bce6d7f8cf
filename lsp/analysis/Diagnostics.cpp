//===- lsp/analysis/Diagnostics.cpp - what check finds, and what failed ---===//
//
// A finding's rule is its code; facts and the steps of its path are its related
// information, in that order; `data` tells how many of each there are.
//
//===----------------------------------------------------------------------===//

#include "core/text/Fingerprint.h"
#include "lsp/analysis/Features.h"
#include "lsp/analysis/Findings.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

namespace memreflens::lsp {

using namespace trace;

//===--- Findings ---------------------------------------------------------===//

static Json related(const Document &document, const PlaceMap &places,
                    const FindingNote &note, const Place &otherwise,
                    const std::string &prefix) {
  const Place &place = note.place.line ? note.place : otherwise;
  return {
      {"location", {{"uri", document.uri}, {"range", places.toRange(place)}}},
      {"message", prefix + note.text}};
}

static Json relatedOf(const Document &document, const PlaceMap &places,
                      const Finding &finding) {
  Json list = Json::array();
  for (const FindingNote &fact : finding.related)
    list.push_back(related(document, places, fact, finding.place, ""));
  // A step without a place is told at the one before.
  Place last = finding.place;
  size_t number = 0;
  for (const FindingNote &step : finding.path) {
    std::string prefix = std::to_string(++number) + "/" +
                         std::to_string(finding.path.size()) + " ";
    list.push_back(related(document, places, step, last, prefix));
    last = step.place.line ? step.place : last;
  }
  return list;
}

static std::string messageOf(const PathFinding &found) {
  std::string message = found.finding.message;
  for (const Advice &remedy : found.finding.remedies)
    message += "\n→ " + remedy.words;
  if (!found.bounds.empty())
    message += std::string("\n") +
               (found.isInput ? "in the program as written: "
                              : "in what the pipeline makes of it: ") +
               found.bounds;
  return message;
}

static Json toDiagnostic(const Document &document, const PlaceMap &places,
                         const ServerOptions &options,
                         const PathFinding &found) {
  const Finding &finding = found.finding;
  Json made = {{"range", places.toRange(finding.place)},
               {"severity", severityOf(finding, options)},
               {"source", "memref-lens"},
               {"code", finding.rule},
               {"message", messageOf(found)},
               {"relatedInformation", relatedOf(document, places, finding)},
               {"data",
                {{"function", finding.function},
                 {"facts", finding.related.size()},
                 {"steps", finding.path.size()},
                 {"asWritten", found.isInput}}}};
  if (const std::string &base = options.findings.rulePages; !base.empty())
    made["codeDescription"] = {
        {"href",
         base + (base.ends_with('/') ? "" : "/") + finding.rule + ".md"}};
  return made;
}

/// Equal as long as the unit, what its paths go through, and what is known of
/// both are where and what they were.
static uint64_t signatureOf(const Document &document, size_t number) {
  const PathKey &path = document.pathKeys[number];
  uint64_t hash = mixInto(path.key, document.paths.contains(path.key));
  auto at = document.traces.find(document.units[number].key);
  if (at != document.traces.end())
    hash =
        mixInto(hash, uint64_t(reinterpret_cast<uintptr_t>(at->second.get())));
  for (size_t body : path.bodies)
    hash = mixInto(hash, document.units[body].line);
  return hash;
}

static std::string keyOf(const Finding &finding) {
  char place[32];
  std::snprintf(place, sizeof(place), "%010u %010u ", finding.place.line,
                finding.place.column);
  return place + finding.rule + "\n" + finding.message;
}

static const ToldUnit &toldOf(Analyst &analyst, Document &document,
                              const PlaceMap &places, size_t number) {
  const Unit &unit = document.units[number];
  ToldUnit &told = document.told[unit.key];
  uint64_t signature = signatureOf(document, number);
  if (told.signature == signature)
    return told;
  told = {signature, {}};
  for (const PathFinding &one : findingsOf(analyst, document, unit))
    told.entries.push_back(
        {severityOf(one.finding, analyst.options), keyOf(one.finding),
         toBytes(toDiagnostic(document, places, analyst.options, one))});
  return told;
}

/// The most severe, in order of place.
static void keepMostSevere(std::vector<const ToldUnit::Entry *> &found,
                           size_t most) {
  for (int severity = 4; severity > 0 && found.size() > most; --severity)
    for (size_t i = found.size(); i-- > 0 && found.size() > most;)
      if (found[i]->severity == severity)
        found.erase(found.begin() + ptrdiff_t(i));
}

static void add(std::string text, std::string &list) {
  list += (list.empty() ? "" : ",") + std::move(text);
}

static void addFindings(Analyst &analyst, Document &document,
                        std::string &own) {
  PlaceMap places(document, analyst.options.encoding);
  analyst.findPathKeys(document);
  std::vector<const ToldUnit::Entry *> found;
  for (size_t i = 0; i < document.units.size(); ++i)
    for (const ToldUnit::Entry &one :
         toldOf(analyst, document, places, i).entries)
      found.push_back(&one);
  std::ranges::stable_sort(
      found, [](const auto *a, const auto *b) { return a->key < b->key; });
  // A fault in a function's body is found from each of its callers, too.
  auto same = std::ranges::unique(
      found, [](const auto *a, const auto *b) { return a->key == b->key; });
  found.erase(same.begin(), same.end());
  size_t all = found.size();
  keepMostSevere(found, analyst.options.findings.most);
  for (const ToldUnit::Entry *one : found)
    add(one->text, own);
  if (found.size() < all)
    add(toBytes({{"range", places.toRange({1, 1, 1, 1})},
                 {"severity", 3},
                 {"source", "memref-lens"},
                 {"message", std::to_string(all - found.size()) +
                                 " more findings of this file are not shown; "
                                 "memref-lens check --verbose lists all"}}),
        own);
}

/// Whose paths an earlier process died over.
static void addUntried(Analyst &analyst, Document &document, std::string &own) {
  PlaceMap places(document, analyst.options.encoding);
  analyst.findPathKeys(document);
  for (size_t i = 0; i < document.units.size(); ++i) {
    const Fatal *fatal = analyst.fatalOf(document.pathKeys[i].key);
    if (!fatal)
      continue;
    const Unit &unit = document.units[i];
    uint32_t line = uint32_t(unit.line + 1);
    add(toBytes(
            {{"range", places.toRange({line, 1, line + 1, 1})},
             {"severity", 2},
             {"source", "memref-lens"},
             {"message",
              "the paths of " +
                  (unit.isChunk ? "this part of the file" : unit.name) +
                  " were not tried: the analysis of them " + fatal->message}}),
        own);
  }
}

//===--- Problems ---------------------------------------------------------===//

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

/// A rejection, or a stage that failed, is a finding; a problem says it once
/// more.
static bool isToldByFinding(const View &view, const Problem &problem) {
  if (!view.options.findings.enabled || problem.severity == Severity::note)
    return false;
  if (problem.function == none)
    return problem.severity == Severity::error;
  auto events = view.lookup().eventsOfFunction(problem.function);
  return std::any_of(events.begin(), events.end(), [&](Id id) {
    return std::holds_alternative<RejectionEvent>(
        view.lookup().event(id)->detail);
  });
}

/// The first line only of what spans several.
static Range firstLine(const View &view, Range range) {
  size_t end = view.batch.text().find('\n', range.begin);
  if (end < range.end)
    range.end = uint32_t(end);
  return range;
}

static void addProblem(const View &view, const Problem &problem,
                       std::string &own, std::string &parser) {
  bool isParsers = problem.stage == none;
  if (!isParsers && isToldByFinding(view, problem))
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
  add(toBytes({{"range", view.toRange(firstLine(view, range))},
               {"severity", severityOf(problem.severity)},
               {"source", "memref-lens"},
               {"message", message},
               {"relatedInformation", related}}),
      isParsers ? parser : own);
}

/// Ours go to `own`, the parser's to `parser`: elements of JSON arrays.
static void addDiagnostics(Analyst &analyst, Document &document,
                           std::string &own, std::string &parser) {
  if (!analyst.options.pipelineError.empty())
    add(toBytes({{"range",
                  {{"start", {{"line", 0}, {"character", 0}}},
                   {"end", {{"line", 0}, {"character", 0}}}}},
                 {"severity", severityOf(Severity::error)},
                 {"source", "memref-lens"},
                 {"message", "the setting pipeline.passes is not followed: " +
                                 analyst.options.pipelineError}}),
        own);
  if (analyst.options.findings.enabled) {
    addFindings(analyst, document, own);
    addUntried(analyst, document, own);
  }
  for (const Unit &unit : document.units)
    if (std::optional<View> view = viewOf(analyst, document, unit))
      for (const Problem &problem : view->trace().problems)
        addProblem(*view, problem, own, parser);
}

std::string reportOf(Analyst &analyst, Document &document) {
  document.isReported = true;
  document.hasPathNews = false;
  std::string own, parser;
  Json failed = Json::array();
  addDiagnostics(analyst, document, own, parser);
  for (const Unit &unit : document.units)
    if (const Fatal *fatal = analyst.fatalOf(unit); fatal && fatal->stage < 0)
      failed.push_back({{"line", unit.line}, {"message", fatal->message}});
  Json params = {{"uri", document.uri}, {"version", document.version}};
  std::string lists = "\"own\":[" + own + "],\"parser\":[" + parser +
                      "],\"failed\":" + toBytes(failed);
  // Most edits change nothing of it; a large file has a megabyte of it.
  uint64_t hash = fingerprint(lists);
  if (std::exchange(document.reportedHash, hash) == hash) {
    params["unchanged"] = true;
    lists.clear();
  }
  return toBytes(makeNotification("diagnostics", std::move(params)), lists);
}

} // namespace memreflens::lsp
