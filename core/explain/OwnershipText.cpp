//===- core/explain/OwnershipText.cpp - why owned, borrowed or unknown ----===//

#include "core/explain/DecisionParts.h"
#include "core/explain/IndicatorText.h"
#include "core/explain/Words.h"

namespace memreflens {

using trace::Id;
using trace::none;
using trace::OwnershipEvent;
using trace::OwnershipRule;
using trace::OwnershipState;

/// The joins of one op's result come one operand at a time; they are one
/// decision. All that led to `event`, which comes last.
static std::vector<const trace::Event *> joinsUpTo(const Lookup &lookup,
                                                   const trace::Event &event) {
  std::vector<const trace::Event *> joins;
  for (Id id : lookup.eventsOfValue(event.value)) {
    const trace::Event *other = lookup.event(id);
    auto *detail = std::get_if<OwnershipEvent>(&other->detail);
    if (detail && detail->rule == OwnershipRule::defaultJoin &&
        other->op == event.op && other->block == event.block && id <= event.id)
      joins.push_back(other);
  }
  return joins;
}

/// Why an operand was of unknown ownership when `before` came.
static bool addCauseOfUnknown(const Lookup &lookup, Id value, Id before,
                              Explanation &result) {
  const trace::Event *cause = nullptr;
  for (Id id : lookup.eventsOfValue(value)) {
    const trace::Event *event = lookup.event(id);
    auto *detail = std::get_if<OwnershipEvent>(&event->detail);
    if (id < before && detail && detail->after.state == OwnershipState::unknown)
      cause = event;
  }
  if (!cause)
    return false;
  Explanation words =
      wordsFor(lookup, *cause, std::get<OwnershipEvent>(cause->detail));
  addEvidence(result, {cause->id, lookup.rangeOfValue(value), words.sentence});
  for (Evidence &fact : words.evidence)
    addEvidence(result, std::move(fact));
  return true;
}

static void addInputs(const Lookup &lookup, const trace::Event &event,
                      const OwnershipEvent &detail, Explanation &result,
                      std::vector<std::string> &parts) {
  for (size_t i = 0; i < detail.inputs.size(); ++i) {
    const std::string name = lookup.name(detail.inputs[i]);
    std::string words = name;
    if (i < detail.inputOwnerships.size()) {
      const auto owned = ownershipWords(lookup, detail.inputOwnerships[i]);
      words += " is " + owned;
      parts.push_back(name + " (" + owned + ")");
    } else {
      parts.push_back(name);
    }
    bool isUnknown = i < detail.inputOwnerships.size() &&
                     detail.inputOwnerships[i].state == OwnershipState::unknown;
    if (isUnknown && detail.inputs[i] != event.value &&
        addCauseOfUnknown(lookup, detail.inputs[i], event.id, result))
      continue;
    addEvidence(result,
                {event.id, lookup.rangeOfValue(detail.inputs[i]), words});
  }
}

/// Those that explain the outcome. An unknown one needs two that differ, or one
/// that is unknown itself; what else was joined then changes nothing.
static std::vector<const trace::Event *>
decisiveJoins(const Lookup &lookup, const trace::Event &event) {
  std::vector<const trace::Event *> joins = joinsUpTo(lookup, event);
  for (const trace::Event *join : joins) {
    auto &detail = std::get<OwnershipEvent>(join->detail);
    if (detail.after.state != OwnershipState::unknown)
      continue;
    if (detail.with.state == OwnershipState::unknown || join == joins.front())
      return {join};
    return {joins.front(), join};
  }
  return joins;
}

static Explanation joinWords(const Lookup &lookup, const trace::Event &event,
                             const OwnershipEvent &detail) {
  Explanation result;
  std::string value = lookup.name(event.value);
  std::vector<std::string> parts;
  for (const trace::Event *join : decisiveJoins(lookup, event))
    addInputs(lookup, *join, std::get<OwnershipEvent>(join->detail), result,
              parts);
  result.sentence =
      value + " is " + ownershipWords(lookup, detail.after) + ": ";
  result.sentence +=
      lookup.opName(event.op) +
      (joinsUpTo(lookup, event).size() == 1 ? " takes over that of "
                                            : " joins ") +
      listedFew(std::move(parts));
  return result;
}

/// What comes after "%a is owned: ".
static std::string reason(const Lookup &lookup, const trace::Event &event,
                          const OwnershipEvent &detail) {
  std::string op = lookup.opName(event.op);
  std::string block = lookup.blockName(event.block);
  std::string end = lookup.endName(event.block);
  switch (detail.rule) {
  case OwnershipRule::allocation:
    return op + " allocates it";
  case OwnershipRule::stackAllocation:
    return op + " allocates it on the stack, which its scope deallocates";
  case OwnershipRule::manualDeallocation:
    return op + " carries bufferization.manual_deallocation";
  case OwnershipRule::entryArgument:
    return "a function borrows its arguments from the caller";
  case OwnershipRule::blockArgument:
    return "by a block argument of " + block;
  case OwnershipRule::liveInSameRegion:
    return "as the block that defines it leaves it to " + block;
  case OwnershipRule::liveInAncestor:
    return block + " borrows what an enclosing region defines";
  case OwnershipRule::regionResult:
    return "by a result of " + op;
  case OwnershipRule::callResult:
    return "a call gives ownership of its results to the caller";
  case OwnershipRule::callResultDynamic:
    return "the private callee returns the ownership indicator of it";
  case OwnershipRule::defaultJoin:
    return "join over the memref operands of " + op;
  case OwnershipRule::defaultNoOperand:
    return "no memref operand of " + op + " passes ownership to it";
  case OwnershipRule::retainedResult:
    return "the dealloc at the end of " + end + " retains it";
  case OwnershipRule::mergedAtCondBranch:
    return "both edges out of " + end + " retain it";
  case OwnershipRule::cloned:
    return "it is a clone";
  case OwnershipRule::selectMaterialized:
    return "an arith.select chooses between the operands' indicators";
  case OwnershipRule::conditionalClone:
    return "it is cloned where it was borrowed";
  case OwnershipRule::interfaceProcess:
    return op + "'s BufferDeallocationOpInterface decides";
  case OwnershipRule::interfaceMaterialize:
    return op + " materializes the indicator";
  case OwnershipRule::distinctObject:
    return op +
           " returns the operand itself (a refinement: upstream joins all "
           "of them, which makes it " +
           ownershipWords(lookup, detail.refinedFrom) + ")";
  }
  return {};
}

static Explanation retainedTwiceWords(const Lookup &lookup,
                                      const trace::Event &event,
                                      const OwnershipEvent &detail) {
  Explanation result;
  result.sentence = lookup.name(event.value) +
                    " is of unknown ownership at "
                    "the end of " +
                    lookup.endName(event.block) +
                    ": the dealloc retains it twice, and its two results "
                    "need not agree";
  for (Id indicator : {detail.before.indicator, detail.with.indicator})
    if (auto slot = lookup.deallocGiving(indicator))
      for (Id id : lookup.retainsOf(slot->event)) {
        const trace::Event &retain = *lookup.event(id);
        if (retain.value == event.value)
          addEvidence(
              result,
              {id, lookup.rangeOfOp(retain.op),
               retainReasonWords(lookup, retain,
                                 std::get<trace::RetainEvent>(retain.detail))});
      }
  return result;
}

/// Adds where the indicator of a conditional ownership comes from.
static void addOrigin(const Lookup &lookup, const trace::Ownership &after,
                      Explanation &result) {
  if (after.state != OwnershipState::unique)
    return;
  const trace::Value *indicator = lookup.value(after.indicator);
  if (!indicator || indicator->constant >= 0)
    return;
  Explanation origin = explainIndicator(lookup, after.indicator);
  if (origin.empty())
    return;
  if (lookup.signatureOf(after.indicator) == none)
    addEvidence(result,
                {none, lookup.rangeOfValue(after.indicator), origin.sentence});
  for (Evidence &fact : origin.evidence)
    addEvidence(result, std::move(fact));
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const OwnershipEvent &detail) {
  if (detail.rule == OwnershipRule::defaultJoin && !detail.inputs.empty())
    return joinWords(lookup, event, detail);
  if (detail.rule == OwnershipRule::retainedResult &&
      detail.after.state == OwnershipState::unknown)
    return retainedTwiceWords(lookup, event, detail);
  Explanation result;
  result.sentence = lookup.name(event.value) + " is " +
                    ownershipWords(lookup, detail.after) + ": " +
                    reason(lookup, event, detail);
  std::vector<std::string> parts;
  if (detail.rule != OwnershipRule::liveInSameRegion)
    addInputs(lookup, event, detail, result, parts);
  addOrigin(lookup, detail.after, result);
  return result;
}

} // namespace memreflens
