//===- core/diff/Decisions.cpp --------------------------------------------===//

#include "core/diff/Decisions.h"
#include "core/diff/Digest.h"
#include "core/explain/DecisionParts.h"
#include "core/explain/DecisionText.h"
#include "core/trace/Names.h"
#include "core/trace/Plan.h"

#include <algorithm>

namespace memreflens::diff {

using trace::Id;
using trace::none;

namespace {

class Collector {
public:
  Collector(const Lookup &lookup, const TensorText &tensors,
            Canonical &canonical)
      : lookup(lookup), tensors(tensors), trace(lookup.getTrace()),
        to(canonical) {}

  std::vector<Decision> run(Id function);

private:
  void note(const trace::Event &event, const trace::CloneEvent &);
  void note(const trace::Event &event, const trace::CandidateEvent &);
  void note(const trace::Event &event, const trace::DeallocEvent &);
  void note(const trace::Event &event, const trace::RetainEvent &);
  void note(const trace::Event &event, const trace::OwnershipEvent &);
  void note(const trace::Event &event, const trace::SignatureEvent &);
  void note(const trace::Event &event, const trace::RejectionEvent &);
  void note(const trace::Event &event, const trace::LoweringEvent &);
  void note(const trace::Event &event, const trace::AliasEvent &);
  void note(const trace::Event &event, const trace::CriticalEvent &);
  void note(const trace::Event &event, const trace::CopyEvent &);
  void note(const trace::Event &event, const trace::FreeEvent &);
  void note(const trace::Event &event, const trace::MoveEvent &);
  void note(const trace::Event &event, const trace::WarningEvent &);
  void note(const trace::Event &event, const trace::InterfaceEvent &);
  void note(const trace::Event &, const trace::StageEvent &) {}
  void note(const trace::Event &, const trace::LivenessEvent &) {}
  void note(const trace::Event &, const trace::RewriteEvent &) {}

  void add(DecisionKind kind, const trace::Event &event, Numbers subject,
           Numbers content) {
    decisions.push_back({kind,
                         to.list(std::move(subject)),
                         to.list(std::move(content)),
                         event.id,
                         {}});
  }
  void addStatus(const trace::Function &function);
  void addBufferization(Id function);
  bool isThere(Id op) const { return lookup.op(op) && !lookup.isErased(op); }
  bool isUnderCondition(Id op) const;
  Id cloneOp(const trace::CopyEvent &copy) const {
    const trace::Value *clone = lookup.value(copy.clone);
    return clone ? clone->op : none;
  }
  /// A pass by its name: its number depends on what else is run.
  Number passOf(const trace::Event &event) {
    return to.word(
        trace::passName(trace::stageName(trace.options, event.stage)));
  }
  Number buffer(Id value) { return to.value(lookup.bufferOf(value)); }

  const Lookup &lookup;
  const TensorText &tensors;
  const trace::Trace &trace;
  Canonical &to;
  std::vector<Decision> decisions;
  /// Where the ownership of a value in a block was told last.
  std::map<std::pair<Id, Id>, size_t> owned;
};

} // namespace

//===--- The ownership pass -----------------------------------------------===//

void Collector::addStatus(const trace::Function &function) {
  decisions.push_back(
      {DecisionKind::status,
       0,
       to.list({Number(function.status), function.upstreamReadsFreedMemory,
                function.dynamicOwnership}),
       none,
       {}});
}

void Collector::note(const trace::Event &event,
                     const trace::CloneEvent &clone) {
  add(DecisionKind::clone, event,
      {to.value(event.value), to.block(event.block), Number(clone.demand)},
      {clone.conditional, to.ownership(clone.ownership), isThere(event.op)});
  if (!isThere(event.op))
    decisions.back().note = "; it is gone after the last stage";
}

void Collector::note(const trace::Event &event,
                     const trace::CandidateEvent &candidate) {
  add(DecisionKind::candidate, event,
      {to.value(event.value), to.block(event.block)},
      {Number(candidate.source), Number(candidate.dropped)});
}

/// The order of the list is that of the IR, and no decision.
void Collector::note(const trace::Event &event,
                     const trace::DeallocEvent &dealloc) {
  Numbers listed;
  for (size_t i = 0; i < dealloc.memrefs.size(); ++i)
    listed.push_back(to.list(
        {to.value(dealloc.memrefs[i]), to.value(dealloc.conditions[i])}));
  std::sort(listed.begin(), listed.end());
  add(DecisionKind::dealloc, event,
      {to.block(event.block), Number(dealloc.edge)}, std::move(listed));
}

void Collector::note(const trace::Event &event,
                     const trace::RetainEvent &retain) {
  add(DecisionKind::retained, event,
      {to.value(event.value), to.block(event.block), Number(retain.edge),
       to.block(retain.successor)},
      {Number(retain.reason)});
}

/// What counts is the ownership at the end of the block.
void Collector::note(const trace::Event &event,
                     const trace::OwnershipEvent &ownership) {
  auto [entry, isFirst] =
      owned.try_emplace({event.value, event.block}, decisions.size());
  Number after = to.list({to.ownership(ownership.after)});
  if (isFirst)
    return add(DecisionKind::ownership, event,
               {to.value(event.value), to.block(event.block)},
               {to.ownership(ownership.after)});
  decisions[entry->second].content = after;
  decisions[entry->second].event = event.id;
}

void Collector::note(const trace::Event &event,
                     const trace::SignatureEvent &signature) {
  add(DecisionKind::signature, event,
      {to.value(event.value), Number(signature.part), to.op(event.op),
       to.block(event.block), Number(signature.edge)},
      {});
}

void Collector::note(const trace::Event &event,
                     const trace::RejectionEvent &rejection) {
  add(DecisionKind::rejection, event,
      {to.op(event.op), Number(rejection.cause)},
      {to.word(withoutNames(rejection.message)), to.ops(rejection.witnesses)});
}

void Collector::note(const trace::Event &event,
                     const trace::InterfaceEvent &call) {
  Numbers did = {call.now == none ? 0 : call.now == event.op ? 1u : 2u};
  for (Id op : call.made)
    did.push_back(to.word(lookup.opName(op)));
  add(DecisionKind::interface, event,
      {Number(call.call), to.op(event.op), to.value(event.value)},
      std::move(did));
}

//===--- What is left after the last stage --------------------------------===//

/// Whether a generated scf.if that is still there holds the op.
bool Collector::isUnderCondition(Id id) const {
  const trace::Block *block = lookup.block(lookup.op(id)->block);
  const trace::Op *parent = block ? lookup.op(block->parentOp) : nullptr;
  return parent && parent->generated && parent->name == "scf.if" &&
         isThere(parent->id);
}

void Collector::note(const trace::Event &event,
                     const trace::LoweringEvent &lowering) {
  size_t freed = 0, compared = 0;
  Number block = to.block(event.block);
  for (Id id : lowering.ops) {
    const trace::Op *op = lookup.op(id);
    if (!op)
      continue;
    Id value = none;
    if (op->name == "memref.dealloc" && freed < lowering.freed.size())
      value = lowering.freed[freed++];
    bool isCheck = op->name == "arith.cmpi";
    compared += isCheck;
    if (!isThere(id))
      continue;
    if (isCheck && !lowering.compared.empty())
      add(DecisionKind::check, event,
          {block, buffer(lowering.compared.front()),
           compared < lowering.compared.size()
               ? buffer(lowering.compared[compared])
               : 0},
          {});
    if (op->name == "func.call")
      add(DecisionKind::check, event,
          {block, to.word("dealloc_helper call"), to.values(lowering.compared)},
          {lowering.memrefCount, lowering.retainedCount});
    if (op->name == "memref.dealloc" && !lookup.isListOfHelper(event, value)) {
      add(DecisionKind::free, event, {buffer(value), block},
          {isUnderCondition(id)});
      decisions.back().note = isUnderCondition(id)
                                  ? "; it is deallocated under a condition"
                                  : "; it is always deallocated";
    }
  }
}

//===--- Placement --------------------------------------------------------===//

void Collector::note(const trace::Event &event,
                     const trace::AliasEvent &alias) {
  add(DecisionKind::alias, event,
      {to.value(event.value), to.value(alias.source)},
      {Number(alias.link), to.op(event.op)});
}

void Collector::note(const trace::Event &event,
                     const trace::CriticalEvent &critical) {
  add(DecisionKind::critical, event,
      {to.value(event.value), to.value(critical.source)},
      {to.block(critical.from), Number(critical.reason)});
}

void Collector::note(const trace::Event &event, const trace::CopyEvent &copy) {
  add(DecisionKind::clone, event,
      {to.value(copy.operand), to.op(event.op), to.value(event.value)},
      {copy.clone != copy.operand, isThere(cloneOp(copy))});
}

void Collector::note(const trace::Event &event, const trace::FreeEvent &free) {
  if (free.dealloc != none && !isThere(free.dealloc))
    return;
  add(DecisionKind::free, event, {to.value(event.value), to.block(event.block)},
      {to.op(free.after), free.dealloc != none, free.moved});
}

void Collector::note(const trace::Event &event, const trace::MoveEvent &move) {
  add(DecisionKind::move, event,
      {passOf(event), to.value(event.value), to.op(event.op)},
      {Number(move.outcome), to.block(move.to), to.op(move.because),
       to.value(move.becauseValue), to.word(std::to_string(move.bytes)),
       Number(move.result), Number(move.argument)});
}

void Collector::note(const trace::Event &event,
                     const trace::WarningEvent &warning) {
  add(DecisionKind::warning, event,
      {passOf(event), Number(warning.warning), to.op(event.op),
       to.value(event.value)},
      {to.op(warning.shown), to.word(std::to_string(warning.before)),
       to.word(std::to_string(warning.after))});
}

//===--- Bufferization ----------------------------------------------------===//

void Collector::addBufferization(Id function) {
  if (tensors.facts().empty())
    return;
  for (const trace::TensorCost *cost : tensors.facts().costs()) {
    const trace::Op *op = lookup.op(cost->op);
    if (!op || lookup.getIndex().functionOfBlock(op->block) != function)
      continue;
    decisions.push_back(
        {cost->isCopy ? DecisionKind::copy : DecisionKind::buffer,
         to.list({to.op(cost->op), Number(cost->operand + 1)}),
         to.list({Number(cost->origin), Number(tensors.facts().causeOf(*cost)),
                  to.word(std::to_string(cost->bytes)), to.word(cost->size),
                  Number(cost->loops.size()), Number(cost->times)}),
         none,
         {},
         cost});
  }
}

//===--- All --------------------------------------------------------------===//

std::vector<Decision> Collector::run(Id function) {
  addStatus(*lookup.function(function));
  addBufferization(function);
  for (Id id : lookup.eventsOfFunction(function)) {
    const trace::Event &event = *lookup.event(id);
    std::visit([&](const auto &detail) { note(event, detail); }, event.detail);
  }
  std::stable_sort(
      decisions.begin(), decisions.end(),
      [](const Decision &a, const Decision &b) { return a.kind < b.kind; });
  return std::move(decisions);
}

std::vector<Decision> decisionsOf(const Lookup &lookup,
                                  const TensorText &tensors, Id function,
                                  Canonical &canonical) {
  return Collector(lookup, tensors, canonical).run(function);
}

std::string sentenceOf(const Lookup &lookup, const TensorText &tensors,
                       Id function, const Decision &decision) {
  if (decision.cost)
    return tensors.aboutCost(*decision.cost).sentence;
  if (decision.event != none)
    return explainEvent(lookup, decision.event).sentence +
           std::string(decision.note);
  const trace::Function &known = *lookup.function(function);
  std::string text(trace::nameOf(known.status));
  if (known.upstreamReadsFreedMemory)
    text += "; MLIR itself reads freed memory on it";
  if (known.dynamicOwnership)
    text += "; returns ownership";
  return text;
}

} // namespace memreflens::diff
