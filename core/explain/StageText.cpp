//===- core/explain/StageText.cpp - what the later stages did, and why
//------===//
//
// Rewrites with the alias facts behind them, and the run-time code that a
// dealloc became, with the reason why a check could not be decided before.
//
//===----------------------------------------------------------------------===//

#include "core/explain/DecisionParts.h"
#include "core/explain/IndicatorText.h"
#include "core/explain/Words.h"

#include <algorithm>
#include <set>

namespace memreflens {

using trace::AliasFact;
using trace::AliasRule;
using trace::Id;
using trace::none;
using trace::SameAllocation;

//===--- Alias facts
//-------------------------------------------------------===//

/// Base buffers go by the names of the memrefs that they are of.
static std::vector<Id> buffers(const Lookup &lookup,
                               const std::vector<Id> &values) {
  std::vector<Id> found;
  for (Id value : values)
    found.push_back(lookup.bufferOf(value));
  return found;
}

/// ": %a comes from %x or %y", unless it is its own and only origin.
static void addOrigins(const Lookup &lookup, Id value,
                       const std::vector<Id> &terminals,
                       std::vector<std::string> &origins) {
  std::vector<Id> from = buffers(lookup, terminals);
  if (from.empty() || from == std::vector<Id>{value})
    return;
  origins.push_back(lookup.name(value) + " comes from " +
                    names(lookup, from, "or"));
}

std::string aliasWords(const Lookup &lookup, const AliasFact &fact) {
  Id one = lookup.bufferOf(fact.first), other = lookup.bufferOf(fact.second);
  std::string first = lookup.name(one);
  std::string second = lookup.name(other);
  std::string verdict = fact.answer == SameAllocation::yes
                            ? first + " and " + second + " share one allocation"
                        : fact.answer == SameAllocation::no
                            ? first + " and " + second + " share no allocation"
                            : "not known whether " + first + " and " + second +
                                  " share an allocation";
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
                : ": both come from " + names(lookup, fact.firstTerminals));
  case AliasRule::disjointAllocations:
    return verdict + (origins.empty() ? "" : ": " + origins);
  case AliasRule::argumentOutlives:
    return verdict +
           ": one is allocated inside the block that has the other as argument";
  case AliasRule::overlappingTerminals:
    return verdict + (origins.empty() ? "" : ": " + origins);
  case AliasRule::notAllAllocations: {
    std::vector<Id> all = buffers(lookup, fact.firstTerminals);
    for (Id id : buffers(lookup, fact.secondTerminals))
      all.push_back(id);
    return verdict + ": " + (origins.empty() ? "" : origins + ", and ") +
           "not all of " +
           names(lookup, all.empty() ? std::vector<Id>{one, other} : all) +
           " are known allocations";
  }
  }
  return verdict;
}

static void addFacts(const Lookup &lookup, const trace::Event &event,
                     const std::vector<AliasFact> &facts, Explanation &result) {
  for (const AliasFact &fact : facts)
    addEvidence(result, {event.id, lookup.rangeOfValue(fact.first),
                         aliasWords(lookup, fact)});
}

//===--- Rewrites
//----------------------------------------------------------===//

/// What each pattern on deallocs does.
static std::string_view patternMeaning(std::string_view pattern) {
  static const std::pair<std::string_view, std::string_view> meanings[] = {
      {"RemoveDeallocMemrefsContainedInRetained",
       "a memref that is surely one of the retained ones is not freed here; "
       "its condition goes to what retains it"},
      {"RemoveRetainedMemrefsGuaranteedToNotAlias",
       "a retained memref that is surely none of those freed needs no check"},
      {"SplitDeallocWhenNotAliasingAnyOther",
       "a memref that is surely none of the others is freed on its own"},
      {"RetainedMemrefAliasingAlwaysDeallocatedMemref",
       "a retained memref that is surely one always given up is owned after"},
      {"DeallocRemoveDuplicateDeallocMemrefs",
       "a memref listed twice is freed once, under either condition"},
      {"DeallocRemoveDuplicateRetainedMemrefs",
       "a memref retained twice is retained once"},
      {"EraseEmptyDealloc", "there is nothing to free"},
      {"EraseAlwaysFalseDealloc", "a memref that is never owned is not freed"},
      {"SkipExtractMetadataOfAlloc", "an allocation is its own base buffer"},
      {"RemoveAllocDeallocPairWhenNoOtherUsers",
       "the allocation has no user but its dealloc, so both go"}};
  for (auto [name, meaning] : meanings)
    if (name == pattern)
      return meaning;
  return {};
}

static std::string deallocList(const std::vector<Id> &deallocs) {
  std::vector<std::string> items;
  for (Id dealloc : deallocs)
    items.push_back("#" + std::to_string(dealloc));
  return listed(items);
}

static std::string subject(const Lookup &lookup, const trace::Event &event,
                           const trace::RewriteEvent &detail) {
  bool isOfDealloc = event.op == none || detail.pattern.empty() ||
                     !patternMeaning(detail.pattern).empty();
  if (!detail.deallocs.empty() && isOfDealloc)
    return "dealloc " + deallocList(detail.deallocs);
  if (event.op != none)
    return lookup.opName(event.op) + lookup.at(lookup.rangeOfOp(event.op));
  return "an op";
}

/// No rewrite, but the questions that stood in the way of one.
static bool isKept(const trace::RewriteEvent &detail) {
  return detail.pattern.empty() && detail.erased.empty() &&
         detail.inserted.empty() && detail.replaced.empty() &&
         !detail.facts.empty();
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::RewriteEvent &detail) {
  Explanation result;
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
    result.sentence += " (" + detail.pattern + ")";
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

//===--- Lowering
//----------------------------------------------------------===//

/// The questions that the simplification asked for this op (or, where the trace
/// does not say for which, for this dealloc) and could not answer; only those
/// about `about`, if given. What was answered elsewhere is not in doubt.
static void addUndecided(const Lookup &lookup, const trace::Event &lowering,
                         Id dealloc, Id about, Explanation &result) {
  const Lookup::Ids &rewrites = lookup.rewritesOf(dealloc);
  auto isOfThisOp = [&](Id id) { return lookup.event(id)->op == lowering.op; };
  bool anyOfThisOp = lowering.op != none &&
                     std::any_of(rewrites.begin(), rewrites.end(), isOfThisOp);
  std::set<std::pair<Id, Id>> said;
  for (Id id : rewrites) {
    if (anyOfThisOp && !isOfThisOp(id))
      continue;
    auto &rewrite = std::get<trace::RewriteEvent>(lookup.event(id)->detail);
    for (const AliasFact &fact : rewrite.facts) {
      Id first = lookup.bufferOf(fact.first);
      Id second = lookup.bufferOf(fact.second);
      bool isMeant = about == none || first == about || second == about;
      if (fact.answer == SameAllocation::unknown && isMeant &&
          first != second && said.insert(std::minmax(first, second)).second)
        addEvidence(result,
                    {id, lookup.rangeOfValue(first), aliasWords(lookup, fact)});
    }
  }
}

/// Those against which the freed one is compared.
static std::vector<Id> others(const Lookup &lookup,
                              const trace::LoweringEvent &detail) {
  std::vector<Id> freed = buffers(lookup, detail.freed);
  std::vector<Id> found;
  for (Id buffer : buffers(lookup, detail.compared))
    if (std::find(freed.begin(), freed.end(), buffer) == freed.end())
      found.push_back(buffer);
  return found;
}

/// The memrefs of the dealloc that are freed; the helper's own lists are not.
static std::vector<Id> freedBuffers(const Lookup &lookup,
                                    const trace::LoweringEvent &detail) {
  std::vector<Id> found;
  for (Id buffer : buffers(lookup, detail.freed)) {
    const trace::Value *value = lookup.value(buffer);
    bool isListOfHelper =
        detail.lowering == trace::LoweringCase::libraryFunction && value &&
        value->generated && value->standsFor == none;
    if (!isListOfHelper)
      found.push_back(buffer);
  }
  return found;
}

static std::string helperWords(const Lookup &lookup,
                               const trace::LoweringEvent &detail, Id about) {
  std::vector<Id> freed = freedBuffers(lookup, detail);
  std::string with = counted(detail.retainedCount, "retained memref");
  if (about == none)
    return (freed.empty() ? counted(detail.memrefCount, "memref")
                          : names(lookup, freed)) +
           " are freed as far as dealloc_helper finds their pointers to differ "
           "from each other and from " +
           with;
  // Whoever comes first in the list is freed; later ones are compared with it.
  auto at = std::find(freed.begin(), freed.end(), about);
  std::vector<Id> earlier(freed.begin(), at);
  std::vector<std::string> others;
  if (!earlier.empty())
    others.push_back(names(lookup, earlier));
  if (detail.retainedCount > 0)
    others.push_back(with);
  if (others.empty())
    return lookup.name(about) + " comes first of " +
           counted(detail.memrefCount, "memref") +
           " in its dealloc_helper call, and nothing is retained";
  return lookup.name(about) +
         " is freed only if dealloc_helper finds its "
         "pointer to differ from that of " +
         listed(others);
}

static std::string singleWords(const Lookup &lookup,
                               const trace::LoweringEvent &detail) {
  std::vector<Id> retained = others(lookup, detail);
  return names(lookup, freedBuffers(lookup, detail)) +
         " is freed only if its pointer differs, at run time, from that of " +
         (retained.empty() ? counted(detail.retainedCount, "retained memref")
                           : names(lookup, retained, "and"));
}

Explanation loweringWords(const Lookup &lookup, const trace::Event &event,
                          const trace::LoweringEvent &detail, Id about) {
  Explanation result;
  switch (detail.lowering) {
  case trace::LoweringCase::none:
    result.sentence = "dealloc #" + std::to_string(detail.dealloc) +
                      " has nothing left to free";
    return result;
  case trace::LoweringCase::single:
    result.sentence = names(lookup, freedBuffers(lookup, detail)) +
                      " is freed without a pointer comparison: it is alone in "
                      "its dealloc, with nothing retained";
    return result;
  case trace::LoweringCase::singleRetained:
    result.sentence = singleWords(lookup, detail);
    break;
  case trace::LoweringCase::libraryFunction:
    result.sentence = helperWords(lookup, detail, about);
    break;
  }
  addUndecided(lookup, event, detail.dealloc, about, result);
  return result;
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::LoweringEvent &detail) {
  return loweringWords(lookup, event, detail, none);
}

} // namespace memreflens
