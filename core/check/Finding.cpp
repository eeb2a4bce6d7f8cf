//===- core/check/Finding.cpp ---------------------------------------------===//

#include "core/check/Finding.h"
#include "core/text/Fingerprint.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

namespace memreflens {

namespace {
struct QuantityWords {
  Quantity quantity;
  std::string_view several, one;
};
} // namespace

static constexpr QuantityWords quantityWords[] = {
    {Quantity::lostWrites, "writes that clones do not see",
     "write that a clone does not see"},
    {Quantity::overwrites, "overwritten tensors", "overwritten tensor"},
    {Quantity::clones, "clones", "clone"},
    {Quantity::unconditionalClones, "unconditional clones",
     "unconditional clone"},
    {Quantity::runTimeChecks, "run-time alias checks", "run-time alias check"},
    {Quantity::helperCalls, "dealloc_helper calls", "dealloc_helper call"},
    {Quantity::inLoops, "of these in loops", "of these in a loop"},
    {Quantity::ownershipResults, "ownership indicators", "ownership indicator"},
    {Quantity::lateFrees, "late deallocs", "late dealloc"},
    {Quantity::peak, "peak", "peak"},
    {Quantity::largestDealloc, "largest dealloc", "largest dealloc"},
    {Quantity::copies, "copies", "copy"},
    {Quantity::allocations, "allocations", "allocation"},
    {Quantity::executedAllocations, "allocations in a call",
     "allocation in a call"},
    {Quantity::loopAllocations, "allocations in loops",
     "allocation in a loop"}};

std::string_view wordsOf(Quantity quantity, uint64_t number) {
  const auto *known =
      std::ranges::find(quantityWords, quantity, &QuantityWords::quantity);
  return number == 1 ? known->one : known->several;
}

std::optional<Quantity> quantityNamed(std::string_view words) {
  const auto *known =
      std::ranges::find(quantityWords, words, &QuantityWords::several);
  return known == std::end(quantityWords) ? std::nullopt
                                          : std::optional(known->quantity);
}

std::vector<SpaceCosts>
largestPeaks(const std::vector<FunctionCosts> &functions) {
  std::vector<SpaceCosts> largest;
  for (const FunctionCosts &costs : functions)
    for (const SpaceCosts &space : costs.spaces) {
      auto known = std::ranges::find(largest, space.space, &SpaceCosts::space);
      if (known == largest.end()) {
        largest.push_back(space);
        continue;
      }
      const bool isLowerBound =
          known->peakIsLowerBound || space.peakIsLowerBound;
      if (space.peakBytes > known->peakBytes)
        *known = space;
      known->peakIsLowerBound = isLowerBound;
    }
  return largest;
}

/// Positions and sizes left out, so that moved lines change nothing.
static std::string withoutNumbers(const std::string &text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    bool startsNumber = std::isdigit(static_cast<unsigned char>(text[i])) &&
                        (i == 0 || text[i - 1] == ' ' || text[i - 1] == '(' ||
                         text[i - 1] == ':');
    if (!startsNumber) {
      plain += text[i];
      continue;
    }
    while (i + 1 < text.size() &&
           (std::isdigit(static_cast<unsigned char>(text[i + 1])) ||
            text[i + 1] == ':'))
      ++i;
    plain += '#';
  }
  return plain;
}

std::string withoutValueNumbers(const std::string &text) {
  std::string plain;
  for (size_t i = 0; i < text.size();) {
    plain += text[i];
    if (text[i++] != '%')
      continue;
    size_t end = i;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) ||
            text[end] == '_'))
      ++end;
    std::string name = text.substr(i, end - i);
    size_t digits = name.find_last_not_of("0123456789") + 1;
    if (digits > 0 && digits < name.size() && name[digits - 1] == '_')
      --digits;
    plain += name.substr(0, digits);
    i = end;
  }
  return plain;
}

std::string digestOf(std::string_view text) {
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx",
                static_cast<unsigned long long>(fingerprint(text)));
  return digits;
}

template <class T>
static void append(std::vector<T> &all, std::vector<T> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()),
             std::make_move_iterator(more.end()));
}

void joinReport(FileReport &report, FileReport other) {
  for (Finding &finding : other.findings)
    if (finding.cause >= 0)
      finding.cause += int64_t(report.causes.size());
  append(report.causes, std::move(other.causes));
  append(report.findings, std::move(other.findings));
  append(report.costs, std::move(other.costs));
  report.rejectedAllocations += other.rejectedAllocations;
  append(report.explorations, std::move(other.explorations));
  append(report.untried, std::move(other.untried));
  report.escaping.merge(other.escaping);
  report.releases.merge(other.releases);
  std::stable_partition(report.explorations.begin(), report.explorations.end(),
                        [](const Exploration &one) { return one.isInput; });
}

/// The pass runs on all functions of a module: where one has a buffer that it
/// would free too early, it is no advice for another.
static void dropLivenessAdvice(FileReport &report) {
  for (Finding &finding : report.findings)
    if (report.escaping.count(finding.chunk))
      std::erase_if(finding.remedies, [&](const Advice &advice) {
        return finding.rule == ruleIds::lateFree &&
               advice.names(RemedyPass::allocationLiveness);
      });
}

/// Leaves the causes of these numbers, in this order.
static void keepCauses(FileReport &report, const std::vector<int64_t> &order) {
  std::vector<int64_t> placeOf(report.causes.size(), -1);
  std::vector<Cause> kept;
  for (int64_t cause : order) {
    placeOf[size_t(cause)] = int64_t(kept.size());
    kept.push_back(std::move(report.causes[size_t(cause)]));
  }
  report.causes = std::move(kept);
  for (Finding &finding : report.findings)
    if (finding.cause >= 0)
      finding.cause = placeOf[size_t(finding.cause)];
}

/// Who owns what a function returns is asked at its first call only; what may
/// end it is told there, wherever it stands.
static void askOnce(FileReport &report) {
  std::set<std::pair<trace::Id, std::string>> asked;
  std::set<int64_t> dropped;
  std::erase_if(report.findings, [&](const Finding &finding) {
    if (finding.rule != ruleIds::openOwnership ||
        asked.emplace(finding.chunk, finding.message).second)
      return false;
    dropped.insert(finding.cause);
    return true;
  });
  std::vector<int64_t> kept;
  for (int64_t cause = 0; cause < int64_t(report.causes.size()); ++cause)
    if (!dropped.count(cause))
      kept.push_back(cause);
  keepCauses(report, kept);
  for (Finding &finding : report.findings)
    if (auto release = report.releases.find(finding.chunk);
        finding.rule == ruleIds::openOwnership && finding.related.empty() &&
        release != report.releases.end())
      finding.related.push_back(release->second);
}

void orderCauses(FileReport &report) {
  std::vector<int64_t> order;
  std::vector<bool> isListed(report.causes.size());
  auto add = [&](int64_t cause) {
    if (cause < 0 || isListed[size_t(cause)])
      return;
    isListed[size_t(cause)] = true;
    order.push_back(cause);
  };
  for (const Finding &finding : report.findings)
    add(finding.cause);
  std::vector<int64_t> others(report.causes.size());
  std::iota(others.begin(), others.end(), 0);
  auto keyOf = [&](int64_t cause) {
    const Cause &one = report.causes[size_t(cause)];
    return std::tie(one.place.line, one.place.column, one.kind, one.function,
                    one.sentence);
  };
  std::stable_sort(others.begin(), others.end(),
                   [&](int64_t a, int64_t b) { return keyOf(a) < keyOf(b); });
  for (int64_t cause : others)
    add(cause);
  keepCauses(report, order);
}

void finishReport(FileReport &report) {
  dropLivenessAdvice(report);
  auto keyOf = [](const Finding &finding) {
    return std::tie(finding.place.line, finding.place.column, finding.rule,
                    finding.message);
  };
  std::stable_sort(
      report.findings.begin(), report.findings.end(),
      [&](const Finding &a, const Finding &b) { return keyOf(a) < keyOf(b); });
  auto isSame = [&](const Finding &a, const Finding &b) {
    return keyOf(a) == keyOf(b) && a.function == b.function;
  };
  report.findings.erase(
      std::unique(report.findings.begin(), report.findings.end(), isSame),
      report.findings.end());
  askOnce(report);
  orderCauses(report);
  std::map<std::string, int> seen;
  auto digest = [&](const std::string &key) {
    return digestOf(key + "\n" + std::to_string(seen[key]++));
  };
  for (Finding &finding : report.findings) {
    finding.file = report.file;
    const std::string where = finding.rule + "\n" + finding.function + "\n";
    finding.fingerprint = digest("2\n" + where + finding.subject);
    finding.oldFingerprint =
        digest(where + withoutValueNumbers(withoutNumbers(finding.message)));
  }
}

} // namespace memreflens
