//===- core/explain/DeallocText.cpp - listed, retained, freed, copied -----===//

#include "core/explain/DecisionParts.h"
#include "core/explain/DecisionText.h"
#include "core/explain/IndicatorText.h"
#include "core/explain/Words.h"

#include <algorithm>

namespace memreflens {

using trace::CandidateSource;
using trace::DropReason;
using trace::Id;
using trace::none;
using trace::RetainReason;
using trace::SignaturePart;

//===--- The dealloc list -------------------------------------------------===//

static std::string sourceWords(const Lookup &lookup, const trace::Event &event,
                               CandidateSource source) {
  switch (source) {
  case CandidateSource::liveIn:
    return "live-in of it";
  case CandidateSource::blockArgument:
    return "argument of it";
  case CandidateSource::entryArgument:
    return "argument of the function";
  case CandidateSource::allocation:
    return "allocated there by " + lookup.opName(event.op);
  case CandidateSource::callResult:
    return "result of " + lookup.opName(event.op);
  case CandidateSource::regionResult:
    return "result of " + lookup.opName(event.op);
  case CandidateSource::clone:
    return "clone made there";
  case CandidateSource::materialized:
    return "cloned there unless owned";
  case CandidateSource::interfaceProcess:
    return "put there by " + lookup.opName(event.op) +
           "'s BufferDeallocationOpInterface";
  }
  return {};
}

static std::string dropWords(const Lookup &lookup, const trace::Event &event,
                             DropReason reason) {
  switch (reason) {
  case DropReason::notDropped:
    return {};
  case DropReason::stackAllocation:
    return lookup.opName(event.op) + " allocates in an automatic scope";
  case DropReason::manualDeallocation:
    return lookup.opName(event.op) +
           " carries bufferization.manual_deallocation";
  case DropReason::ancestorRegion:
    return "an enclosing region defines it, and deallocates it there";
  case DropReason::view:
    return lookup.opName(event.op) + " does not allocate it";
  case DropReason::interfaceProcess:
    return lookup.opName(event.op) +
           "'s BufferDeallocationOpInterface takes it off";
  }
  return {};
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::CandidateEvent &detail) {
  std::string list = " the dealloc list of " + lookup.endName(event.block);
  std::string value = lookup.name(event.value);
  if (detail.dropped == DropReason::notDropped)
    return {value + " is on" + list + ": " +
                sourceWords(lookup, event, detail.source),
            {},
            {}};
  return {value + " is not on" + list + ": " +
              dropWords(lookup, event, detail.dropped),
          {},
          {}};
}

//===--- Retained ---------------------------------------------------------===//

/// The user's terminator of the block: what a retain is about.
static Id terminatorOf(const Lookup &lookup, Id block) {
  const trace::Block *known = lookup.block(lookup.getPassBlocks().endOf(block));
  if (!known || known->ops.empty())
    return none;
  const trace::Op *last = lookup.op(known->ops.back());
  return last && last->isTerminator ? last->id : none;
}

std::string retainReasonWords(const Lookup &lookup, const trace::Event &event,
                              const trace::RetainEvent &detail) {
  Id terminator = terminatorOf(lookup, event.block);
  std::string op = terminator == none ? std::string("the terminator")
                                      : lookup.opName(terminator);
  switch (detail.reason) {
  case RetainReason::forwardedOperand:
    return "forwarded to " + lookup.blockName(detail.successor) +
           (detail.operandIndex >= 0
                ? " as operand " + std::to_string(detail.operandIndex) +
                      " of " + op
                : std::string());
  case RetainReason::liveAcrossEdge:
    return "live-in of " + lookup.blockName(detail.successor);
  case RetainReason::returned:
    return "returned";
  case RetainReason::yielded:
    return "yielded by " + op;
  }
  return {};
}

trace::Range rangeOfRetain(const Lookup &lookup, const trace::Event &event,
                           const trace::RetainEvent &detail) {
  Id terminator = terminatorOf(lookup, event.block);
  return detail.reason == RetainReason::liveAcrossEdge || terminator == none
             ? lookup.rangeOfValue(event.value)
             : lookup.rangeOfOp(terminator);
}

void addUseThatKeepsAlive(const Lookup &lookup, const trace::Event &event,
                          Explanation &result) {
  const trace::LivenessEvent *liveness = lookup.livenessOf(event.block);
  if (!liveness)
    return;
  size_t count =
      std::min(liveness->liveOut.size(), liveness->keptAliveBy.size());
  for (size_t i = 0; i < count; ++i) {
    Id user = liveness->keptAliveBy[i];
    if (liveness->liveOut[i] == event.value && user != none)
      addEvidence(result, {event.id, lookup.rangeOfOp(user),
                           lookup.name(event.value) + " is used by " +
                               lookup.opName(user)});
  }
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::RetainEvent &detail) {
  Explanation result;
  std::string where =
      detail.successor == none
          ? "at the end of " + lookup.endName(event.block)
          : "on the " +
                edgeWords(lookup, event.block, detail.successor, detail.edge);
  result.sentence = lookup.name(event.value) + " is retained " + where + ": " +
                    retainReasonWords(lookup, event, detail);
  result.places = {{where, lookup.rangeOfEnd(event.block)}};
  if (detail.reason == RetainReason::liveAcrossEdge)
    addUseThatKeepsAlive(lookup, event, result);
  if (Id terminator = terminatorOf(lookup, event.block);
      terminator != none && detail.reason != RetainReason::liveAcrossEdge)
    addEvidence(result, {event.id, lookup.rangeOfOp(terminator),
                         lookup.opName(terminator)});
  return result;
}

//===--- The dealloc op ---------------------------------------------------===//

/// Successor for which an edge's dealloc is made; `none` for all others.
static Id targetOf(const Lookup &lookup, const trace::Event &event,
                   const trace::DeallocEvent &detail) {
  if (detail.edge < 0)
    return none;
  for (Id id : lookup.retainsOf(event.id)) {
    auto &retain = std::get<trace::RetainEvent>(lookup.event(id)->detail);
    if (retain.successor != none)
      return retain.successor;
  }
  return lookup.block(event.block)
             ? lookup.getPassBlocks().target({event.block, detail.edge})
             : none;
}

std::string edgeOfDealloc(const Lookup &lookup, const trace::Event &event) {
  const auto *detail = std::get_if<trace::DeallocEvent>(&event.detail);
  Id target = detail ? targetOf(lookup, event, *detail) : none;
  return target == none ? ""
                        : edgeWords(lookup, event.block, target, detail->edge);
}

namespace {

/// What a dealloc does with each memref of its list.
struct DeallocParts {
  std::vector<std::string> freed, kept;
  size_t notOwned = 0;
  std::vector<Evidence> facts;
};

} // namespace

static DeallocParts partsOf(const Lookup &lookup,
                            const trace::DeallocEvent &detail) {
  DeallocParts parts;
  for (size_t i = 0; i < detail.memrefs.size(); ++i) {
    Id memref = detail.memrefs[i];
    std::string name = lookup.name(memref);
    Id condition = lookup.withoutEdge(
        i < detail.conditions.size() ? detail.conditions[i] : none,
        detail.edge);
    std::string when = indicatorExpression(lookup, condition);
    if (when == "false") {
      ++parts.notOwned;
      continue;
    }
    if (std::find(detail.retained.begin(), detail.retained.end(), memref) !=
        detail.retained.end()) {
      parts.kept.push_back(name);
      continue;
    }
    parts.freed.push_back(when == "true" ? name : name + " if " + when);
    if (when != "true")
      for (Evidence &fact : explainIndicator(lookup, condition).evidence)
        parts.facts.push_back(std::move(fact));
  }
  return parts;
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::DeallocEvent &detail) {
  Explanation result;
  DeallocParts parts = partsOf(lookup, detail);
  std::string edge = edgeOfDealloc(lookup, event);
  std::vector<std::string> clauses;
  if (!parts.freed.empty())
    clauses.push_back(
        "deallocates " + listed(parts.freed) +
        (detail.retained.empty()
             ? ""
             : std::string(parts.freed.size() > 1 ? ", each" : ",") +
                   " unless it is " + names(lookup, detail.retained, "or")));
  if (!parts.kept.empty())
    clauses.push_back("retains " + listed(parts.kept));
  if (clauses.empty())
    clauses.push_back(parts.notOwned > 0
                          ? "deallocates nothing, none of " +
                                counted(parts.notOwned, "listed memref") +
                                " is owned"
                          : "deallocates nothing, no memref is listed");
  const std::string where =
      "the " + (edge.empty() ? "end of " + lookup.endName(event.block) : edge);
  result.sentence = where + " " + clauses.front() +
                    (clauses.size() > 1 ? "; " + clauses[1] : "");
  result.places = {{where, lookup.rangeOfEnd(event.block)}};
  for (Evidence &fact : parts.facts)
    addEvidence(result, std::move(fact));
  for (Id id : lookup.retainsOf(event.id)) {
    const trace::Event &retain = *lookup.event(id);
    auto &reason = std::get<trace::RetainEvent>(retain.detail);
    addEvidence(result, {id, lookup.rangeOfValue(retain.value),
                         lookup.name(retain.value) + " is retained: " +
                             retainReasonWords(lookup, retain, reason)});
    if (reason.reason == RetainReason::liveAcrossEdge)
      addUseThatKeepsAlive(lookup, retain, result);
  }
  return result;
}

//===--- Copies -----------------------------------------------------------===//

/// " as result 2", where the function gives several.
static std::string resultNumber(const Lookup &lookup, Id terminator,
                                const trace::RetainEvent &retain) {
  const trace::Op *op = lookup.op(terminator);
  if (!op || op->operands.size() < 2 || retain.operandIndex < 0)
    return "";
  return " as result " + std::to_string(retain.operandIndex);
}

/// The return that demands the copy.
static void addReturn(const Lookup &lookup, const trace::CloneEvent &detail,
                      Explanation &result) {
  for (Id id : lookup.eventsOfValue(detail.result)) {
    const trace::Event &event = *lookup.event(id);
    auto *retain = std::get_if<trace::RetainEvent>(&event.detail);
    Id terminator = terminatorOf(lookup, event.block);
    if (retain && retain->reason == RetainReason::returned)
      addEvidence(result, {id, rangeOfRetain(lookup, event, *retain),
                           (terminator == none ? "the terminator"
                                               : lookup.opName(terminator)) +
                               " returns it to the caller" +
                               resultNumber(lookup, terminator, *retain)});
  }
}

/// A copy that an op of another dialect made, for reasons of its own.
static Explanation foreignCopyWords(const Lookup &lookup,
                                    const trace::Event &event,
                                    const trace::CloneEvent &detail,
                                    const trace::Event &call) {
  Explanation result;
  result.sentence =
      lookup.name(event.value) + " is cloned to " + lookup.name(detail.result) +
      ": the caller must own results, and " + lookup.opName(call.op) +
      ", asked who owns " + lookup.name(event.value) +
      ", answers with a clone that " + lookup.opName(event.op) + " makes";
  if (const trace::Event *because = lookup.event(detail.because))
    addEvidence(result, {because->id, rangeOfEvent(lookup, *because),
                         explainEvent(lookup, because->id).sentence});
  addReturn(lookup, detail, result);
  return result;
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::CloneEvent &detail) {
  if (const trace::Event *call = callThatMade(lookup, event.op))
    return foreignCopyWords(lookup, event, detail, *call);
  Explanation result;
  std::string value = lookup.name(event.value);
  std::string why =
      detail.ownership.state == trace::OwnershipState::unknown
          ? value + " is of unknown ownership"
      : detail.conditional
          ? value + " is " + ownershipWords(lookup, detail.ownership)
          : value + " is " + ownershipWords(lookup, detail.ownership) + " here";
  bool isNeverMade = lookup.isNeverMade(detail);
  result.sentence =
      value + (isNeverMade ? " needs no clone in " : " is cloned to ") +
      lookup.name(detail.result) +
      (lookup.isConditional(detail) && !isNeverMade ? " unless owned" : "") +
      ": the caller must own results, and " + why;
  const trace::Event *because = lookup.event(detail.because);
  if (because) {
    Explanation cause = explainEvent(lookup, because->id);
    addEvidence(result,
                {because->id, rangeOfEvent(lookup, *because), cause.sentence});
    for (Evidence &fact : cause.evidence)
      addEvidence(result, std::move(fact));
  }
  addReturn(lookup, detail, result);
  return result;
}

//===--- Appended i1s -----------------------------------------------------===//

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::SignatureEvent &detail) {
  std::string indicator = detail.indicator == none
                              ? std::string("an ownership indicator")
                              : indicatorExpression(lookup, detail.indicator);
  std::string memref = lookup.name(event.value);
  std::string op = lookup.opName(event.op);
  switch (detail.part) {
  case SignaturePart::blockArgument:
    return {lookup.blockName(event.block) + " takes " + indicator +
                ", the ownership of its argument " + memref,
            {},
            {}};
  case SignaturePart::branchOperand:
    return {
        op + " passes " + indicator + " as the ownership of " + memref, {}, {}};
  case SignaturePart::terminatorOperand:
    return {
        op + " passes " + indicator + " as the ownership of " + memref, {}, {}};
  case SignaturePart::regionOpOperand:
    return {op + " takes " + indicator + " as the ownership of " + memref +
                ", which its region borrows",
            {},
            {}};
  case SignaturePart::regionOpResult:
    return {
        op + " gives " + indicator + ", the ownership of " + memref, {}, {}};
  case SignaturePart::callResult:
    return {op + " gives " + indicator + ", the ownership of " + memref +
                ", as its private callee returns it",
            {},
            {}};
  case SignaturePart::functionResult:
    return {"the function returns an ownership indicator as result " +
                std::to_string(detail.position) + ", that of a memref result",
            {},
            {}};
  }
  return {};
}

} // namespace memreflens
