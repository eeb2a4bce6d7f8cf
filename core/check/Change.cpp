//===- core/check/Change.cpp ----------------------------------------------===//

#include "core/check/Change.h"
#include "core/trace/Symbol.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace memreflens {

//===--- Decisions --------------------------------------------------------===//

/// The buffer's name, with which a decision starts.
static std::string valueOf(const std::string &decision) {
  return decision.substr(0, decision.find(' '));
}

namespace {
/// Aligns two lists of decisions, so that what stands in one only is told.
class Alignment {
public:
  Alignment(const std::vector<std::string> &before,
            const std::vector<std::string> &after)
      : before(before), after(after) {}
  std::vector<DecisionChange> run();

private:
  void flush();

  const std::vector<std::string> &before, &after;
  std::vector<std::string> gone, made;
  std::vector<DecisionChange> changes;
};
} // namespace

/// One of the same name that is gone is what it was before.
void Alignment::flush() {
  for (const std::string &now : made) {
    auto was = std::find_if(gone.begin(), gone.end(), [&](auto &old) {
      return valueOf(old) == valueOf(now);
    });
    changes.push_back({was == gone.end() ? "" : *was, now});
    if (was != gone.end())
      gone.erase(was);
  }
  for (const std::string &was : gone)
    changes.push_back({was, ""});
  gone.clear();
  made.clear();
}

std::vector<DecisionChange> Alignment::run() {
  auto plainOf = [](const std::vector<std::string> &list) {
    std::vector<std::string> plain;
    for (const std::string &entry : list)
      plain.push_back(withoutValueNumbers(entry));
    return plain;
  };
  std::vector<std::string> was = plainOf(before), is = plainOf(after);
  size_t begin = 0, n = was.size(), m = is.size();
  while (begin < n && begin < m && was[begin] == is[begin])
    ++begin;
  while (n > begin && m > begin && was[n - 1] == is[m - 1])
    --n, --m;
  // Longest common subsequence of what is left; of very long lists, none.
  size_t rows = n - begin, columns = m - begin;
  bool isSmall = rows * columns <= 16'000'000;
  std::vector<uint32_t> table(isSmall ? (rows + 1) * (columns + 1) : 0);
  auto at = [&](size_t i, size_t j) -> uint32_t & {
    return table[i * (columns + 1) + j];
  };
  if (isSmall)
    for (size_t i = rows; i-- > 0;)
      for (size_t j = columns; j-- > 0;)
        at(i, j) = was[begin + i] == is[begin + j]
                       ? at(i + 1, j + 1) + 1
                       : std::max(at(i + 1, j), at(i, j + 1));
  size_t i = 0, j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && was[begin + i] == is[begin + j]) {
      ++i, ++j;
      continue;
    }
    bool takesOld = j == columns ||
                    (i < rows && (!isSmall || at(i + 1, j) >= at(i, j + 1)));
    if (takesOld)
      gone.push_back(before[begin + i++]);
    else
      made.push_back(after[begin + j++]);
  }
  flush();
  return std::move(changes);
}

//===--- Functions --------------------------------------------------------===//

static bool isSameCosts(const FunctionCosts &a, const FunctionCosts &b) {
  return a.clones == b.clones && a.runTimeChecks == b.runTimeChecks &&
         a.helperCalls == b.helperCalls && a.peakBytes == b.peakBytes &&
         a.allocations == b.allocations && a.frees == b.frees &&
         a.conditionalFrees == b.conditionalFrees &&
         a.ownershipResults == b.ownershipResults && a.status == b.status;
}

static FunctionChange pairOf(const FunctionCosts &before,
                             const FunctionCosts &after) {
  FunctionChange change;
  change.name = after.function;
  change.before = before;
  change.after = after;
  change.decisions = Alignment(before.decisions, after.decisions).run();
  bool isSame = isSameCosts(before, after) && change.decisions.empty();
  change.kind = isSame ? ChangeKind::unchanged : ChangeKind::changed;
  if (before.function != after.function) {
    change.kind = ChangeKind::renamed;
    change.oldName = before.function;
  }
  return change;
}

static FunctionChange loneOf(const FunctionCosts &costs, ChangeKind kind) {
  FunctionChange change;
  change.kind = kind;
  change.name = costs.function;
  (kind == ChangeKind::added ? change.after : change.before) = costs;
  return change;
}

namespace {
/// Finds for each function the one that it was: of its name, or, where there
/// is none, with its text.
class Matcher {
public:
  Matcher(const FileReport &before, const FileReport &after)
      : before(before), partner(after.costs.size(), nullptr) {
    auto byName = [](auto &a, auto &b) { return a.function == b.function; };
    auto byText = [](auto &a, auto &b) {
      return !a.digest.empty() && a.digest == b.digest;
    };
    match(after, byName);
    match(after, byText);
  }
  const FunctionCosts *operator[](size_t index) const { return partner[index]; }
  bool isTaken(const FunctionCosts &costs) const {
    return std::find(partner.begin(), partner.end(), &costs) != partner.end();
  }

private:
  void match(const FileReport &after, auto isSame) {
    std::vector<bool> taken;
    for (const FunctionCosts &old : before.costs)
      taken.push_back(isTaken(old));
    for (size_t i = 0; i < after.costs.size(); ++i)
      for (size_t j = 0; j < before.costs.size() && !partner[i]; ++j)
        if (!taken[j] && isSame(before.costs[j], after.costs[i])) {
          partner[i] = &before.costs[j];
          taken[j] = true;
        }
  }

  const FileReport &before;
  std::vector<const FunctionCosts *> partner;
};
} // namespace

//===--- Findings ---------------------------------------------------------===//

static void rename(std::string &text, const std::string &from,
                   const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    size_t end = at + from.size();
    bool isWhole = end == text.size() ||
                   !(std::isalnum(static_cast<unsigned char>(text[end])) ||
                     text[end] == '_' || text[end] == '$');
    if (isWhole)
      text.replace(at, from.size(), to);
  }
}

/// The old report with the new names of functions, so that its fingerprints are
/// those of the new one.
static FileReport renamed(FileReport report,
                          const std::vector<FunctionChange> &functions) {
  for (Finding &finding : report.findings)
    for (const FunctionChange &change : functions) {
      if (change.kind != ChangeKind::renamed)
        continue;
      rename(finding.message, trace::symbolText(change.oldName),
             trace::symbolText(change.name));
      if (finding.function == change.oldName)
        finding.function = change.name;
    }
  finishReport(report);
  return report;
}

VersionChange changeBetween(const FileReport &before, const FileReport &after) {
  VersionChange change;
  change.before = before.file;
  change.after = after.file;
  Matcher matcher(before, after);
  for (size_t i = 0; i < after.costs.size(); ++i)
    change.functions.push_back(matcher[i]
                                   ? pairOf(*matcher[i], after.costs[i])
                                   : loneOf(after.costs[i], ChangeKind::added));
  for (const FunctionCosts &old : before.costs)
    if (!matcher.isTaken(old))
      change.functions.push_back(loneOf(old, ChangeKind::removed));
  FileReport was = renamed(before, change.functions), is = after;
  was.file = is.file = "";
  change.findings = compareWith({was}, {is});
  return change;
}

bool VersionChange::isSame() const {
  return findings.added.empty() && findings.fixed.empty() &&
         std::all_of(functions.begin(), functions.end(),
                     [](const FunctionChange &change) {
                       return change.kind == ChangeKind::unchanged;
                     });
}

} // namespace memreflens
