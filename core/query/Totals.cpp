//===- core/query/Totals.cpp ----------------------------------------------===//

#include "core/query/Totals.h"
#include "core/trace/Plan.h"

#include <set>

namespace memreflens {

using trace::Id;

namespace {

/// Counts what is there after the last stage.
struct Counter {
  const Lookup &lookup;
  Totals &totals;

  void addFunction(const trace::Function &function);
  void addEvent(const trace::Event &event);

  bool isThere(Id op) const { return lookup.op(op) && !lookup.isErased(op); }
  bool isUnderCondition(Id op) const;
  bool isOfLowering(Id op) const;
  void addLowering(const trace::Event &event,
                   const trace::LoweringEvent &lowering);
  void addRewrite(const trace::Event &event,
                  const trace::RewriteEvent &rewrite);
  void addClone(const trace::Event &event, const trace::CloneEvent &clone);
  void addPlacement(const trace::Event &event);
  void addAllocations(const trace::Function &function);
};

} // namespace

Totals &Totals::operator+=(const Totals &other) {
  functions += other.functions;
  rejectedFunctions += other.rejectedFunctions;
  allocations += other.allocations;
  frees += other.frees;
  conditionalFrees += other.conditionalFrees;
  clones += other.clones;
  conditionalClones += other.conditionalClones;
  runTimeChecks += other.runTimeChecks;
  helperCalls += other.helperCalls;
  return *this;
}

/// Whether a generated scf.if that is still there holds the op.
bool Counter::isUnderCondition(Id id) const {
  const trace::Op *op = lookup.op(id);
  const trace::Block *block = op ? lookup.block(op->block) : nullptr;
  const trace::Op *parent = block ? lookup.op(block->parentOp) : nullptr;
  return parent && parent->generated && parent->name == "scf.if" &&
         isThere(parent->id);
}

/// Whether it is run-time code of a dealloc.
bool Counter::isOfLowering(Id id) const {
  const trace::Op *op = lookup.op(id);
  const trace::Op *dealloc = op ? lookup.op(op->origin) : nullptr;
  return dealloc && dealloc->name == "bufferization.dealloc";
}

/// "Not unequal" becomes a compare of its own.
void Counter::addRewrite(const trace::Event &event,
                         const trace::RewriteEvent &rewrite) {
  if (!isOfLowering(event.op))
    return;
  for (Id id : rewrite.inserted)
    totals.runTimeChecks += isThere(id) && lookup.op(id)->name == "arith.cmpi";
}

void Counter::addLowering(const trace::Event &event,
                          const trace::LoweringEvent &lowering) {
  size_t position = 0;
  for (Id id : lowering.ops) {
    const trace::Op *op = lookup.op(id);
    if (!op)
      continue;
    Id freed = trace::none;
    if (op->name == "memref.dealloc" && position < lowering.freed.size())
      freed = lowering.freed[position++];
    if (!isThere(id))
      continue;
    if (op->name == "arith.cmpi")
      ++totals.runTimeChecks;
    if (op->name == "func.call")
      ++totals.helperCalls;
    // The helper's lists are freed too, but they are not the user's.
    if (op->name != "memref.dealloc" || lookup.isListOfHelper(event, freed))
      continue;
    ++totals.frees;
    totals.conditionalFrees += isUnderCondition(id);
  }
}

void Counter::addClone(const trace::Event &event,
                       const trace::CloneEvent &clone) {
  const trace::Function *function = lookup.function(event.function);
  if (!isThere(event.op) ||
      (function && function->status != trace::FunctionStatus::traced))
    return;
  ++totals.clones;
  const trace::Value *result = lookup.value(clone.result);
  totals.conditionalClones +=
      clone.conditional && result && isThere(result->op);
}

/// What the classic pass made.
void Counter::addPlacement(const trace::Event &event) {
  const trace::Function *function = lookup.function(event.function);
  if (function && function->status != trace::FunctionStatus::traced)
    return;
  if (const auto *free = std::get_if<trace::FreeEvent>(&event.detail))
    totals.frees += isThere(free->dealloc);
  const auto *copy = std::get_if<trace::CopyEvent>(&event.detail);
  const trace::Value *clone = copy ? lookup.value(copy->clone) : nullptr;
  if (clone && copy->clone != copy->operand && isThere(clone->op))
    ++totals.clones;
}

/// Where the pass gave up, or none came, not all of them were seen.
void Counter::addAllocations(const trace::Function &function) {
  std::set<Id> allocating;
  for (Id id : lookup.eventsOfFunction(function.id)) {
    const trace::Event &event = *lookup.event(id);
    auto *candidate = std::get_if<trace::CandidateEvent>(&event.detail);
    if (candidate && candidate->source == trace::CandidateSource::allocation &&
        (candidate->dropped == trace::DropReason::notDropped ||
         candidate->dropped == trace::DropReason::manualDeallocation))
      allocating.insert(event.op);
  }
  const trace::RunOptions &run = lookup.getTrace().options;
  const bool isPlaced = trace::stageOf(run, trace::ownershipPass) >= 0 ||
                        trace::stageOf(run, trace::classicPass) >= 0;
  if (!isPlaced || function.status == trace::FunctionStatus::rejected ||
      function.status == trace::FunctionStatus::crashedStage)
    for (Id id : lookup.memrefsOf(function.id))
      if (const trace::Op *op = lookup.op(lookup.value(id)->op);
          op && (op->name == "memref.alloc" || op->name == "gpu.alloc"))
        allocating.insert(op->id);
  totals.allocations += allocating.size();
}

void Counter::addFunction(const trace::Function &function) {
  if (function.status == trace::FunctionStatus::declaration)
    return;
  ++totals.functions;
  totals.rejectedFunctions +=
      function.status == trace::FunctionStatus::rejected ||
      function.status == trace::FunctionStatus::crashedStage;
  addAllocations(function);
}

void Counter::addEvent(const trace::Event &event) {
  if (auto *clone = std::get_if<trace::CloneEvent>(&event.detail))
    addClone(event, *clone);
  if (auto *lowering = std::get_if<trace::LoweringEvent>(&event.detail))
    addLowering(event, *lowering);
  if (auto *rewrite = std::get_if<trace::RewriteEvent>(&event.detail))
    addRewrite(event, *rewrite);
  addPlacement(event);
}

Totals totalsOf(const Lookup &lookup, const std::string &function) {
  Totals totals;
  Counter counter{lookup, totals};
  const trace::Trace &trace = lookup.getTrace();
  auto isMeant = [&](const trace::Function *known) {
    return function.empty() || (known && known->name == function);
  };
  for (const trace::Function &known : trace.functions)
    if (isMeant(&known))
      counter.addFunction(known);
  for (const trace::Event &event : trace.events)
    if (isMeant(lookup.function(event.function)))
      counter.addEvent(event);
  return totals;
}

Totals totalsOf(const Lookup &lookup, trace::Id function) {
  Totals totals;
  Counter counter{lookup, totals};
  if (const trace::Function *known = lookup.function(function))
    counter.addFunction(*known);
  for (Id event : lookup.eventsOfFunction(function))
    counter.addEvent(*lookup.event(event));
  return totals;
}

} // namespace memreflens
