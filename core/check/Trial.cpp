//===- core/check/Trial.cpp -----------------------------------------------===//

#include "core/check/Trial.h"
#include "core/explain/Words.h"
#include "core/trace/Plan.h"
#include "core/trace/Symbol.h"

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
  std::vector<Remedy> likely();

private:
  bool anyFinding(const std::set<std::string> &rules) const;
  /// Functions with a finding of these rules for which `holds`.
  std::set<Key> having(const std::set<std::string> &rules, auto holds) const;
  bool any(auto holds) const;
  Remedy &add(Advice advice, std::set<std::string> rules);
  void addMove(const std::string &pass, std::set<std::string> rules);
  void addLiveness();
  void addPromotion();
  void addPasses();
  void addSignatures();
  void addPrivate();
  void addStatements();
  void addOutParams();
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

Remedy &Chooser::add(Advice advice, std::set<std::string> rules) {
  Remedy remedy;
  remedy.words = std::move(advice.words);
  remedy.passes = std::move(advice.passes);
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

void Chooser::addMove(const std::string &pass, std::set<std::string> rules) {
  Remedy &remedy = add(pass + " before the pipeline", std::move(rules));
  remedy.before = "func.func(" + pass + ")";
  remedy.movesMemory = true;
}

void Chooser::addLiveness() {
  Remedy &liveness = add({"optimize-allocation-liveness after the pipeline",
                          {RemedyPass::allocationLiveness}},
                         {"late-free"});
  liveness.after = "func.func(optimize-allocation-liveness)";
  liveness.movesMemory = true;
}

void Chooser::addPromotion() {
  addMove("promote-buffers-to-stack",
          joined(checkRules, {"large-dealloc", "late-free"}));
  remedies.back().label = "small buffers on the stack instead "
                          "(promote-buffers-to-stack)";
}

void Chooser::addPasses() {
  bool hasBranches = any([](const Measure &one) { return one.blocks > 1; });
  if (hasBranches)
    add({"lift-cf-to-scf before the pipeline", {RemedyPass::liftCfToScf}},
        joined(joined(acceptanceRules, checkRules), {"clone"}))
        .before = "lift-cf-to-scf";
  if (std::any_of(report.findings.begin(), report.findings.end(),
                  [](const Finding &finding) {
                    return finding.subject.starts_with("affine.");
                  }))
    add("lower-affine before the pipeline",
        joined(acceptanceRules, {"unknown-effects"}))
        .before = "lower-affine";
  addLiveness();
  if (before.hasCalls)
    add({"inline before the pipeline", {RemedyPass::inlineCalls}},
        joined(checkRules, {"clone", "ownership-results"}))
        .before = "inline";
  if (before.hasInnerAllocations) {
    addMove("buffer-hoisting", joined(checkRules, {"clone"}));
    // It makes the iterations of a parallel loop share a buffer.
    if (!before.hasParallelLoop)
      addMove("buffer-loop-hoisting", joined(checkRules, {"clone"}));
  }
  addPromotion();
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
    add({"with --private-function-dynamic-ownership",
         {RemedyPass::dynamicOwnership}},
        rules)
        .dynamicOwnership = true;
  if (isDynamic)
    add({"without --private-function-dynamic-ownership",
         {RemedyPass::dynamicOwnership}},
        joined(rules, {"ownership-results"}))
        .dynamicOwnership = false;
  if (hasPrivate)
    add("drop-equivalent-buffer-results before the pipeline",
        joined(rules, {"ownership-results"}))
        .before = "drop-equivalent-buffer-results";
  bool hasPublic = !having({"clone"}, [](const Measure &one) {
                      return one.isPublic && one.buffersReturned > 0;
                    }).empty();
  // A caller that is to allocate a result has to know its size.
  if (any([&](const Measure &one) {
        return one.returnsOpenSize && (hasPublic || !one.isPublic);
      }))
    return;
  Remedy &params =
      add({std::string("buffer-results-to-out-params") +
               (hasPublic ? "{modify-public-functions=1} before the pipeline, "
                            "which changes the types of public functions, too"
                          : " before the pipeline"),
           {RemedyPass::resultsToOutParams}},
          joined(rules, {"ownership-results"}));
  params.before =
      hasPublic ? "buffer-results-to-out-params{modify-public-functions=1}"
                : "buffer-results-to-out-params";
  params.label =
      hasPublic
          ? "results as out-params: callers allocate (declarations change)"
          : "results of private functions as out-params: callers allocate";
}

static std::string functionNames(const std::set<Key> &keys) {
  std::vector<std::string> names;
  for (const Key &key : keys)
    if (names.size() < 3)
      names.push_back(trace::symbolText(key.second));
  if (keys.size() > names.size())
    names.push_back(counted(keys.size() - names.size(), "other function"));
  return listed(names);
}

void Chooser::addPrivate() {
  // Callers elsewhere need the symbol, and own what they are given.
  std::set<Key> keys = having({"clone"}, [](const Measure &one) {
    return one.isPublic && !one.isEntryPoint && one.buffersReturned > 0;
  });
  if (keys.empty())
    return;
  std::string words = "with " + functionNames(keys) + " private";
  Remedy &dynamic = add({words + " and --private-function-dynamic-ownership",
                         {RemedyPass::dynamicOwnership}},
                        joined(checkRules, {"clone"}));
  dynamic.edit = RemedyEdit::makePrivate;
  dynamic.functions = keys;
  dynamic.dynamicOwnership = true;
  const std::string who =
      keys.size() <= 2 ? functionNames(keys) : counted(keys.size(), "function");
  dynamic.label = who + " private, with private dynamic ownership";
  if (!before.hasCalls)
    return;
  Remedy &drop =
      add(words + ", drop-equivalent-buffer-results before the pipeline",
          joined(checkRules, {"clone"}));
  drop.edit = RemedyEdit::makePrivate;
  drop.functions = keys;
  drop.before = "drop-equivalent-buffer-results";
}

/// The shortest pattern for the names that the others do not have: `@k_*`.
static std::string patternFor(const std::set<std::string> &names) {
  if (names.size() == 1)
    return "@" + *names.begin();
  const std::string &first = *names.begin(), &last = *names.rbegin();
  const auto [end, unused] = std::ranges::mismatch(first, last);
  return "@" + std::string(first.begin(), end) + "*";
}

/// What nobody says, and what may be gained if it is said.
void Chooser::addStatements() {
  if (before.externals.empty())
    return;
  const std::string pattern = patternFor(before.externals);
  const std::string statement = "--assume=fresh-results=" + pattern;
  const std::string whose =
      before.externals.size() == 1
          ? pattern
          : counted(before.externals.size(), "external function");
  auto add = [&](std::string words, std::string label,
                 std::set<std::string> rules) -> Remedy & {
    Remedy &remedy = this->add(std::move(words), std::move(rules));
    remedy.label = std::move(label);
    remedy.freshResults = pattern;
    return remedy;
  };
  const std::set<std::string> rules =
      joined(checkRules, {"large-dealloc", "late-free"});
  add("if it is stated that results of " + whose +
          " are buffers of their own (" + statement + ")",
      "state that these results are fresh (" + statement + ")", rules);
  Remedy &early =
      add("if that is stated, and that they keep no pointer to what they are "
          "passed, with late-free=last-use of memref-lens's passes",
          "state fresh results and no capture of " + pattern +
              ", with late-free=last-use of memref-lens's passes",
          rules);
  early.noCapture = pattern;
  early.after = std::string(trace::lastUsePass) +
                "{assume-fresh-results=" + pattern +
                " assume-no-capture=" + pattern + "}";
  early.movesMemory = true;
}

/// What needs no statement: the caller allocates, and nothing else can point to
/// what it passes.
void Chooser::addOutParams() {
  if (before.externals.empty())
    return;
  const std::string pattern = patternFor(before.externals);
  const std::string whose =
      before.externals.size() == 1
          ? pattern
          : counted(before.externals.size(), "external function");
  const std::set<std::string> rules =
      joined(checkRules, {"large-dealloc", "late-free"});
  Remedy &params =
      add(std::string(outParamsPass) + " before the pipeline: " + whose +
              (before.externals.size() == 1 ? " writes" : " write") +
              " into buffers that the caller allocates",
          rules);
  params.label = "results of " + pattern + " as out-params (" +
                 std::string(outParamsPass) + ")";
  params.before = outParamsPass;
  Remedy &early =
      add("with " + std::string(outParamsPass) +
              " before the pipeline, if it is stated that " + whose +
              (before.externals.size() == 1 ? " keeps" : " keep") +
              " no pointer to what " +
              (before.externals.size() == 1 ? "it is" : "they are") +
              " passed, and late-free=last-use of memref-lens's passes",
          rules);
  early.label = "results of " + pattern +
                " as out-params, with no capture stated, and " +
                "late-free=last-use of memref-lens's passes";
  early.before = outParamsPass;
  early.noCapture = pattern;
  early.after =
      std::string(trace::lastUsePass) + "{assume-no-capture=" + pattern + "}";
  early.movesMemory = true;
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
  addStatements();
  addOutParams();
  addEdits();
  std::erase_if(remedies, [&](const Remedy &remedy) {
    return !anyFinding(remedy.rules);
  });
  return std::move(remedies);
}

std::vector<Remedy> Chooser::likely() {
  addStatements();
  addOutParams();
  addLiveness();
  addPromotion();
  return std::move(remedies);
}

std::vector<Remedy> remediesToTry(const FileReport &report,
                                  const Measures &before,
                                  bool dynamicOwnership) {
  return Chooser(report, before, dynamicOwnership).run();
}

std::vector<Remedy> likelyRemedies(const Measures &calls,
                                   bool dynamicOwnership) {
  return Chooser({}, calls, dynamicOwnership).likely();
}

} // namespace memreflens
