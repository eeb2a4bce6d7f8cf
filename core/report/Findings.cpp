//===- core/report/Findings.cpp -------------------------------------------===//

#include "core/report/Findings.h"

#include "core/causes/Causes.h"
#include "core/causes/Overview.h"
#include "core/causes/RunOfCauses.h"
#include "core/check/Collect.h"
#include "core/report/Markdown.h"
#include "core/text/Escape.h"
#include "core/trace/Names.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace memreflens::report {

using Json = nlohmann::ordered_json;
using trace::Id;
using trace::none;

namespace {

/// From places of `check` to what is there.
class Places {
public:
  explicit Places(const Lookup &lookup)
      : lookup(lookup), trace(lookup.getTrace()),
        opsOf(trace.functions.size() + 1) {
    for (const trace::Function &function : trace.functions)
      if (!function.range.empty())
        byBegin.push_back(&function);
    std::ranges::stable_sort(byBegin, {}, [](const trace::Function *function) {
      return function->range.begin;
    });
    for (const trace::Op &op : trace.ops)
      if (!op.generated && op.block != none)
        opsOf[indexOf(trace.blocks[size_t(op.block)].function)].push_back(&op);
  }

  /// The innermost function there.
  Id functionAt(const Place &place) const {
    const uint32_t offset = offsetOf(place);
    auto after = std::ranges::upper_bound(
        byBegin, offset, {},
        [](const trace::Function *function) { return function->range.begin; });
    while (place.line && after != byBegin.begin())
      if (const trace::Function &function = **--after;
          function.range.contains(offset))
        return function.id;
    return none;
  }

  /// That of the innermost op there.
  Id blockAt(const Place &place) const {
    const uint32_t offset = offsetOf(place);
    const trace::Op *found = nullptr;
    if (place.line == 0)
      return none;
    for (const trace::Op *op : opsOf[indexOf(functionAt(place))])
      if (op->range.contains(offset) &&
          (!found || op->range.end - op->range.begin <
                         found->range.end - found->range.begin))
        found = op;
    return found ? found->block : none;
  }

private:
  size_t indexOf(Id function) const {
    return function == none ? trace.functions.size() : size_t(function);
  }
  uint32_t offsetOf(const Place &place) const {
    const LineIndex &lines = lookup.getLines();
    if (place.line == 0 || place.line > lines.lineCount())
      return 0;
    return lines.startOf(place.line) + place.column - 1;
  }

  const Lookup &lookup;
  const trace::Trace &trace;
  std::vector<const trace::Function *> byBegin;
  /// By function; at the end, of those in none.
  std::vector<std::vector<const trace::Op *>> opsOf;
};

/// [text, line, column, block, function]
Json toJson(const Places &places, const FindingNote &note) {
  return {visibleText(note.text), note.place.line, note.place.column,
          places.blockAt(note.place), places.functionAt(note.place)};
}

Json toJson(const Places &places, const std::vector<FindingNote> &notes) {
  Json list = Json::array();
  for (const FindingNote &note : notes)
    list.push_back(toJson(places, note));
  return list;
}

bool isOf(const Lookup &lookup, const std::string &name, Id function) {
  const trace::Function *wanted = lookup.function(function);
  return !wanted || name.empty() || wanted->name == name;
}

} // namespace

/// Of an overview that a page shows.
static constexpr size_t mostCauses = 12;

FileReport findingsWithCauses(const Lookup &lookup, const FileReport *found,
                              const execute::KeptRun *run) {
  FileReport report = found ? *found : collectFindings(lookup, {});
  if (!found)
    addCauses(report, lookup);
  if (run)
    addRun(report, *run);
  return report;
}

/// The overview's entries about the function, or all.
static std::vector<OverviewEntry> entriesOf(const Lookup &lookup,
                                            const FileReport &report,
                                            const Overview &overview,
                                            Id function) {
  std::vector<OverviewEntry> entries;
  for (const OverviewEntry &entry : overview.entries)
    if (isOf(lookup, report.causes[entry.causes.front()].function, function) &&
        entries.size() < mostCauses)
      entries.push_back(entry);
  return entries;
}

/// Of the file as a whole.
static std::string headOf(const Overview &overview) {
  std::string head = overview.counts;
  for (const std::string &more : {overview.peak, overview.untested})
    head += (more.empty() ? "" : "; ") + more;
  return head;
}

std::string causesList(const Lookup &lookup, const FileReport &report,
                       Id function) {
  const Overview overview = overviewOf(report);
  std::string out;
  for (const OverviewEntry &entry :
       entriesOf(lookup, report, overview, function)) {
    out += "1. " + markdownEscaped(entry.sentence);
    if (!entry.costs.empty())
      out += "<br>costs " + markdownEscaped(entry.costs);
    if (!entry.run.empty())
      out += "<br>run " + markdownEscaped(entry.run);
    for (const OverviewFix &fix : entry.fixes)
      out += "<br>fix " + markdownEscaped(fix.remedy + ": " + fix.gain);
    if (!entry.advice.empty())
      out += "<br>→ " + markdownEscaped(entry.advice);
    out += "\n";
  }
  const std::string head = function == none ? headOf(overview) : "";
  return out.empty()
             ? out
             : "\n### Causes\n\n" +
                   (head.empty() ? "" : markdownEscaped(head) + "\n\n") + out;
}

static Json causesData(const Places &places, const Lookup &lookup,
                       const FileReport &report, const Overview &overview,
                       Id function) {
  Json list = Json::array();
  for (const OverviewEntry &entry :
       entriesOf(lookup, report, overview, function)) {
    Json fixes = Json::array();
    for (const OverviewFix &fix : entry.fixes)
      fixes.push_back(visibleText(fix.remedy + ": " + fix.gain));
    list.push_back({{"at", toJson(places, {entry.place, entry.sentence})},
                    {"costs", visibleText(entry.costs)},
                    {"run", visibleText(entry.run)},
                    {"fixes", std::move(fixes)},
                    {"advice", visibleText(entry.advice)}});
  }
  return list;
}

std::string findingsData(const Lookup &lookup, const FileReport &report,
                         Id function) {
  Places places(lookup);
  Json json;
  const Overview overview = overviewOf(report);
  json["causes"] = causesData(places, lookup, report, overview, function);
  json["head"] = visibleText(
      function == none && !json["causes"].empty() ? headOf(overview) : "");
  json["findings"] = Json::array();
  for (const Finding &finding : report.findings) {
    if (!isOf(lookup, finding.function, function))
      continue;
    Json remedies = Json::array();
    for (const Advice &remedy : finding.remedies)
      remedies.push_back(visibleText(remedy.words));
    json["findings"].push_back(
        {{"severity", std::string(trace::nameOf(finding.severity))},
         {"rule", finding.rule},
         {"name", visibleText(finding.function)},
         {"at", toJson(places, {finding.place, finding.message})},
         {"facts", toJson(places, finding.related)},
         {"path", toJson(places, finding.path)},
         {"remedies", remedies}});
  }
  json["bounds"] = visibleText(boundsSentence(report));
  json["explored"] = Json::array();
  for (const Exploration &one : report.explorations)
    if (isOf(lookup, one.function, function))
      json["explored"].push_back(
          {visibleText(one.function), visibleText(one.bounds), one.complete});
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string boundsSentence(const FileReport &report) {
  size_t all = report.explorations.size();
  if (all == 0)
    return "No path of any function was tried.";
  size_t stopped = size_t(
      std::count_if(report.explorations.begin(), report.explorations.end(),
                    [](const Exploration &one) { return !one.complete; }));
  return "Paths were tried of " + std::to_string(all) +
         (all == 1 ? " program" : " programs") +
         " (a function as written, or as the pipeline makes it)" +
         (stopped ? ", of " + std::to_string(stopped) + " not all" : "") + ".";
}

static size_t rankOf(trace::Severity severity) {
  return severity == trace::Severity::error     ? 0
         : severity == trace::Severity::warning ? 1
                                                : 2;
}

std::string findingsTable(const Lookup &lookup, const FileReport &report,
                          Id function) {
  std::vector<const Finding *> shown;
  for (const Finding &finding : report.findings)
    if (isOf(lookup, finding.function, function))
      shown.push_back(&finding);
  std::stable_sort(shown.begin(), shown.end(), [](auto *a, auto *b) {
    return rankOf(a->severity) < rankOf(b->severity);
  });
  auto code = [](const std::string &text) {
    return text.empty() ? "" : "<code>" + markdownEscaped(text) + "</code>";
  };
  std::string out = "\n### Findings\n\n";
  if (shown.empty())
    out += "None.\n";
  else
    out += "| severity | rule | function | line | finding |\n"
           "|---|---|---|--:|---|\n";
  for (const Finding *finding : shown) {
    out += "| " + std::string(trace::nameOf(finding->severity)) + " | " +
           code(finding->rule) + " | " +
           (finding->function.empty() ? "" : code("@" + finding->function)) +
           " | " +
           (finding->place.line ? std::to_string(finding->place.line) : "") +
           " | " + markdownEscaped(finding->message);
    for (const FindingNote &step : finding->path)
      out += "<br>" +
             (step.place.line ? std::to_string(step.place.line) + ": "
                              : std::string()) +
             markdownEscaped(step.text);
    for (const Advice &remedy : finding->remedies)
      out += "<br>→ " + markdownEscaped(remedy.words);
    out += " |\n";
  }
  out += "\n" + boundsSentence(report) + "\n";
  for (const Exploration &one : report.explorations)
    if (isOf(lookup, one.function, function) && !one.complete)
      out += "- " + code("@" + one.function) + ": " +
             markdownEscaped(one.bounds) + "\n";
  return out;
}

} // namespace memreflens::report
