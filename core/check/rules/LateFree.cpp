//===- core/check/rules/LateFree.cpp --------------------------------------===//
//
// A buffer is deallocated behind an allocation that follows its last use.
//
//===----------------------------------------------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/explain/CostText.h"
#include "core/explain/Words.h"

#include <algorithm>

namespace memreflens {

using enum RemedyPass;

using trace::Id;
using trace::none;

namespace {
/// A step at which memory is allocated, and what.
struct AllocatedAt {
  uint32_t step = 0;
  std::string what;
  /// In front of the deallocs at the same step.
  bool isClone = false;
};
} // namespace

/// The clones that are made at the ends of blocks are behind what is used
/// there, and in front of the deallocs.
static std::vector<AllocatedAt> allocationsOf(const Lookup &lookup,
                                              const Lifetimes &lifetimes) {
  std::vector<AllocatedAt> found;
  for (const Lifetime &buffer : lifetimes.buffers)
    if (!buffer.onStack && isMade(lookup, buffer.value))
      found.push_back({buffer.begin, "the allocation of " + buffer.name});
  for (Id id : lookup.eventsOfFunction(lifetimes.function)) {
    const trace::Event &event = *lookup.event(id);
    const auto *clone = std::get_if<trace::CloneEvent>(&event.detail);
    if (!clone || !lookup.op(event.op) || lookup.isErased(event.op))
      continue;
    // Where one under a condition ends up, later passes decide.
    const trace::Value *result = lookup.value(clone->result);
    if (clone->conditional && result && lookup.op(result->op) &&
        !lookup.isErased(result->op))
      continue;
    const trace::Block *end =
        lookup.block(lookup.getPassBlocks().endOf(event.block));
    const auto step = end && !end->ops.empty()
                          ? std::ranges::find(lifetimes.steps, end->ops.back())
                          : lifetimes.steps.end();
    if (step != lifetimes.steps.end())
      found.push_back({uint32_t(step - lifetimes.steps.begin()),
                       cloneWords(lookup, event.op), true});
  }
  std::ranges::stable_sort(found, {}, &AllocatedAt::step);
  return found;
}

/// Of one that can be used in ways that nobody follows.
static void addUnknownLastUse(FindingMaker &maker, Finding &finding,
                              const Lifetime &held) {
  const Id op = held.escape.op;
  maker.relate(finding, maker.lookup.rangeOfOp(op),
               maker.lookup.opName(op) + ": " +
                   std::string(trace::wordsOf(held.escape.kind)));
  finding.remedies = {
      "if you know its last use, put bufferization.manual_deallocation on the "
      "allocation and on a memref.dealloc behind that use"};
}

/// Whether a pass that moves deallocations up may move one too far.
bool hasUnknownLastUse(const Lifetimes &lifetimes) {
  return std::any_of(lifetimes.buffers.begin(), lifetimes.buffers.end(),
                     [](const Lifetime &life) {
                       return life.escape.op != none && life.mayBeOwned &&
                              !life.onStack;
                     });
}

/// Held from its last use to its end while others are allocated.
void addLateFrees(FindingMaker &maker, Id function,
                  const Lifetimes &lifetimes) {
  const std::vector<AllocatedAt> made = allocationsOf(maker.lookup, lifetimes);
  for (const Lifetime &held : lifetimes.buffers) {
    if (held.onStack || !held.mayBeOwned || held.ends.empty() ||
        held.ends.back().kind != EndKind::freed)
      continue;
    size_t others = 0;
    std::string first;
    for (const AllocatedAt &other : made)
      if (other.step > held.lastUse &&
          other.step < held.end() + (other.isClone ? 1 : 0) && others++ == 0)
        first = other.what;
    // Where the program has it, under the name that it has there.
    Id ancestor = maker.lookup.ancestorOf(held.value);
    Id named = ancestor == none ? held.value : ancestor;
    const trace::Value *value = maker.lookup.value(named);
    const trace::Op *op = value ? maker.lookup.op(value->op) : nullptr;
    if (others == 0 || !op ||
        (op->generated && !held.isMadeByStep && !isMade(maker.lookup, named)))
      continue;
    std::string size = held.bytes ? " (" + bytesText(*held.bytes) + ")" : "";
    const bool escapes = held.escape.op != none;
    Finding &finding = maker.add(
        ruleIds::lateFree, function, maker.lookup.rangeOfOp(op->id),
        maker.lookup.name(named) + size +
            (escapes ? " is deallocated behind "
                     : " is deallocated " +
                           counted(held.end() - held.lastUse, "op") +
                           " after its last use, behind ") +
            first + (others > 1 ? " and " + counted(others - 1, "other") : "") +
            (escapes ? "; its last use is not known" : ""));
    finding.event = held.ends.back().event;
    finding.bytes = held.bytes.value_or(0);
    finding.lastUseUnknown = escapes;
    if (escapes) {
      addUnknownLastUse(maker, finding, held);
      continue;
    }
    const Id use =
        held.usedBy != none ? held.usedBy : lifetimes.steps[held.lastUse];
    maker.relate(finding, maker.lookup.rangeOfOp(use),
                 "last used by " + maker.lookup.opName(use));
    finding.remedies = {{"run optimize-allocation-liveness after the pipeline: "
                         "it moves deallocs up to the last use",
                         {allocationLiveness}}};
  }
}

} // namespace memreflens
