//===- core/check/Trial.cpp -----------------------------------------------===//

#include "core/check/Trial.h"
#include "core/explain/Words.h"
#include "core/trace/Plan.h"
#include "core/trace/Symbol.h"

#include <algorithm>

namespace memreflens {

using Key = Measures::Key;

static const std::set<std::string> acceptanceRules = {
    ruleIds::branchLoop,
    ruleIds::multipleSuccessors,
    ruleIds::noUniqueOwnership,
    ruleIds::upstreamReadsFreed,
    ruleIds::regionWithoutInterface,
    ruleIds::terminator};
static const std::set<std::string> checkRules = {ruleIds::runTimeCheck,
                                                 ruleIds::deallocHelper};
static const std::set<std::string> cloneRules = {ruleIds::clone,
                                                 ruleIds::lostWrite};

static Key keyOf(const Finding &finding) {
  return {finding.chunk, finding.function};
}

//===--- What to try ------------------------------------------------------===//

namespace {
/// Makes the list for one file.
class Chooser {
public:
  Chooser(const FileReport &report, const Measures &before, bool isDynamic,
          const std::string &bufferization)
      : report(report), before(before), isDynamic(isDynamic),
        bufferization(bufferization) {}
  std::vector<Remedy> run();
  std::vector<Remedy> likely(bool putsTensorsBack);

private:
  bool anyFinding(const std::set<std::string> &rules) const;
  /// Functions with a finding of these rules for which `holds`.
  std::set<Key> having(const std::set<std::string> &rules, auto holds) const;
  bool any(auto holds) const;
  Remedy &add(Advice advice, std::set<std::string> rules);
  void addMove(const std::string &pass, std::set<std::string> rules);
  void addLiveness();
  void addPromotion();
  void addIdle();
  void addLoopHoisting(const std::set<std::string> &rules);
  void addPasses();
  void addSignatures();
  void addPrivate();
  void addStatements();
  void addOutParams();
  void addEdits();
  void addBufferization();
  void addPass(const std::string &passes, const std::string &label,
               RemedyPasses named, std::set<std::string> rules);
  void addEmptyTensors();
  void addForFew();
  void addTensors();

  const FileReport &report;
  const Measures &before;
  bool isDynamic;
  const std::string &bufferization;
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
                         {ruleIds::lateFree});
  liveness.after = "func.func(optimize-allocation-liveness)";
  liveness.movesMemory = true;
}

void Chooser::addPromotion() {
  addMove("promote-buffers-to-stack",
          joined(checkRules, {ruleIds::largeDealloc, ruleIds::lateFree,
                              ruleIds::allocInLoop}));
  remedies.back().label = "small buffers on the stack instead "
                          "(promote-buffers-to-stack)";
}

void Chooser::addIdle() {
  Remedy &idle = add(std::string(trace::idleDeallocsPass) +
                         " in front of the lowering of deallocs",
                     checkRules);
  idle.label = "drop deallocs that never deallocate (" +
               std::string(trace::idleDeallocsPass) + ")";
  idle.dropsIdle = true;
}

void Chooser::addLoopHoisting(const std::set<std::string> &rules) {
  addMove("buffer-loop-hoisting", rules);
  remedies.back().passes = {RemedyPass::loopHoisting};
  // A size that is computed in the loop keeps its buffer there.
  if (!anyFinding({ruleIds::allocInLoop}))
    return;
  Remedy &both =
      add({"loop-invariant-code-motion and buffer-loop-hoisting "
           "before the pipeline",
           {RemedyPass::loopHoisting, RemedyPass::loopInvariantMotion}},
          rules);
  both.before = "loop-invariant-code-motion,func.func(buffer-loop-hoisting)";
  both.movesMemory = true;
}

void Chooser::addPasses() {
  bool hasBranches = any([](const Measure &one) { return one.blocks > 1; });
  if (hasBranches)
    add({"lift-cf-to-scf before the pipeline", {RemedyPass::liftCfToScf}},
        joined(joined(acceptanceRules, checkRules), cloneRules))
        .before = "lift-cf-to-scf";
  if (std::any_of(report.findings.begin(), report.findings.end(),
                  [](const Finding &finding) {
                    return finding.subject.starts_with("affine.");
                  }))
    add("lower-affine before the pipeline",
        joined(acceptanceRules, {ruleIds::unknownEffects, ruleIds::invalidIr}))
        .before = "lower-affine";
  if (std::ranges::any_of(report.findings, [](const Finding &finding) {
        return finding.subject.starts_with("vector.mask");
      }))
    add("lower-vector-mask before the pipeline", {ruleIds::invalidIr}).before =
        "func.func(lower-vector-mask)";
  addLiveness();
  if (before.hasCalls)
    add({"inline before the pipeline", {RemedyPass::inlineCalls}},
        joined(joined(checkRules, cloneRules), {ruleIds::ownershipResults}))
        .before = "inline";
  // Of tensors, only bufferization makes them.
  const bool isInLoops =
      any([](const Measure &one) { return one.loopAllocations > 0; });
  if (before.hasInnerAllocations || isInLoops) {
    const std::set<std::string> rules =
        joined(joined(checkRules, cloneRules), {ruleIds::allocInLoop});
    addMove("buffer-hoisting", rules);
    // It makes the iterations of a parallel loop share a buffer.
    if (!before.hasParallelLoop)
      addLoopHoisting(rules);
  }
  addPromotion();
  addIdle();
}

void Chooser::addSignatures() {
  auto returnsBuffers = [](const Measure &one) {
    return one.buffersReturned > 0;
  };
  if (!any(returnsBuffers))
    return;
  std::set<std::string> rules = joined(checkRules, cloneRules);
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
        joined(rules, {ruleIds::ownershipResults}))
        .dynamicOwnership = false;
  if (hasPrivate)
    add("drop-equivalent-buffer-results before the pipeline",
        joined(rules, {ruleIds::ownershipResults}))
        .before = "drop-equivalent-buffer-results";
  bool hasPublic = !having({ruleIds::clone}, [](const Measure &one) {
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
          joined(rules, {ruleIds::ownershipResults}));
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
  std::set<Key> keys = having({ruleIds::clone}, [](const Measure &one) {
    return one.isPublic && !one.isEntryPoint && one.buffersReturned > 0;
  });
  if (keys.empty())
    return;
  std::string words = "with " + functionNames(keys) + " private";
  Remedy &dynamic = add({words + " and --private-function-dynamic-ownership",
                         {RemedyPass::dynamicOwnership}},
                        joined(checkRules, cloneRules));
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
          joined(checkRules, cloneRules));
  drop.edit = RemedyEdit::makePrivate;
  drop.functions = keys;
  drop.before = "drop-equivalent-buffer-results";
}

/// With `@`, each by its name: nobody states anything of functions that a
/// pattern happens to cover.
static std::vector<std::string>
namesOf(const std::set<std::string> &externals) {
  std::vector<std::string> names;
  for (const std::string &name : externals)
    names.push_back("@" + name);
  return names;
}

/// "@a and @b", "@a, @b and 3 others".
static std::string whoseNames(const std::vector<std::string> &names) {
  if (names.size() <= 3)
    return listed(names);
  return names[0] + ", " + names[1] + " and " +
         counted(names.size() - 2, "other");
}

static std::string between(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ",") + name;
  return text;
}

/// What nobody says, and what may be gained if it is said.
void Chooser::addStatements() {
  if (before.externals.empty())
    return;
  const std::vector<std::string> names = namesOf(before.externals);
  const std::string whose = whoseNames(names);
  auto add = [&](std::string words, std::string label,
                 std::set<std::string> rules) -> Remedy & {
    Remedy &remedy = this->add(std::move(words), std::move(rules));
    remedy.label = std::move(label);
    remedy.freshResults = names;
    return remedy;
  };
  const std::set<std::string> rules =
      joined(checkRules, {ruleIds::largeDealloc, ruleIds::lateFree});
  add("if it is stated that results of " + whose +
          " are buffers of their own (--assume=fresh-results)",
      "if results of " + whose +
          " are fresh: state it "
          "(--assume=fresh-results)",
      rules);
  Remedy &early =
      add("if that is stated, and that they keep no pointer to what they are "
          "passed, with late-free=last-use of memref-lens's passes",
          "if they are, and no pointer is kept to what " + whose + " " +
              (names.size() == 1 ? "is" : "are") +
              " passed: state both, "
              "with late-free=last-use of memref-lens's passes",
          rules);
  early.noCapture = names;
  early.after = std::string(trace::lastUsePass) +
                "{assume-fresh-results=" + between(names) +
                " assume-no-capture=" + between(names) + "}";
  early.movesMemory = true;
}

/// What needs no statement: the caller allocates, and nothing else can point to
/// what it passes.
void Chooser::addOutParams() {
  if (before.externals.empty())
    return;
  const std::vector<std::string> names = namesOf(before.externals);
  const bool isOne = names.size() == 1;
  const std::string whose = whoseNames(names);
  const std::set<std::string> rules =
      joined(checkRules, {ruleIds::largeDealloc, ruleIds::lateFree});
  Remedy &params =
      add(std::string(outParamsPass) + " before the pipeline: " + whose +
              (isOne ? " writes" : " write") +
              " into buffers that the caller allocates",
          rules);
  params.label = "results of " + whose + " as out-params (" +
                 std::string(outParamsPass) + ")";
  params.before = outParamsPass;
  Remedy &early =
      add("with " + std::string(outParamsPass) +
              " before the pipeline, if it is stated that " + whose +
              (isOne ? " keeps" : " keep") + " no pointer to what " +
              (isOne ? "it is" : "they are") +
              " passed, and late-free=last-use of memref-lens's passes",
          rules);
  early.label = "results of " + whose +
                " as out-params, with no capture stated, and " +
                "late-free=last-use of memref-lens's passes";
  early.before = outParamsPass;
  early.noCapture = names;
  early.after = std::string(trace::lastUsePass) +
                "{assume-no-capture=" + between(names) + "}";
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
  auto freeing = having({ruleIds::freeInInput, ruleIds::existingDealloc},
                        [](const Measure &one) { return !one.isAccepted; });
  if (freeing.empty())
    return;
  Remedy &drop = add("without the deallocs of " + functionNames(freeing),
                     {ruleIds::freeInInput, ruleIds::existingDealloc});
  drop.edit = RemedyEdit::dropDeallocs;
  drop.functions = freeing;
}

/// Of one-shot-bufferize, which leaves no program at all where it fails.
void Chooser::addBufferization() {
  if (bufferization.empty())
    return;
  auto add = [&](const std::string &option, const std::string &meaning) {
    this->add("with the option " + option + " of one-shot-bufferize" + meaning,
              {ruleIds::stageFailed})
        .bufferizeOption = option;
  };
  add("allow-return-allocs-from-loops",
      ": a loop may yield a new buffer in each iteration");
  add("allow-unknown-ops", ": ops that it does not know keep their tensors");
  Remedy &lowered =
      this->add("lower tosa before one-shot-bufferize", {ruleIds::stageFailed});
  lowered.beforeBufferize =
      "func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,"
      "tosa-to-tensor)";
}

void Chooser::addPass(const std::string &passes, const std::string &label,
                      RemedyPasses named, std::set<std::string> rules) {
  Remedy &remedy =
      add({passes + " before one-shot-bufferize", std::move(named)},
          std::move(rules));
  remedy.label = label;
  remedy.beforeBufferize = passes;
}

/// Against what is computed apart and then put into its place.
void Chooser::addEmptyTensors() {
  addPass("eliminate-empty-tensors", "", {RemedyPass::eliminateEmptyTensors},
          {ruleIds::writtenBack, ruleIds::copyPerIteration});
}

/// Changes of programs that have what they are for; most have none of it.
void Chooser::addForFew() {
  const size_t first = remedies.size();
  addPass("lens-unroll-crossed",
          "two steps in one iteration where tensors change places "
          "(lens-unroll-crossed before one-shot-bufferize)",
          {}, {ruleIds::copyPerIteration, ruleIds::stageFailed});
  addPass("lens-read-only-buffers",
          "read_only on bufferization.to_buffer whose memref is only read "
          "(lens-read-only-buffers before one-shot-bufferize)",
          {},
          {ruleIds::notWritable, ruleIds::constantWritten,
           ruleIds::readAfterWrite, ruleIds::calleeMayWrite,
           ruleIds::copyPerIteration});
  addPass("lens-slice-from-destination",
          "slices of the value that they go back into "
          "(lens-slice-from-destination before one-shot-bufferize)",
          {},
          {ruleIds::readAfterWrite, ruleIds::disjointParts,
           ruleIds::copyPerIteration});
  const bool returnsToOwn =
      std::ranges::any_of(before.functions, [](const auto &entry) {
        return !entry.second.isPublic && entry.second.buffersReturned > 0;
      });
  if (returnsToOwn) {
    addPass("lens-destination-arguments",
            "private functions compute what they return where callers put it "
            "(lens-destination-arguments before one-shot-bufferize, "
            "drop-equivalent-buffer-results behind it)",
            {}, {ruleIds::writtenBack, ruleIds::copyPerIteration});
    remedies.back().before = "drop-equivalent-buffer-results";
  }
  for (size_t i = first; i < remedies.size(); ++i)
    remedies[i].isForFew = true;
}

/// Against copies that one-shot-bufferize makes: what the program could be in
/// front of it, and its options.
void Chooser::addTensors() {
  if (bufferization.empty())
    return;
  addPass(fillConstantsPass,
          "tensor.empty and linalg.fill in place of constants "
          "(lens-fill-constants before one-shot-bufferize)",
          {RemedyPass::fillConstants},
          {ruleIds::constantWritten, ruleIds::copyPerIteration});
  addPass("lens-writable-arguments",
          "without bufferization.writable on arguments of private functions "
          "(lens-writable-arguments before one-shot-bufferize)",
          {}, {ruleIds::notWritable});
  addPass("lens-yield-in-place,eliminate-empty-tensors",
          "each loop puts what it yields into its argument "
          "(lens-yield-in-place,eliminate-empty-tensors before "
          "one-shot-bufferize)",
          {}, {ruleIds::copyPerIteration, ruleIds::stageFailed});
  addForFew();
  addPass(readsFirstPass,
          "reads before writes (lens-reads-first before one-shot-bufferize)",
          {RemedyPass::readsFirst},
          {ruleIds::readAfterWrite, ruleIds::calleeMayWrite,
           ruleIds::disjointParts, ruleIds::copyPerIteration});
  addPass("lift-cf-to-scf", "", {RemedyPass::liftCfToScf},
          {ruleIds::argumentOverwritten});
  addPass(copySharedPass,
          "a copy where a call or a loop hides whose buffer a tensor is "
          "(lens-copy-shared "
          "before one-shot-bufferize)",
          {RemedyPass::copyShared},
          {ruleIds::resultsShareBuffer, ruleIds::loopSharesBuffer,
           ruleIds::constantOverwritten});
  addPass("cse",
          "one tensor.empty for equal ones (cse before one-shot-bufferize)",
          {RemedyPass::cse}, {ruleIds::emptyForEachOp});
  addEmptyTensors();
  addPass("eliminate-empty-tensors,cse", "",
          {RemedyPass::eliminateEmptyTensors, RemedyPass::cse},
          remedies.back().rules);
  // Of a large program each of the two by itself says more.
  remedies.back().isForFew = true;
  auto addOption = [&](const std::string &name, const std::string &value,
                       RemedyPasses passes, std::set<std::string> rules) {
    // The user's choice stays.
    if (bufferization.find(name + "=") != std::string::npos)
      return;
    const std::string option = name + "=" + value;
    add({"with " + option + " of one-shot-bufferize", std::move(passes)},
        std::move(rules))
        .bufferizeOption = option;
  };
  addOption("function-boundary-type-conversion", "identity-layout-map",
            {RemedyPass::identityLayout},
            {ruleIds::layoutCopy, ruleIds::copyPerIteration});
  for (const char *heuristic : {"bottom-up-from-terminators", "top-down"})
    addOption("analysis-heuristic", heuristic, {},
              {ruleIds::readAfterWrite, ruleIds::calleeMayWrite,
               ruleIds::falseConflict, ruleIds::disjointParts,
               ruleIds::copyPerIteration});
}

std::vector<Remedy> Chooser::run() {
  addSignatures();
  addPrivate();
  addPasses();
  addStatements();
  addOutParams();
  addEdits();
  addBufferization();
  addTensors();
  std::erase_if(remedies, [&](const Remedy &remedy) {
    return !anyFinding(remedy.rules);
  });
  return std::move(remedies);
}

std::vector<Remedy> Chooser::likely(bool putsTensorsBack) {
  if (putsTensorsBack)
    addEmptyTensors();
  addStatements();
  addOutParams();
  addLiveness();
  addPromotion();
  return std::move(remedies);
}

std::vector<Remedy> remediesToTry(const FileReport &report,
                                  const Measures &before, bool dynamicOwnership,
                                  const std::string &bufferization) {
  return Chooser(report, before, dynamicOwnership, bufferization).run();
}

std::vector<Remedy> likelyRemedies(const Measures &calls, bool dynamicOwnership,
                                   bool putsTensorsBack) {
  return Chooser({}, calls, dynamicOwnership, {}).likely(putsTensorsBack);
}

} // namespace memreflens
