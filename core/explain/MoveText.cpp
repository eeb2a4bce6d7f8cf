//===- core/explain/MoveText.cpp - why a buffer was moved, or not ---------===//
//
// Words about the passes that move allocations, frees and results, and about
// the harm that they may do.
//
//===----------------------------------------------------------------------===//

#include "core/explain/DecisionParts.h"
#include "core/explain/PlacementText.h"
#include "core/explain/Words.h"
#include "core/query/Escapes.h"
#include "core/trace/Symbol.h"

namespace memreflens {

using trace::MoveOutcome;
using trace::none;

static bool isFirstOfFunction(const Lookup &lookup, trace::Id id) {
  const trace::Block *block = lookup.block(id);
  const trace::Function *function =
      block ? lookup.function(block->function) : nullptr;
  return function && !function->blocks.empty() &&
         function->blocks.front() == id;
}

static std::string reasonOf(const Lookup &lookup, const trace::Event &event,
                            const trace::MoveEvent &move) {
  std::string op = lookup.opAt(move.because);
  std::string value = lookup.name(move.becauseValue) +
                      lookup.at(lookup.rangeOfValue(move.becauseValue));
  bool hasOp = move.because != none;
  switch (move.outcome) {
  case MoveOutcome::notHoistable:
    return stageName(lookup, event) + " does not move " +
           lookup.opName(event.op);
  case MoveOutcome::operand:
    return "it needs " + value + ", which is defined there";
  case MoveOutcome::usesBelow:
    if (isFirstOfFunction(lookup, move.to == none ? event.block : move.to))
      return "it is in the function's first block";
    return "all uses lie below already, and above it would only live longer";
  case MoveOutcome::unknownRegion:
    return hasOp
               ? "it would leave " + op + ", of which no control flow is known"
               : std::string("it is at the top of the function");
  case MoveOutcome::loop:
    return "it would leave the loop " + op + ", which is for loop hoisting";
  case MoveOutcome::noLoop:
    return (hasOp ? op + " is no loop" : std::string("no loop is around it")) +
           ", and loop hoisting leaves nothing else";
  case MoveOutcome::parallelLoop:
    return "iterations of " + op + " run at one time and need memory each";
  case MoveOutcome::usedOutsideLoop:
    return "the memory of each iteration of " + op + " is needed outside of it";
  case MoveOutcome::promoted:
    return {};
  case MoveOutcome::otherOp:
    return lookup.opName(event.op) + " is no memref.alloc";
  case MoveOutcome::tooLarge:
    return "its " + std::to_string(move.bytes) + " bytes exceed the limit";
  case MoveOutcome::dynamicShape:
    return "its size is known only at run time";
  case MoveOutcome::freed:
    return "the input deallocates it, which the stack may not be";
  case MoveOutcome::leavesScope:
    return (move.becauseValue == event.value
                ? std::string("it")
                : value + ", which may alias it,") +
           " leaves the scope of the stack";
  case MoveOutcome::inLoop:
    return "each iteration of " + op + " would take more stack";
  case MoveOutcome::inUnknownRegion:
    return "the control flow of " + op +
           " is not known: it may take more stack each time";
  case MoveOutcome::unknownSize:
    return "no data layout knows the size of its elements";
  case MoveOutcome::movedUp: {
    const TraceEscape escape = TraceEscapes(lookup).of(event.value);
    return stageName(lookup, event) + " moves its dealloc up, right behind " +
           (escape.op == trace::none ? "its last use, "
                                     : "the last use that it sees, ") +
           op +
           (escape.op == trace::none
                ? ""
                : "; what uses it by way of " + lookup.opAt(escape.op) +
                      " is not followed");
  }
  case MoveOutcome::movedDown:
    return stageName(lookup, event) +
           " moves its dealloc down, behind its last use, " + op;
  case MoveOutcome::inPlace:
    return "its dealloc follows the last use, " + op + ", already";
  case MoveOutcome::noUse:
    return "nothing else uses it";
  case MoveOutcome::usedElsewhere:
    return "it is used in other blocks only";
  case MoveOutcome::notFreed:
    return "nothing deallocates it";
  case MoveOutcome::freedThroughAlias:
    return "only " + value + ", an alias, is deallocated";
  case MoveOutcome::freedSeveralTimes:
    return "more than one op deallocates it";
  case MoveOutcome::freedElsewhere:
    return "it is deallocated in another block than the one that allocates it";
  case MoveOutcome::severalAllocations:
    return lookup.opName(event.op) + " allocates more than one buffer";
  case MoveOutcome::spoiled:
    return "its dealloc goes to where it is not valid";
  case MoveOutcome::dropped:
    return "it is always argument " + std::to_string(move.argument);
  case MoveOutcome::publicFunction:
    return "others may call the function";
  case MoveOutcome::external:
    return "the function has no body";
  case MoveOutcome::noReturn:
    return "the function never returns";
  case MoveOutcome::notArgument:
    return op + " passes " + value + ", which is no argument";
  case MoveOutcome::differingArguments:
    return op + " passes another argument than the return before";
  case MoveOutcome::nextTime:
    return "it is an argument only since a call was rewritten; another "
           "run drops it";
  case MoveOutcome::becameArgument:
    return "becomes argument " + std::to_string(move.argument) +
           ", for which callers allocate";
  case MoveOutcome::notMemref:
    return "it is no memref whose rank is known";
  case MoveOutcome::unsupportedLayout:
    return "its layout is neither dense nor fully dynamic, so that no "
           "caller could allocate it";
  case MoveOutcome::besideUnsupported:
    return "the layout of another result stops it";
  case MoveOutcome::callUnknownSize:
    return op + " does not know how large it is";
  }
  return {};
}

static bool isOfStack(MoveOutcome outcome) {
  return outcome >= MoveOutcome::promoted &&
         outcome <= MoveOutcome::unknownSize;
}

/// "result 1 is kept: others may call the function".
static std::string resultClause(const trace::MoveEvent &move, std::string why) {
  std::string result = "result " + std::to_string(move.result);
  switch (move.outcome) {
  case MoveOutcome::becameArgument:
    return result + " " + why;
  case MoveOutcome::dropped:
    return result + " is dropped: " + why;
  case MoveOutcome::unsupportedLayout:
  case MoveOutcome::callUnknownSize:
    return result + " is rejected: " + why;
  default:
    return result + " is kept: " + why;
  }
}

/// About where a buffer is freed.
static std::string livenessClause(const Lookup &lookup,
                                  const trace::Event &event,
                                  MoveOutcome outcome, std::string why) {
  switch (outcome) {
  case MoveOutcome::movedUp:
  case MoveOutcome::movedDown:
  case MoveOutcome::inPlace:
  case MoveOutcome::spoiled:
    return why;
  case MoveOutcome::notFreed:
    return stageName(lookup, event) + " finds that nothing deallocates it";
  default:
    return stageName(lookup, event) + " leaves its dealloc where it is: " + why;
  }
}

std::string moveClause(const Lookup &lookup, const trace::Event &event,
                       const trace::MoveEvent &move) {
  std::string why = reasonOf(lookup, event, move);
  if (move.outcome == MoveOutcome::promoted)
    return "moved to the stack" +
           (move.bytes >= 0 ? " (" + std::to_string(move.bytes) + " bytes)"
                            : std::string()) +
           ": its scope deallocates it";
  if (isOfStack(move.outcome))
    return "kept on the heap: " + why;
  if (move.result >= 0)
    return resultClause(move, std::move(why));
  if (move.outcome > MoveOutcome::unknownSize)
    return livenessClause(lookup, event, move.outcome, std::move(why));
  if (move.to == none)
    return "not hoisted: " + why;
  return "hoisted from " + lookup.blockName(event.block) + " to " +
         lookup.blockName(move.to) + "; no further: " + why;
}

/// The buffer, or the function whose result it is about.
static std::string subjectOf(const Lookup &lookup, const trace::Event &event) {
  if (event.value != none)
    return lookup.name(event.value);
  const trace::Function *function = lookup.function(event.function);
  return function ? trace::symbolText(function->title())
                  : lookup.opName(event.op);
}

std::string warningWords(const Lookup &lookup,
                         const trace::WarningEvent &warning) {
  using trace::PlacementWarning;
  std::string shown =
      warning.shown == none ? std::string("an op") : lookup.opAt(warning.shown);
  std::string before = std::to_string(warning.before) + " bytes";
  switch (warning.warning) {
  case PlacementWarning::sharedByIterations:
    return "unsafe: iterations of " + shown +
           " may run at one time, and now share one buffer";
  case PlacementWarning::sharedThroughMemory:
    return "unsafe: " + shown +
           " stores its address in each iteration, and now stores the same one";
  case PlacementWarning::freedEachIteration:
    return "unsafe: " + shown +
           " is still in the loop, and deallocates it again in the second "
           "iteration";
  case PlacementWarning::allocatedUnused:
    return "paths that do not use it allocate it now";
  case PlacementWarning::leaked:
    return "leaks: paths that did not allocate it now do, and only " + shown +
           ", on other paths, deallocates it";
  case PlacementWarning::higherPeak:
    return "more bytes at once between allocation and last use: " + before +
           " before, " + std::to_string(warning.after) + " now";
  case PlacementWarning::stackInRecursion:
    return "each round of the recursion through " + shown + " takes " + before +
           " of stack";
  case PlacementWarning::stackEscapes:
    return "unsafe: " + shown +
           " puts its address where it outlives the function's stack";
  case PlacementWarning::usedAfterFree:
    return "unsafe: it is deallocated before " + shown +
           " uses it in a way that the pass does not see";
  case PlacementWarning::freedBeforeAwait:
    return "unsafe: it is deallocated before " + shown +
           " waits for what uses it";
  case PlacementWarning::contentsLost:
    return "wrong: it was a clone, and nothing fills the argument with its "
           "contents";
  case PlacementWarning::otherSize:
    return "wrong: callers allocate the size of the first return's buffer, "
           "and " +
           shown + " passes one of another size";
  case PlacementWarning::copyOfArgument:
    return "the result was an argument, and callers now get a buffer of its "
           "contents";
  case PlacementWarning::alignmentLost:
    return "it was aligned to " + before + ", and what callers allocate is not";
  case PlacementWarning::copyOntoItself:
    return shown + " copies the argument onto itself";
  case PlacementWarning::upstreamCrashes:
    return "upstream's pass reads freed memory here";
  case PlacementWarning::moreConditionalFrees:
    return "the pipeline deallocates it in " + std::to_string(warning.after) +
           " places under a condition, and in " +
           std::to_string(warning.before) + " without hoisting";
  }
  return {};
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::WarningEvent &detail) {
  Explanation result;
  std::string subject =
      event.op == none ? std::string("the function") : lookup.opName(event.op);
  if (const trace::Op *op = lookup.op(event.op); op && op->results.size() == 1)
    subject = lookup.name(op->results.front());
  result.sentence = subject + lookup.at(lookup.rangeOfOp(event.op)) + ": " +
                    warningWords(lookup, detail);
  if (detail.shown != none)
    addEvidence(result, {event.id, lookup.rangeOfOp(detail.shown),
                         lookup.opName(detail.shown)});
  return result;
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::MoveEvent &detail) {
  Explanation result;
  result.sentence =
      subjectOf(lookup, event) + ": " + moveClause(lookup, event, detail);
  if (detail.becauseValue != none)
    addEvidence(result, {event.id, lookup.rangeOfValue(detail.becauseValue),
                         lookup.name(detail.becauseValue)});
  if (detail.because != none)
    addEvidence(result, {event.id, lookup.rangeOfOp(detail.because),
                         lookup.opName(detail.because)});
  return result;
}

} // namespace memreflens
