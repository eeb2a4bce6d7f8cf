//===- core/query/Ancestry.cpp --------------------------------------------===//

#include "core/query/Ancestry.h"
#include "core/trace/Steps.h"

#include <algorithm>
#include <iterator>

namespace memreflens {

using trace::Id;
using trace::none;

Ancestry::Ancestry(const trace::Trace &trace, Places places)
    : Names(trace, places) {
  addHeirs();
  for (const trace::Event &event : trace.events) {
    auto *detail = std::get_if<trace::RewriteEvent>(&event.detail);
    if (detail && event.stage > placementStage)
      erased.insert(detail->erased.begin(), detail->erased.end());
    else if (detail && event.stage < placementStage)
      addRewriteBefore(*detail);
  }
}

/// Whether the pass that places deallocations came past it.
bool Ancestry::wasSeen(Id id) const {
  return std::ranges::any_of(eventsOfValue(id), [&](Id event) {
    return trace.events[size_t(event)].stage == placementStage;
  });
}

/// Of a result that the pass did not see: what the same op gives under the same
/// location, having been made anew, if that is one only.
Id Ancestry::heirAmongMade(const trace::Value &memref) const {
  const trace::Op *old = op(memref.op);
  if (!old || old->results.size() != 1)
    return none;
  if (old->name != "memref.realloc")
    return heirAmongMade(*old, old->name);
  // Expanded to an `scf.if` that gives the buffer, or, if it is known whether
  // its size grows, to what would be in that.
  for (std::string_view made :
       {"scf.if", "memref.alloc", "memref.reinterpret_cast"})
    if (Id heir = heirAmongMade(*old, made); heir != none)
      return heir;
  return none;
}

Id Ancestry::heirAmongMade(const trace::Op &oldOp,
                           std::string_view name) const {
  Id heir = none;
  for (Id id : index.generatedFor(oldOp.id)) {
    const trace::Op &made = trace.ops[size_t(id)];
    // What an `scf.if` that was folded held is in the block around it now.
    const bool isThere =
        made.block == oldOp.block ||
        std::ranges::any_of(eventsOfOp(id), [&](Id event) {
          return trace.events[size_t(event)].block == oldOp.block;
        });
    if (made.name != name || !isThere)
      continue;
    // Behind them the pass appends i1s; a result that is gone has no value.
    std::vector<Id> memrefs;
    std::ranges::copy_if(
        made.results, std::back_inserter(memrefs),
        [&](Id result) { return value(result) && value(result)->isMemref; });
    if (memrefs.size() != 1 || !wasSeen(memrefs.front()))
      continue;
    if (heir != none)
      return none;
    heir = memrefs.front();
  }
  return heir;
}

void Ancestry::addHeirs() {
  auto add = [&](Id old, Id heir) {
    // Told of under the program's name: where it is, not what it is, changed.
    if (!isPromoted(old) && heirs.emplace(old, heir).second)
      ancestors.emplace(heir, old);
  };
  for (const trace::Value &value : trace.values)
    if (value.isMemref && !value.generated &&
        value.kind == trace::ValueKind::result && !wasSeen(value.id))
      if (Id heir = heirAmongMade(value); heir != none)
        add(value.id, heir);
  for (const trace::Value &value : trace.values) {
    const trace::Value *old = this->value(value.standsFor);
    if (value.isMemref && value.generated && old && old->isMemref &&
        !old->generated && wasSeen(value.id) && !wasSeen(old->id) &&
        (old->kind == value.kind ||
         (old->kind == trace::ValueKind::argument && old->name == value.name)))
      add(old->id, value.id);
  }
}

void Ancestry::addRewriteBefore(const trace::RewriteEvent &detail) {
  erasedBefore.insert(detail.erased.begin(), detail.erased.end());
  madeBefore.insert(detail.inserted.begin(), detail.inserted.end());
  for (size_t i = 0; i < detail.replaced.size(); ++i) {
    const trace::Value *old = value(detail.replaced[i]);
    const Id now = trace::replacementOf(detail, detail.replaced[i]);
    if (!old || !old->isMemref || now == none)
      continue;
    Ids names = namesBefore(old->id);
    // A block argument that was merged is what the new op stands for.
    const Id name = old->generated ? old->standsFor : old->id;
    if (value(name) && value(name)->isMemref && !value(name)->generated)
      names.push_back(name);
    Ids &all = replaced[now];
    all.insert(all.end(), names.begin(), names.end());
  }
}

bool Ancestry::reachesPass(Id id) const {
  const trace::Op *known = op(id);
  return known && !erasedBefore.contains(id) &&
         (!known->generated || madeBefore.contains(id));
}

bool Ancestry::isRemoved(const trace::Freed &freed) const {
  return !freed.ops.empty() &&
         std::ranges::all_of(freed.ops, [&](Id op) { return isErased(op); });
}

Id Ancestry::heirOf(Id value) const {
  auto found = heirs.find(value);
  return found == heirs.end() ? value : found->second;
}

Id Ancestry::ancestorOf(Id value) const {
  auto found = ancestors.find(value);
  return found == ancestors.end() ? none : found->second;
}

const Ancestry::Ids &Ancestry::namesBefore(Id value) const {
  return idsAt(replaced, value);
}

bool Ancestry::isPromoted(Id value) const {
  return std::ranges::any_of(eventsOfValue(value), [&](Id id) {
    const auto *move =
        std::get_if<trace::MoveEvent>(&trace.events[size_t(id)].detail);
    return move && move->outcome == trace::MoveOutcome::promoted;
  });
}

} // namespace memreflens
