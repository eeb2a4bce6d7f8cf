//===- core/explain/StageText.cpp - what the later stages did, and why ----===//
//
// Rewrites with the alias facts behind them, and the run-time code that a
// dealloc became, with the reason why a check could not be decided before.
//
//===----------------------------------------------------------------------===//

#include "core/explain/DecisionParts.h"
#include "core/explain/IndicatorText.h"
#include "core/explain/Words.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>

namespace memreflens {

using trace::AliasFact;
using trace::AliasRule;
using trace::Id;
using trace::none;
using trace::SameAllocation;

//===--- Alias facts ------------------------------------------------------===//

/// Base buffers go by the names of the memrefs that they are of.
static std::vector<Id> buffers(const Lookup &lookup,
                               std::span<const Id> values) {
  std::vector<Id> found;
  for (Id value : values)
    found.push_back(lookup.bufferOf(value));
  return found;
}

/// ": %a comes from %x or %y", unless it is its own and only origin.
static void addOrigins(const Lookup &lookup, Id value,
                       std::span<const Id> terminals,
                       std::vector<std::string> &origins) {
  std::vector<Id> from = buffers(lookup, terminals);
  if (from.empty() || from == std::vector<Id>{value})
    return;
  origins.push_back(lookup.name(value) + " comes from " +
                    fewNames(lookup, from, "or"));
}

namespace {

/// One of the two buffers of an alias question, and all that it may be.
struct Side {
  Id buffer = none;
  std::vector<Id> terminals;

  bool has(Id id) const {
    return std::find(terminals.begin(), terminals.end(), id) != terminals.end();
  }
};

} // namespace

static Side sideOf(const Lookup &lookup, Id value,
                   std::span<const Id> terminals) {
  Side side{lookup.bufferOf(value), buffers(lookup, terminals)};
  if (side.terminals.empty())
    side.terminals.push_back(side.buffer);
  return side;
}

/// "come from %a or be a buffer of its own": all that it may be.
static std::string mayBe(const Lookup &lookup, const Side &side) {
  std::vector<Id> from;
  for (Id id : side.terminals)
    if (id != side.buffer)
      from.push_back(id);
  std::string words;
  if (!from.empty())
    words += "come from " + fewNames(lookup, from, "or");
  if (from.size() < side.terminals.size())
    words +=
        (from.empty() ? "be" : " or be") + std::string(" a buffer of its own");
  return words;
}

static std::string mayBeWords(const Lookup &lookup, const Side &side) {
  return lookup.name(side.buffer) + " may " + mayBe(lookup, side);
}

/// What both may be; what is its own and only origin needs no word.
static std::string overlapWords(const Lookup &lookup, const Side &one,
                                const Side &other) {
  std::vector<std::string> parts;
  for (const Side *side : {&one, &other})
    if (side->terminals != std::vector<Id>{side->buffer})
      parts.push_back(mayBeWords(lookup, *side));
  if (parts.size() != 2)
    return listed(parts);
  const std::string same = mayBe(lookup, one);
  return same == mayBe(lookup, other) ? "either may " + same
                                      : parts[0] + ", and " + parts[1];
}

/// Whether the pass saw `value` being allocated, or given to the function.
static bool comesFrom(const Lookup &lookup, Id value,
                      std::initializer_list<trace::OwnershipRule> rules) {
  for (Id id : lookup.eventsOfValue(value)) {
    auto *event = std::get_if<trace::OwnershipEvent>(&lookup.event(id)->detail);
    if (event &&
        std::find(rules.begin(), rules.end(), event->rule) != rules.end())
      return true;
  }
  return false;
}

static bool isAllocation(const Lookup &lookup, Id value) {
  const trace::Value *known = lookup.value(value);
  if (const trace::Op *maker = known ? lookup.op(known->op) : nullptr;
      maker && maker->name == "bufferization.clone")
    return true;
  // One that another dialect's op made: its own rule says who owns it.
  if (const trace::Event *copy = lookup.copyEventOf(value);
      copy && callThatMade(lookup, copy->op))
    return true;
  return comesFrom(
      lookup, value,
      {trace::OwnershipRule::allocation, trace::OwnershipRule::stackAllocation,
       trace::OwnershipRule::manualDeallocation, trace::OwnershipRule::cloned});
}

static bool comesFromArgument(const Lookup &lookup, Id value) {
  return comesFrom(lookup, value, {trace::OwnershipRule::entryArgument});
}

/// An origin of which nothing is known, or an argument on either side: the
/// least that leaves the question open.
static std::string unknownOriginWords(const Lookup &lookup, const Side &one,
                                      const Side &other) {
  std::vector<std::string> parts;
  auto introduce = [&](const Side &side, Id origin) {
    if (origin != side.buffer || side.terminals.size() > 1)
      parts.push_back(mayBeWords(lookup, side));
  };
  std::vector<Id> arguments;
  for (const Side *side : {&one, &other})
    for (Id id : side->terminals) {
      bool isArgument = comesFromArgument(lookup, id);
      if (isArgument && arguments.size() < (side == &one ? 1u : 2u))
        arguments.push_back(id);
      if (isArgument || isAllocation(lookup, id))
        continue;
      introduce(*side, id);
      parts.push_back("nothing says that " + lookup.name(id) +
                      " is an allocation of its own");
      return listed(parts);
    }
  if (arguments.size() == 2) {
    introduce(one, arguments[0]);
    introduce(other, arguments[1]);
    parts.push_back("the arguments " + names(lookup, arguments) +
                    " may be one buffer");
    return listed(parts);
  }
  std::vector<Id> all = one.terminals;
  all.insert(all.end(), other.terminals.begin(), other.terminals.end());
  return "not all of " + fewNames(lookup, all) + " are known allocations";
}

static std::string undecidedWords(const Lookup &lookup, const AliasFact &fact) {
  Side one = sideOf(lookup, fact.first, fact.firstTerminals);
  Side other = sideOf(lookup, fact.second, fact.secondTerminals);
  return fact.rule == AliasRule::overlappingTerminals
             ? overlapWords(lookup, one, other)
             : unknownOriginWords(lookup, one, other);
}

static std::string plainAliasWords(const Lookup &lookup,
                                   const AliasFact &fact) {
  Id one = lookup.bufferOf(fact.first), other = lookup.bufferOf(fact.second);
  std::string first = lookup.name(one);
  std::string second = lookup.name(other);
  if (first == second && one != other) {
    first += lookup.at(lookup.rangeOfValue(one));
    second += lookup.at(lookup.rangeOfValue(other));
  }
  std::string verdict = fact.answer == SameAllocation::yes
                            ? first + " and " + second + " must alias"
                        : fact.answer == SameAllocation::no
                            ? first + " and " + second + " do not alias"
                            : first + " and " + second + " may alias";
  std::vector<std::string> parts;
  addOrigins(lookup, one, fact.firstTerminals, parts);
  addOrigins(lookup, other, fact.secondTerminals, parts);
  std::string origins;
  for (const std::string &part : parts)
    origins += (origins.empty() ? "" : "; ") + part;
  switch (fact.rule) {
  case AliasRule::sameBase:
    return verdict + ": both are views of one value";
  case AliasRule::sameSingleTerminal:
    return verdict +
           (fact.firstTerminals.empty()
                ? std::string()
                : ": both come from " + fewNames(lookup, fact.firstTerminals));
  case AliasRule::disjointAllocations:
    return verdict + (origins.empty() ? "" : ": " + origins);
  case AliasRule::argumentOutlives:
    return verdict +
           ": one is allocated inside the block that has the other as argument";
  case AliasRule::distinctObjects:
    return verdict + " by memref.distinct_objects";
  case AliasRule::overlappingTerminals:
  case AliasRule::notAllAllocations:
    return verdict + ": " + undecidedWords(lookup, fact);
  }
  return verdict;
}

std::string aliasWords(const Lookup &lookup, const AliasFact &fact) {
  return plainAliasWords(lookup, fact) +
         (fact.refined && !lookup.getTrace().options.refineDistinctObjects
              ? " (rests on results that are stated to be fresh; upstream "
                "cannot tell)"
          : fact.refined
              ? " (refined by memref.distinct_objects; upstream cannot "
                "tell, and keeps what depends on it)"
              : "");
}

static void addFacts(const Lookup &lookup, const trace::Event &event,
                     std::span<const AliasFact> facts, Explanation &result) {
  for (const AliasFact &fact : facts)
    if (lookup.bufferOf(fact.first) != lookup.bufferOf(fact.second))
      addEvidence(result, {event.id, lookup.rangeOfValue(fact.first),
                           aliasWords(lookup, fact)});
}

//===--- Rewrites ---------------------------------------------------------===//

/// What each pattern on deallocs does.
static std::string_view patternMeaning(std::string_view pattern) {
  static const std::pair<std::string_view, std::string_view> meanings[] = {
      {"RemoveDeallocMemrefsContainedInRetained",
       "a memref that must alias a retained one is not deallocated here; "
       "its condition goes to what retains it"},
      {"RemoveRetainedMemrefsGuaranteedToNotAlias",
       "a retained memref that aliases none of the list needs no alias check"},
      {"SplitDeallocWhenNotAliasingAnyOther",
       "a memref that aliases none of the others gets a dealloc of its own"},
      {"RetainedMemrefAliasingAlwaysDeallocatedMemref",
       "a retained memref that must alias one with condition true is owned"},
      {"DeallocRemoveDuplicateDeallocMemrefs",
       "a memref listed twice is listed once, under either condition"},
      {"DeallocRemoveDuplicateRetainedMemrefs",
       "a memref retained twice is retained once"},
      {"EraseEmptyDealloc", "its list is empty"},
      {"EraseAlwaysFalseDealloc", "all its conditions are false"},
      {"SkipExtractMetadataOfAlloc", "an allocation is its own base buffer"},
      {"RemoveAllocDeallocPairWhenNoOtherUsers",
       "the allocation has no user but its dealloc, so both go"}};
  for (auto [name, meaning] : meanings)
    if (name == pattern)
      return meaning;
  return {};
}

static std::string deallocList(std::span<const Id> deallocs) {
  std::vector<std::string> items;
  for (Id dealloc : deallocs)
    items.push_back("#" + std::to_string(dealloc));
  return listed(items);
}

static std::string subject(const Lookup &lookup, const trace::Event &event,
                           const trace::RewriteEvent &detail) {
  // What went with a dealloc, or in its place, is no dealloc.
  if (detail.kind == trace::RewriteKind::erased && event.op != none)
    if (const trace::Op *op = lookup.op(event.op);
        op && op->name != "bufferization.dealloc")
      return lookup.opAt(event.op);
  bool isOfDealloc = event.op == none || detail.pattern.empty() ||
                     !patternMeaning(detail.pattern).empty();
  if (!detail.deallocs.empty() && isOfDealloc)
    return "dealloc " + deallocList(detail.deallocs);
  if (event.op != none)
    return lookup.opAt(event.op);
  return "an op";
}

/// No rewrite, but the questions that stood in the way of one.
static bool isKept(const trace::RewriteEvent &detail) {
  return detail.pattern.empty() && detail.erased.empty() &&
         detail.inserted.empty() && detail.replaced.empty() &&
         !detail.facts.empty();
}

/// Only that the program's ops use another memref in the place of one.
static bool isPutInPlace(const trace::RewriteEvent &detail) {
  return detail.kind == trace::RewriteKind::difference &&
         detail.erased.empty() && detail.inserted.empty() &&
         detail.replaced.size() == 1 && detail.replacements.size() == 1;
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::RewriteEvent &detail) {
  Explanation result;
  if (isPutInPlace(detail)) {
    const Id by = detail.replacements.front();
    result.sentence = stageName(lookup, event) + " put " + lookup.name(by) +
                      lookup.at(lookup.rangeOfValue(by)) + " in the place of " +
                      lookup.name(detail.replaced.front());
    return result;
  }
  std::string what = subject(lookup, event, detail);
  result.sentence = stageName(lookup, event);
  switch (detail.kind) {
  case trace::RewriteKind::pattern:
    result.sentence += isKept(detail)
                           ? " could not simplify " + what + " further"
                           : " rewrote " + what;
    break;
  case trace::RewriteKind::fold:
    result.sentence += " folded " + what;
    break;
  case trace::RewriteKind::erased:
    result.sentence += " removed " + what;
    break;
  case trace::RewriteKind::difference:
    result.sentence += " changed " + what;
    break;
  }
  std::string_view meaning = patternMeaning(detail.pattern);
  if (!meaning.empty())
    result.sentence += ": " + std::string(meaning);
  else if (!detail.pattern.empty())
    result.sentence += " (" + detail.pattern.str() + ")";
  addFacts(lookup, event, detail.facts, result);
  size_t pairs = std::min(detail.replaced.size(), detail.replacements.size());
  for (size_t i = 0; i < pairs; ++i)
    if (lookup.value(detail.replaced[i]) &&
        lookup.value(detail.replacements[i]))
      addEvidence(result,
                  {event.id, lookup.rangeOfValue(detail.replaced[i]),
                   lookup.name(detail.replaced[i]) + " became " +
                       indicatorExpression(lookup, detail.replacements[i])});
  return result;
}

Explanation foldedRewrites(const Lookup &lookup,
                           const std::vector<Id> &events) {
  constexpr size_t maxFacts = 8;
  std::vector<Id> deallocs;
  std::vector<std::string> meanings;
  std::vector<Evidence> facts;
  for (Id id : events) {
    const trace::Event &event = *lookup.event(id);
    auto &detail = std::get<trace::RewriteEvent>(event.detail);
    for (Id dealloc : detail.deallocs)
      if (std::find(deallocs.begin(), deallocs.end(), dealloc) ==
          deallocs.end())
        deallocs.push_back(dealloc);
    std::string meaning(patternMeaning(detail.pattern));
    if (!meaning.empty() &&
        std::find(meanings.begin(), meanings.end(), meaning) == meanings.end())
      meanings.push_back(meaning);
    Explanation words;
    addFacts(lookup, event, detail.facts, words);
    for (Evidence &fact : words.evidence)
      if (std::find(facts.begin(), facts.end(), fact) == facts.end())
        facts.push_back(std::move(fact));
  }
  Explanation result;
  result.sentence = "dealloc " + deallocList(deallocs) + " was rewritten " +
                    counted(events.size(), "time");
  for (std::string &meaning : meanings)
    addEvidence(result, {events.front(), {}, std::move(meaning)});
  size_t shown = std::min(facts.size(), maxFacts);
  for (size_t i = 0; i < shown; ++i)
    addEvidence(result, std::move(facts[i]));
  if (facts.size() > shown)
    addEvidence(
        result,
        {none, {}, "and " + counted(facts.size() - shown, "more alias fact")});
  return result;
}

bool isOnlyKept(const trace::RewriteEvent &detail) { return isKept(detail); }

//===--- Lowering ---------------------------------------------------------===//

/// Enough to see what kind of buffers they are; more would not be read.
static constexpr size_t maxPairs = 12;

namespace {
/// Writes the questions that the simplification asked for this op (or, where
/// the trace does not say for which, for this dealloc) and could not answer.
/// What was answered elsewhere is not in doubt.
class Undecided {
public:
  Undecided(const Lookup &lookup, const trace::Event &lowering,
            Explanation &result)
      : lookup(lookup), lowering(lowering),
        isOfOp(lookup.loweredBy(lowering).hasQuestions), result(result) {}

  void add(Id rewrite, const AliasFact &fact) {
    if (isOfOp && lookup.event(rewrite)->op != lowering.op)
      return;
    const Id first = lookup.bufferOf(fact.first);
    const Id second = lookup.bufferOf(fact.second);
    if (fact.answer == SameAllocation::unknown && first != second &&
        said.insert(std::minmax(first, second)).second &&
        said.size() <= maxPairs)
      addEvidence(result, {rewrite, lookup.rangeOfValue(first),
                           aliasWords(lookup, fact)});
  }
  void end() {
    if (said.size() > maxPairs)
      addEvidence(result,
                  {none,
                   {},
                   "and " + counted(said.size() - maxPairs, "more pair") +
                       " that may alias"});
  }

private:
  const Lookup &lookup;
  const trace::Event &lowering;
  const bool isOfOp;
  std::set<std::pair<Id, Id>> said;
  Explanation &result;
};
} // namespace

/// Only those about `about`, if given.
static void addUndecided(const Lookup &lookup, const trace::Event &lowering,
                         Id dealloc, Id about, Explanation &result) {
  Undecided undecided(lookup, lowering, result);
  auto detailOf = [&](Id id) -> const trace::RewriteEvent & {
    return std::get<trace::RewriteEvent>(lookup.event(id)->detail);
  };
  if (about == none)
    for (Id id : lookup.rewritesOf(dealloc))
      for (const AliasFact &fact : detailOf(id).facts)
        undecided.add(id, fact);
  else
    for (auto [id, fact] : lookup.factsAbout(about))
      if (std::ranges::count(detailOf(id).deallocs, dealloc) > 0)
        undecided.add(id, *fact);
  undecided.end();
}

/// What a dealloc lists and may deallocate: not what it retains as well, or
/// what is never owned there. Nothing if the trace does not say.
static std::optional<std::vector<Id>>
deallocatedBy(const Lookup &lookup, const trace::LoweringEvent &lowering) {
  std::optional<std::vector<Id>> found;
  for (Id id : lookup.getIndex().eventsOfDealloc(lowering.dealloc)) {
    const auto *detail =
        std::get_if<trace::DeallocEvent>(&lookup.event(id)->detail);
    if (!detail || detail->conditions.size() != detail->memrefs.size())
      continue;
    found.emplace();
    for (size_t i = 0; i < detail->memrefs.size(); ++i) {
      Id memref = detail->memrefs[i];
      if (!lookup.isSurelyAmong(memref, detail->retained) &&
          lookup.constantOf(
              lookup.withoutEdge(detail->conditions[i], detail->edge)) != 0)
        found->push_back(memref);
    }
  }
  return found;
}

bool isFirstOfHelper(const Lookup &lookup, const trace::Event &event,
                     Id memref) {
  const auto *detail = std::get_if<trace::LoweringEvent>(&event.detail);
  if (!detail || detail->lowering != trace::LoweringCase::libraryFunction ||
      detail->retainedCount > 0)
    return false;
  const std::vector<Id> &freed = lookup.loweredBy(event).freed;
  return !freed.empty() && freed.front() == memref &&
         std::ranges::count(detail->freed, none) == 0;
}

static std::string helperWords(const Lookup &lookup, const trace::Event &event,
                               const trace::LoweringEvent &detail, Id about) {
  const LoweredMemrefs &lowered = lookup.loweredBy(event);
  std::string with =
      detail.retainedCount == 1
          ? std::string("the retained memref")
          : "one of " + counted(detail.retainedCount, "retained memref");
  if (about == none) {
    std::vector<Id> freed = lowered.freed;
    const bool isNamed = !freed.empty();
    if (auto possible = deallocatedBy(lookup, detail)) {
      if (isNamed)
        std::erase_if(freed, [&](Id id) {
          return std::ranges::find(*possible, id) == possible->end();
        });
      else if (possible->size() <= detail.memrefCount)
        freed = *possible;
      if (freed.empty() && (isNamed || possible->empty()))
        return "dealloc_helper deallocates nothing here: what it lists is "
               "retained or borrowed; it finds out whether " +
               with + " is owned";
    }
    std::string who = freed.empty() ? counted(detail.memrefCount, "memref")
                                    : fewNames(lookup, freed);
    const bool isOne =
        freed.size() == 1 || (freed.empty() && detail.memrefCount == 1);
    return "dealloc_helper deallocates " + who +
           (isOne ? " unless it is another listed memref"
                  : ", each allocation once") +
           (detail.retainedCount > 0
                ? (isOne ? " or " : ", unless it is ") + with
                : "");
  }
  // Whoever comes first in the list is freed; later ones are compared with it.
  LoweredMemrefs::Position at{lowered.freed.size(), lowered.positions.size()};
  if (auto known = lowered.positions.find(about);
      known != lowered.positions.end())
    at = known->second;
  std::vector<std::string> others;
  const bool isLongList = at.distinct > 1 && detail.retainedCount > 0;
  if (at.index > 0)
    others.push_back((isLongList ? "one of " : "") +
                     fewNames(lookup, std::span(lowered.freed).first(at.index),
                              at.distinct, isLongList ? "and" : "or"));
  if (detail.retainedCount > 0)
    others.push_back(with);
  if (others.empty())
    return lookup.name(about) + " is the first of " +
           counted(detail.memrefCount, "memref") +
           " of its dealloc_helper call, which retains nothing";
  return lookup.name(about) +
         " is deallocated unless dealloc_helper finds it to be " +
         (isLongList ? others[0] + ", or " + others[1] : listed(others, "or"));
}

static std::string singleWords(const Lookup &lookup, const trace::Event &event,
                               const trace::LoweringEvent &detail) {
  const auto &[freed, positions, retained, retains, hasQuestions] =
      lookup.loweredBy(event);
  return "a run-time alias check compares " + names(lookup, freed) + " with " +
         (retained.empty() ? counted(detail.retainedCount, "retained memref")
                           : fewNames(lookup, retained, "and"));
}

/// Why those that the freed one is compared with must be kept.
static void addRetained(const Lookup &lookup, const trace::Event &lowering,
                        Explanation &result) {
  const std::vector<Id> &retains = lookup.loweredBy(lowering).retains;
  for (Id retain :
       std::span(retains).first(std::min(retains.size(), maxPairs))) {
    const trace::Event &why = *lookup.event(retain);
    auto &reason = std::get<trace::RetainEvent>(why.detail);
    addEvidence(result, {retain, rangeOfRetain(lookup, why, reason),
                         lookup.name(why.value) + " is retained: " +
                             retainReasonWords(lookup, why, reason)});
    if (reason.reason == trace::RetainReason::liveAcrossEdge)
      addUseThatKeepsAlive(lookup, why, result);
  }
  if (retains.size() > maxPairs)
    addEvidence(result, {none,
                         {},
                         "and " + counted(retains.size() - maxPairs,
                                          "more retained memref")});
}

Explanation loweringWords(const Lookup &lookup, const trace::Event &event,
                          const trace::LoweringEvent &detail, Id about) {
  Explanation result;
  switch (detail.lowering) {
  case trace::LoweringCase::none:
    result.sentence = "dealloc #" + std::to_string(detail.dealloc) +
                      " has nothing left to deallocate";
    return result;
  case trace::LoweringCase::single:
    result.sentence = names(lookup, lookup.loweredBy(event).freed) +
                      " is deallocated without a run-time alias check: it is "
                      "alone in its dealloc, which retains nothing";
    return result;
  case trace::LoweringCase::singleRetained:
    result.sentence = singleWords(lookup, event, detail);
    break;
  case trace::LoweringCase::libraryFunction:
    result.sentence = helperWords(lookup, event, detail, about);
    break;
  }
  addUndecided(lookup, event, detail.dealloc, about, result);
  addRetained(lookup, event, result);
  return result;
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::LoweringEvent &detail) {
  return loweringWords(lookup, event, detail, none);
}

} // namespace memreflens
