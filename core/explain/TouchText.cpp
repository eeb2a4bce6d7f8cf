//===- core/explain/TouchText.cpp -----------------------------------------===//

#include "core/explain/TouchText.h"
#include "core/explain/DecisionText.h"
#include "core/explain/FateText.h"
#include "core/explain/Words.h"

#include <algorithm>

namespace memreflens {

using trace::Id;
using trace::none;

static void addBuffers(const Lookup &lookup, const std::vector<Id> &values,
                       std::vector<Id> &buffers) {
  for (Id id : values)
    if (const trace::Value *value = lookup.value(id);
        value && value->isMemref && !value->generated &&
        std::find(buffers.begin(), buffers.end(), id) == buffers.end())
      buffers.push_back(id);
}

/// Buffers from outside that the op's regions use.
static void addUsedInside(const Lookup &lookup, const trace::Op &op,
                          std::vector<Id> &buffers) {
  for (const auto &region : op.regions)
    for (Id block : region)
      for (Id id : lookup.block(block)->ops) {
        const trace::Op &nested = *lookup.op(id);
        addBuffers(lookup, nested.operands, buffers);
        addUsedInside(lookup, nested, buffers);
      }
  std::erase_if(buffers, [&](Id buffer) {
    const trace::Range whole = op.range;
    const trace::Range range = lookup.value(buffer)->range;
    return !range.empty() && whole.contains(range.begin);
  });
}

static std::string listed(const Lookup &lookup, const std::vector<Id> &values) {
  std::vector<std::string> names;
  for (Id value : values)
    names.push_back(lookup.name(value) + lookup.at(lookup.rangeOfValue(value)));
  return listedFew(std::move(names));
}

/// What the op does with the buffers, in its own terms.
static std::string sentenceOf(const Lookup &lookup, const trace::Op &op,
                              const std::vector<Id> &buffers,
                              const std::vector<Id> &inside) {
  const std::string who = op.name + lookup.at(lookup.rangeOfOp(op.id));
  const std::string which = listed(lookup, buffers);
  if (op.isTerminator && op.successors.empty())
    return buffers.empty() ? who + " passes no buffer on"
                           : who + " passes on " + which;
  if (op.isTerminator)
    return buffers.empty() ? who + " passes no buffer to its successors"
                           : who + " passes " + which;
  if (op.name == "memref.dealloc" || op.name == "gpu.dealloc")
    return who + " deallocates " + which + " by hand";
  if (op.name == "func.call" || op.name == "func.call_indirect")
    return who + " borrows " + which +
           ": a callee does not deallocate its arguments";
  if (!op.regions.empty() && buffers.empty())
    return who + " has regions that use " + listed(lookup, inside) +
           "; it takes and gives no buffer itself";
  std::vector<Id> given, taken;
  addBuffers(lookup, op.results, given);
  addBuffers(lookup, op.operands, taken);
  // Who owns a result is told of the result.
  if (!given.empty())
    return who + (taken.empty() ? "" : " takes " + listed(lookup, taken)) +
           (taken.empty() ? " gives " : " and gives ") + listed(lookup, given);
  return who + " uses " + which + "; who owns " +
         (buffers.size() == 1 ? "it" : "them") + " stays as it is";
}

/// Deallocs that the pass puts in front of the terminator.
static bool addDeallocs(const Lookup &lookup, Id block,
                        Explanation &explanation) {
  bool found = false;
  for (Id id : lookup.eventsOfBlock(block)) {
    const trace::Event &event = *lookup.event(id);
    const auto *dealloc = std::get_if<trace::DeallocEvent>(&event.detail);
    if (!dealloc || dealloc->memrefs.empty())
      continue;
    found = true;
    Explanation one = explainEvent(lookup, id);
    explanation.evidence.push_back(
        {event.id, lookup.rangeOfOp(event.op), one.sentence});
  }
  return found;
}

Explanation explainTouch(const Lookup &lookup, Id id) {
  const trace::Op *op = lookup.op(id);
  const trace::Function *function =
      op ? lookup.function(lookup.getIndex().functionOfBlock(op->block))
         : nullptr;
  if (!function || op->generated)
    return {};
  std::vector<Id> buffers, inside;
  addBuffers(lookup, op->operands, buffers);
  addBuffers(lookup, op->results, buffers);
  addUsedInside(lookup, *op, inside);
  const bool ends = op->isTerminator && !lookup.memrefsOf(function->id).empty();
  if (buffers.empty() && inside.empty() && !ends)
    return {};
  Explanation explanation;
  explanation.sentence = sentenceOf(lookup, *op, buffers, inside);
  for (const auto *list : {&buffers, &inside})
    for (Id buffer : *list)
      explanation.evidence.push_back({none, lookup.rangeOfValue(buffer),
                                      explainFate(lookup, buffer).headline});
  if (op->isTerminator && function->status == trace::FunctionStatus::traced &&
      !addDeallocs(lookup, op->block, explanation))
    explanation.sentence += "; nothing is deallocated in front of it";
  return explanation;
}

} // namespace memreflens
