//===- core/explain/FateText.cpp ------------------------------------------===//

#include "core/explain/FateText.h"
#include "core/explain/DecisionParts.h"
#include "core/explain/DecisionText.h"
#include "core/explain/FateHeadline.h"
#include "core/explain/IndicatorText.h"
#include "core/explain/PlacementText.h"
#include "core/explain/Words.h"

#include <algorithm>
#include <unordered_set>

namespace memreflens {

using trace::BufferSource;
using trace::Id;
using trace::none;

//===--- Steps ------------------------------------------------------------===//

static bool isSaid(const FateText &fate, const std::string &text) {
  return std::any_of(
      fate.steps.begin(), fate.steps.end(), [&](const Explanation &step) {
        return step.sentence == text ||
               std::any_of(
                   step.evidence.begin(), step.evidence.end(),
                   [&](const Evidence &fact) { return fact.text == text; });
      });
}

/// Equal sentences become one; a fact is stated once.
static void addStep(FateText &fate, Explanation step) {
  if (step.empty())
    return;
  std::erase_if(step.evidence,
                [&](const Evidence &fact) { return isSaid(fate, fact.text); });
  for (Explanation &known : fate.steps)
    if (known.sentence == step.sentence) {
      for (Evidence &fact : step.evidence)
        addEvidence(known, std::move(fact));
      return;
    }
  fate.steps.push_back(std::move(step));
}

/// An allocation is owned and an argument is not: the headline says it.
static bool isPlain(BufferSource source) {
  return source == BufferSource::unknown ||
         source == BufferSource::allocation || source == BufferSource::stack ||
         source == BufferSource::manual ||
         source == BufferSource::entryArgument ||
         source == BufferSource::callResult || source == BufferSource::borrowed;
}

/// The i1 that the step about the buffer's source has explained already.
static Id sourceIndicator(const Lookup &lookup, const trace::Fate &facts) {
  const trace::Event *source = lookup.event(facts.sourceEvent);
  auto *ownership =
      source ? std::get_if<trace::OwnershipEvent>(&source->detail) : nullptr;
  return ownership && !isPlain(facts.source) ? ownership->after.indicator
                                             : none;
}

/// A view's ownership is joined operand by operand; the last join says it all.
static Id lastOfSource(const Lookup &lookup, const trace::Fate &facts) {
  Id last = facts.sourceEvent;
  if (facts.source != BufferSource::view)
    return last;
  for (Id id : lookup.eventsOfValue(facts.value)) {
    auto *join = std::get_if<trace::OwnershipEvent>(&lookup.event(id)->detail);
    if (join && join->rule == trace::OwnershipRule::defaultJoin)
      last = id;
  }
  return last;
}

/// Why the ownership is as the headline says: of what a branch or region
/// passes, where its indicator comes from.
static void addSource(const Lookup &lookup, const trace::Fate &facts,
                      FateText &fate) {
  const Id indicator = sourceIndicatorOf(lookup, facts);
  const bool isOpen = facts.source == BufferSource::blockArgument ||
                      facts.source == BufferSource::regionResult;
  const bool isSaid =
      lookup.constantOf(indicator) == 0 ||
      std::ranges::any_of(facts.frees, [&](const trace::Freed &freed) {
        return !lookup.isRemoved(freed) &&
               !isRetainedBy(lookup, facts, freed.dealloc) &&
               conditionOfFree(lookup, freed) == indicator;
      });
  if (!isOpen || !isSaid || lookup.signatureOf(indicator) == none) {
    addStep(fate, explainEvent(lookup, lastOfSource(lookup, facts)));
    return;
  }
  addStep(fate, indicatorInShort(lookup, indicator));
  fate.indicators.push_back(indicator);
}

/// The program deallocates what the pass deallocates too.
static void addByHand(const Lookup &lookup, const trace::Fate &facts,
                      FateText &fate) {
  for (const ByHand &byHand : deallocsByHand(lookup, facts))
    if (byHand.again)
      addStep(fate,
              {"the allocation is not marked "
               "bufferization.manual_deallocation; the inserted "
               "cf.assert false stops the program before " +
                   lookup.position(lookup.rangeOfOp(byHand.op)),
               {{none, lookup.rangeOfOp(byHand.op), lookup.opName(byHand.op)}},
               {}});
}

/// When the free happens, and why its run-time check is there.
static void addFrees(const Lookup &lookup, const trace::Fate &facts,
                     FateText &fate) {
  for (const trace::Freed &freed : facts.frees) {
    Id condition = lookup.withoutEdge(freed.condition, freed.edge);
    int constant = condition == none ? 1 : lookup.constantOf(condition);
    if (constant == 0 || lookup.isRemoved(freed) ||
        isRetainedBy(lookup, facts, freed.dealloc))
      continue;
    if (constant < 0 && condition != sourceIndicator(lookup, facts)) {
      addStep(fate, explainIndicator(lookup, condition));
      fate.indicators.push_back(condition);
    }
    if (freed.lowering == trace::LoweringCase::singleRetained ||
        freed.lowering == trace::LoweringCase::libraryFunction) {
      addStep(fate, loweringWords(lookup, *lookup.event(freed.event),
                                  std::get<trace::LoweringEvent>(
                                      lookup.event(freed.event)->detail),
                                  facts.value));
      if (freed.lowering == trace::LoweringCase::libraryFunction)
        fate.helperCall = freed.event;
    }
  }
}

/// Why it is not freed earlier: the edges across which it must live.
static void addKeptAlive(const Lookup &lookup, const trace::Fate &facts,
                         FateText &fate) {
  for (Id id : facts.retained) {
    auto &retain = std::get<trace::RetainEvent>(lookup.event(id)->detail);
    if (retain.reason == trace::RetainReason::liveAcrossEdge &&
        mayBeOwnedAt(lookup, facts, retain.dealloc))
      addStep(fate, explainEvent(lookup, id));
  }
}

/// Why the copy that `facts` is about was made.
static void addCopyReason(const Lookup &lookup, const trace::Fate &facts,
                          FateText &fate) {
  if (const trace::Event *copy = lookup.copyEventOf(facts.value))
    addStep(fate, explainEvent(lookup, copy->id));
}

/// Where another name of the buffer is retained in its place.
static void addKnownAliases(const Lookup &lookup, const trace::Fate &facts,
                            FateText &fate) {
  for (const trace::Listed &listed : facts.listed)
    for (auto [id, fact] : foundSame(lookup, facts.value, listed.dealloc)) {
      bool isFirst = lookup.bufferOf(fact->first) == facts.value;
      addStep(fate, {aliasWords(lookup, *fact) + "; " +
                         lookup.name(isFirst ? fact->second : fact->first) +
                         " is retained, so " + lookup.name(facts.value) +
                         " is not deallocated at the end of " +
                         lookup.endName(listed.block),
                     {{id, lookup.rangeOfValue(fact->second),
                       stageName(lookup, *lookup.event(id))}},
                     {}});
    }
}

/// An event of several ops that went at once is told of the op that this is
/// about.
static Explanation removalWords(const Lookup &lookup, Id removal, Id memref) {
  Explanation words = explainEvent(lookup, removal);
  const trace::Event &event = *lookup.event(removal);
  const auto *rewrite = std::get_if<trace::RewriteEvent>(&event.detail);
  const Id made = lookup.value(memref)->op;
  if (rewrite && rewrite->kind == trace::RewriteKind::erased &&
      event.op != made && std::ranges::count(rewrite->erased, made) > 0)
    words.sentence = stageName(lookup, event) + " removed " + lookup.opAt(made);
  return words;
}

FateText explainFate(const Lookup &lookup, Id memref) {
  memref = lookup.heirOf(memref);
  const trace::Value *value = lookup.value(memref);
  FateText fate;
  fate.value = memref;
  if (!value || !value->isMemref)
    return fate;
  trace::Fate facts = fateAsNamed(lookup, memref);
  fate.headline = fateHeadline(lookup, facts);
  fate.places = placesOfFrees(lookup, facts);
  if (isSetAside(facts))
    return fate;
  addByHand(lookup, facts, fate);
  if (!isPlain(facts.source))
    addSource(lookup, facts, fate);
  for (Explanation &step : placementSteps(lookup, memref))
    addStep(fate, std::move(step));
  addFrees(lookup, facts, fate);
  addKeptAlive(lookup, facts, fate);
  addKnownAliases(lookup, facts, fate);
  for (Id clone : facts.clones)
    addStep(fate, explainEvent(lookup, clone));
  addCopyReason(lookup, facts, fate);
  for (Id removal : removalsOf(lookup, facts))
    addStep(fate, removalWords(lookup, removal, memref));
  if (facts.source == trace::BufferSource::unknown) {
    Id other = none;
    for (Id rewrite : replacementsOf(lookup, memref, other))
      addStep(fate, explainEvent(lookup, rewrite));
  }
  if (fate.steps.size() != 1)
    fate.helperCall = none;
  return fate;
}

FateText explainFate(const trace::Trace &trace, Id memref) {
  return explainFate(Lookup(trace), memref);
}

Explanation originOfOwnership(const Lookup &lookup, Id memref,
                              uint32_t offset) {
  const Id heir = lookup.heirOf(memref);
  const trace::Value *value = lookup.value(heir);
  if (!value || !value->isMemref)
    return {};
  Id indicator = openConditionOf(lookup, fateAsNamed(lookup, heir));
  const trace::OwnershipAt at =
      trace::ownershipAt(lookup.getIndex(), memref, offset);
  const trace::Event *event = lookup.event(at.event);
  const auto *change =
      event ? std::get_if<trace::OwnershipEvent>(&event->detail) : nullptr;
  if (indicator == none && change &&
      change->after.state == trace::OwnershipState::unique &&
      lookup.constantOf(change->after.indicator) < 0)
    indicator = change->after.indicator;
  return indicator == none ? Explanation()
                           : indicatorInShort(lookup, indicator);
}

//===--- Which buffers ----------------------------------------------------===//

std::vector<Id> buffersOf(const trace::Trace &trace, Id function) {
  return buffersOf(Lookup(trace), function);
}

/// Whether nothing is to be told of a clone but why it is made.
static bool isReturnedOnly(const Lookup &lookup, Id clone) {
  trace::Fate fate = trace::fateOf(lookup.getIndex(), clone);
  return fate.frees.empty() && fate.forwarded.empty() && fate.yielded.empty() &&
         fate.entering.empty() && fate.calls.empty() && fate.clones.empty() &&
         removalsOf(lookup, fate).empty() &&
         std::ranges::all_of(fate.retained, [&](Id event) {
           return std::get<trace::RetainEvent>(lookup.event(event)->detail)
                      .reason == trace::RetainReason::returned;
         });
}

/// Whether a line is about what the program names so.
static bool isListed(const std::set<Id> &listed, const trace::Value &value) {
  return listed.contains(value.id) ||
         (value.generated && listed.contains(value.standsFor));
}

std::vector<Id> toldBuffersOf(const Lookup &lookup, Id function) {
  const std::vector<Id> buffers = buffersOf(lookup, function);
  std::set<Id> listed(buffers.begin(), buffers.end());
  std::vector<Id> told;
  for (Id buffer : buffers) {
    const trace::Event *copy = lookup.copyEventOf(buffer);
    const trace::Value *cloned = copy ? lookup.value(copy->value) : nullptr;
    if (cloned && !cloned->generated && listed.insert(cloned->id).second)
      told.push_back(cloned->id);
    if (!cloned || !isListed(listed, *cloned) ||
        !isReturnedOnly(lookup, buffer))
      told.push_back(buffer);
  }
  return told;
}

/// Whether the value is in the program that the placement pass gets.
static bool reachesPass(const Lookup &lookup, const trace::Value &value) {
  if (value.op != none)
    return lookup.reachesPass(value.op);
  const trace::Block *block = lookup.block(value.block);
  return block && !value.generated &&
         (lookup.op(block->parentOp) == nullptr ||
          lookup.function(block->function)->op == block->parentOp ||
          lookup.reachesPass(block->parentOp));
}

namespace {
/// The ops and arguments that blocks have: passes in front may have made others
/// of those that the user wrote.
struct Held {
  explicit Held(const trace::Trace &trace) {
    for (const trace::Block &block : trace.blocks) {
      ops.insert(block.ops.begin(), block.ops.end());
      arguments.insert(block.arguments.begin(), block.arguments.end());
    }
  }
  bool contains(const trace::Value &value) const {
    return value.op != none ? ops.contains(value.op)
                            : arguments.contains(value.id);
  }

private:
  std::unordered_set<Id> ops, arguments;
};
} // namespace

std::map<Id, const trace::Value *> firstTensors(const Lookup &lookup) {
  std::map<Id, const trace::Value *> found;
  // What the user wrote is not what the pipeline gets then; a tensor that
  // cannot be bufferized is an error of that pass.
  const trace::RunOptions &options = lookup.getTrace().options;
  if (options.bufferize ||
      options.prePipeline.find("one-shot-bufferize") != std::string::npos)
    return found;
  const Held held(lookup.getTrace());
  for (const trace::Value &value : lookup.getTrace().values) {
    if (!value.type.starts_with("tensor<") || !held.contains(value) ||
        !reachesPass(lookup, value))
      continue;
    Id function = lookup.getIndex().functionOfValue(value.id);
    if (function != none)
      found.try_emplace(function, &value);
  }
  return found;
}

} // namespace memreflens
