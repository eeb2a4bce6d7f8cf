//===- core/check/Trial.cpp -----------------------------------------------===//

#include "core/check/Trial.h"
#include "core/explain/Words.h"
#include "core/graph/Lifetimes.h"

#include <algorithm>

namespace memreflens {

using Key = Measures::Key;

static const std::set<std::string> acceptanceRules = {
    "branch-loop",          "multiple-successors",      "no-unique-ownership",
    "upstream-reads-freed", "region-without-interface", "terminator"};
static const std::set<std::string> checkRules = {"run-time-check",
                                                 "dealloc-helper"};

static Key keyOf(const Finding &finding) {
  return {finding.chunk, finding.function};
}

//===--- What to try ------------------------------------------------------===//

namespace {
/// Makes the list for one file.
class Chooser {
public:
  Chooser(const FileReport &report, const Measures &before, bool isDynamic)
      : report(report), before(before), isDynamic(isDynamic) {}
  std::vector<Remedy> run();

private:
  bool anyFinding(const std::set<std::string> &rules) const;
  /// Functions with a finding of these rules for which `holds`.
  std::set<Key> having(const std::set<std::string> &rules, auto holds) const;
  bool any(auto holds) const;
  Remedy &add(std::string words, std::set<std::string> rules);
  void addPasses();
  void addSignatures();
  void addPrivate();
  void addEdits();

  const FileReport &report;
  const Measures &before;
  bool isDynamic;
  std::vector<Remedy> remedies;
};
} // namespace

bool Chooser::anyFinding(const std::set<std::string> &rules) const {
  return std::any_of(
      report.findings.begin(), report.findings.end(),
      [&](const Finding &finding) { return rules.count(finding.rule); });
}

std::set<Key> Chooser::having(const std::set<std::string> &rules,
                              auto holds) const {
  std::set<Key> keys;
  for (const Finding &finding : report.findings) {
    auto entry = before.functions.find(keyOf(finding));
    if (rules.count(finding.rule) && entry != before.functions.end() &&
        holds(entry->second))
      keys.insert(keyOf(finding));
  }
  return keys;
}

bool Chooser::any(auto holds) const {
  return std::any_of(before.functions.begin(), before.functions.end(),
                     [&](const auto &entry) { return holds(entry.second); });
}

Remedy &Chooser::add(std::string words, std::set<std::string> rules) {
  Remedy remedy;
  remedy.words = std::move(words);
  remedy.rules = std::move(rules);
  remedy.dynamicOwnership = isDynamic;
  remedies.push_back(std::move(remedy));
  return remedies.back();
}

static std::set<std::string> joined(std::set<std::string> rules,
                                    const std::set<std::string> &more) {
  rules.insert(more.begin(), more.end());
  return rules;
}

void Chooser::addPasses() {
  bool hasBranches = any([](const Measure &one) { return one.blocks > 1; });
  if (hasBranches)
    add("lift-cf-to-scf before the pipeline",
        joined(joined(acceptanceRules, checkRules), {"clone"}))
        .before = "lift-cf-to-scf";
  add("optimize-allocation-liveness after the pipeline", {"late-free"}).after =
      "func.func(optimize-allocation-liveness)";
  if (before.hasCalls)
    add("inline before the pipeline",
        joined(checkRules, {"clone", "ownership-results"}))
        .before = "inline";
  add("buffer-hoisting before the pipeline", joined(checkRules, {"clone"}))
      .before = "func.func(buffer-hoisting)";
  // It makes the iterations of a parallel loop share a buffer.
  if (!before.hasParallelLoop)
    add("buffer-loop-hoisting before the pipeline",
        joined(checkRules, {"clone"}))
        .before = "func.func(buffer-loop-hoisting)";
  add("promote-buffers-to-stack before the pipeline",
      joined(checkRules, {"large-dealloc", "late-free"}))
      .before = "func.func(promote-buffers-to-stack)";
}

void Chooser::addSignatures() {
  auto returnsBuffers = [](const Measure &one) {
    return one.buffersReturned > 0;
  };
  if (!any(returnsBuffers))
    return;
  std::set<std::string> rules = joined(checkRules, {"clone"});
  bool hasPrivate = any([](const Measure &one) {
    return !one.isPublic && one.buffersReturned > 0;
  });
  if (!isDynamic && hasPrivate)
    add("with --private-function-dynamic-ownership", rules).dynamicOwnership =
        true;
  if (isDynamic)
    add("without --private-function-dynamic-ownership",
        joined(rules, {"ownership-results"}))
        .dynamicOwnership = false;
  if (hasPrivate)
    add("drop-equivalent-buffer-results before the pipeline",
        joined(rules, {"ownership-results"}))
        .before = "drop-equivalent-buffer-results";
  bool hasPublic = !having({"clone"}, [](const Measure &one) {
                      return one.isPublic && one.buffersReturned > 0;
                    }).empty();
  add("buffer-results-to-out-params before the pipeline" +
          std::string(hasPublic ? ", also for public functions" : ""),
      joined(rules, {"ownership-results"}))
      .before = hasPublic
                    ? "buffer-results-to-out-params{modify-public-functions=1}"
                    : "buffer-results-to-out-params";
}

static std::string functionNames(const std::set<Key> &keys) {
  std::vector<std::string> names;
  for (const Key &key : keys)
    if (names.size() < 3)
      names.push_back("@" + key.second);
  if (keys.size() > names.size())
    names.push_back(counted(keys.size() - names.size(), "other function"));
  return listed(names);
}

void Chooser::addPrivate() {
  std::set<Key> keys = having({"clone"}, [](const Measure &one) {
    return one.isPublic && one.buffersReturned > 0;
  });
  if (keys.empty())
    return;
  std::string words = "with " + functionNames(keys) + " private";
  Remedy &dynamic = add(words + " and --private-function-dynamic-ownership",
                        joined(checkRules, {"clone"}));
  dynamic.edit = RemedyEdit::makePrivate;
  dynamic.functions = keys;
  dynamic.dynamicOwnership = true;
  if (!before.hasCalls)
    return;
  Remedy &drop =
      add(words + ", drop-equivalent-buffer-results before the pipeline",
          joined(checkRules, {"clone"}));
  drop.edit = RemedyEdit::makePrivate;
  drop.functions = keys;
  drop.before = "drop-equivalent-buffer-results";
}

void Chooser::addEdits() {
  auto returning = having(checkRules, [](const Measure &one) {
    return one.isAccepted && one.buffersReturned > 0;
  });
  if (!returning.empty()) {
    Remedy &copies = add(
        "with " + functionNames(returning) +
            " returning copies (bufferization.clone) of what " +
            (returning.size() == 1 ? "it does" : "they do") + " not allocate",
        checkRules);
    copies.edit = RemedyEdit::returnCopies;
    copies.functions = returning;
  }
  auto freeing = having({"free-in-input", "existing-dealloc"},
                        [](const Measure &one) { return !one.isAccepted; });
  if (freeing.empty())
    return;
  Remedy &drop = add("without the deallocs of " + functionNames(freeing),
                     {"free-in-input", "existing-dealloc"});
  drop.edit = RemedyEdit::dropDeallocs;
  drop.functions = freeing;
}

std::vector<Remedy> Chooser::run() {
  addSignatures();
  addPrivate();
  addPasses();
  addEdits();
  std::erase_if(remedies, [&](const Remedy &remedy) {
    return !anyFinding(remedy.rules);
  });
  return std::move(remedies);
}

std::vector<Remedy> remediesToTry(const FileReport &report,
                                  const Measures &before,
                                  bool dynamicOwnership) {
  return Chooser(report, before, dynamicOwnership).run();
}

//===--- What came of it --------------------------------------------------===//

namespace {
struct Shown {
  const char *words;
  uint64_t Measure::*number;
  bool isBytes = false;
};
} // namespace

static constexpr Shown shownNumbers[] = {
    {"clones", &Measure::clones},
    {"conditional clones", &Measure::conditionalClones},
    {"run-time checks", &Measure::runTimeChecks},
    {"dealloc_helper calls", &Measure::helperCalls},
    {"of these in loops", &Measure::inLoops},
    {"ownership i1s", &Measure::ownershipResults},
    {"late frees", &Measure::lateFrees},
    {"peak", &Measure::peakBytes, true},
    {"largest dealloc", &Measure::largestDealloc},
    {"memref.copy", &Measure::copies},
    {"memref.alloc", &Measure::allocations},
};

/// A dealloc of fewer is no matter.
static constexpr uint64_t manyBuffers = 64;

static std::string numberText(const Shown &shown, uint64_t number) {
  return shown.isBytes ? graph::bytesText(number) : std::to_string(number);
}

/// "clones 2 -> 0, run-time checks 1 -> 3".
static std::string changes(const Measure &before, const Measure &after) {
  std::string text;
  for (const Shown &shown : shownNumbers) {
    uint64_t was = before.*shown.number, is = after.*shown.number;
    bool isSmall = shown.number == &Measure::largestDealloc &&
                   std::max(was, is) < manyBuffers;
    // Two sizes may read the same.
    bool reads = numberText(shown, was) != numberText(shown, is);
    if (reads && !isSmall)
      text += (text.empty() ? "" : ", ") + std::string(shown.words) + " " +
              numberText(shown, was) + " -> " + numberText(shown, is);
  }
  return text;
}

/// "1 clone and 2 run-time checks".
static std::string acceptedWith(const Measure &after) {
  return counted(after.clones, "clone") + ", " +
         counted(after.runTimeChecks, "run-time check") + " and " +
         counted(after.helperCalls, "dealloc_helper call");
}

/// Number of a rule that has to become smaller; null for a refusal.
static uint64_t Measure::*numberOf(const std::string &rule) {
  if (rule == "clone")
    return &Measure::clones;
  if (rule == "run-time-check")
    return &Measure::runTimeChecks;
  if (rule == "dealloc-helper")
    return &Measure::helperCalls;
  if (rule == "ownership-results")
    return &Measure::ownershipResults;
  if (rule == "late-free")
    return &Measure::lateFrees;
  if (rule == "large-dealloc")
    return &Measure::largestDealloc;
  return nullptr;
}

/// What speaks against it in any function; empty if nothing does.
static std::string objection(const Measures &before, const Measures &after,
                             int32_t chunk) {
  if (!after.problem.empty())
    return after.problem;
  for (const auto &[key, one] : after.functions) {
    if (key.first != chunk)
      continue;
    auto old = before.functions.find(key);
    const Measure was = old == before.functions.end() ? Measure() : old->second;
    bool wasFine = old == before.functions.end() || was.isAccepted;
    if (wasFine && !one.isAccepted)
      return "@" + key.second + " is refused then";
    if (one.faults > was.faults)
      return "@" + key.second + " is unsound then";
  }
  return {};
}

static Measure measureIn(const Measures &measures, const Key &key) {
  auto entry = measures.functions.find(key);
  return entry == measures.functions.end() ? Measure() : entry->second;
}

/// Everything that run time pays for, what is in loops twice; a library call
/// allocates five times.
static uint64_t weightOf(const Measure &measure) {
  return measure.clones + measure.runTimeChecks + 6 * measure.helperCalls +
         measure.ownershipResults + measure.inLoops;
}

/// It saves less than it costs elsewhere.
static bool isDearer(uint64_t Measure::*number, const Measure &before,
                     const Measure &after) {
  bool onlyMoves = number == &Measure::runTimeChecks &&
                   after.helperCalls > before.helperCalls;
  return onlyMoves || weightOf(after) > 2 * weightOf(before) + 4;
}

static void judgeCost(TriedRemedy &entry, uint64_t Measure::*number,
                      const Key &key, const Measures &before,
                      const Measures &after) {
  Measure was = measureIn(before, key), is = measureIn(after, key);
  Measure all = before.totalOf(key.first), now = after.totalOf(key.first);
  bool lessHere = is.*number < was.*number && now.*number < all.*number;
  bool lessInLoops = is.*number <= was.*number && now.*number <= all.*number &&
                     is.inLoops < was.inLoops && now.inLoops < all.inLoops;
  bool betterPeak = number == &Measure::lateFrees &&
                    is.*number <= was.*number && is.peakBytes < was.peakBytes;
  entry.helps =
      (lessHere || lessInLoops || betterPeak) && !isDearer(number, all, now);
  std::string here = changes(was, is), total = changes(all, now);
  bool isGone = !after.functions.count(key);
  if (total.empty() && here.empty())
    entry.outcome = "changes nothing";
  else if (here == total || isGone || before.functions.size() == 1)
    entry.outcome = total;
  else
    entry.outcome = "in @" + key.second + " " +
                    (here.empty() ? "no change" : here) +
                    "; in all: " + (total.empty() ? "no change" : total);
}

static void judgeRefusal(TriedRemedy &entry, const std::string &rule,
                         const Key &key, const Measures &before,
                         const Measures &after) {
  Measure was = measureIn(before, key), is = measureIn(after, key);
  std::string name = "@" + key.second;
  if (rule == "upstream-reads-freed" && was.isAccepted) {
    entry.helps =
        was.upstreamReadsFreed && is.isAccepted && !is.upstreamReadsFreed;
    entry.outcome = entry.helps ? "mlir-opt reads no freed memory on " + name +
                                      "; " + acceptedWith(is)
                                : "changes nothing";
    return;
  }
  entry.helps = !was.isAccepted && is.isAccepted;
  entry.outcome = entry.helps ? name + " is accepted, with " + acceptedWith(is)
                  : is.isAccepted ? "changes nothing"
                                  : name + " is still refused";
}

/// Of a refusal that only other pipelines would bring.
static bool isAcceptedAnyway(const Finding &finding, const Measure &before) {
  if (numberOf(finding.rule) || !before.isAccepted)
    return false;
  return finding.rule != "upstream-reads-freed" || !before.upstreamReadsFreed;
}

void addOutcome(FileReport &report, const Remedy &remedy,
                const std::string &pipeline, const Measures &before,
                const Measures &after) {
  for (Finding &finding : report.findings) {
    Key key = keyOf(finding);
    if (!remedy.rules.count(finding.rule) || !before.functions.count(key))
      continue;
    bool isEditOfOthers =
        remedy.edit != RemedyEdit::none && !remedy.functions.count(key);
    if (isEditOfOthers || isAcceptedAnyway(finding, before.functions.at(key)))
      continue;
    TriedRemedy entry;
    entry.remedy = remedy.words;
    entry.pipeline = pipeline;
    if (uint64_t Measure::*number = numberOf(finding.rule))
      judgeCost(entry, number, key, before, after);
    else
      judgeRefusal(entry, finding.rule, key, before, after);
    std::string against = objection(before, after, key.first);
    if (!against.empty()) {
      entry.helps = false;
      entry.outcome = against;
    }
    if (entry.helps && !after.totalOf(key.first).allPaths)
      entry.outcome += " (not all paths could be tried)";
    finding.tried.push_back(std::move(entry));
  }
}

/// Advice that was tried, and helps nothing here, says so.
static void qualifyAdvice(Finding &finding) {
  static const char *const passes[] = {
      "optimize-allocation-liveness", "buffer-results-to-out-params",
      "lift-cf-to-scf", "--private-function-dynamic-ownership", "inline"};
  for (std::string &advice : finding.remedies)
    for (const char *pass : passes) {
      const TriedRemedy *vain = nullptr;
      bool helps = false;
      for (const TriedRemedy &entry : finding.tried) {
        if (entry.remedy.find(pass) == std::string::npos)
          continue;
        helps |= entry.helps;
        vain = vain ? vain : &entry;
      }
      if (advice.find(pass) == std::string::npos || !vain)
        continue;
      if (!helps)
        advice += "; tried here in vain: " + vain->outcome;
      break;
    }
}

void finishTrials(FileReport &report) {
  for (Finding &finding : report.findings) {
    std::stable_sort(finding.tried.begin(), finding.tried.end(),
                     [](const TriedRemedy &a, const TriedRemedy &b) {
                       return a.helps > b.helps;
                     });
    qualifyAdvice(finding);
  }
}

} // namespace memreflens
