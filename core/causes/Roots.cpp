//===- core/causes/Roots.cpp ----------------------------------------------===//

#include "core/causes/Roots.h"

#include <algorithm>

namespace memreflens {

using trace::Id;
using trace::none;
using trace::OwnershipRule;
using trace::SignaturePart;

void RootFinder::add(Root root) {
  if (std::ranges::find(found, root) == found.end())
    found.push_back(root);
}

std::vector<Root> RootFinder::take() {
  // A statement about a call or an op ends all doubt about its result; the
  // other kinds follow in the order of `CauseKind`.
  std::ranges::stable_sort(found, {}, &Root::kind);
  seenValues.clear();
  seenIndicators.clear();
  return std::exchange(found, {});
}

//===--- Where a buffer comes from ----------------------------------------===//

static bool isLoop(const trace::Op &op) {
  return op.name == "scf.for" || op.name == "scf.while" ||
         op.name == "affine.for" || op.name == "scf.forall" ||
         op.name == "scf.parallel";
}

static bool isCall(const trace::Op &op) {
  const std::string_view name = op.name;
  return name.ends_with("call") || name.ends_with("call_indirect");
}

/// The rule by which the pass first gave the value an ownership.
static const trace::OwnershipEvent *firstOwnership(const Lookup &lookup,
                                                   Id value) {
  for (Id id : lookup.eventsOfValue(value))
    if (const auto *event =
            std::get_if<trace::OwnershipEvent>(&lookup.event(id)->detail);
        event && lookup.event(id)->value == value)
      return event;
  return nullptr;
}

void RootFinder::addRegionOp(Id op, Id value) {
  const trace::Op *known = lookup.op(op);
  // The user's, where a stage made it anew.
  for (int steps = 0; known && known->generated && steps < 8; ++steps)
    known = lookup.op(known->origin);
  if (known)
    add({isLoop(*known) ? CauseKind::loop : CauseKind::region, known->id, value,
         known->id});
}

void RootFinder::addArgument(const trace::Value &argument, Id view) {
  const trace::Block *home = lookup.block(argument.block);
  if (!home)
    return;
  const trace::Function *function = lookup.function(home->function);
  const bool isOfFunction =
      function && (function->op == home->parentOp || home->parentOp == none);
  if (!home->isEntry)
    add({CauseKind::branch, home->id, argument.id, none});
  else if (isOfFunction)
    add({CauseKind::argumentReturned, none, argument.id, none, view});
  else
    addRegionOp(home->parentOp, argument.id);
}

void RootFinder::addCall(const trace::Op &call, Id result) {
  const trace::Function *callee = lookup.calleeOf(call);
  // What is stated of it leaves no doubt about its results.
  if (!callee || !callee->hasFreshResults)
    add({CauseKind::callResult, none, result, call.id});
}

/// Whether it is a copy: always, or else what was to be copied is followed.
bool RootFinder::isCopy(Id id) {
  const trace::Value *value = lookup.value(id);
  if (const trace::Op *op = lookup.op(value->op);
      op && op->generated && op->name == "bufferization.clone")
    return true;
  const trace::Event *copy = lookup.copyEventOf(id);
  if (!copy)
    return false;
  const auto &clone = std::get<trace::CloneEvent>(copy->detail);
  if (lookup.isConditional(clone))
    addOrigin(copy->value);
  return true;
}

/// The op that makes the value a part of its operand's memory, or another look
/// at it; a cast is none.
Id RootFinder::viewMaking(Id id) const {
  const trace::Value *value = lookup.value(id);
  const trace::Op *op = value ? lookup.op(value->op) : nullptr;
  // The user's, where a stage made it anew.
  while (op && op->generated && lookup.op(op->origin))
    op = lookup.op(op->origin);
  static constexpr std::string_view views[] = {
      "memref.subview",      "memref.view",           "memref.reinterpret_cast",
      "memref.expand_shape", "memref.collapse_shape", "memref.transpose"};
  return op && std::ranges::find(views, std::string_view(op->name)) !=
                     std::end(views)
             ? op->id
             : none;
}

/// The same of what it is a cast of.
Id RootFinder::viewBehind(Id id) const {
  for (int steps = 0; steps < 16; ++steps) {
    if (const Id made = viewMaking(id); made != none)
      return made;
    const trace::Value *value = lookup.value(id);
    const trace::Op *op = value ? lookup.op(value->op) : nullptr;
    if (!op || op->name != "memref.cast" || op->operands.empty())
      return none;
    id = op->operands.front();
  }
  return none;
}

/// Adds what keeps it from being known as an allocation of its own.
void RootFinder::addOrigin(Id id, Id view) {
  if (const Id made = viewMaking(id); made != none)
    view = made;
  id = lookup.bufferOf(id);
  const trace::Value *value = lookup.value(id);
  if (!value || !value->isMemref || !seenValues.insert(id).second || isCopy(id))
    return;
  if (value->kind == trace::ValueKind::argument)
    return addArgument(*value, view);
  const trace::Op *op = lookup.op(value->op);
  if (!op)
    return;
  const trace::OwnershipEvent *owned = firstOwnership(lookup, id);
  if (owned && (owned->rule == OwnershipRule::allocation ||
                owned->rule == OwnershipRule::stackAllocation ||
                owned->rule == OwnershipRule::manualDeallocation))
    return;
  if (isCall(*op))
    return addCall(*op, id);
  if (op->name == "memref.get_global")
    return add({CauseKind::globalReturned, none, id, op->id});
  if (!op->regions.empty() ||
      (owned && owned->rule == OwnershipRule::regionResult))
    return addRegionOp(op->id, id);
  std::vector<Id> memrefs;
  for (Id operand : op->operands)
    if (const trace::Value *from = lookup.value(operand);
        from && from->isMemref &&
        std::ranges::find(memrefs, operand) == memrefs.end())
      memrefs.push_back(operand);
  if (memrefs.size() == 1)
    return addOrigin(memrefs.front(), view);
  if (memrefs.size() > 1)
    return add({CauseKind::join, op->id, id, op->id});
  // A stage made it of an op with regions: scf.if turns into arith.select.
  const trace::Op *origin = op->generated ? lookup.op(op->origin) : nullptr;
  while (origin && origin->generated)
    origin = lookup.op(origin->origin);
  if (origin && !origin->regions.empty())
    return addRegionOp(op->id, id);
  if (std::string_view(op->name).find("alloc") == std::string_view::npos)
    add({CauseKind::unknownOrigin, none, id, op->id});
}

//===--- Whose ownership is told at run time ------------------------------===//

/// What is handed on from where an indicator may come, where the indicator
/// itself is known: the buffers are to blame.
void RootFinder::addSources(Id signature) {
  for (const IndicatorSource &source : lookup.sourcesOf(signature).all)
    addOrigin(lookup.event(source.event)->value);
}

void RootFinder::addIndicatorOfDealloc(const DeallocSlot &slot) {
  const trace::Event &made = *lookup.event(slot.event);
  const auto &dealloc = std::get<trace::DeallocEvent>(made.detail);
  if (slot.position >= dealloc.retained.size())
    return;
  const Id retained = dealloc.retained[slot.position];
  const size_t before = found.size();
  bool isOnEdge = false;
  for (size_t i = 0; i < dealloc.memrefs.size(); ++i) {
    if (dealloc.memrefs[i] != retained || i >= dealloc.conditions.size())
      continue;
    const Id own = lookup.withoutEdge(dealloc.conditions[i], dealloc.edge);
    isOnEdge |= own != dealloc.conditions[i] && lookup.constantOf(own) == 1;
    addIndicator(own);
  }
  if (found.size() != before)
    return;
  // Where ownership is known but for the branch's condition, that is all there
  // is.
  if (isOnEdge)
    add({CauseKind::edge, made.block, retained, made.op});
  else
    addOrigin(retained);
}

void RootFinder::addIndicator(Id indicator) {
  const trace::Value *value = lookup.value(indicator);
  if (!value || value->constant >= 0 ||
      !seenIndicators.insert(indicator).second)
    return;
  if (Id made = lookup.signatureOf(indicator); made != none) {
    const trace::Event &event = *lookup.event(made);
    const auto &signature = std::get<trace::SignatureEvent>(event.detail);
    if (const trace::Op *call = lookup.op(event.op);
        call && signature.part == SignaturePart::callResult)
      return addCall(*call, event.value);
    if (lookup.constantOf(indicator) >= 0)
      return addSources(made);
    if (signature.part == SignaturePart::regionOpResult)
      return addRegionOp(event.op, event.value);
    const trace::Value *argument = lookup.value(event.value);
    if (argument && argument->kind == trace::ValueKind::argument)
      return addArgument(*argument, none);
    return addOrigin(event.value);
  }
  if (auto slot = lookup.deallocGiving(indicator))
    return addIndicatorOfDealloc(*slot);
  const trace::Op *definer = lookup.op(value->op);
  if (!definer || !definer->generated)
    return;
  for (Id operand : definer->operands)
    addIndicator(operand);
}

//===--- Decisions --------------------------------------------------------===//

void RootFinder::addClone(const trace::Event &event,
                          const trace::CloneEvent &clone) {
  if (clone.ownership.state == trace::OwnershipState::unique)
    addIndicator(clone.ownership.indicator);
  if (const trace::Event *because = lookup.event(clone.because);
      because && found.empty())
    addOrigin(because->value, viewBehind(event.value));
  if (found.empty())
    addOrigin(event.value);
}

void RootFinder::addUndecided(const trace::Event &lowered,
                              const trace::LoweringEvent &lowering) {
  const LoweredMemrefs &code = lookup.loweredBy(lowered);
  auto addFacts = [&](Id memref) {
    for (const AboutBuffer &about : lookup.factsAbout(memref)) {
      const trace::AliasFact &fact = *about.fact;
      const bool isOfOther =
          code.hasQuestions && lookup.event(about.rewrite)->op != lowered.op;
      if (fact.answer != trace::SameAllocation::unknown || isOfOther)
        continue;
      addOrigin(fact.first);
      addOrigin(fact.second);
      // Arguments and allocations are told apart wherever they come alone.
      for (const auto *terminals :
           {&fact.firstTerminals, &fact.secondTerminals})
        for (Id terminal : *terminals)
          if (const trace::Value *value = lookup.value(terminal);
              value && value->kind == trace::ValueKind::result)
            addOrigin(terminal);
    }
  };
  for (Id memref : code.freed)
    addFacts(memref);
  if (!found.empty())
    return;
  for (Id memref : code.freed)
    addOrigin(memref);
  for (Id memref : code.others)
    addOrigin(memref);
  for (Id memref : lowering.compared)
    addOrigin(memref);
}

void RootFinder::addCondition(const trace::LoweringEvent &lowering, Id freed) {
  const trace::Event *made = lookup.deallocEvent(lowering.dealloc);
  if (!made)
    return;
  const auto &dealloc = std::get<trace::DeallocEvent>(made->detail);
  bool isOnEdge = false;
  for (size_t i = 0; i < dealloc.memrefs.size(); ++i) {
    if (dealloc.memrefs[i] != freed && dealloc.bases[i] != freed)
      continue;
    const Id own = lookup.withoutEdge(dealloc.conditions[i], dealloc.edge);
    isOnEdge |= own != dealloc.conditions[i];
    addIndicator(own);
  }
  if (!found.empty())
    return;
  if (isOnEdge || dealloc.edge >= 0)
    add({CauseKind::edge, made->block, freed, made->op});
  else
    addOrigin(freed);
}

} // namespace memreflens
