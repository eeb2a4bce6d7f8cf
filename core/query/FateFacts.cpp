//===- core/query/FateFacts.cpp -------------------------------------------===//

#include "core/query/FateFacts.h"

#include <algorithm>

namespace memreflens {

using trace::Id;
using trace::none;

Id conditionOfFree(const Lookup &lookup, const trace::Freed &freed) {
  if (freed.condition == none)
    return none;
  return lookup.withoutEdge(freed.condition, freed.edge);
}

bool isRetainedBy(const Lookup &lookup, const trace::Fate &fate, Id dealloc) {
  return std::ranges::any_of(fate.listed, [&](const trace::Listed &listed) {
    const trace::Event *by = lookup.event(listed.event);
    const auto *detail =
        by ? std::get_if<trace::DeallocEvent>(&by->detail) : nullptr;
    if (listed.dealloc != dealloc || !detail)
      return false;
    // A copy that is made only where the buffer is not owned is the buffer
    // itself where it is.
    auto isItselfWhereOwned = [&](Id id) {
      const auto &copy = std::get<trace::CloneEvent>(lookup.event(id)->detail);
      return copy.conditional &&
             copy.ownership.indicator ==
                 lookup.withoutEdge(listed.condition, listed.edge) &&
             std::ranges::find(detail->retained, copy.result) !=
                 detail->retained.end();
    };
    return lookup.isSurelyAmong(fate.value, detail->retained) ||
           std::ranges::any_of(fate.clones, isItselfWhereOwned);
  });
}

bool mayBeOwnedAt(const Lookup &lookup, const trace::Fate &fate, Id event) {
  return std::any_of(
      fate.listed.begin(), fate.listed.end(), [&](const trace::Listed &listed) {
        return listed.event == event &&
               lookup.constantOf(
                   lookup.withoutEdge(listed.condition, listed.edge)) != 0;
      });
}

bool mayBeOwned(const Lookup &lookup, const trace::Fate &fate) {
  return std::any_of(fate.listed.begin(), fate.listed.end(),
                     [&](const trace::Listed &listed) {
                       return mayBeOwnedAt(lookup, fate, listed.event);
                     });
}

/// The program hands on what it names so, and the pass saw the buffer in its
/// place. Where it was retained for that, it is this one that goes, or its
/// copy.
static void addPassedAs(const Lookup &lookup, Id name, trace::Fate &facts) {
  auto add = [](const std::vector<trace::Passed> &from, Id as,
                std::vector<trace::Passed> &to) {
    for (trace::Passed passed : from) {
      passed.as = as;
      const bool isThere =
          std::ranges::any_of(to, [&](const trace::Passed &other) {
            return other.op == passed.op &&
                   other.operandIndex == passed.operandIndex;
          });
      if (!isThere)
        to.push_back(passed);
    }
  };
  const trace::Fate named = trace::fateOf(lookup.getIndex(), name);
  if (!facts.clones.empty()) {
    // Copies are made to be returned.
    const trace::Event *last = lookup.event(facts.clones.back());
    add(named.returned, std::get<trace::CloneEvent>(last->detail).result,
        facts.returned);
    return;
  }
  auto isRetained = [&](trace::RetainReason reason) {
    return std::ranges::any_of(facts.retained, [&](Id id) {
      return std::get<trace::RetainEvent>(lookup.event(id)->detail).reason ==
             reason;
    });
  };
  using enum trace::RetainReason;
  if (isRetained(forwardedOperand))
    add(named.forwarded, facts.value, facts.forwarded);
  if (isRetained(returned))
    add(named.returned, facts.value, facts.returned);
  if (isRetained(yielded))
    add(named.yielded, facts.value, facts.yielded);
}

trace::Fate fateAsNamed(const Lookup &lookup, Id memref) {
  trace::Fate fate = trace::fateOf(lookup.getIndex(), memref);
  if (Id ancestor = lookup.ancestorOf(memref); ancestor != none)
    addPassedAs(lookup, ancestor, fate);
  for (Id name : lookup.namesBefore(memref))
    addPassedAs(lookup, name, fate);
  return fate;
}

bool isStackFormOfAnother(const Lookup &lookup, Id memref) {
  const trace::Value *value = lookup.value(memref);
  return value && value->generated && lookup.isPromoted(value->standsFor);
}

static bool isWorthALine(const Lookup &lookup, const trace::Value &value) {
  if (!value.isMemref || isStackFormOfAnother(lookup, value.id))
    return false;
  if (lookup.heirOf(value.id) != value.id)
    return false;
  if (const trace::Event *copy = lookup.copyEventOf(value.id);
      copy && lookup.isNeverMade(std::get<trace::CloneEvent>(copy->detail)))
    return false;
  const trace::Value *old = lookup.value(lookup.ancestorOf(value.id));
  if (value.kind == trace::ValueKind::argument ||
      (old && old->kind == trace::ValueKind::argument))
    return true;
  bool seen = false;
  for (Id id : lookup.eventsOfValue(value.id)) {
    auto *candidate =
        std::get_if<trace::CandidateEvent>(&lookup.event(id)->detail);
    if (!candidate)
      continue;
    // A region may be looked at before the block that makes the memref.
    seen |= candidate->source != trace::CandidateSource::liveIn;
    if (candidate->dropped == trace::DropReason::notDropped ||
        candidate->dropped == trace::DropReason::stackAllocation ||
        candidate->dropped == trace::DropReason::manualDeallocation)
      return true;
  }
  for (Id id : lookup.eventsOfValue(value.id)) {
    const trace::Event &event = *lookup.event(id);
    auto *alias = std::get_if<trace::AliasEvent>(&event.detail);
    if ((alias && alias->link == trace::AliasLink::regionExit) ||
        std::holds_alternative<trace::CriticalEvent>(event.detail) ||
        std::holds_alternative<trace::FreeEvent>(event.detail))
      return true;
  }
  // Where the pass did not come: whatever is not a view of another memref.
  const trace::Op *op = lookup.op(value.op);
  if (seen || value.generated || !op)
    return false;
  return op->name == "memref.realloc" ||
         std::none_of(op->operands.begin(), op->operands.end(), [&](Id id) {
           const trace::Value *operand = lookup.value(id);
           return operand && operand->isMemref;
         });
}

std::vector<Id> buffersOf(const Lookup &lookup, Id function) {
  std::vector<Id> found;
  for (Id id : lookup.memrefsOf(function))
    if (isWorthALine(lookup, *lookup.value(id)))
      found.push_back(id);
  std::stable_sort(found.begin(), found.end(), [&](Id a, Id b) {
    return lookup.rangeOfValue(a).begin < lookup.rangeOfValue(b).begin;
  });
  return found;
}

} // namespace memreflens
