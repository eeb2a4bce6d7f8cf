//===- core/check/Baseline.cpp --------------------------------------------===//

#include "core/check/Baseline.h"
#include "core/explain/Words.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

namespace memreflens {

//===--- Baseline ---------------------------------------------------------===//

/// How many names, from the last on, two paths have in common.
static size_t commonNames(const std::filesystem::path &one,
                          const std::filesystem::path &other) {
  std::vector<std::filesystem::path> first(one.begin(), one.end());
  std::vector<std::filesystem::path> second(other.begin(), other.end());
  auto ends = std::mismatch(first.rbegin(), first.rend(), second.rbegin(),
                            second.rend());
  return size_t(ends.first - first.rbegin());
}

/// Names in the baseline of the files of a run: of the same path, or, as seen
/// from another folder, the only one that shares the most of it, the file's
/// name at least.
static std::map<std::string, std::string>
namesInBaseline(const std::vector<FileReport> &old,
                const std::vector<FileReport> &now) {
  using Path = std::filesystem::path;
  std::map<Path, std::string> before;
  for (const FileReport &report : old)
    before.emplace(Path(report.file).lexically_normal(), report.file);
  std::map<std::string, std::string> found;
  std::map<Path, std::string> open;
  for (const FileReport &report : now) {
    Path path = Path(report.file).lexically_normal();
    if (auto same = before.find(path); same != before.end()) {
      found[report.file] = same->second;
      before.erase(same);
    } else if (!found.contains(report.file)) {
      open.emplace(path, report.file);
    }
  }
  for (const auto &[path, file] : open) {
    size_t most = 0, count = 0;
    std::string best;
    for (const auto &[other, name] : before) {
      size_t common = commonNames(path, other);
      if (common == 0 || common < most)
        continue;
      count = common > most ? 1 : count + 1;
      most = common;
      best = name;
    }
    found[file] = count == 1 ? best : file;
  }
  return found;
}

BaselineChange compareWith(const std::vector<FileReport> &old,
                           const std::vector<FileReport> &now) {
  // Of one file each: a run over fewer files fixes nothing in the others.
  using Key = std::pair<std::string, std::string>;
  std::map<Key, std::vector<const Finding *>> known;
  std::map<std::string, bool> isChecked;
  std::map<std::string, std::string> oldName = namesInBaseline(old, now);
  for (const FileReport &report : now)
    isChecked[oldName[report.file]] = !report.unreadable;
  for (const FileReport &report : old)
    for (const Finding &finding : report.findings)
      known[{report.file, finding.fingerprint}].push_back(&finding);
  BaselineChange change;
  for (const FileReport &report : now)
    for (const Finding &finding : report.findings) {
      const std::string &file = oldName[report.file];
      auto entry = known.find({file, finding.fingerprint});
      if (entry == known.end() || entry->second.empty())
        entry = known.find({file, finding.oldFingerprint});
      if (entry == known.end() || entry->second.empty()) {
        change.added.push_back(finding);
        continue;
      }
      entry->second.pop_back();
      ++change.unchanged;
    }
  for (const auto &[key, findings] : known)
    if (isChecked[key.first])
      for (const Finding *finding : findings)
        change.fixed.push_back(*finding);
  return change;
}

//===--- Budget -----------------------------------------------------------===//

static bool parseLimit(const std::string &word, BudgetLine &line) {
  size_t equals = word.find('=');
  if (equals == std::string::npos || equals + 1 == word.size() ||
      word.find_first_not_of("0123456789", equals + 1) != std::string::npos ||
      word.size() - equals > 19)
    return false;
  uint64_t limit = std::stoull(word.substr(equals + 1));
  std::string name = word.substr(0, equals);
  if (name == "clones")
    line.clones = limit;
  else if (name == "checks")
    line.runTimeChecks = limit;
  else if (name == "helpers")
    line.helperCalls = limit;
  else if (name == "peak")
    line.peakBytes = limit;
  else
    return false;
  return true;
}

std::vector<BudgetLine> parseBudget(const std::string &text,
                                    std::string &error) {
  std::vector<BudgetLine> budget;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    BudgetLine entry;
    if (!(words >> entry.subject))
      continue;
    if (entry.subject.front() == '@')
      entry.subject.erase(0, 1);
    std::string word;
    bool hasLimit = false;
    while (words >> word) {
      hasLimit = parseLimit(word, entry);
      if (!hasLimit)
        break;
    }
    if (!hasLimit) {
      error = "line " + std::to_string(number) +
              ": expected a function, '*' or 'file', then clones=N, checks=N, "
              "helpers=N or peak=BYTES";
      return {};
    }
    budget.push_back(std::move(entry));
  }
  return budget;
}

static void exceed(FileReport &report, const FunctionCosts &costs,
                   const std::string &what, uint64_t is,
                   std::optional<uint64_t> limit) {
  if (!limit || is <= *limit)
    return;
  Finding finding;
  finding.rule = "over-budget";
  finding.function = costs.function;
  finding.place = costs.place;
  std::string who = costs.function.empty() ? "the file" : "@" + costs.function;
  finding.message = who + " has " + std::to_string(is) + " " + what +
                    "; the budget is " + std::to_string(*limit);
  report.findings.push_back(std::move(finding));
}

void applyBudget(FileReport &report, const std::vector<BudgetLine> &budget) {
  FunctionCosts sum;
  sum.place = {1, 1, 1, 1};
  for (const FunctionCosts &costs : report.costs) {
    sum.clones += costs.clones;
    sum.runTimeChecks += costs.runTimeChecks;
    sum.helperCalls += costs.helperCalls;
    sum.peakBytes = std::max(sum.peakBytes, costs.peakBytes);
    sum.peakIsLowerBound |= costs.peakIsLowerBound;
  }
  auto apply = [&](const BudgetLine &line, const FunctionCosts &costs) {
    exceed(report, costs, "clones", costs.clones, line.clones);
    exceed(report, costs, "run-time alias checks", costs.runTimeChecks,
           line.runTimeChecks);
    exceed(report, costs, "dealloc_helper calls", costs.helperCalls,
           line.helperCalls);
    exceed(report, costs,
           costs.peakIsLowerBound ? "bytes live at once at least"
                                  : "bytes live at once",
           costs.peakBytes, line.peakBytes);
  };
  for (const BudgetLine &line : budget) {
    if (line.subject == "file")
      apply(line, sum);
    for (const FunctionCosts &costs : report.costs)
      if (line.subject == "*" || line.subject == costs.function)
        apply(line, costs);
  }
  finishReport(report);
}

} // namespace memreflens
