//===- core/check/ChangeText.cpp - a change as Markdown, text and JSON ----===//

#include "core/check/Change.h"
#include "core/check/Formats.h"
#include "core/check/PeakCosts.h"
#include "core/explain/CostText.h"
#include "core/explain/Words.h"
#include "core/query/Lifetimes.h"
#include "core/trace/Names.h"

#include <nlohmann/json.hpp>

namespace memreflens {

using Json = nlohmann::ordered_json;

namespace {
struct Column {
  const char *title;
  const char *key;
  uint64_t FunctionCosts::*number;
  bool isBytes = false;
};
} // namespace

static constexpr Column columns[] = {
    {"allocs", "allocations", &FunctionCosts::allocations},
    {"deallocs", "frees", &FunctionCosts::frees},
    {"conditional deallocs", "conditionalFrees",
     &FunctionCosts::conditionalFrees},
    {"clones", "clones", &FunctionCosts::clones},
    {"run-time alias checks", "runTimeChecks", &FunctionCosts::runTimeChecks},
    {"dealloc_helper calls", "helperCalls", &FunctionCosts::helperCalls},
    {"ownership indicators", "ownershipResults",
     &FunctionCosts::ownershipResults},
    {"peak", "peakBytes", &FunctionCosts::peakBytes, true},
};

static const char *nameOf(ChangeKind kind) {
  switch (kind) {
  case ChangeKind::unchanged:
    return "unchanged";
  case ChangeKind::changed:
    return "changed";
  case ChangeKind::added:
    return "added";
  case ChangeKind::removed:
    return "removed";
  case ChangeKind::renamed:
    return "renamed";
  }
  return "";
}

static std::string numberText(const Column &column,
                              const FunctionCosts &costs) {
  const uint64_t number = costs.*column.number;
  return column.isBytes ? peakText(number, costs.peakIsLowerBound)
                        : std::to_string(number);
}

static std::string plain(const std::string &text) {
  std::string shown;
  for (unsigned char letter : text)
    shown += letter < 0x20 || letter == 0x7f ? '?' : char(letter);
  return shown;
}

/// Of all functions; the largest peak.
static FunctionCosts sumOf(const VersionChange &change,
                           FunctionCosts FunctionChange::*side) {
  FunctionCosts sum;
  for (const FunctionChange &entry : change.functions) {
    sum.peakIsLowerBound |= (entry.*side).peakIsLowerBound;
    for (const Column &column : columns) {
      uint64_t number = (entry.*side).*column.number;
      uint64_t &target = sum.*column.number;
      target = column.isBytes ? std::max(target, number) : target + number;
    }
  }
  return sum;
}

/// "rejected before, traced now"; empty if it is as it was.
static std::string statusChange(const FunctionChange &entry) {
  const std::string &was = entry.before.status, &is = entry.after.status;
  if (was == is || was.empty() || is.empty())
    return {};
  return was + " before, " + is + " now";
}

static std::string kindText(const FunctionChange &entry) {
  std::string text = nameOf(entry.kind);
  if (entry.kind == ChangeKind::renamed)
    text += ", was @" + plain(entry.oldName);
  std::string status = statusChange(entry);
  return status.empty() ? text : text + "; " + status;
}

//===--- Markdown ---------------------------------------------------------===//

/// In a sentence: nothing of it is markup.
static std::string escaped(const std::string &text) {
  std::string markdown;
  for (char letter : plain(text)) {
    if (std::string_view("\\`*_{}[]<>#|&~$").find(letter) !=
        std::string_view::npos)
      markdown += '\\';
    markdown += letter;
  }
  return markdown;
}

static std::string cellOf(const Column &column, const FunctionChange &entry) {
  const std::string was = numberText(column, entry.before);
  const std::string is = numberText(column, entry.after);
  if (entry.kind == ChangeKind::added)
    return is;
  if (entry.kind == ChangeKind::removed)
    return was;
  return was == is ? is : "**" + was + " → " + is + "**";
}

static std::string rowOf(const std::string &title,
                         const FunctionChange &entry) {
  std::string row = "| " + title + " |";
  for (const Column &column : columns)
    row += " " + cellOf(column, entry) + " |";
  return row + "\n";
}

static std::string tableOf(const VersionChange &change) {
  std::string text = "| function |", line = "|---|";
  for (const Column &column : columns) {
    text += std::string(" ") + column.title + " |";
    line += "--:|";
  }
  text += "\n" + line + "\n";
  size_t unchanged = 0;
  for (const FunctionChange &entry : change.functions) {
    if (entry.kind == ChangeKind::unchanged) {
      ++unchanged;
      continue;
    }
    text +=
        rowOf("@" + escaped(entry.name) + " (" + escaped(kindText(entry)) + ")",
              entry);
  }
  FunctionChange all;
  all.kind = ChangeKind::changed;
  all.before = sumOf(change, &FunctionChange::before);
  all.after = sumOf(change, &FunctionChange::after);
  text += rowOf("all", all);
  if (unchanged)
    text += "\n" + counted(unchanged, "function") + " unchanged.\n";
  return text;
}

static std::string findingLine(const char *what, const Finding &finding) {
  std::string where =
      finding.function.empty() ? "" : ", @" + escaped(finding.function);
  return std::string("- **") + what + "** " +
         std::string(trace::nameOf(finding.severity)) + where + ": " +
         escaped(finding.message) + " (" + escaped(finding.rule) + ")\n";
}

static std::string findingsCount(const BaselineChange &findings) {
  return std::to_string(findings.added.size()) + " new, " +
         std::to_string(findings.fixed.size()) + " fixed, " +
         std::to_string(findings.unchanged) + " unchanged";
}

static std::string decisionLines(const FunctionChange &entry) {
  std::string text;
  for (const DecisionChange &decision : entry.decisions) {
    if (decision.before.empty())
      text += "- new: " + escaped(decision.after) + "\n";
    else if (decision.after.empty())
      text += "- gone: " + escaped(decision.before) + "\n";
    else
      text += "- " + escaped(decision.before) +
              "  \n  now: " + escaped(decision.after) + "\n";
  }
  return text;
}

static bool peakChanged(const FunctionChange &entry) {
  return entry.before.peakBytes != entry.after.peakBytes &&
         entry.kind != ChangeKind::added && entry.kind != ChangeKind::removed;
}

/// "2.8 MiB -> 2.5 MiB".
static std::string peakChangeText(const FunctionChange &entry,
                                  const char *arrow) {
  auto text = [](const FunctionCosts &costs) {
    return peakText(costs.peakBytes, costs.peakIsLowerBound);
  };
  return text(entry.before) + arrow + text(entry.after);
}

static std::string peakSection(const FunctionChange &entry) {
  std::string text = "\n### Peak of @" + escaped(entry.name) + ": " +
                     peakChangeText(entry, " → ") + "\n\n";
  for (const std::string &line :
       peakChangeLines(entry.before.peak, entry.after.peak))
    text += "- " + escaped(line) + "\n";
  return text;
}

/// By cause, and the largest one as a picture.
static std::string peakSections(const VersionChange &change) {
  std::string text;
  const FunctionChange *largest = nullptr;
  auto sizeOf = [](const FunctionChange &entry) {
    return std::max(entry.before.peakBytes, entry.after.peakBytes);
  };
  for (const FunctionChange &entry : change.functions) {
    if (!peakChanged(entry))
      continue;
    text += peakSection(entry);
    if (!largest || sizeOf(entry) > sizeOf(*largest))
      largest = &entry;
  }
  if (!largest)
    return text;
  const std::string chart =
      peakChart(largest->name, largest->before.peak, largest->after.peak);
  return chart.empty() ? text : text + "\n" + chart;
}

std::string changeAsMarkdown(const VersionChange &change) {
  std::string text = "## Ownership: " + escaped(change.before) + " → " +
                     escaped(change.after) + "\n\n";
  if (change.isSame())
    return text + "No change in " +
           counted(change.functions.size(), "function") + "; " +
           counted(change.findings.unchanged, "finding") + " as before.\n";
  text += tableOf(change);
  text += "\n### Findings: " + findingsCount(change.findings) + "\n\n";
  for (const Finding &finding : change.findings.added)
    text += findingLine("new", finding);
  for (const Finding &finding : change.findings.fixed)
    text += findingLine("fixed", finding);
  text += peakSections(change);
  for (const FunctionChange &entry : change.functions)
    if (!entry.decisions.empty())
      text += "\n### Decisions in @" + escaped(entry.name) + "\n\n" +
              decisionLines(entry);
  return text;
}

//===--- Text -------------------------------------------------------------===//

static std::string costsText(const FunctionChange &entry) {
  std::string text;
  for (const Column &column : columns) {
    uint64_t was = entry.before.*column.number, is = entry.after.*column.number;
    if (was == is)
      continue;
    text += (text.empty() ? "" : ", ") + std::string(column.title) + " " +
            numberText(column, entry.before) + " -> " +
            numberText(column, entry.after);
  }
  return text;
}

std::string changeAsText(const VersionChange &change) {
  std::string text;
  for (const FunctionChange &entry : change.functions) {
    if (entry.kind == ChangeKind::unchanged)
      continue;
    std::string costs = costsText(entry);
    text += "@" + plain(entry.name) + ": " + kindText(entry) +
            (costs.empty() ? "" : ": " + costs) + "\n";
    if (peakChanged(entry))
      for (const std::string &line :
           peakChangeLines(entry.before.peak, entry.after.peak))
        text += "  peak " + plain(line) + "\n";
    for (const DecisionChange &decision : entry.decisions) {
      if (!decision.before.empty())
        text += "  - " + plain(decision.before) + "\n";
      if (!decision.after.empty())
        text += "  + " + plain(decision.after) + "\n";
    }
  }
  for (const auto &[what, list] : {std::pair{"new", &change.findings.added},
                                   std::pair{"fixed", &change.findings.fixed}})
    for (const Finding &finding : *list)
      text += std::string(what) + " " +
              std::string(trace::nameOf(finding.severity)) + ": " +
              plain(finding.message) + " [" + finding.rule + "]\n";
  if (change.isSame())
    text +=
        "no change in " + counted(change.functions.size(), "function") + "\n";
  return text + "findings: " + findingsCount(change.findings) + "\n";
}

//===--- JSON -------------------------------------------------------------===//

static Json costsJson(const FunctionCosts &costs) {
  Json json = {{"status", costs.status}};
  for (const Column &column : columns)
    json[column.key] = costs.*column.number;
  return json;
}

static Json functionJson(const FunctionChange &entry) {
  Json json = {{"name", entry.name}, {"change", nameOf(entry.kind)}};
  if (entry.kind == ChangeKind::renamed)
    json["oldName"] = entry.oldName;
  if (entry.kind != ChangeKind::added)
    json["before"] = costsJson(entry.before);
  if (entry.kind != ChangeKind::removed)
    json["after"] = costsJson(entry.after);
  if (peakChanged(entry))
    json["peakChanges"] = peakChangeLines(entry.before.peak, entry.after.peak);
  json["decisions"] = Json::array();
  for (const DecisionChange &decision : entry.decisions)
    json["decisions"].push_back(
        {{"before", decision.before}, {"after", decision.after}});
  return json;
}

static Json findingsJson(const std::vector<Finding> &findings) {
  Json list = Json::array();
  for (const Finding &finding : findings)
    list.push_back({{"rule", finding.rule},
                    {"severity", std::string(trace::nameOf(finding.severity))},
                    {"function", finding.function},
                    {"message", finding.message},
                    {"line", finding.place.line},
                    {"fingerprint", finding.fingerprint}});
  return list;
}

std::string changeAsJson(const VersionChange &change) {
  Json root = {{"format", "memref-lens compare"},
               {"version", 1},
               {"before", change.before},
               {"after", change.after},
               {"same", change.isSame()}};
  root["functions"] = Json::array();
  for (const FunctionChange &entry : change.functions)
    root["functions"].push_back(functionJson(entry));
  root["findings"] = {{"new", findingsJson(change.findings.added)},
                      {"fixed", findingsJson(change.findings.fixed)},
                      {"unchanged", change.findings.unchanged}};
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace memreflens
