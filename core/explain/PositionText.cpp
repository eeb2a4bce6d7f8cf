//===- core/explain/PositionText.cpp --------------------------------------===//

#include "core/explain/PositionText.h"
#include "core/explain/DecisionParts.h"
#include "core/explain/DecisionText.h"
#include "core/explain/FateText.h"
#include "core/explain/IndicatorText.h"
#include "core/explain/TensorText.h"
#include "core/explain/TouchText.h"
#include "core/explain/Words.h"

#include <algorithm>
#include <set>

namespace memreflens {

using trace::Id;
using trace::none;

namespace {

/// Gathers explanations, each sentence once.
struct Gathered {
  explicit Gathered(const Lookup &lookup) : tensors(lookup) {}

  TensorText tensors;
  std::vector<Explanation> all;
  std::set<std::string> said;

  void add(Explanation explanation) {
    if (!explanation.empty() && said.insert(explanation.sentence).second)
      all.push_back(std::move(explanation));
  }
  void addAll(std::vector<Explanation> explanations) {
    for (Explanation &one : explanations)
      add(std::move(one));
  }
};

} // namespace

//===--- Values -----------------------------------------------------------===//

/// Whether a step says where the indicator comes from that the event is about.
static bool isOriginTold(const Lookup &lookup, const FateText &fate, Id event) {
  const auto *change =
      std::get_if<trace::OwnershipEvent>(&lookup.event(event)->detail);
  return change && change->after.state == trace::OwnershipState::unique &&
         std::ranges::find(fate.indicators, change->after.indicator) !=
             fate.indicators.end();
}

/// What becomes of the buffer that bufferization allocated for a tensor.
static void addLifeOfBuffer(const Lookup &lookup, Id tensor,
                            Gathered &gathered) {
  const trace::Tensors &facts = gathered.tensors.facts();
  const trace::TensorCost *buffer = facts.holderOf(tensor);
  const Id memref =
      buffer && facts.isLive(*buffer) ? facts.memrefOf(*buffer) : none;
  if (memref == none)
    return;
  FateText fate = explainFate(lookup, memref);
  gathered.add({fate.headline, {}, {}, fate.places});
  gathered.addAll(std::move(fate.steps));
}

static Explanation inBlock(const Lookup &lookup, const trace::OwnershipAt &at) {
  Explanation there = explainEvent(lookup, at.event);
  if (!there.empty())
    there.sentence = "in " + lookup.blockName(at.block) + ", " + there.sentence;
  return there;
}

Explanation ownershipAt(const Lookup &lookup, uint32_t offset) {
  const Id value = lookup.getIndex().valueAt(offset);
  const trace::Value *known = lookup.value(value);
  if (!known || !known->isMemref)
    return {};
  const trace::OwnershipAt at =
      trace::ownershipAt(lookup.getIndex(), value, offset);
  return at.event == none ? Explanation() : inBlock(lookup, at);
}

static void explainValue(const Lookup &lookup, Id value, uint32_t offset,
                         Gathered &gathered) {
  const trace::Value *known = lookup.value(value);
  if (!known)
    return;
  if (!known->isMemref) {
    if (known->type == "i1" && known->generated)
      gathered.add(explainIndicator(lookup, value));
    // A tensor, where it is defined or used.
    gathered.addAll(
        known->range.contains(offset)
            ? gathered.tensors.aboutValue(value)
            : gathered.tensors.aboutUse(lookup.getIndex().opAt(offset), value));
    addLifeOfBuffer(lookup, value, gathered);
    return;
  }
  if (const trace::TensorCost *origin =
          gathered.tensors.facts().originOf(value))
    gathered.add(gathered.tensors.aboutCost(*origin));
  FateText fate = explainFate(lookup, value);
  gathered.add({fate.headline, {}, {}, fate.places});
  trace::OwnershipAt at = trace::ownershipAt(lookup.getIndex(), value, offset);
  Explanation there;
  if (at.event != none && !isOriginTold(lookup, fate, at.event)) {
    const std::string told = explainEvent(lookup, at.event).sentence;
    std::erase_if(fate.steps, [&](const Explanation &step) {
      return step.sentence == told;
    });
    there = inBlock(lookup, at);
  }
  gathered.add(std::move(there));
  for (Explanation &step : fate.steps)
    gathered.add(std::move(step));
}

//===--- Ops --------------------------------------------------------------===//

/// What is said better by another event: the dealloc states what it lists and
/// retains, and a fresh indicator is plain from it.
static bool isPlain(const trace::Event &event) {
  if (std::holds_alternative<trace::StageEvent>(event.detail) ||
      std::holds_alternative<trace::CandidateEvent>(event.detail) ||
      std::holds_alternative<trace::RetainEvent>(event.detail))
    return true;
  if (auto *rewrite = std::get_if<trace::RewriteEvent>(&event.detail))
    return rewrite->deallocs.empty() && rewrite->facts.empty();
  auto *ownership = std::get_if<trace::OwnershipEvent>(&event.detail);
  return ownership &&
         (ownership->rule == trace::OwnershipRule::retainedResult ||
          (ownership->rule == trace::OwnershipRule::defaultJoin &&
           ownership->after == ownership->before));
}

/// What the pass did before it rejected the function is in no program.
static bool isThrownAway(const Lookup &lookup, const trace::Event &event) {
  const trace::Function *function = lookup.function(event.function);
  return function && function->status == trace::FunctionStatus::rejected &&
         (std::holds_alternative<trace::DeallocEvent>(event.detail) ||
          std::holds_alternative<trace::CloneEvent>(event.detail) ||
          std::holds_alternative<trace::SignatureEvent>(event.detail));
}

/// Only the last of an op's joins for one result says what came out.
static bool isSuperseded(const Lookup &lookup, const trace::Event &event) {
  auto *join = std::get_if<trace::OwnershipEvent>(&event.detail);
  if (!join || join->rule != trace::OwnershipRule::defaultJoin)
    return false;
  for (Id id : lookup.eventsOfValue(event.value)) {
    const trace::Event &later = *lookup.event(id);
    auto *other = std::get_if<trace::OwnershipEvent>(&later.detail);
    if (other && id > event.id && other->rule == join->rule &&
        later.op == event.op && later.block == event.block)
      return true;
  }
  return false;
}

/// Whether an event of another op is about this one too: it shows why the
/// function is rejected, or is the terminator that demands a copy.
static bool concerns(const Lookup &lookup, const trace::Event &event, Id op) {
  if (auto *rejection = std::get_if<trace::RejectionEvent>(&event.detail))
    return std::find(rejection->witnesses.begin(), rejection->witnesses.end(),
                     op) != rejection->witnesses.end();
  const trace::Block *block = lookup.block(event.block);
  return std::holds_alternative<trace::CloneEvent>(event.detail) && block &&
         !block->ops.empty() && block->ops.back() == op;
}

/// What calls of another dialect's handlers changed; the calls say it.
static std::set<Id> changesOfCalls(const Lookup &lookup,
                                   const std::vector<Id> &events) {
  std::set<Id> changes;
  for (Id id : events)
    if (auto *call =
            std::get_if<trace::InterfaceEvent>(&lookup.event(id)->detail))
      changes.insert(call->changes.begin(), call->changes.end());
  return changes;
}

static bool isBufferizationDealloc(const Lookup &lookup, Id op) {
  return lookup.op(op)->name == "bufferization.dealloc";
}

/// The op, what was made for it, and what its dealloc was split into.
static std::vector<Id> withItsOwn(const Lookup &lookup, Id op) {
  const trace::Index &index = lookup.getIndex();
  std::vector<Id> ops = {op};
  std::set<Id> known = {op};
  for (size_t i = 0; i < ops.size(); ++i)
    for (Id made : index.generatedFor(ops[i])) {
      bool isOwn = ops[i] == op || (isBufferizationDealloc(lookup, ops[i]) &&
                                    isBufferizationDealloc(lookup, made));
      if (isOwn && known.insert(made).second)
        ops.push_back(made);
    }
  return ops;
}

static void explainOp(const Lookup &lookup, Id op, Gathered &gathered) {
  if (const trace::Problem *note = assumptionAbout(lookup, op))
    gathered.add({note->message, {}, {}});
  std::vector<Id> events;
  for (Id own : withItsOwn(lookup, op))
    for (Id id : lookup.eventsOfOp(own))
      events.push_back(id);
  for (const trace::Event &event : lookup.getTrace().events)
    if (concerns(lookup, event, op))
      events.push_back(event.id);
  std::sort(events.begin(), events.end());
  events.erase(std::unique(events.begin(), events.end()), events.end());
  bool isLowered = std::any_of(events.begin(), events.end(), [&](Id id) {
    return std::holds_alternative<trace::LoweringEvent>(
        lookup.event(id)->detail);
  });
  // That the function is rejected, and why, comes first.
  std::ranges::stable_partition(events, [&](Id id) {
    return std::holds_alternative<trace::RejectionEvent>(
        lookup.event(id)->detail);
  });
  const std::set<Id> saidByCalls = changesOfCalls(lookup, events);
  std::vector<Id> rewrites;
  for (Id id : events) {
    const trace::Event &event = *lookup.event(id);
    if (isPlain(event) || isSuperseded(lookup, event) ||
        isThrownAway(lookup, event) || saidByCalls.contains(id))
      continue;
    auto *rewrite = std::get_if<trace::RewriteEvent>(&event.detail);
    if (!rewrite || rewrite->deallocs.empty())
      gathered.add(explainEvent(lookup, id));
    else if (!isLowered || !isOnlyKept(*rewrite)) // The lowering says why.
      rewrites.push_back(id);
  }
  if (rewrites.size() == 1)
    gathered.add(explainEvent(lookup, rewrites.front()));
  if (rewrites.size() > 1)
    gathered.add(foldedRewrites(lookup, rewrites));
}

//===--- Blocks -----------------------------------------------------------===//

static void explainBlock(const Lookup &lookup, Id block, Gathered &gathered) {
  const trace::Block *known = lookup.block(block);
  if (known && !known->reachable)
    gathered.add({known->name + " is unreachable: the pass does not visit it",
                  {{none, known->nameRange, known->name}},
                  {}});
  for (Id id : lookup.eventsOfBlock(block)) {
    const trace::Event &event = *lookup.event(id);
    bool atEntry = event.op == none &&
                   !std::holds_alternative<trace::CandidateEvent>(event.detail);
    if ((atEntry ||
         std::holds_alternative<trace::DeallocEvent>(event.detail)) &&
        !isThrownAway(lookup, event))
      gathered.add(explainEvent(lookup, id));
  }
}

//===--- Places -----------------------------------------------------------===//

static bool isOnName(trace::Range range, uint32_t offset) {
  return !range.empty() && range.begin <= offset && offset <= range.end;
}

std::vector<Explanation> explainAt(const Lookup &lookup, uint32_t offset) {
  const trace::Index &index = lookup.getIndex();
  Gathered gathered(lookup);
  if (Id value = index.valueAt(offset); value != none) {
    explainValue(lookup, value, offset, gathered);
    if (!gathered.all.empty())
      return std::move(gathered.all);
  }
  for (const trace::Block &block : lookup.getTrace().blocks)
    if (isOnName(block.nameRange, offset)) {
      explainBlock(lookup, block.id, gathered);
      return std::move(gathered.all);
    }
  gathered.addAll(gathered.tensors.aboutOp(index.opAt(offset)));
  explainOp(lookup, index.opAt(offset), gathered);
  if (gathered.all.empty())
    gathered.add(explainTouch(lookup, index.opAt(offset)));
  return std::move(gathered.all);
}

/// The program's ops whose names begin in the range.
static std::vector<Id> opsIn(const trace::Trace &trace, trace::Range range) {
  std::vector<Id> ops;
  for (const trace::Op &op : trace.ops)
    if (!op.generated && !op.nameRange.empty() &&
        range.contains(op.nameRange.begin))
      ops.push_back(op.id);
  return ops;
}

std::vector<Explanation> explainAt(const Lookup &lookup, trace::Range range) {
  const trace::Trace &trace = lookup.getTrace();
  const std::vector<Id> ops = opsIn(trace, range);
  Gathered gathered(lookup);
  // A buffer's life begins where its tensor got it.
  for (Id op : ops)
    gathered.addAll(gathered.tensors.aboutOp(op));
  for (const trace::Block &block : trace.blocks)
    if (!block.nameRange.empty() && range.contains(block.nameRange.begin))
      explainBlock(lookup, block.id, gathered);
  for (const trace::Value &value : trace.values)
    if (!value.range.empty() && range.contains(value.range.begin))
      explainValue(lookup, value.id, value.range.begin, gathered);
  for (Id op : ops)
    explainOp(lookup, op, gathered);
  if (!gathered.all.empty())
    return std::move(gathered.all);
  for (Id op : ops)
    gathered.add(explainTouch(lookup, op));
  return std::move(gathered.all);
}

std::vector<Explanation> explainAt(const trace::Trace &trace, uint32_t offset) {
  return explainAt(Lookup(trace), offset);
}

std::vector<Explanation> explainAt(const trace::Trace &trace,
                                   trace::Range range) {
  return explainAt(Lookup(trace), range);
}

} // namespace memreflens
