//===- core/check/TrialOutcome.cpp - what came of a remedy ----------------===//

#include "core/check/Rules.h"
#include "core/check/Trial.h"
#include "core/explain/CostText.h"
#include "core/explain/Words.h"
#include "core/query/Lifetimes.h"
#include "core/trace/Symbol.h"
#include "core/upstream/Release.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace memreflens {

using Key = Measures::Key;

namespace {
struct Shown {
  const char *words;
  uint64_t Measure::*number;
  Quantity quantity;
  bool isBytes = false;
};
} // namespace

static constexpr Shown shownNumbers[] = {
    {"writes that clones do not see", &Measure::lostWrites,
     Quantity::lostWrites},
    {"overwritten tensors", &Measure::overwrites, Quantity::overwrites},
    {"clones", &Measure::clones, Quantity::clones},
    {"unconditional clones", &Measure::unconditionalClones,
     Quantity::unconditionalClones},
    {"run-time alias checks", &Measure::runTimeChecks, Quantity::runTimeChecks},
    {"dealloc_helper calls", &Measure::helperCalls, Quantity::helperCalls},
    {"of these in loops", &Measure::inLoops, Quantity::inLoops},
    {"ownership indicators", &Measure::ownershipResults,
     Quantity::ownershipResults},
    {"late deallocs", &Measure::lateFrees, Quantity::lateFrees},
    {"peak", &Measure::peakBytes, Quantity::peak, true},
    {"largest dealloc", &Measure::largestDealloc, Quantity::largestDealloc},
    {"memref.copy", &Measure::copies, Quantity::copies},
    {"memref.alloc", &Measure::allocations, Quantity::allocations},
    {"allocations in a call", &Measure::executedAllocations,
     Quantity::executedAllocations},
    {"allocations in loops", &Measure::loopAllocations,
     Quantity::loopAllocations},
};

/// A dealloc of fewer is no matter.
static constexpr uint64_t manyBuffers = 64;

/// Of one of two figures that stand side by side.
static std::string numberText(const Shown &shown, const Measure &measure,
                              const Measure &other) {
  const uint64_t number = measure.*shown.number;
  if (!shown.isBytes)
    return grouped(number);
  const auto [less, more] = std::minmax(number, other.*shown.number);
  // Where rounding tells them apart, a small difference looks like a large one.
  const bool isExact =
      more - less < more / 20 && bytesText(less) != bytesText(more);
  return !isExact ? peakText(number, measure.peakIsLowerBound())
                  : (measure.peakIsLowerBound() ? "at least " : "") +
                        grouped(number) + " B";
}

/// " in memory space 2 (L1)", of a peak where there are several spaces.
static std::string spaceText(const Shown &shown, const Measure &measure) {
  return shown.isBytes && measure.hasSpaces
             ? " in " + spaceWords(measure.peakSpace, measure.peakSpaceName)
             : std::string();
}

/// Of which less is better; fewer copies and allocations are, too.
static bool isGain(uint64_t was, uint64_t is) { return is < was; }

/// What the line of clones, or of allocations, says already.
static bool isSaid(const Shown &shown, const Measure &before,
                   const Measure &after) {
  if (shown.number == &Measure::executedAllocations)
    return before.executedAllocations == before.allocations &&
           after.executedAllocations == after.allocations;
  return shown.number == &Measure::unconditionalClones &&
         before.clones - before.unconditionalClones ==
             after.clones - after.unconditionalClones;
}

/// Peak, but for the lists of dealloc_helper: less of these gains nothing.
static uint64_t ownPeak(const Measure &measure) {
  return measure.peakBytes -
         std::min(measure.peakBytes, measure.helperListBytes);
}

/// No more than the lists of dealloc_helper come to.
static bool isBookkeeping(const Measure &before, const Measure &after) {
  const auto [less, more] = std::minmax(before.peakBytes, after.peakBytes);
  return more - less <= std::max(before.helperListBytes, after.helperListBytes);
}

/// Whether the lower peak leaves out nothing that the other one counts, so that
/// the difference is none of what was counted.
static bool arePeaksComparable(const Measure &before, const Measure &after) {
  auto isUnknown = [](const Measure &one) {
    return one.peakBytes == 0 && one.peakIsLowerBound();
  };
  if (isUnknown(before) || isUnknown(after))
    return false;
  return after.peakBytes < before.peakBytes
             ? std::ranges::includes(before.peakGaps, after.peakGaps)
             : std::ranges::includes(after.peakGaps, before.peakGaps);
}

/// What a remedy does to the figures, apart from what the pipeline counts.
struct Doing {
  /// The caller allocates what the function did: its peak falls for nothing.
  bool movesToCaller = false;
  /// The text has more or fewer ops than are executed.
  bool copiesText = false;
  /// What moves to the stack keeps its memory space.
  bool movesToStack = false;
};

/// A function's own: what moves to a caller was executed for it before.
static bool isOfFunction(const Shown &shown) {
  return shown.number == &Measure::executedAllocations ||
         shown.number == &Measure::loopAllocations;
}

/// Whether a change of the figure says nothing of what it costs to run.
static bool isNoChange(const Shown &shown, const Doing &doing, uint64_t was,
                       uint64_t is, bool hasSpaces) {
  if (shown.isBytes)
    return (doing.movesToCaller || (hasSpaces && doing.movesToStack)) &&
           is < was;
  if (isOfFunction(shown))
    return doing.movesToCaller || doing.copiesText;
  return doing.copiesText && (shown.number == &Measure::copies ||
                              shown.number == &Measure::allocations);
}

/// "clones 2 -> 0; at the cost of run-time alias checks 1 -> 3".
static std::string changes(const Measure &before, const Measure &after,
                           const Doing &doing) {
  std::string gains, costs, ofText, doubt;
  for (const Shown &shown : shownNumbers) {
    uint64_t was = before.*shown.number, is = after.*shown.number;
    bool isSmall = (shown.number == &Measure::largestDealloc &&
                    std::max(was, is) < manyBuffers) ||
                   (shown.isBytes && isBookkeeping(before, after));
    // Two sizes may read the same.
    const std::string old = numberText(shown, before, after);
    const std::string now = numberText(shown, after, before);
    bool reads = old != now;
    if (!reads || isSmall || isSaid(shown, before, after))
      continue;
    const bool isOfText = isNoChange(shown, doing, was, is, after.hasSpaces);
    if (isOfText && (shown.isBytes || isOfFunction(shown)))
      continue;
    if (shown.isBytes && !arePeaksComparable(before, after)) {
      doubt = "the peaks, " + old + " and " + now +
              ", are not comparable: they are bounds of different buffers";
      continue;
    }
    std::string &text = isOfText ? ofText : isGain(was, is) ? gains : costs;
    text += (text.empty() ? "" : ", ") + std::string(shown.words) + " " + old +
            " -> " + now + spaceText(shown, after);
  }
  // Inlining copies what is executed as often as before.
  std::string text = gains;
  for (auto [label, part] :
       {std::pair{"at the cost of ", &costs}, {"ops of the text: ", &ofText}})
    if (!part->empty())
      text += (text.empty() ? "" : "; ") + std::string(label) + *part;
  return text.empty() || doubt.empty() ? text : text + "; " + doubt;
}

/// The same as numbers, gains first.
static std::vector<NumberChange>
numberChanges(const Measure &before, const Measure &after, const Doing &doing) {
  std::vector<NumberChange> gains, costs;
  for (const Shown &shown : shownNumbers) {
    const uint64_t was = before.*shown.number, is = after.*shown.number;
    const bool isSmall = shown.isBytes && isBookkeeping(before, after);
    const std::string old = numberText(shown, before, after);
    const std::string now = numberText(shown, after, before);
    // Two sizes may read the same.
    const bool isSaidBefore = shown.number == &Measure::executedAllocations &&
                              isSaid(shown, before, after);
    if (old == now || isSmall || isSaidBefore ||
        isNoChange(shown, doing, was, is, after.hasSpaces) ||
        (shown.isBytes && !arePeaksComparable(before, after)))
      continue;
    (isGain(was, is) ? gains : costs)
        .push_back({shown.quantity, was, is,
                    old + " -> " + now + spaceText(shown, after), now});
  }
  gains.insert(gains.end(), costs.begin(), costs.end());
  return gains;
}

/// "with 1 clone and 2 run-time alias checks", "at no cost".
static std::string acceptedWith(const Acceptance &after) {
  std::vector<std::string> parts;
  for (auto [number, what] : {std::pair{after.clones, "clone"},
                              {after.runTimeChecks, "run-time alias check"},
                              {after.helperCalls, "dealloc_helper call"}})
    if (number > 0)
      parts.push_back(counted(number, what));
  return parts.empty() ? "at no cost" : "with " + listed(parts);
}

Acceptance &Acceptance::operator+=(const Acceptance &other) {
  clones += other.clones;
  runTimeChecks += other.runTimeChecks;
  helperCalls += other.helperCalls;
  return *this;
}

std::string Acceptance::words(const std::string &name, size_t functions) const {
  const std::string verb = functions == 1 ? " is" : " are";
  return (wasRejected ? name + verb + " accepted, "
                      : "mlir-opt reads no freed memory on " + name + "; ") +
         acceptedWith(*this);
}

/// Number of a rule that has to become smaller; null for a rejection.
static uint64_t Measure::*numberOf(std::string_view id) {
  const Rule *rule = findRule(id);
  return rule ? rule->counts : nullptr;
}

/// What changes of a finding's own cost, while others of its function fall.
enum class AtSite { less, equal, unknown };

/// A pass that moves memory, of buffers that can be used in ways that neither
/// it nor the path explorer follows.
static std::string movesEscaped(const Remedy &remedy, const std::string &name,
                                const Measure &was, const Measure &is) {
  if (!remedy.movesMemory)
    return {};
  if (is.unseenUses > was.unseenUses)
    return "deallocates a buffer of @" + name +
           " before uses that cannot be followed";
  if (is.escapedBuffers < was.escapedBuffers ||
      is.escapedDepth < was.escapedDepth)
    return "moves a buffer of @" + name + " whose uses cannot be followed";
  return {};
}

/// What speaks against it in any function; empty if nothing does.
static std::string objection(const Remedy &remedy, const Measures &before,
                             const Measures &after, int32_t chunk) {
  if (!after.problem.empty())
    return after.problem;
  for (const auto &[key, one] : after.functions) {
    if (key.first != chunk)
      continue;
    auto old = before.functions.find(key);
    const Measure was = old == before.functions.end() ? Measure() : old->second;
    bool wasFine = old == before.functions.end() || was.isAccepted;
    if (wasFine && !one.isAccepted)
      return trace::symbolText(key.second) + " is rejected then";
    // Another fault in the place of one is no better.
    if (one.faults > was.faults ||
        !std::ranges::includes(was.faultKeys, one.faultKeys))
      return trace::symbolText(key.second) + " is unsound then";
    if (one.overwrites > was.overwrites)
      return "bufferization overwrites a tensor of " +
             trace::symbolText(key.second) + " that is read later then";
    if (one.upstreamReadsFreed && !was.upstreamReadsFreed)
      return "mlir-opt up to " MEMREF_LENS_UPSTREAM_RELEASE
             " reads freed memory on " +
             trace::symbolText(key.second) + " then";
    if (one.comparesPoison && !was.comparesPoison)
      return "what is deallocated in @" + key.second +
             " then depends on the pointer of ub.poison, which may be any";
    std::string moved = movesEscaped(remedy, key.second, was, one);
    if (!moved.empty())
      return moved;
  }
  return {};
}

static Measure measureIn(const Measures &measures, const Key &key) {
  auto entry = measures.functions.find(key);
  return entry == measures.functions.end() ? Measure() : entry->second;
}

/// Everything that run time pays for, what is in loops twice. A clone allocates
/// and copies, one under a condition perhaps; a library call allocates five
/// times.
static uint64_t weightOf(const Measure &measure) {
  return 2 * measure.clones + measure.unconditionalClones + 2 * measure.copies +
         measure.runTimeChecks + 6 * measure.helperCalls +
         measure.ownershipResults + measure.inLoops;
}

/// Whether the program as a whole is better with it. An order without circles:
/// what is better than this program never recommends to go back to it.
static bool isBetter(const Measure &before, const Measure &after,
                     const Doing &doing) {
  const bool areComparable = arePeaksComparable(before, after) &&
                             !(after.hasSpaces && doing.movesToStack);
  // Those that move between functions are executed as often as before.
  const bool movesBetween = doing.movesToCaller || doing.copiesText;
  auto rank = [&](const Measure &measure) {
    const uint64_t inLoops = movesBetween ? 0 : measure.loopAllocations;
    return std::tuple(weightOf(measure) + inLoops, measure.lateFrees,
                      measure.largestDealloc,
                      areComparable ? ownPeak(measure) : 0);
  };
  return rank(after) < rank(before);
}

/// Fewer buffers may be worth more copies: less of both in all, and no higher
/// peak.
static bool hasFewer(const Measure &before, const Measure &after) {
  auto sumOf = [](const Measure &measure) {
    return measure.allocations + measure.copies + measure.clones;
  };
  return sumOf(after) < sumOf(before) && (!arePeaksComparable(before, after) ||
                                          ownPeak(after) <= ownPeak(before));
}

/// Of a rejection that only other pipelines would bring.
static bool isAcceptedAnyway(const Finding &finding, const Measure &before) {
  if (numberOf(finding.rule) || !before.isAccepted)
    return false;
  return finding.rule != ruleIds::upstreamReadsFreed ||
         !before.upstreamReadsFreed;
}

namespace {

/// Of a part of a file, before and after; and what speaks against it there.
struct PartChange {
  Measure before, after;
  std::string objection;
};

/// Says what came of a remedy, once for all findings of a rule in a function:
/// there may be thousands.
class Judge {
public:
  Judge(const Remedy &remedy, const TrialSteps &steps, const Measures &before,
        const Measures &after)
      : remedy(remedy), steps(steps), before(before), after(after) {}
  /// Null where the remedy is not for the finding.
  SharedRemedy entryFor(const Finding &finding);

private:
  bool isFor(const Finding &finding, const Key &key) const;
  TriedRemedy judge(const std::string &rule, const Key &key);
  void judgeCost(TriedRemedy &entry, uint64_t Measure::*number, const Key &key,
                 const PartChange &part) const;
  void judgeBufferization(TriedRemedy &entry) const;
  void judgeRejection(TriedRemedy &entry, const std::string &rule,
                      const Key &key) const;
  const PartChange &partOf(int32_t chunk);

  const Remedy &remedy;
  const TrialSteps &steps;
  const Measures &before, &after;
  std::map<int32_t, PartChange> parts;
  AtSite atSite(const Finding &finding, const Key &key) const;

  std::map<std::tuple<Key, std::string, AtSite>, SharedRemedy> entries;
};

} // namespace

const PartChange &Judge::partOf(int32_t chunk) {
  auto [at, isNew] = parts.try_emplace(chunk);
  if (isNew)
    at->second = {before.totalOf(chunk), after.totalOf(chunk),
                  objection(remedy, before, after, chunk)};
  return at->second;
}

static Doing doingOf(const Remedy &remedy) {
  Doing doing;
  for (RemedyPass pass : remedy.passes) {
    doing.movesToCaller |= pass == RemedyPass::resultsToOutParams;
    doing.copiesText |= pass == RemedyPass::inlineCalls;
  }
  doing.movesToStack = remedy.id == RemedyId::promotion;
  return doing;
}

void Judge::judgeCost(TriedRemedy &entry, uint64_t Measure::*number,
                      const Key &key, const PartChange &part) const {
  const Measure was = measureIn(before, key), is = measureIn(after, key);
  const Measure &all = part.before, &now = part.after;
  const bool lessHere = is.*number < was.*number && now.*number < all.*number;
  const bool lessInLoops =
      is.*number <= was.*number && now.*number <= all.*number &&
      is.inLoops < was.inLoops && now.inLoops < all.inLoops;
  const bool betterPeak =
      number == &Measure::lateFrees && is.*number <= was.*number &&
      arePeaksComparable(was, is) && ownPeak(is) < ownPeak(was);
  const bool isAboutBuffers = number == &Measure::allocations;
  const Doing doing = doingOf(remedy);
  const std::string here = changes(was, is, doing),
                    total = changes(all, now, doing);
  // What restores the result may cost what it likes.
  const bool restores = now.lostWrites + now.overwrites == 0 &&
                        all.lostWrites + all.overwrites > 0;
  entry.helps = number == &Measure::lostWrites || number == &Measure::overwrites
                    ? restores
                : isAboutBuffers
                    ? lessHere && hasFewer(all, now)
                    : (lessHere || lessInLoops || betterPeak) &&
                          (isBetter(all, now, doing) || restores) &&
                          !total.empty();
  // Where a copy takes the place of a clone, the result stays wrong.
  const bool isAboutClones = number == &Measure::clones ||
                             number == &Measure::lostWrites ||
                             now.clones < all.clones;
  const bool keepsLoss =
      isAboutClones && all.lostWrites > 0 && now.lostWrites > 0;
  entry.helps &= !keepsLoss;
  if (entry.helps)
    entry.changes = numberChanges(all, now, doing);
  const bool isGone = !after.functions.count(key);
  if (total.empty() && here.empty())
    entry.outcome = "changes nothing";
  else if (here == total || isGone || before.functions.size() == 1)
    entry.outcome = total;
  else
    entry.outcome = "in @" + key.second + " " +
                    (here.empty() ? "no change" : here) +
                    "; in all: " + (total.empty() ? "no change" : total);
  if (keepsLoss)
    entry.outcome += "; a copy still does not see what is written";
}

void Judge::judgeRejection(TriedRemedy &entry, const std::string &rule,
                           const Key &key) const {
  const Measure was = measureIn(before, key), is = measureIn(after, key);
  const std::string name = trace::symbolText(key.second);
  const bool isOnlyRead = rule == ruleIds::upstreamReadsFreed && was.isAccepted;
  entry.helps = isOnlyRead ? was.upstreamReadsFreed && is.isAccepted &&
                                 !is.upstreamReadsFreed
                           : !was.isAccepted && is.isAccepted;
  if (entry.helps) {
    entry.acceptance = {.wasRejected = !isOnlyRead,
                        .clones = is.clones,
                        .runTimeChecks = is.runTimeChecks,
                        .helperCalls = is.helperCalls};
    entry.outcome = entry.acceptance->words(name, 1);
    return;
  }
  entry.outcome = isOnlyRead || is.isAccepted ? "changes nothing"
                                              : name + " is still rejected";
}

/// Of a program that was not bufferized at all.
void Judge::judgeBufferization(TriedRemedy &entry) const {
  Measure all;
  size_t accepted = 0;
  for (const auto &[key, one] : after.functions) {
    accepted += one.isAccepted;
    all.allocations += one.allocations;
    all.loopAllocations += one.loopAllocations;
    all.copies += one.copies;
    all.clones += one.clones;
    all.helperCalls += one.helperCalls;
  }
  entry.helps = after.problem.empty() && accepted > 0 &&
                accepted == after.functions.size();
  entry.outcome =
      entry.helps
          ? "the program is bufferized, with " +
                counted(all.allocations, "allocation") +
                (all.loopAllocations == 0
                     ? ""
                     : " (" + grouped(all.loopAllocations) + " in loops)") +
                ", " + counted(all.copies, "memref.copy op") + ", " +
                counted(all.clones, "clone") + " and " +
                counted(all.helperCalls, "dealloc_helper call")
          : "the program is still not bufferized";
}

TriedRemedy Judge::judge(const std::string &rule, const Key &key) {
  const PartChange &part = partOf(key.first);
  TriedRemedy entry;
  entry.id = remedy.id;
  entry.remedy = remedy.words;
  entry.label = remedy.label.empty() ? remedy.words : remedy.label;
  entry.passes = remedy.passes;
  entry.pipeline = steps.pipeline;
  entry.commands = steps.commands;
  entry.code = steps.code;
  entry.edit = steps.edit;
  if (rule == ruleIds::stageFailed)
    judgeBufferization(entry);
  else if (uint64_t Measure::*number = numberOf(rule))
    judgeCost(entry, number, key, part);
  else
    judgeRejection(entry, rule, key);
  if (!part.objection.empty()) {
    entry.helps = false;
    entry.changes.clear();
    entry.acceptance.reset();
    entry.outcome = part.objection;
  }
  entry.allPaths = part.after.allPaths;
  if (entry.helps && !entry.allPaths)
    entry.outcome += notAllPaths;
  return entry;
}

bool Judge::isFor(const Finding &finding, const Key &key) const {
  // Of a failure of one-shot-bufferize, which leaves no functions.
  if (finding.rule == ruleIds::stageFailed)
    return remedy.rules.contains(ruleIds::stageFailed) &&
           finding.function.empty();
  const auto known = before.functions.find(key);
  if (!remedy.rules.count(finding.rule) || known == before.functions.end())
    return false;
  const bool isEditOfOthers =
      remedy.edit != RemedyEdit::none && !remedy.functions.count(key);
  return !isEditOfOthers && !isAcceptedAnyway(finding, known->second);
}

SharedRemedy Judge::entryFor(const Finding &finding) {
  const Key key(finding.chunk, finding.function);
  if (!isFor(finding, key))
    return nullptr;
  const AtSite site = atSite(finding, key);
  auto [at, isNew] = entries.try_emplace({key, finding.rule, site});
  if (!isNew)
    return at->second;
  TriedRemedy entry = judge(finding.rule, key);
  if (entry.helps && site == AtSite::equal) {
    entry.helps = false;
    entry.changes.clear();
    entry.outcome = "changes nothing here, but elsewhere: " + entry.outcome;
  }
  return at->second = std::make_shared<TriedRemedy>(std::move(entry));
}

AtSite Judge::atSite(const Finding &finding, const Key &key) const {
  const Rule *rule = findRule(finding.rule);
  const auto sites = rule ? rule->sites : nullptr;
  const auto was = before.functions.find(key), is = after.functions.find(key);
  if (!sites || was == before.functions.end() || is == after.functions.end())
    return AtSite::unknown;
  // What was in a loop may be behind it: less often is less.
  if (is->second.inLoops < was->second.inLoops)
    return AtSite::unknown;
  const std::map<uint64_t, uint64_t> &old = was->second.*sites,
                                     &now = is->second.*sites;
  const uint64_t site = siteOf(finding.place.line, finding.place.column);
  const auto oldCount = old.find(site), nowCount = now.find(site);
  if (oldCount == old.end())
    return AtSite::unknown;
  return nowCount == now.end() || nowCount->second < oldCount->second
             ? AtSite::less
             : AtSite::equal;
}

void addOutcome(FileReport &report, const Remedy &remedy,
                const TrialSteps &steps, const Measures &before,
                const Measures &after) {
  Judge judge(remedy, steps, before, after);
  for (Finding &finding : report.findings)
    if (SharedRemedy entry = judge.entryFor(finding))
      finding.tried.push_back(std::move(entry));
}

bool helpsAny(const FileReport &report, const Remedy &remedy,
              const Measures &before, const Measures &after) {
  const TrialSteps none;
  Judge judge(remedy, none, before, after);
  return std::ranges::any_of(report.findings, [&](const Finding &finding) {
    const SharedRemedy entry = judge.entryFor(finding);
    return entry && entry->helps;
  });
}

/// Advice that was tried, and helps nothing here, says so.
static void qualifyAdvice(Finding &finding) {
  for (Advice &advice : finding.remedies)
    for (RemedyPass pass : advice.passes) {
      const TriedRemedy *vain = nullptr;
      bool helps = false;
      for (const SharedRemedy &entry : finding.tried) {
        if (std::ranges::find(entry->passes, pass) == entry->passes.end())
          continue;
        helps |= entry->helps;
        vain = vain ? vain : entry.get();
      }
      if (!vain)
        continue;
      if (!helps) {
        advice.words += "; tested here, does not help: " + vain->outcome;
        advice.isVain = true;
      }
      break;
    }
}

void finishTrials(FileReport &report) {
  for (Finding &finding : report.findings) {
    std::stable_sort(finding.tried.begin(), finding.tried.end(),
                     [](const SharedRemedy &a, const SharedRemedy &b) {
                       return a->helps > b->helps;
                     });
    qualifyAdvice(finding);
  }
}

} // namespace memreflens
