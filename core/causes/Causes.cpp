//===- core/causes/Causes.cpp ---------------------------------------------===//

#include "core/causes/Causes.h"
#include "core/causes/CauseWords.h"
#include "core/causes/Roots.h"
#include "core/check/Collect.h"
#include "core/check/Rules.h"
#include "core/query/Lifetimes.h"
#include "core/trace/Symbol.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

namespace memreflens {

using trace::Id;
using trace::none;

/// Of what a cause speaks of, that many are listed.
static constexpr size_t mostEvidence = 24;

namespace {

/// A cause while its findings are counted.
struct Draft {
  Cause cause;
  /// What it is about, in the order of the findings: values of the facts, and
  /// ops at which they are.
  std::vector<Root> roots;
  /// Blocks at whose end buffers are deallocated.
  Id block = none;
};

/// Groups the findings of one report.
class Grouper {
public:
  Grouper(FileReport &report, const Lookup &lookup)
      : report(report), lookup(lookup), finder(lookup) {}
  void run();

private:
  void addFinding(Finding &finding);
  void addLate(Finding &finding);
  void addClone(const trace::Event &event);
  void addLowering(const trace::Event &event,
                   const trace::LoweringEvent &lowering);
  CauseCosts &costsOf(const trace::Event &event);
  /// The draft of the leading root, with the others named.
  size_t draftOf(const std::vector<Root> &roots, Id function);
  size_t draftAt(CauseKind kind, Id function, Id group, std::string_view rule);
  std::vector<Root> rootsOf(const trace::Event &event);
  /// The draft of an event's roots; nothing where it has none.
  std::optional<size_t> draftOfEvent(const trace::Event &event);
  void describe(Draft &draft) const;
  void addEvidence(Draft &draft) const;
  CauseSentence sentenceOf(const Draft &draft, CauseKind kind, Id group) const;
  std::string functionName(const Cause &cause) const;

  using Key = std::tuple<CauseKind, Id, Id, std::string>;

  FileReport &report;
  const Lookup &lookup;
  RootFinder finder;
  std::vector<Draft> drafts;
  std::map<Key, size_t> byKey;
  /// Roots of events that many findings are about.
  std::map<Id, std::optional<size_t>> known;
  std::map<std::string, Id> functions;
};

} // namespace

//===--- Grouping ---------------------------------------------------------===//

size_t Grouper::draftAt(CauseKind kind, Id function, Id group,
                        std::string_view rule) {
  auto [at, isNew] = byKey.try_emplace(
      Key(kind, function, group, std::string(rule)), drafts.size());
  if (!isNew)
    return at->second;
  Draft draft;
  draft.cause.kind = kind;
  draft.cause.rule = rule;
  if (const trace::Function *home = lookup.function(function)) {
    draft.cause.function = home->title();
    draft.cause.chunk = home->chunk;
    draft.cause.place = placeOf(lookup, home->nameRange);
  }
  draft.block = group;
  drafts.push_back(std::move(draft));
  return at->second;
}

size_t Grouper::draftOf(const std::vector<Root> &roots, Id function) {
  const Root &leading = roots.front();
  size_t at = draftAt(leading.kind, function, leading.group, {});
  for (const Root &root : roots) {
    Draft &draft = drafts[at];
    const bool isOwn = root.kind == leading.kind && root.group == leading.group;
    if (isOwn) {
      if (std::ranges::find(draft.roots, root) == draft.roots.end())
        draft.roots.push_back(root);
      continue;
    }
    Draft other;
    other.cause.function = draft.cause.function;
    other.roots = {root};
    std::string also = sentenceOf(other, root.kind, root.group).words;
    if (draft.cause.alsoNeeded.size() < mostEvidence &&
        std::ranges::find(draft.cause.alsoNeeded, also) ==
            draft.cause.alsoNeeded.end())
      draft.cause.alsoNeeded.push_back(std::move(also));
  }
  return at;
}

std::vector<Root> Grouper::rootsOf(const trace::Event &event) {
  std::vector<Root> roots;
  if (const auto *clone = std::get_if<trace::CloneEvent>(&event.detail))
    finder.addClone(event, *clone);
  if (const auto *dealloc = std::get_if<trace::DeallocEvent>(&event.detail))
    for (Id lowered : lookup.loweringsOf(dealloc->dealloc))
      std::ranges::copy(rootsOf(*lookup.event(lowered)),
                        std::back_inserter(roots));
  for (const Root &root : roots)
    finder.add(root);
  if (const auto *lowering = std::get_if<trace::LoweringEvent>(&event.detail)) {
    const RunTimeCode code = runTimeCodeOf(lookup, event);
    if (code.checks + code.helperCalls > 0)
      finder.addUndecided(event, *lowering);
  }
  return finder.take();
}

std::optional<size_t> Grouper::draftOfEvent(const trace::Event &event) {
  auto [at, isNew] = known.try_emplace(event.id);
  if (isNew)
    if (std::vector<Root> roots = rootsOf(event); !roots.empty())
      at->second = draftOf(roots, event.function);
  return at->second;
}

/// A buffer that is deallocated late: what keeps its dealloc from being moved,
/// or the end of a block, where the pass puts deallocs.
void Grouper::addLate(Finding &finding) {
  const trace::Event *event = lookup.event(finding.event);
  const Id function = event ? event->function : functions[finding.function];
  size_t at = 0;
  if (finding.lastUseUnknown) {
    at = draftAt(CauseKind::lastUseUnknown, function, none, {});
    if (!finding.related.empty() &&
        drafts[at].cause.evidence.size() < mostEvidence)
      drafts[at].cause.evidence.push_back(finding.related.front());
  } else if (std::optional<size_t> known =
                 event ? draftOfEvent(*event) : std::nullopt) {
    at = *known;
  } else {
    at =
        draftAt(CauseKind::blockEnd, function, event ? event->block : none, {});
  }
  finding.cause = int64_t(at);
  drafts[at].cause.costs.lateDeallocs += 1;
  drafts[at].cause.costs.lateBytes += finding.bytes;
}

/// " (cloned at 3:3, written at 12:3)", of two memrefs that were one.
static std::string stepsText(const Finding &finding) {
  if (finding.rule != ruleIds::lostWrite || finding.path.size() < 2)
    return {};
  auto at = [](const FindingNote &step) {
    return std::to_string(step.place.line) + ":" +
           std::to_string(step.place.column);
  };
  return " (cloned at " + at(finding.path[0]) + ", written at " +
         at(finding.path[1]) + ")";
}

void Grouper::addFinding(Finding &finding) {
  if (finding.rule == ruleIds::lateFree)
    return addLate(finding);
  const trace::Event *event = lookup.event(finding.event);
  const Rule *rule = findRule(finding.rule);
  const auto found = functions.find(finding.function);
  const Id function = event                      ? event->function
                      : found != functions.end() ? found->second
                                                 : none;
  size_t at = 0;
  if (std::optional<size_t> known =
          event ? draftOfEvent(*event) : std::nullopt) {
    at = *known;
  } else if (finding.rule == ruleIds::allocInLoop) {
    at = draftAt(CauseKind::iteration, function, finding.loop, {});
    Cause &cause = drafts[at].cause;
    CauseCosts one;
    one.loopAllocations = 1;
    one.executedAllocations = finding.executions;
    one.executedBytes = finding.executions * finding.bytes;
    cause.costs += one;
    if (cause.evidence.size() < mostEvidence)
      cause.evidence.push_back({finding.place, finding.message});
  } else if (finding.rule == ruleIds::largeDealloc && event) {
    at = draftAt(CauseKind::blockEnd, function, event->block, {});
  } else {
    const CauseKind kind =
        !rule || rule->group == RuleGroup::cost ? CauseKind::other
        : rule->group == RuleGroup::rejected    ? CauseKind::rejection
                                                : CauseKind::fault;
    at = draftAt(kind, function, none, finding.rule);
    Cause &cause = drafts[at].cause;
    if (cause.costs.findings++ == 0) {
      cause.sentence = finding.message;
      cause.sentence += stepsText(finding);
      cause.namesPlace = finding.namesPlace;
      cause.place = finding.place;
      cause.chunk = finding.chunk;
    }
    if (cause.evidence.size() < mostEvidence)
      cause.evidence.push_back({finding.place, finding.message});
  }
  finding.cause = int64_t(at);
  drafts[at].cause.costs.growingClones += finding.isGrowing;
}

CauseCosts &Grouper::costsOf(const trace::Event &event) {
  std::optional<size_t> at = draftOfEvent(event);
  const bool isClone = std::holds_alternative<trace::CloneEvent>(event.detail);
  if (!at)
    at = draftAt(CauseKind::other, event.function, none,
                 isClone ? ruleIds::clone : ruleIds::runTimeCheck);
  return drafts[*at].cause.costs;
}

void Grouper::addClone(const trace::Event &event) {
  if (!lookup.op(event.op) || lookup.isErased(event.op))
    return;
  CauseCosts &costs = costsOf(event);
  costs.clones += 1;
  if (const trace::Value *value = lookup.value(event.value))
    costs.cloneBytes += bytesOf(value->type).value_or(0);
}

/// Run-time code, and deallocs under a condition, which have no findings of
/// their own.
void Grouper::addLowering(const trace::Event &event,
                          const trace::LoweringEvent &lowering) {
  if (const RunTimeCode code = runTimeCodeOf(lookup, event);
      code.checks + code.helperCalls > 0) {
    CauseCosts &costs = costsOf(event);
    costs.runTimeChecks += code.checks;
    costs.helperCalls += code.helperCalls;
    if (code.helperCalls > 0)
      costs.compares += mostComparesOf(lowering);
  }
  size_t position = 0;
  for (Id id : lowering.ops) {
    const trace::Op *op = lookup.op(id);
    if (!op || op->name != "memref.dealloc")
      continue;
    const Id freed =
        position < lowering.freed.size() ? lowering.freed[position] : none;
    ++position;
    const trace::Block *block = lookup.block(op->block);
    const trace::Op *parent = block ? lookup.op(block->parentOp) : nullptr;
    const bool isConditional = parent && parent->generated &&
                               parent->name == "scf.if" &&
                               !lookup.isErased(parent->id);
    if (!isConditional || lookup.isErased(id) ||
        lookup.isListOfHelper(event, freed))
      continue;
    std::optional<size_t> at = draftOfEvent(event);
    if (!at) {
      finder.addCondition(lowering, freed);
      const std::vector<Root> roots = finder.take();
      at = roots.empty()
               ? draftAt(CauseKind::blockEnd, event.function, event.block, {})
               : draftOf(roots, event.function);
    }
    drafts[*at].cause.costs.conditionalDeallocs += 1;
  }
}

//===--- Words ------------------------------------------------------------===//

std::string Grouper::functionName(const Cause &cause) const {
  return cause.function.empty() ? "the module"
                                : trace::symbolText(cause.function);
}

CauseSentence Grouper::sentenceOf(const Draft &draft, CauseKind kind,
                                  Id group) const {
  const Cause &cause = draft.cause;
  return memreflens::sentenceOf(kind, OneCause{lookup, functionName(cause),
                                               draft.roots, group, cause.costs,
                                               cause.rule});
}

/// The facts, each at its place.
void Grouper::addEvidence(Draft &draft) const {
  for (const Root &root : draft.roots) {
    if (draft.cause.evidence.size() >= mostEvidence)
      return;
    const trace::Range range = root.op != none
                                   ? lookup.rangeOfOp(root.op)
                                   : lookup.rangeOfValue(root.value);
    draft.cause.evidence.push_back(
        {range.empty() ? Place() : placeOf(lookup, range),
         root.op == none
             ? lookup.name(root.value)
             : lookup.name(root.value) + ": " + lookup.opName(root.op)});
  }
}

void Grouper::describe(Draft &draft) const {
  Cause &cause = draft.cause;
  trace::Range named;
  // That of its first finding stays.
  if (cause.sentence.empty()) {
    CauseSentence made = sentenceOf(draft, cause.kind, draft.block);
    cause.sentence = std::move(made.words);
    named = made.named;
  }
  const Id block = cause.kind == CauseKind::blockEnd ||
                           cause.kind == CauseKind::branch ||
                           cause.kind == CauseKind::edge
                       ? draft.block
                       : none;
  if (const trace::Block *known = lookup.block(block)) {
    trace::Range range = known->nameRange;
    if (cause.kind != CauseKind::branch && !known->ops.empty())
      range = lookup.rangeOfOp(known->ops.back());
    if (!range.empty())
      cause.place = placeOf(lookup, range);
  }
  addEvidence(draft);
  if (cause.kind == CauseKind::iteration)
    // A loop that a pass made has no place of its own.
    if (const trace::Range range = lookup.rangeOfOp(draft.block);
        !range.empty())
      cause.place = placeOf(lookup, range);
  if (!draft.roots.empty() && !cause.evidence.empty() &&
      cause.evidence.front().place.line > 0 && block == none)
    cause.place = cause.evidence.front().place;
  if (!named.empty())
    cause.namesPlace = placeOf(lookup, named).beginsWhere(cause.place);
}

void Grouper::run() {
  for (const trace::Function &function : lookup.getTrace().functions)
    functions.try_emplace(function.title(), function.id);
  for (Finding &finding : report.findings)
    addFinding(finding);
  for (const trace::Event &event : lookup.getTrace().events) {
    const trace::Function *home = lookup.function(event.function);
    if (!home || home->status != trace::FunctionStatus::traced)
      continue;
    if (std::holds_alternative<trace::CloneEvent>(event.detail))
      addClone(event);
    if (const auto *lowering = std::get_if<trace::LoweringEvent>(&event.detail))
      addLowering(event, *lowering);
  }
  for (Draft &draft : drafts) {
    describe(draft);
    report.causes.push_back(std::move(draft.cause));
  }
  orderCauses(report);
}

void addCauses(FileReport &report, const Lookup &lookup) {
  Grouper(report, lookup).run();
}

} // namespace memreflens
