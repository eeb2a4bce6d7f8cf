//===- lsp/analysis/Diagnostics.cpp - what check finds, and what failed ---===//
//
// A finding's rule is its code; facts and the steps of its path are its related
// information, in that order; `data` tells how many of each there are.
//
//===----------------------------------------------------------------------===//

#include "core/check/Rules.h"
#include "core/execute/RunTables.h"
#include "core/explain/Words.h"
#include "core/text/Fingerprint.h"
#include "lsp/analysis/Features.h"
#include "lsp/analysis/Findings.h"
#include "lsp/analysis/Protocol.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

namespace memreflens::lsp {

using namespace trace;

//===--- Findings ---------------------------------------------------------===//

static std::vector<Diagnostic::Related> relatedOf(const Document &document,
                                                  const PlaceMap &places,
                                                  const Finding &finding) {
  std::vector<Diagnostic::Related> list;
  auto add = [&](const Place &place, std::string message) {
    list.push_back({{document.uri, places.toRange(place)}, std::move(message)});
  };
  for (const FindingNote &fact : finding.related)
    add(fact.place.line ? fact.place : finding.place, fact.text);
  // A step without a place is told at the one before.
  Place last = finding.place;
  size_t number = 0;
  for (const FindingNote &step : finding.path) {
    last = step.place.line ? step.place : last;
    add(last, std::to_string(++number) + "/" +
                  std::to_string(finding.path.size()) + " " + step.text);
  }
  return list;
}

/// Null where nothing is known of the finding's remedies.
static const std::vector<std::string> *
testedLines(const Document &document, size_t unit, const Finding &finding) {
  if (!document.tested)
    return nullptr;
  auto at = document.tested->lines.find(TestedRemedies::keyOf(
      document.pathKeys[unit].key, document.units[unit], finding));
  return at == document.tested->lines.end() ? nullptr : &at->second;
}

static std::string wordsOf(const PathFinding &found,
                           const std::vector<std::string> *tested) {
  std::string message = found.finding.message;
  const Rule *rule = findRule(found.finding.rule);
  const bool isCost = rule && rule->group == RuleGroup::cost;
  if (tested)
    for (const std::string &line : *tested)
      message += "\n" + line;
  else
    for (const Advice &remedy : found.finding.remedies) {
      message += "\n→ " + remedy.words;
      // What costs may cost as much with it.
      if (isCost && !remedy.passes.empty() && !remedy.isVain)
        message += " (not tested here: memref-lens check does)";
    }
  if (!found.bounds.empty())
    message += std::string("\n") +
               (found.isInput ? "in the program as written: "
                              : "in what the pipeline makes of it: ") +
               found.bounds;
  return message;
}

static std::string pageOf(const std::string &rule,
                          const ServerOptions &options) {
  const std::string &base = options.findings.rulePages;
  if (base.empty())
    return "";
  return base + (base.ends_with('/') ? "" : "/") + rule + ".md";
}

static Diagnostic toDiagnostic(const Document &document, const PlaceMap &places,
                               const ServerOptions &options,
                               const PathFinding &found,
                               const std::vector<std::string> *tested) {
  const Finding &finding = found.finding;
  return {places.toRange(finding.place), severityOf(finding, options),
          wordsOf(found, tested), relatedOf(document, places, finding),
          Diagnostic::Source{finding.rule, pageOf(finding.rule, options),
                             finding.function, finding.related.size(),
                             finding.path.size(), found.isInput}};
}

static std::string keyOf(const Finding &finding) {
  char place[32];
  std::snprintf(place, sizeof(place), "%010u %010u ", finding.place.line,
                finding.place.column);
  return place + finding.rule + "\n" + finding.message;
}

//===--- Causes -----------------------------------------------------------===//

namespace {
/// Findings of one rule with one cause.
using Group = std::vector<const PathFinding *>;
} // namespace

/// In the order of the first of each; an error has its own.
static std::vector<Group> groupsOf(const std::vector<PathFinding> &found,
                                   const ServerOptions &options) {
  std::vector<Group> groups;
  std::map<std::pair<const Cause *, std::string>, size_t> numbers;
  for (const PathFinding &one : found) {
    const bool isAlone = !options.findings.byCause || !one.cause ||
                         one.finding.severity == Severity::error;
    if (isAlone) {
      groups.push_back({&one});
      continue;
    }
    const auto [at, isNew] =
        numbers.try_emplace({one.cause, one.finding.rule}, groups.size());
    if (isNew)
      groups.emplace_back();
    groups[at->second].push_back(&one);
  }
  return groups;
}

/// Each line once, of all findings of which something is known; nothing where
/// it is of none.
static std::optional<std::vector<std::string>>
testedLines(const Document &document, size_t unit, const Group &group) {
  std::vector<std::string> all;
  bool isTested = false;
  for (const PathFinding *one : group)
    if (const auto *lines = testedLines(document, unit, one->finding)) {
      isTested = true;
      for (const std::string &line : *lines)
        if (std::ranges::find(all, line) == all.end())
          all.push_back(line);
    }
  // Where one finding has a remedy, it is of no use that another has none.
  const auto isNone = [](const std::string &line) {
    return line.starts_with(noneHelps);
  };
  if (!std::ranges::all_of(all, isNone))
    std::erase_if(all, isNone);
  return isTested ? std::optional(std::move(all)) : std::nullopt;
}

/// A thousand places do not make a thousand squiggles: they are the related
/// information of one, at the cause.
static ToldUnit::Entry entryOf(const Document &document, size_t unit,
                               const PlaceMap &places,
                               const ServerOptions &options,
                               const Group &group) {
  constexpr size_t shownAtMost = 100;
  const PathFinding &first = *group.front();
  const int severity = severityOf(first.finding, options);
  if (group.size() == 1)
    return {severity, keyOf(first.finding),
            textOf(toDiagnostic(document, places, options, first,
                                testedLines(document, unit, first.finding)))};
  const Cause &cause = *first.cause;
  PathFinding all = first;
  Finding &told = all.finding;
  const bool isShared = memreflens::isShared(cause.kind);
  if (isShared && cause.place.line)
    told.place = cause.place;
  told.message = (isShared ? cause.sentence : told.message) + ": " +
                 (isShared ? counted(group.size(), "place")
                           : "and " + counted(group.size() - 1, "more place"));
  told.related.clear();
  for (const PathFinding *one : group) {
    if (told.related.size() == shownAtMost)
      break;
    told.related.push_back({one->finding.place, one->finding.message});
  }
  if (group.size() > shownAtMost)
    told.related.push_back(
        {told.place, "and " + std::to_string(group.size() - shownAtMost) +
                         " more; memref-lens check --all lists each"});
  told.path.clear();
  const auto lines = testedLines(document, unit, group);
  return {severity, keyOf(told),
          textOf(toDiagnostic(document, places, options, all,
                              lines ? &*lines : nullptr))};
}

/// Equal as long as the unit, what its paths go through, and what is known of
/// both are where and what they were.
static uint64_t signatureOf(const Document &document, size_t number) {
  const PathKey &path = document.pathKeys[number];
  uint64_t hash = mixInto(path.key, document.paths.contains(path.key));
  hash = mixInto(hash, document.tested ? document.tested->hash : 0);
  auto at = document.traces.find(document.units[number].key);
  if (at != document.traces.end())
    hash =
        mixInto(hash, uint64_t(reinterpret_cast<uintptr_t>(at->second.get())));
  for (size_t body : path.bodies)
    hash = mixInto(hash, document.units[body].line);
  return hash;
}

static const ToldUnit &toldOf(Analyst &analyst, Document &document,
                              const PlaceMap &places, size_t number) {
  const Unit &unit = document.units[number];
  ToldUnit &told = document.told[unit.key];
  uint64_t signature = signatureOf(document, number);
  if (told.signature == signature)
    return told;
  told = {signature, {}};
  const std::vector<PathFinding> found = findingsOf(analyst, document, unit);
  for (const Group &group : groupsOf(found, analyst.options))
    told.entries.push_back(
        entryOf(document, number, places, analyst.options, group));
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

static void add(const std::string &text, std::string &list) {
  list += (list.empty() ? "" : ",") + text;
}

static void add(const Diagnostic &diagnostic, std::string &list) {
  add(textOf(diagnostic), list);
}

static void addFindings(Analyst &analyst, Document &document,
                        std::string &own) {
  PlaceMap places(document, analyst.options.encoding);
  analyst.paths.findPathKeys(document);
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
    add({places.toRange({1, 1, 1, 1}), severityOf(Severity::note),
         std::to_string(all - found.size()) +
             " more findings of this file are not shown; "
             "memref-lens check --all lists each"},
        own);
}

/// Whose paths an earlier process died over.
static void addUntried(Analyst &analyst, Document &document, std::string &own) {
  PlaceMap places(document, analyst.options.encoding);
  analyst.paths.findPathKeys(document);
  for (size_t i = 0; i < document.units.size(); ++i) {
    const Fatal *fatal = analyst.state.fatalOf(document.pathKeys[i].key);
    if (!fatal)
      continue;
    const Unit &unit = document.units[i];
    uint32_t line = uint32_t(unit.line + 1);
    add({places.toRange({line, 1, line + 1, 1}), severityOf(Severity::warning),
         "the paths of " +
             (unit.isChunk ? "this part of the file" : unit.name) +
             " were not tried: the analysis of them " + fatal->message},
        own);
  }
}

//===--- Problems ---------------------------------------------------------===//

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
  std::vector<Diagnostic::Related> related;
  for (const Problem &note : problem.notes)
    related.push_back({view.toLocation(note.range), note.message});
  add({view.toRange(firstLine(view, range)), severityOf(problem.severity),
       message, related},
      isParsers ? parser : own);
}

/// What went wrong in the run that the settings name; or why nothing is told of
/// it.
static void addRun(Analyst &analyst, const Document &document,
                   std::string &own) {
  std::string why;
  const execute::Record *record = analyst.runOf(document, why);
  if (!why.empty())
    add({{},
         severityOf(Severity::note),
         "no counts of a run: '" + analyst.options.runRecord + "' " + why},
        own);
  if (!record)
    return;
  PlaceMap places(document, analyst.options.encoding);
  for (const execute::Fault &fault : record->faults) {
    const int64_t at = placeOf(fault);
    const uint32_t line = at < 0 ? 0 : record->sites[size_t(at)].line;
    const uint32_t column = at < 0 ? 0 : record->sites[size_t(at)].column;
    add({line == 0 ? TextRange() : places.toRange({line, column, line, column}),
         severityOf(Severity::error), "in one run: " + textOf(*record, fault)},
        own);
  }
}

/// Ours go to `own`, the parser's to `parser`: elements of JSON arrays.
static void addDiagnostics(Analyst &analyst, Document &document,
                           std::string &own, std::string &parser) {
  if (!analyst.options.pipelineError.empty())
    add({{},
         severityOf(Severity::error),
         "the setting pipeline.passes is not followed: " +
             analyst.options.pipelineError},
        own);
  addRun(analyst, document, own);
  if (analyst.options.findings.enabled) {
    addFindings(analyst, document, own);
    addUntried(analyst, document, own);
  }
  for (const Unit &unit : document.units) {
    // Most have none, and need not be awake to say so.
    const Batch *batch = analyst.scheduler.batchOf(document, unit);
    if (!batch || batch->getTrace().problems.empty())
      continue;
    if (std::optional<View> view = viewOf(analyst, document, unit))
      for (const Problem &problem : view->trace().problems)
        addProblem(*view, problem, own, parser);
  }
}

Report reportOf(Analyst &analyst, Document &document) {
  document.isReported = true;
  document.hasPathNews = false;
  Report report = {document.uri, document.version, "", "", {}};
  addDiagnostics(analyst, document, report.own, report.parser);
  uint64_t hash = mixInto(fingerprint(report.own), fingerprint(report.parser));
  for (const Unit &unit : document.units)
    if (const Fatal *fatal = analyst.state.fatalOf(unit);
        fatal && fatal->stage < 0) {
      report.failed.push_back({unit.line, fatal->message});
      hash = mixInto(mixInto(hash, unit.line), fingerprint(fatal->message));
    }
  report.isUnchanged = std::exchange(document.reportedHash, hash) == hash;
  return report;
}

} // namespace memreflens::lsp
