//===- core/check/Baseline.cpp --------------------------------------------===//

#include "core/check/Baseline.h"
#include "core/check/PeakCosts.h"
#include "core/explain/CostText.h"
#include "core/explain/Words.h"
#include "core/trace/Sizes.h"
#include "core/trace/Symbol.h"

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
  if (equals == std::string::npos)
    return false;
  const std::string name = word.substr(0, equals),
                    number = word.substr(equals + 1);
  const bool isPeak = name.starts_with("peak");
  const bool hasUnit =
      number.find_first_not_of("0123456789") != std::string::npos;
  const std::optional<uint64_t> given = bytesIn(number);
  if (!given || (hasUnit && !isPeak))
    return false;
  const uint64_t limit = *given;
  if (name == "clones")
    line.clones = limit;
  else if (name == "checks")
    line.runTimeChecks = limit;
  else if (name == "helpers")
    line.helperCalls = limit;
  else if (name == "peak")
    line.peakBytes = limit;
  else if (isPeak && name.size() > 6 && name[4] == '[' && name.ends_with("]"))
    line.peaksIn.push_back({name.substr(5, name.size() - 6), limit});
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
              "helpers=N, peak=SIZE (600MiB; bytes without a unit) or "
              "peak[SPACE]=SIZE (peak[2]=64KiB)";
      return {};
    }
    budget.push_back(std::move(entry));
  }
  return budget;
}

bool isBudget(const std::string &text) {
  return text.find('=') != std::string::npos &&
         text.find('/') == std::string::npos;
}

std::vector<BudgetLine> budgetIn(std::string text, std::string &error) {
  std::ranges::replace(text, ',', ' ');
  std::vector<BudgetLine> budget = parseBudget("* " + text, error);
  if (!error.empty())
    error = "expected clones=N, checks=N, helpers=N, peak=SIZE (600MiB) or "
            "peak[SPACE]=SIZE";
  return budget;
}

static void exceed(FileReport &report, const FunctionCosts &costs,
                   const std::string &what, uint64_t is,
                   std::optional<uint64_t> limit) {
  if (!limit || is <= *limit)
    return;
  Finding finding;
  finding.rule = ruleIds::overBudget;
  finding.function = costs.function;
  finding.place = costs.place;
  std::string who =
      costs.function.empty() ? "the file" : trace::symbolText(costs.function);
  finding.message = who + " has " + counted(is, what) + "; the budget is " +
                    std::to_string(*limit);
  report.findings.push_back(std::move(finding));
}

/// Of the buffers there, so many are named.
static constexpr size_t mostNamed = 10;

namespace {
/// A peak that is over a limit.
struct OverPeak {
  /// Of these bytes globals hold so many all the time.
  uint64_t bytes = 0, globalBytes = 0;
  bool isLowerBound = false;
  const PeakCosts &peak;
  /// ", in memory space 2 (L1)"; empty for all together.
  std::string where;
};
} // namespace

/// With the buffers that are alive there.
static void exceedPeak(FileReport &report, const FunctionCosts &costs,
                       const OverPeak &over, uint64_t limit,
                       std::string_view limitWords) {
  Finding finding;
  finding.rule = ruleIds::overBudget;
  finding.function = costs.function;
  finding.place = costs.place;
  const std::string who =
      costs.function.empty() ? "the file" : trace::symbolText(costs.function);
  const PeakCosts &peak = over.peak;
  finding.message = who + " has a peak of " +
                    peakText(over.bytes - over.globalBytes, over.isLowerBound) +
                    over.where + (peak.at.empty() ? "" : " at " + peak.at) +
                    (over.globalBytes > 0
                         ? " and " + bytesText(over.globalBytes) + " in globals"
                         : "") +
                    ", " + bytesText(over.bytes - limit) + " over the " +
                    std::string(limitWords) + " of " + bytesText(limit);
  uint64_t rest = peak.otherBytes, count = peak.others;
  for (size_t i = 0; i < peak.parts.size(); ++i)
    if (i < mostNamed) {
      finding.related.push_back({peak.parts[i].place, textOf(peak.parts[i])});
    } else {
      rest += peak.parts[i].bytes;
      ++count;
    }
  if (count > 0)
    finding.related.push_back(
        {{}, counted(count, "other buffer") + ", " + bytesText(rest)});
  report.findings.push_back(std::move(finding));
}

static void exceedPeakIn(FileReport &report, const FunctionCosts &costs,
                         const SpaceCosts &space, uint64_t limit,
                         std::string_view limitWords) {
  const uint64_t bytes = space.peakBytes + space.globalBytes;
  if (bytes > limit)
    exceedPeak(report, costs,
               {bytes, space.globalBytes, space.peakIsLowerBound, space.peak,
                " in " + spaceWords(space.space, space.name)},
               limit, limitWords);
}

/// As the user calls it: by its name, or as MLIR prints it.
static bool isCalled(const SpaceCosts &space, std::string_view word) {
  return trace::isSpaceCalled({}, space.space, word) ||
         (!space.name.empty() && space.name == word);
}

void applyCapacities(FileReport &report) {
  for (const FunctionCosts &costs : report.costs)
    for (const SpaceCosts &space : costs.spaces)
      if (space.capacity)
        exceedPeakIn(report, costs, space, *space.capacity, "size");
}

void applyBudget(FileReport &report, const std::vector<BudgetLine> &budget) {
  FunctionCosts sum;
  sum.place = {1, 1, 1, 1};
  sum.spaces = largestPeaks(report.costs);
  for (const FunctionCosts &costs : report.costs) {
    sum.clones += costs.clones;
    sum.runTimeChecks += costs.runTimeChecks;
    sum.helperCalls += costs.helperCalls;
    if (costs.peakBytes > sum.peakBytes) {
      sum.peakBytes = costs.peakBytes;
      sum.peak = costs.peak;
    }
    sum.peakIsLowerBound |= costs.peakIsLowerBound;
  }
  auto apply = [&](const BudgetLine &line, const FunctionCosts &costs) {
    exceed(report, costs, "clone", costs.clones, line.clones);
    exceed(report, costs, "run-time alias check", costs.runTimeChecks,
           line.runTimeChecks);
    exceed(report, costs, "dealloc_helper call", costs.helperCalls,
           line.helperCalls);
    if (line.peakBytes && costs.peakBytes > *line.peakBytes)
      exceedPeak(report, costs,
                 {costs.peakBytes, 0, costs.peakIsLowerBound, costs.peak, ""},
                 *line.peakBytes, "budget");
    for (const auto &[word, limit] : line.peaksIn)
      for (const SpaceCosts &space : costs.spaces)
        if (isCalled(space, word))
          exceedPeakIn(report, costs, space, limit, "budget");
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
