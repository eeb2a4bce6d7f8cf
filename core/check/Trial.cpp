//===- core/check/Trial.cpp -----------------------------------------------===//

#include "core/check/Trial.h"
#include "core/explain/Words.h"
#include "core/trace/Plan.h"
#include "core/trace/Symbol.h"

#include <algorithm>
#include <span>

namespace memreflens {

using Key = Measures::Key;

static Key keyOf(const Finding &finding) {
  return {finding.chunk, finding.function};
}

//===--- Words of one program ---------------------------------------------===//

namespace {
/// What a remedy is about: `$name` in its words becomes `text`.
struct Filling {
  std::string_view name;
  std::string text;
};
} // namespace

/// What a pattern of Remedies.def says of these: `$(is|are)` is for one, or for
/// several.
static std::string filled(std::string_view pattern, bool isOne,
                          std::span<const Filling> fillings) {
  std::string text;
  while (!pattern.empty()) {
    const size_t at = pattern.find('$');
    text += pattern.substr(0, at);
    if (at == pattern.npos)
      break;
    pattern.remove_prefix(at + 1);
    if (pattern.starts_with('(')) {
      const size_t between = pattern.find('|'), end = pattern.find(')');
      text += isOne ? pattern.substr(1, between - 1)
                    : pattern.substr(between + 1, end - between - 1);
      pattern.remove_prefix(end + 1);
      continue;
    }
    for (const Filling &filling : fillings)
      if (pattern.starts_with(filling.name)) {
        text += filling.text;
        pattern.remove_prefix(filling.name.size());
        break;
      }
  }
  return text;
}

static void fill(Remedy &remedy, bool isOne,
                 std::initializer_list<Filling> fillings) {
  remedy.words = filled(remedy.words, isOne, fillings);
  remedy.label = filled(remedy.label, isOne, fillings);
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
  /// Whether what a finding is about has a name that begins so.
  bool anySubject(std::string_view name) const;
  /// Functions with a finding of these rules for which `holds`.
  std::set<Key> having(const std::set<std::string> &rules, auto holds) const;
  bool any(auto holds) const;
  Remedy &add(RemedyId id);
  void addPasses();
  void addSignatures();
  void addPrivate();
  void addStated(RemedyId id);
  void addStatements();
  void addOutParams();
  void addEdit(RemedyId id, std::set<Key> functions);
  void addEdits();
  void addBufferization();
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

bool Chooser::anySubject(std::string_view name) const {
  return std::ranges::any_of(report.findings, [&](const Finding &finding) {
    return finding.subject.starts_with(name);
  });
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

Remedy &Chooser::add(RemedyId id) {
  Remedy &remedy = remedies.emplace_back(Remedy{knownRemedy(id), id});
  if (remedy.words.empty())
    remedy.words = remedy.beforeBufferize + " before one-shot-bufferize";
  remedy.dynamicOwnership = remedy.setsDynamic.value_or(isDynamic);
  return remedy;
}

void Chooser::addPasses() {
  if (any([](const Measure &one) { return one.blocks > 1; }))
    add(RemedyId::liftCfToScf);
  if (anySubject("affine."))
    add(RemedyId::lowerAffine);
  if (anySubject("vector.mask"))
    add(RemedyId::lowerVectorMask);
  add(RemedyId::allocationLiveness);
  if (before.hasCalls)
    add(RemedyId::inlineCalls);
  // Of tensors, only bufferization makes them.
  const bool isInLoops =
      any([](const Measure &one) { return one.loopAllocations > 0; });
  if (before.hasInnerAllocations || isInLoops) {
    add(RemedyId::hoisting);
    // It makes the iterations of a parallel loop share a buffer.
    if (!before.hasParallelLoop) {
      add(RemedyId::loopHoisting);
      // A size that is computed in the loop keeps its buffer there.
      if (anyFinding({ruleIds::allocInLoop}))
        add(RemedyId::codeMotionAndHoisting);
    }
  }
  add(RemedyId::promotion);
  add(RemedyId::idleDeallocs);
}

void Chooser::addSignatures() {
  auto returnsBuffers = [](const Measure &one) {
    return one.buffersReturned > 0;
  };
  if (!any(returnsBuffers))
    return;
  bool hasPrivate = any([](const Measure &one) {
    return !one.isPublic && one.buffersReturned > 0;
  });
  if (!isDynamic && hasPrivate)
    add(RemedyId::withDynamicOwnership);
  if (isDynamic)
    add(RemedyId::withoutDynamicOwnership);
  if (hasPrivate)
    add(RemedyId::equivalentResults);
  bool hasPublic = !having({ruleIds::clone}, [](const Measure &one) {
                      return one.isPublic && one.buffersReturned > 0;
                    }).empty();
  // A caller that is to allocate a result has to know its size.
  if (any([&](const Measure &one) {
        return one.returnsOpenSize && (hasPublic || !one.isPublic);
      }))
    return;
  add(hasPublic ? RemedyId::outParams : RemedyId::privateOutParams);
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

void Chooser::addEdit(RemedyId id, std::set<Key> functions) {
  Remedy &remedy = add(id);
  fill(
      remedy, functions.size() == 1,
      {{"functions", functionNames(functions)},
       {"who", functions.size() <= 2 ? functionNames(functions)
                                     : counted(functions.size(), "function")}});
  remedy.functions = std::move(functions);
}

void Chooser::addPrivate() {
  // Callers elsewhere need the symbol, and own what they are given.
  std::set<Key> keys = having({ruleIds::clone}, [](const Measure &one) {
    return one.isPublic && !one.isEntryPoint && one.buffersReturned > 0;
  });
  if (keys.empty())
    return;
  addEdit(RemedyId::makePrivate, keys);
  if (before.hasCalls)
    addEdit(RemedyId::makePrivateAndDrop, keys);
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

/// Of all external functions.
void Chooser::addStated(RemedyId id) {
  const std::vector<std::string> names = namesOf(before.externals);
  Remedy &remedy = add(id);
  fill(remedy, names.size() == 1, {{"whose", whoseNames(names)}});
  std::string stated;
  if (remedy.statesFresh) {
    remedy.freshResults = names;
    stated = "assume-fresh-results=" + between(names) + " ";
  }
  if (remedy.statesCapture) {
    remedy.noCapture = names;
    remedy.after = std::string(trace::lastUsePass) + "{" + stated +
                   "assume-no-capture=" + between(names) + "}";
  }
}

/// What nobody says, and what may be gained if it is said.
void Chooser::addStatements() {
  if (before.externals.empty())
    return;
  addStated(RemedyId::freshResults);
  addStated(RemedyId::freshResultsNoCapture);
}

/// What needs no statement: the caller allocates, and nothing else can point to
/// what it passes.
void Chooser::addOutParams() {
  if (before.externals.empty())
    return;
  addStated(RemedyId::externalOutParams);
  addStated(RemedyId::externalOutParamsNoCapture);
}

void Chooser::addEdits() {
  auto returning =
      having(knownRemedy(RemedyId::returnCopies).rules, [](const Measure &one) {
        return one.isAccepted && one.buffersReturned > 0;
      });
  if (!returning.empty())
    addEdit(RemedyId::returnCopies, std::move(returning));
  auto freeing = having(knownRemedy(RemedyId::dropDeallocs).rules,
                        [](const Measure &one) { return !one.isAccepted; });
  if (!freeing.empty())
    addEdit(RemedyId::dropDeallocs, std::move(freeing));
}

/// Of one-shot-bufferize, which leaves no program at all where it fails.
void Chooser::addBufferization() {
  if (bufferization.empty())
    return;
  add(RemedyId::returnAllocsFromLoops);
  add(RemedyId::unknownOps);
  add(RemedyId::lowerTosa);
}

/// Changes of programs that have what they are for; most have none of it.
void Chooser::addForFew() {
  add(RemedyId::unrollCrossed);
  add(RemedyId::readOnlyBuffers);
  add(RemedyId::sliceFromDestination);
  const bool returnsToOwn =
      std::ranges::any_of(before.functions, [](const auto &entry) {
        return !entry.second.isPublic && entry.second.buffersReturned > 0;
      });
  if (returnsToOwn)
    add(RemedyId::destinationArguments);
}

/// Against copies that one-shot-bufferize makes: what the program could be in
/// front of it, and its options.
void Chooser::addTensors() {
  if (bufferization.empty())
    return;
  add(RemedyId::fillConstants);
  add(RemedyId::writableArguments);
  add(RemedyId::yieldInPlace);
  addForFew();
  add(RemedyId::readsFirst);
  add(RemedyId::liftTensors);
  add(RemedyId::copyShared);
  add(RemedyId::oneEmptyTensor);
  add(RemedyId::emptyTensors);
  add(RemedyId::emptyTensorsAndCse);
  // The user's choice stays.
  auto isOpen = [&](std::string_view option) {
    return bufferization.find(std::string(option) + "=") == std::string::npos;
  };
  if (isOpen("function-boundary-type-conversion"))
    add(RemedyId::identityLayout);
  if (isOpen("analysis-heuristic")) {
    add(RemedyId::bottomUpAnalysis);
    add(RemedyId::topDownAnalysis);
  }
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
    add(RemedyId::emptyTensors);
  addStatements();
  addOutParams();
  add(RemedyId::allocationLiveness);
  add(RemedyId::promotion);
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
