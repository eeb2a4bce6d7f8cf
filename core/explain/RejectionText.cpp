//===- core/explain/RejectionText.cpp -------------------------------------===//

#include "core/explain/RejectionText.h"
#include "core/explain/DecisionParts.h"
#include "core/explain/Words.h"
#include "core/trace/Symbol.h"

#include <algorithm>

namespace memreflens {

using trace::Id;
using trace::none;
using trace::RejectionCause;

/// " where func.call (9:3) also uses it directly": what keeps it live there.
static std::string alsoUsed(const Lookup &lookup, const trace::Event &retain) {
  const trace::LivenessEvent *liveness = lookup.livenessOf(retain.block);
  const size_t count = liveness ? std::min(liveness->liveOut.size(),
                                           liveness->keptAliveBy.size())
                                : 0;
  for (size_t i = 0; i < count; ++i)
    if (Id user = liveness->keptAliveBy[i];
        liveness->liveOut[i] == retain.value && user != none)
      return ", where " + lookup.opAt(user) + " also uses it directly";
  return ", which has it as a live-in, too";
}

/// A branch that forwards the value to a block where it is live as well; empty
/// where that is not the cause.
static std::string forwardedAndLive(const Lookup &lookup,
                                    const trace::Event &event,
                                    trace::Range &named) {
  const trace::Event *forwarded = nullptr, *live = nullptr;
  Id to = none;
  for (Id id : lookup.eventsOfValue(event.value)) {
    const trace::Event &other = *lookup.event(id);
    const auto *retain = std::get_if<trace::RetainEvent>(&other.detail);
    if (!retain)
      continue;
    if (retain->reason == trace::RetainReason::forwardedOperand) {
      forwarded = &other;
      to = retain->successor;
    }
    if (retain->reason == trace::RetainReason::liveAcrossEdge && forwarded &&
        retain->successor == to && other.block == forwarded->block)
      live = &other;
  }
  if (!live)
    return {};
  named = rangeOfRetain(lookup, *forwarded,
                        std::get<trace::RetainEvent>(forwarded->detail));
  const trace::Block *block = lookup.block(forwarded->block);
  const Id branch = block && !block->ops.empty() ? block->ops.back() : none;
  return (branch == none ? std::string("a branch") : lookup.opName(branch)) +
         lookup.at(named) + " forwards " + lookup.name(event.value) + " to " +
         lookup.blockName(to) + alsoUsed(lookup, *live);
}

/// What the cause is, in a clause that follows "@f is rejected at x: "; `named`
/// becomes the range of an op whose place it has.
static std::string causeWords(const Lookup &lookup, const trace::Event &event,
                              RejectionCause cause, trace::Range &named) {
  std::string op = lookup.opName(event.op);
  std::string value = lookup.name(event.value);
  switch (cause) {
  case RejectionCause::loopInControlFlow:
    return "its control flow has a loop of branches";
  case RejectionCause::existingDealloc:
    return "its input already has a bufferization.dealloc";
  case RejectionCause::unknownEffects:
    return "the memory effects of " + op + " are unknown";
  case RejectionCause::regionWithoutInterface:
    return "nothing says how control enters and leaves the regions of " + op;
  case RejectionCause::noTerminatorTrait:
    return "the region of " + op + " need not have a terminator";
  case RejectionCause::terminatorInterface:
    return op + " is not exactly one of a branch and a region terminator";
  case RejectionCause::multipleSuccessorsWithMemref:
  case RejectionCause::multipleSuccessors:
    return op + " is neither cf.cond_br nor a branch to exactly one block";
  case RejectionCause::producedOperands:
    return op + " produces operands of its successor itself";
  case RejectionCause::freeEffect:
    return op + " deallocates " + (event.value == none ? "a memref" : value) +
           ", which is for the pass to do";
  case RejectionCause::noUniqueOwnership:
    if (std::string both = forwardedAndLive(lookup, event, named);
        !both.empty())
      return both;
    return value + " has no unique ownership in " +
           lookup.blockName(event.block);
  case RejectionCause::returnTypesDiffer:
    return "its returns no longer agree in their types";
  case RejectionCause::inParallelNotEmpty:
    return op + " is not empty";
  case RejectionCause::reduceReturnMemref:
    return op + " returns a memref";
  case RejectionCause::interfaceProcess:
    return op + "'s own BufferDeallocationOpInterface rejects it";
  case RejectionCause::invalidIr:
    return "the IR is invalid after " + stageName(lookup, event);
  case RejectionCause::stageFailed:
    return stageName(lookup, event) + " failed";
  case RejectionCause::stageCrashed:
    return stageName(lookup, event) + " crashed";
  case RejectionCause::stageTimedOut:
    return stageName(lookup, event) + " did not end in time";
  case RejectionCause::libraryFunction:
    return "a dealloc needs dealloc_helper, which only a module can hold";
  }
  return {};
}

static std::string functionName(const Lookup &lookup, Id function) {
  const auto &functions = lookup.getTrace().functions;
  if (function < 0 || size_t(function) >= functions.size())
    return "the module";
  return trace::symbolText(functions[function].title());
}

/// Both ways in which the value is retained, where that is the cause.
static void addDoubleRetain(const Lookup &lookup, const trace::Event &event,
                            Explanation &result) {
  for (Id id : lookup.eventsOfValue(event.value)) {
    const trace::Event &other = *lookup.event(id);
    auto *retain = std::get_if<trace::RetainEvent>(&other.detail);
    if (!retain || other.block != lookup.value(event.value)->block)
      continue;
    addEvidence(result, {id, lookup.rangeOfOp(other.op),
                         lookup.name(event.value) + " is retained by " +
                             lookup.blockName(other.block) + ": " +
                             retainReasonWords(lookup, other, *retain)});
    if (retain->reason == trace::RetainReason::liveAcrossEdge)
      addUseThatKeepsAlive(lookup, other, result);
  }
}

/// Each branch of the loop, with where it leads.
static void addLoop(const Lookup &lookup, const trace::Event &event,
                    const trace::RejectionEvent &detail, Explanation &result) {
  auto blockOf = [&](size_t i) {
    const trace::Op *branch =
        lookup.op(detail.witnesses[i % detail.witnesses.size()]);
    return branch ? branch->block : none;
  };
  for (size_t i = 0; i < detail.witnesses.size(); ++i)
    addEvidence(result, {event.id, lookup.rangeOfOp(detail.witnesses[i]),
                         lookup.opName(detail.witnesses[i]) + " leads from " +
                             lookup.blockName(blockOf(i)) + " to " +
                             lookup.blockName(blockOf(i + 1))});
}

/// Where MLIR's own diagnostic is attached.
static trace::Range rangeOfMessage(const Lookup &lookup,
                                   const trace::Event &event,
                                   RejectionCause cause) {
  if (cause == RejectionCause::noUniqueOwnership)
    return lookup.rangeOfValue(event.value);
  return lookup.rangeOfOp(event.op);
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::RejectionEvent &detail) {
  Explanation result;
  result.sentence = functionName(lookup, event.function) + " is rejected: " +
                    causeWords(lookup, event, detail.cause, result.named);
  if (!detail.message.empty())
    addEvidence(result, {event.id, rangeOfMessage(lookup, event, detail.cause),
                         "upstream's error: " + detail.message});
  if (detail.cause == RejectionCause::loopInControlFlow)
    addLoop(lookup, event, detail, result);
  if (detail.cause == RejectionCause::noUniqueOwnership &&
      lookup.value(event.value))
    addDoubleRetain(lookup, event, result);
  for (Id witness : detail.witnesses) {
    trace::Range range = lookup.rangeOfOp(witness);
    bool isNamed =
        std::any_of(result.evidence.begin(), result.evidence.end(),
                    [&](const Evidence &fact) { return fact.range == range; });
    if (!isNamed)
      addEvidence(result,
                  {event.id, range, "shown by " + lookup.opName(witness)});
  }
  const trace::Op *op = lookup.op(event.op);
  result.remedies = adviceAgainst(
      detail.cause, op ? op->name.str() : std::string(), detail.remedies);
  return result;
}

Explanation explainRejection(const Lookup &lookup, Id id) {
  const trace::Event *event = lookup.event(id);
  auto *detail =
      event ? std::get_if<trace::RejectionEvent>(&event->detail) : nullptr;
  return detail ? wordsFor(lookup, *event, *detail) : Explanation{};
}

Explanation explainRejection(const trace::Trace &trace, Id event) {
  return explainRejection(Lookup(trace), event);
}

} // namespace memreflens
