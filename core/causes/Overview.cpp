//===- core/causes/Overview.cpp -------------------------------------------===//

#include "core/causes/Overview.h"
#include "core/causes/CauseWords.h"
#include "core/check/Remedies.h"
#include "core/explain/CostText.h"
#include "core/explain/PlainText.h"
#include "core/explain/Words.h"
#include "core/query/Lifetimes.h"
#include "core/trace/Symbol.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace memreflens {

static constexpr size_t mostLines = 25;
/// Of each entry.
static constexpr size_t mostFixes = 2;

namespace {

/// Findings of one cause, and the remedies that help against them.
struct Weighed {
  size_t cause = 0;
  /// Remedies that help, with what they gain, per mille.
  std::vector<std::pair<uint64_t, const TriedRemedy *>> fixes;
  const Finding *first = nullptr;

  void add(const TriedRemedy &tried);
  uint64_t gain() const {
    uint64_t most = 0;
    for (const auto &[gain, fix] : fixes)
      most = std::max(most, gain);
    return most;
  }
};

} // namespace

//===--- Numbers ----------------------------------------------------------===//

static void addCount(std::vector<std::string> &parts, uint64_t number,
                     std::string_view noun) {
  if (number > 0)
    parts.push_back(counted(number, noun));
}

static std::string joined(const std::vector<std::string> &parts,
                          std::string_view between = ", ") {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : std::string(between)) + part;
  return text;
}

std::string costsText(CauseKind kind, const CauseCosts &costs) {
  std::vector<std::string> parts;
  if (costs.clones > 0)
    parts.push_back(
        counted(costs.clones, "clone") +
        (costs.cloneBytes > 0 ? " (" + bytesText(costs.cloneBytes) + ")" : ""));
  if (costs.growingClones > 0 && costs.clones > 0)
    parts.back() += ", " +
                    (costs.growingClones == costs.clones
                         ? std::string()
                         : grouped(costs.growingClones) + " of them ") +
                    "for each call in a loop";
  addCount(parts, costs.runTimeChecks, "run-time alias check");
  if (costs.helperCalls > 0)
    parts.push_back(counted(costs.helperCalls, "dealloc_helper call") +
                    " with up to " + counted(costs.compares, "compare"));
  addCount(parts, costs.conditionalDeallocs, "conditional dealloc");
  const bool isSaid =
      kind == CauseKind::blockEnd || kind == CauseKind::lastUseUnknown;
  if (costs.executedAllocations > 0)
    parts.push_back(
        counted(costs.executedAllocations, "allocation") +
        (costs.executedBytes > 0 ? ", " + bytesText(costs.executedBytes) : "") +
        " in a call");
  if (costs.lateDeallocs > 0 && !isSaid)
    parts.push_back(counted(costs.lateDeallocs, "late dealloc"));
  return joined(parts);
}

/// "1 more ownership indicator", "7 more copies".
static std::string more(uint64_t number, Quantity what) {
  return grouped(number) + " more " + std::string(wordsOf(what, number));
}

/// A hundredth, or less, of a peak: nobody changes a program for that.
static bool isSlight(uint64_t before, uint64_t after) {
  const auto [less, more] = std::minmax(before, after);
  return more - less <= more / 100;
}

/// What a remedy changes that a user cares about, gains first.
static std::string gainText(const TriedRemedy &remedy) {
  if (remedy.changes.empty())
    return remedy.outcome;
  std::vector<std::string> gains, costs;
  using enum Quantity;
  // A copy goes into a buffer of its own, most often.
  const bool savesCopies =
      std::ranges::any_of(remedy.changes, [](const NumberChange &change) {
        return change.what == copies && change.after < change.before;
      });
  // What a call executes says more than how many ops are in loops.
  const bool isExecuted =
      std::ranges::any_of(remedy.changes, [](const NumberChange &change) {
        return change.what == executedAllocations;
      });
  for (const NumberChange &change : remedy.changes) {
    const bool isDetail = change.what == unconditionalClones ||
                          change.what == inLoops ||
                          change.what == largestDealloc ||
                          (change.what == allocations && !savesCopies) ||
                          (change.what == loopAllocations && isExecuted);
    const bool isPeak = change.what == peak;
    if (isDetail || (isPeak && isSlight(change.before, change.after)))
      continue;
    const std::string words(wordsOf(change.what));
    // Bytes say most.
    if (change.after < change.before)
      gains.insert(isPeak ? gains.begin() : gains.end(),
                   words + " " + change.text);
    else
      costs.push_back(isPeak ? words + " " + change.text
                             : more(change.after - change.before, change.what));
  }
  if (gains.empty())
    return remedy.outcome;
  return joined(gains) + (costs.empty() ? "" : "; " + joined(costs)) +
         (remedy.allPaths ? "" : std::string(notAllPaths));
}

/// What moves to the stack takes its place there.
static bool movesToStack(const TriedRemedy &remedy) {
  return remedy.id == RemedyId::promotion;
}

/// Parts of what there was that go, per mille, each by how much it matters.
static uint64_t weightOf(const TriedRemedy &remedy) {
  using enum Quantity;
  static const std::map<Quantity, uint64_t> weights = {
      {lostWrites, 8000},    {overwrites, 8000},
      {peak, 2000},          {clones, 1000},
      {helperCalls, 1000},   {copies, 1000},
      {runTimeChecks, 500},  {allocations, 200},
      {lateFrees, 100},      {executedAllocations, 600},
      {loopAllocations, 200}};
  const bool isMoved = movesToStack(remedy);
  uint64_t sum = 1;
  for (const NumberChange &change : remedy.changes) {
    const auto weight = weights.find(change.what);
    if (weight != weights.end() && change.after < change.before)
      sum += uint64_t(double(weight->second) / (isMoved ? 8 : 1) *
                      double(change.before - change.after) /
                      double(change.before));
  }
  return sum;
}

void Weighed::add(const TriedRemedy &tried) {
  const bool isKnown = std::ranges::any_of(fixes, [&](const auto &fix) {
    return fix.second->remedy == tried.remedy;
  });
  if (!isKnown)
    fixes.push_back({weightOf(tried), &tried});
}

//===--- Several causes of one kind ---------------------------------------===//

static std::string positionOf(const Place &place) {
  return place.line == 0
             ? std::string()
             : std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string placedSentence(const Cause &cause) {
  const std::string at = positionOf(cause.place);
  return cause.sentence +
         (at.empty() || cause.namesPlace ? "" : " (" + at + ")");
}

static std::set<std::string> functionsOf(const FileReport &report,
                                         const std::vector<size_t> &causes) {
  std::set<std::string> names;
  for (size_t cause : causes)
    names.insert(report.causes[cause].function);
  return names;
}

//===--- Entries ----------------------------------------------------------===//

namespace {

/// Makes the overview of one report.
class Writer {
public:
  explicit Writer(const FileReport &report) : report(report) {}
  Overview write();

private:
  void weigh();
  OverviewEntry entryOf(const std::vector<const Weighed *> &group) const;
  OverviewEntry entryOf(const TensorCauseText &cause) const;
  void addFixes(OverviewEntry &entry,
                const std::vector<const Weighed *> &group) const;
  TriedRemedy inAllParts(const TriedRemedy &remedy,
                         const std::vector<const Weighed *> &group) const;
  std::string gainOf(const TriedRemedy &remedy,
                     const std::vector<const Weighed *> &group) const;
  std::string countsText() const;
  std::string peakText() const;

  using Key = std::tuple<int, std::string, std::vector<std::string>>;
  Key keyOf(const Weighed &weighed) const;

  const FileReport &report;
  std::vector<Weighed> causes;
};

} // namespace

void Writer::weigh() {
  causes.resize(report.causes.size());
  for (size_t cause = 0; cause < causes.size(); ++cause)
    causes[cause].cause = cause;
  for (const Finding &finding : report.findings) {
    if (finding.cause < 0)
      continue;
    Weighed &weighed = causes[size_t(finding.cause)];
    if (!weighed.first)
      weighed.first = &finding;
    for (const SharedRemedy &tried : finding.tried)
      if (tried->helps)
        weighed.add(*tried);
  }
}

Writer::Key Writer::keyOf(const Weighed &weighed) const {
  const Cause &cause = report.causes[weighed.cause];
  std::vector<std::string> fixes;
  for (const auto &[gain, fix] : weighed.fixes)
    fixes.push_back(fix->remedy);
  return {int(cause.kind), cause.rule, std::move(fixes)};
}

/// The order of entries: what costs comes last.
enum class Rank : uint8_t { rejection, fault, userKnows, cost };

static Rank rankOf(CauseKind kind, std::string_view rule) {
  return kind == CauseKind::rejection     ? Rank::rejection
         : kind == CauseKind::fault       ? Rank::fault
         : rule == ruleIds::openOwnership ? Rank::userKnows
                                          : Rank::cost;
}

/// Whether bufferization's own report has what the rule finds, by cause.
static bool isOfTensors(const TensorReport &tensors, const std::string &rule) {
  return std::ranges::find(tensors.causes, rule, &TensorCauseText::rule) !=
         tensors.causes.end();
}

/// Of an entry without a remedy.
static uint64_t sizeOf(const CauseCosts &costs) {
  return 1000 * (costs.clones + costs.helperCalls) + 100 * costs.runTimeChecks +
         costs.conditionalDeallocs + costs.lateDeallocs + costs.findings +
         50 * costs.loopAllocations;
}

/// Whether it states more of the same functions.
static bool asksMore(const TriedRemedy &fix, const TriedRemedy &better) {
  auto isParams = [](const TriedRemedy &one) {
    return one.id == RemedyId::privateOutParams ||
           one.id == RemedyId::externalOutParams ||
           one.id == RemedyId::externalOutParamsNoCapture;
  };
  return knownRemedy(fix.id).statesCapture &&
         !knownRemedy(better.id).statesCapture &&
         isParams(fix) == isParams(better);
}

/// What their checks found in the run that was given.
static std::string runText(const FileReport &report,
                           const std::vector<size_t> &causes) {
  CauseRun sum;
  for (size_t cause : causes)
    if (const std::optional<CauseRun> &run = report.causes[cause].run) {
      sum.compared += run->compared;
      sum.same += run->same;
    }
  return sum.compared == 0 ? std::string()
                           : "run-time alias checks " + sum.words();
}

/// What it comes to in all parts of the file that the group is of. A peak is
/// one part's.
TriedRemedy
Writer::inAllParts(const TriedRemedy &remedy,
                   const std::vector<const Weighed *> &group) const {
  std::map<trace::Id, const TriedRemedy *> parts;
  for (const Weighed *weighed : group)
    for (const auto &[gain, fix] : weighed->fixes)
      if (fix->remedy == remedy.remedy)
        parts.try_emplace(report.causes[weighed->cause].chunk, fix);
  if (parts.size() < 2)
    return remedy;
  TriedRemedy all = remedy;
  all.changes.clear();
  for (const auto &[chunk, fix] : parts) {
    all.allPaths &= fix->allPaths;
    for (const NumberChange &change : fix->changes) {
      if (change.what == Quantity::peak)
        continue;
      auto known =
          std::ranges::find(all.changes, change.what, &NumberChange::what);
      if (known == all.changes.end())
        known = all.changes.insert(known, {change.what, 0, 0, {}, {}});
      known->before += change.before;
      known->after += change.after;
      known->text = grouped(known->before) + " -> " + grouped(known->after);
    }
  }
  return all;
}

/// What a remedy does for all functions of a group.
std::string Writer::gainOf(const TriedRemedy &remedy,
                           const std::vector<const Weighed *> &group) const {
  if (!remedy.acceptance)
    return gainText(inAllParts(remedy, group));
  std::map<std::pair<trace::Id, std::string>, Acceptance> accepted;
  bool isWhole = true;
  for (const Weighed *weighed : group) {
    const Cause &cause = report.causes[weighed->cause];
    for (const auto &[gain, fix] : weighed->fixes)
      if (fix->remedy == remedy.remedy && fix->acceptance) {
        accepted.try_emplace({cause.chunk, cause.function}, *fix->acceptance);
        isWhole &= fix->allPaths;
      }
  }
  if (accepted.size() == 1)
    return remedy.outcome;
  // A group's remedies are those of each of its causes.
  Acceptance all = {.wasRejected = remedy.acceptance->wasRejected};
  for (const auto &[function, one] : accepted)
    all += one;
  return all.words("all " + counted(accepted.size(), "function"),
                   accepted.size()) +
         (isWhole ? "" : std::string(notAllPaths));
}

/// Where nothing that was tested helps: the first advice that no test showed to
/// be of no use, or that there is none.
static std::string untestedAdvice(const Finding *finding) {
  if (!finding)
    return {};
  for (const Advice &advice : finding->remedies)
    if (!advice.isVain)
      return advice.words;
  const size_t tested = finding->tried.size();
  return tested == 0 ? std::string()
                     : "none found; " + counted(tested, "remedy") + " tested";
}

/// Whether it runs all passes of the other one, and more.
static bool runsMore(const TriedRemedy &remedy, const TriedRemedy &other) {
  return !other.passes.empty() && remedy.passes.size() > other.passes.size() &&
         std::ranges::all_of(other.passes, [&](RemedyPass pass) {
           return std::ranges::find(remedy.passes, pass) != remedy.passes.end();
         });
}

/// What helps against any of a group, the most first.
void Writer::addFixes(OverviewEntry &entry,
                      const std::vector<const Weighed *> &group) const {
  std::vector<std::pair<uint64_t, const TriedRemedy *>> fixes;
  for (const Weighed *weighed : group)
    for (const auto &fix : weighed->fixes)
      if (std::ranges::none_of(fixes, [&](const auto &known) {
            return known.second->remedy == fix.second->remedy;
          }))
        fixes.push_back(fix);
  std::ranges::stable_sort(fixes, std::ranges::greater(),
                           [](const auto &fix) { return fix.first; });
  std::vector<std::pair<OverviewFix, const TriedRemedy *>> shown;
  for (const auto &[gain, tried] : fixes) {
    OverviewFix fix = {tried->label, gainOf(*tried, group), tried->commands,
                       tried->code, tried->edit};
    const bool isVain = std::ranges::any_of(shown, [&](const auto &better) {
      const auto &[words, remedy] = better;
      return words.gain == fix.gain &&
             (asksMore(*tried, *remedy) || runsMore(*tried, *remedy));
    });
    if (!isVain)
      shown.push_back({std::move(fix), tried});
  }
  for (auto &[fix, tried] : shown)
    entry.fixes.push_back(std::move(fix));
}

OverviewEntry Writer::entryOf(const TensorCauseText &cause) const {
  OverviewEntry entry;
  entry.sentence = cause.sentence;
  entry.place = cause.place;
  if (const std::string at = positionOf(cause.place); !at.empty())
    entry.sentence += " (" + at + ")";
  entry.costs = cause.costs;
  std::vector<const Weighed *> group;
  for (const Weighed &weighed : causes)
    if (report.causes[weighed.cause].rule == cause.rule) {
      group.push_back(&weighed);
      entry.causes.push_back(weighed.cause);
    }
  addFixes(entry, group);
  const Finding *first = group.empty() ? nullptr : group.front()->first;
  if (entry.fixes.empty())
    entry.advice =
        first && !first->tried.empty() ? untestedAdvice(first) : cause.advice;
  return entry;
}

OverviewEntry Writer::entryOf(const std::vector<const Weighed *> &group) const {
  OverviewEntry entry;
  CauseCosts costs;
  for (const Weighed *weighed : group) {
    entry.causes.push_back(weighed->cause);
    costs += report.causes[weighed->cause].costs;
  }
  const Cause &first = report.causes[group.front()->cause];
  entry.place = first.place;
  if (group.size() == 1) {
    entry.sentence = placedSentence(first);
    if (first.costs.findings > 1)
      entry.sentence +=
          ", and " + counted(first.costs.findings - 1, "more place");
  } else {
    entry.sentence = sentenceOf(
        first.kind, SeveralCauses{costs, group.size(),
                                  functionsOf(report, entry.causes).size(),
                                  findRule(first.rule)});
    const std::string at = positionOf(first.place);
    if (!at.empty())
      entry.sentence += " (first: " + at + ")";
  }
  entry.costs = costsText(first.kind, costs);
  entry.run = runText(report, entry.causes);
  addFixes(entry, group);
  if (entry.fixes.empty())
    entry.advice = untestedAdvice(group.front()->first);
  return entry;
}

std::string Writer::countsText() const {
  uint64_t allocations = report.rejectedAllocations;
  uint64_t clones = 0, checks = 0, calls = 0, conditional = 0;
  for (const FunctionCosts &costs : report.costs) {
    allocations += costs.allocations;
    clones += costs.clones;
    checks += costs.runTimeChecks;
    calls += costs.helperCalls;
    conditional += costs.conditionalFrees;
  }
  std::set<std::pair<trace::Id, std::string>> rejected, named;
  for (const Cause &cause : report.causes) {
    named.insert({cause.chunk, cause.function});
    if (cause.kind == CauseKind::rejection &&
        findRule(cause.rule)->severity == trace::Severity::error)
      rejected.insert({cause.chunk, cause.function});
  }
  // Of functions that the pipeline leaves alone there are no costs.
  const size_t functions =
      std::max(report.costs.size() + rejected.size(), named.size());
  if (report.unreadable)
    return "rejected in front of the pipeline";
  if (functions == 0)
    return "no function that the pipeline processes";
  std::vector<std::string> parts = {counted(functions, "function")};
  if (!rejected.empty())
    parts.push_back(grouped(rejected.size()) + " rejected");
  addCount(parts, allocations, "allocation");
  addCount(parts, clones, "clone");
  addCount(parts, checks, "run-time alias check");
  addCount(parts, calls, "dealloc_helper call");
  addCount(parts, conditional, "conditional dealloc");
  return joined(parts);
}

/// "peak 512 KiB in memory space 1, 58 KiB in memory space 2 (L1) of 64 KiB";
/// empty where there is one space.
static std::string peaksBySpace(const FileReport &report) {
  std::string text;
  for (const SpaceCosts &space : largestPeaks(report.costs)) {
    if (space.peakBytes == 0)
      continue;
    text += (text.empty() ? "peak " : ", ") +
            memreflens::peakText(space.peakBytes, space.peakIsLowerBound) +
            " in " + spaceWords(space.space, space.name);
    if (!space.capacity)
      continue;
    const uint64_t bytes = space.peakBytes + space.globalBytes;
    text += bytes > *space.capacity
                ? ", " + bytesText(bytes - *space.capacity) +
                      " more than its " + bytesText(*space.capacity)
                : " of " + bytesText(*space.capacity);
  }
  return text;
}

/// The largest of the functions', and the least that a remedy makes of it.
std::string Writer::peakText() const {
  if (std::string bySpace = peaksBySpace(report); !bySpace.empty())
    return bySpace;
  uint64_t peak = 0;
  bool isLowerBound = false;
  std::string origin;
  for (const FunctionCosts &costs : report.costs) {
    if (costs.peakBytes > peak)
      origin = costs.peak.origin;
    peak = std::max(peak, costs.peakBytes);
    isLowerBound |= costs.peakIsLowerBound;
  }
  // Symbols say more than a bound that leaves them out.
  const bool isAlone = report.costs.size() == 1 || peak == 0;
  for (const FunctionCosts &costs : report.costs)
    if (isAlone && !costs.peak.expression.empty())
      return "peak " + costs.peak.expression +
             (report.costs.size() > 1
                  ? " in " + trace::symbolText(costs.function)
                  : "");
  if (peak == 0)
    return {};
  uint64_t least = peak;
  std::string could;
  for (const Weighed &weighed : causes)
    for (const auto &[gain, fix] : weighed.fixes)
      for (const NumberChange &change : fix->changes)
        if (!movesToStack(*fix) && change.what == Quantity::peak &&
            change.before == peak && change.after < least &&
            !isSlight(peak, change.after)) {
          least = change.after;
          // Two that read the same are no gain to tell.
          could = change.text == change.now + " -> " + change.now
                      ? std::string()
                      : change.now;
        }
  return "peak " + memreflens::peakText(peak, isLowerBound) +
         (origin.empty() ? "" : ", " + origin) +
         (could.empty() ? "" : "; could be " + could);
}

/// Of the function whose call allocates and copies most; those that are called
/// from elsewhere pay for the others.
static std::string callText(const FileReport &report) {
  auto bytesOf = [](const FunctionCosts &costs) {
    return std::pair(!costs.aCall.isCalled,
                     costs.aCall.allocatedBytes.value_or(0) +
                         costs.aCall.copiedBytes.value_or(0));
  };
  const FunctionCosts *most = nullptr;
  for (const FunctionCosts &costs : report.costs)
    if (!costs.aCall.words.empty() &&
        (!most || bytesOf(costs) > bytesOf(*most)))
      most = &costs;
  if (!most)
    return {};
  return "a call of " + trace::symbolText(most->function) + ": " +
         most->aCall.words +
         (most->aCall.growth.empty() ? "" : "; " + most->aCall.growth);
}

Overview Writer::write() {
  weigh();
  std::map<Key, std::vector<const Weighed *>> groups;
  for (const Weighed &weighed : causes)
    groups[keyOf(weighed)].push_back(&weighed);
  struct Ranked {
    Rank rank;
    uint64_t gain, size;
    size_t first;
    std::vector<const Weighed *> group;
  };
  std::vector<Ranked> ranked;
  for (auto &[key, group] : groups) {
    CauseCosts costs;
    uint64_t gain = 0;
    for (const Weighed *weighed : group) {
      costs += report.causes[weighed->cause].costs;
      gain = std::max(gain, weighed->gain());
    }
    ranked.push_back({rankOf(CauseKind(std::get<0>(key)), std::get<1>(key)),
                      gain, sizeOf(costs), group.front()->cause,
                      std::move(group)});
  }
  std::ranges::sort(ranked, [](const Ranked &a, const Ranked &b) {
    return std::tuple(a.rank, b.gain, b.size, a.first) <
           std::tuple(b.rank, a.gain, a.size, b.first);
  });
  Overview overview;
  overview.tensors = report.tensors.counts;
  overview.slow = report.tensors.slow;
  overview.bounded = report.tensors.bounded;
  overview.counts = countsText();
  overview.peak = peakText();
  overview.aCall = callText(report);
  if (const size_t untested = report.untried.size(); untested > 0)
    overview.untested = counted(untested, "remedy") + " not tested, to be fast";
  const auto firstCost = std::ranges::find(ranked, Rank::cost, &Ranked::rank);
  for (auto one = ranked.begin(); one != firstCost; ++one)
    overview.entries.push_back(entryOf(one->group));
  for (const TensorCauseText &cause : report.tensors.causes)
    overview.entries.push_back(entryOf(cause));
  for (auto one = firstCost; one != ranked.end(); ++one)
    if (!isOfTensors(report.tensors, report.causes[one->first].rule))
      overview.entries.push_back(entryOf(one->group));
  return overview;
}

const Cause *leadingCause(const FileReport &report, std::string_view function) {
  const Cause *leading = nullptr;
  auto isWorse = [](const Cause &one, const Cause &other) {
    return std::pair(rankOf(other.kind, {}), sizeOf(one.costs)) >
           std::pair(rankOf(one.kind, {}), sizeOf(other.costs));
  };
  for (const Cause &cause : report.causes)
    if (cause.function == function && (!leading || isWorse(cause, *leading)))
      leading = &cause;
  return leading;
}

Overview overviewOf(const FileReport &report) { return Writer(report).write(); }

//===--- Text -------------------------------------------------------------===//

namespace {
/// The entry at which a fix is told with its gain.
using Told = std::map<std::pair<std::string, std::string>, size_t>;
} // namespace

static std::vector<std::string> linesOf(const OverviewEntry &entry,
                                        size_t number, bool color, Told &told) {
  const char *strong = color ? "\033[1m" : "", *plain = color ? "\033[0m" : "";
  std::string head = std::to_string(number);
  head.resize(std::max<size_t>(head.size() + 1, 3), ' ');
  std::vector<std::string> lines = {head + strong + plainWord(entry.sentence) +
                                    plain};
  if (!entry.costs.empty())
    lines.push_back("   costs  " + entry.costs);
  if (!entry.run.empty())
    lines.push_back("   run    " + entry.run);
  size_t shown = 0, width = 0;
  for (const OverviewFix &fix : entry.fixes)
    if (shown++ < mostFixes)
      width = std::max(width, fix.remedy.size());
  shown = 0;
  for (const OverviewFix &fix : entry.fixes) {
    if (shown++ == mostFixes)
      break;
    std::string remedy = plainWord(fix.remedy);
    remedy.resize(std::max(remedy.size(), width), ' ');
    const auto [at, isNew] = told.try_emplace({fix.remedy, fix.gain}, number);
    lines.push_back("   fix    " + remedy + "  " +
                    (isNew ? plainWord(fix.gain)
                           : "(as for " + std::to_string(at->second) + ")"));
  }
  if (!entry.advice.empty())
    lines.push_back("   help   " + plainWord(entry.advice));
  return lines;
}

std::string asText(const Overview &overview, const FileReport &report,
                   const std::string &words, bool color, bool isHead) {
  const std::string command = "memref-lens check " + plainWord(words);
  const std::string file = plainWord(report.file);
  std::vector<std::string> lines;
  if (!overview.tensors.empty())
    lines.push_back(file + ": " + overview.tensors);
  lines.push_back((lines.empty() ? file + ": " : "") + overview.counts);
  for (const std::string &line :
       {overview.peak, overview.aCall, overview.slow, overview.bounded})
    if (!line.empty())
      lines.push_back(plainWord(line));
  // What stands behind the entries: a blank line, and at most three others.
  const size_t most = mostLines - 4;
  size_t shown = 0;
  Told told;
  for (const OverviewEntry &entry : overview.entries) {
    std::vector<std::string> own = linesOf(entry, shown + 1, color, told);
    if (lines.size() + 1 + own.size() > most)
      break;
    lines.push_back("");
    lines.insert(lines.end(), own.begin(), own.end());
    ++shown;
  }
  if (!isHead || shown < overview.entries.size())
    lines.push_back("");
  if (isHead && shown < overview.entries.size())
    lines.push_back(counted(overview.entries.size() - shown, "more cause"));
  if (isHead)
    return joined(lines, "\n") + "\n";
  if (overview.entries.empty())
    lines.push_back("no findings");
  else if (shown < overview.entries.size())
    lines.push_back(counted(overview.entries.size() - shown, "more cause") +
                    ", and the places of all: " + command);
  else
    lines.push_back("the places, and the commands of each fix: " + command);
  if (!overview.untested.empty())
    lines.push_back(overview.untested + ": " + command + " tests more");
  const size_t cut = size_t(
      std::ranges::count_if(report.explorations, [](const Exploration &one) {
        return !one.complete;
      }));
  if (cut > 0)
    lines.push_back("not all paths of " + counted(cut, "function") +
                    " were tried");
  return joined(lines, "\n") + "\n";
}

} // namespace memreflens
