//===- core/explain/PlacementText.cpp -------------------------------------===//

#include "core/explain/PlacementText.h"
#include "core/explain/DecisionParts.h"
#include "core/explain/DecisionText.h"
#include "core/explain/Words.h"
#include "core/trace/Plan.h"

#include <algorithm>

namespace memreflens {

using trace::Id;
using trace::none;

//===--- What a name may be -----------------------------------------------===//

static std::string linkWords(const Lookup &lookup, const trace::Event &event,
                             trace::AliasLink link) {
  std::string op = lookup.opAt(event.op);
  switch (link) {
  case trace::AliasLink::view:
    return op + " gives a view of it";
  case trace::AliasLink::select:
    return op + " may choose it";
  case trace::AliasLink::branch:
    return op + " passes it to " + lookup.blockName(event.block);
  case trace::AliasLink::regionEntry:
    return op + " passes it into its region";
  case trace::AliasLink::regionExit:
    return op + " passes it out of a region";
  }
  return {};
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::AliasEvent &detail) {
  Explanation result;
  result.sentence = lookup.name(event.value) + " may be " +
                    lookup.name(detail.source) + ": " +
                    linkWords(lookup, event, detail.link);
  return result;
}

/// Ways that lead to a critical alias, one a buffer that may flow into it.
static void addSourcesOf(const Lookup &lookup, Id value, Explanation &result) {
  for (Id id : lookup.eventsOfValue(value)) {
    const trace::Event &event = *lookup.event(id);
    if (const auto *alias = std::get_if<trace::AliasEvent>(&event.detail))
      addEvidence(result, {id, lookup.rangeOfOp(event.op),
                           wordsFor(lookup, event, *alias).sentence});
  }
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::CriticalEvent &detail) {
  Explanation result;
  std::string from = lookup.blockName(detail.from);
  result.sentence = lookup.name(event.value) + " is a critical alias of " +
                    lookup.name(detail.source) +
                    ", so clones are passed to it and it is a buffer of its "
                    "own: ";
  if (detail.reason == trace::CriticalReason::backEdge)
    result.sentence += "it is an argument of " + from +
                       ", to which the memory comes back along an edge";
  else
    result.sentence += from +
                       ", where the memory comes from, does not "
                       "dominate " +
                       lookup.blockName(event.block);
  addSourcesOf(lookup, event.value, result);
  return result;
}

//===--- Copies -----------------------------------------------------------===//

/// The stage that took an op of the placement out again; empty if none did.
static std::string stageThatErased(const Lookup &lookup, Id op) {
  if (!lookup.isErased(op))
    return {};
  for (Id id : lookup.getIndex().eventsNamingOp(op)) {
    const trace::Event &event = *lookup.event(id);
    const auto *rewrite = std::get_if<trace::RewriteEvent>(&event.detail);
    if (rewrite && std::find(rewrite->erased.begin(), rewrite->erased.end(),
                             op) != rewrite->erased.end())
      return stageName(lookup, event);
  }
  return {};
}

/// " (canonicalize takes the copy out again)"
static std::string takenOut(const Lookup &lookup, Id op,
                            const std::string &what) {
  std::string stage = stageThatErased(lookup, op);
  return stage.empty() ? stage
                       : " (" + stage + " takes " + what + " out again)";
}

static std::string copyTakenOut(const Lookup &lookup, Id clone) {
  const trace::Value *value = lookup.value(clone);
  return value ? takenOut(lookup, value->op, "the clone") : std::string();
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::CopyEvent &detail) {
  Explanation result;
  std::string by = lookup.opAt(event.op);
  std::string as = lookup.name(event.value) + ", a critical alias";
  if (detail.clone == detail.operand)
    result.sentence = lookup.name(detail.operand) +
                      " is a clone already where " + by + " passes it on as " +
                      as;
  else
    result.sentence = lookup.name(detail.operand) + " is cloned to " +
                      lookup.name(detail.clone) + " before " + by +
                      " passes it on as " + as +
                      copyTakenOut(lookup, detail.clone);
  for (Id id : lookup.eventsOfValue(event.value)) {
    const trace::Event &other = *lookup.event(id);
    if (const auto *why = std::get_if<trace::CriticalEvent>(&other.detail))
      addEvidence(result, {id, lookup.rangeOfValue(event.value),
                           wordsFor(lookup, other, *why).sentence});
  }
  return result;
}

bool isPassedAsCopy(const Lookup &lookup, Id value, Id op, Id argument) {
  for (Id id : lookup.getIndex().eventsNamingValue(value)) {
    const trace::Event &event = *lookup.event(id);
    const auto *copy = std::get_if<trace::CopyEvent>(&event.detail);
    if (copy && copy->operand == value && copy->clone != value &&
        event.op == op && (argument == none || event.value == argument))
      return true;
  }
  return false;
}

//===--- Frees ------------------------------------------------------------===//

/// Whether the op, or one in its regions, uses the value.
static bool uses(const Lookup &lookup, Id op, Id value) {
  for (Id user : lookup.getIndex().usersOf(value))
    for (Id around = user; around != none;) {
      if (around == op)
        return true;
      const trace::Op *inner = lookup.op(around);
      const trace::Block *block = inner ? lookup.block(inner->block) : nullptr;
      around = block ? block->parentOp : none;
    }
  return false;
}

/// "memref.copy (9:3), the last use of %b, which may alias it".
static std::string lastUseWords(const Lookup &lookup, const trace::Event &event,
                                const trace::FreeEvent &detail) {
  const Id used = detail.lastAlias == none ? event.value : detail.lastAlias;
  const bool isOther = used != event.value;
  const trace::Op *after = lookup.op(detail.after);
  if (after && after->generated && after->name == "bufferization.clone" &&
      after->results.size() == 1)
    return (isOther ? lookup.name(used) + ", which may alias it," : "it") +
           " is cloned to " + lookup.name(after->results.front());
  std::string op = lookup.opAt(detail.after);
  if (!uses(lookup, detail.after, used))
    return op + ", as nothing there uses it";
  return op + (isOther ? ", the last use of " + lookup.name(used) +
                             ", which may alias it"
                       : ", its last use there");
}

static std::string escapeWords(const Lookup &lookup, const trace::Event &event,
                               const trace::FreeEvent &detail) {
  const trace::Block *block = lookup.block(event.block);
  const trace::Function *function = lookup.function(event.function);
  if (detail.after == none || !block || !function)
    return "not deallocated: it escapes";
  const bool isOther =
      detail.lastAlias != none && detail.lastAlias != event.value;
  std::string it =
      isOther ? lookup.name(detail.lastAlias) + ", which may alias it," : "it";
  return "not deallocated: " + lookup.opAt(detail.after) +
         (block->parentOp == function->op && block->successors.empty()
              ? " returns " + it + " to the caller"
              : " takes " + it + " out of " + lookup.blockName(event.block));
}

static std::string freeClause(const Lookup &lookup, const trace::Event &event,
                              const trace::FreeEvent &detail) {
  if (detail.dealloc == none)
    return escapeWords(lookup, event, detail);
  std::string words =
      detail.moved ? "deallocated by its own dealloc in " : "deallocated in ";
  words += lookup.blockName(event.block);
  if (detail.after != none)
    words += ", after " + lastUseWords(lookup, event, detail);
  return words + takenOut(lookup, detail.dealloc, "the dealloc");
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::FreeEvent &detail) {
  Explanation result;
  result.sentence =
      lookup.name(event.value) + ": " + freeClause(lookup, event, detail);
  addEvidence(result,
              {event.id, lookup.rangeOfValue(event.value),
               lookup.blockName(event.block) +
                   " is the nearest block that all uses of it and of its "
                   "aliases lead through"});
  return result;
}

bool isSaidToLeave(const Lookup &lookup, Id value) {
  for (Id id : lookup.eventsOfValue(value))
    if (const auto *free =
            std::get_if<trace::FreeEvent>(&lookup.event(id)->detail);
        free && free->dealloc == none)
      return true;
  return false;
}

//===--- One memref -------------------------------------------------------===//

/// Of the op that makes it.
static std::vector<const trace::Event *> warningsAbout(const Lookup &lookup,
                                                       Id memref) {
  std::vector<const trace::Event *> warnings;
  const trace::Value *value = lookup.value(memref);
  if (!value || value->op == none)
    return warnings;
  for (Id id : lookup.eventsOfOp(value->op))
    if (const trace::Event *event = lookup.event(id);
        std::holds_alternative<trace::WarningEvent>(event->detail))
      warnings.push_back(event);
  return warnings;
}

/// A function that is rejected in the end stays as it was before the pass.
static bool cameAbout(const Lookup &lookup, const trace::Event &event) {
  const trace::Function *function = lookup.function(event.function);
  return !function || function->status == trace::FunctionStatus::traced;
}

/// Of a value that the pass frees under the names of others only.
static std::string otherNamesClause(const Lookup &lookup, Id memref) {
  std::vector<Id> sources;
  bool isView = false;
  for (Id id : lookup.eventsOfValue(memref)) {
    const trace::Event &event = *lookup.event(id);
    if (std::holds_alternative<trace::FreeEvent>(event.detail) ||
        std::holds_alternative<trace::CriticalEvent>(event.detail) ||
        !cameAbout(lookup, event))
      return {};
    if (const auto *alias = std::get_if<trace::AliasEvent>(&event.detail)) {
      sources.push_back(alias->source);
      isView |= alias->link == trace::AliasLink::view;
    }
  }
  if (sources.empty())
    return {};
  return std::string("not deallocated under this name: it ") +
         (isView ? "is a view of " : "may be ") + names(lookup, sources, "or");
}

/// Of a copy of the user's that a later stage finds to be needless.
static std::string replacedClause(const Lookup &lookup,
                                  const trace::Event &event, Id memref) {
  const auto *rewrite = std::get_if<trace::RewriteEvent>(&event.detail);
  const trace::RunOptions &run = lookup.getTrace().options;
  const int classic = trace::stageOf(run, trace::classicPass);
  if (!rewrite || classic < 0 || event.stage <= classic)
    return {};
  const Id other = trace::replacementOf(*rewrite, memref);
  if (other == none || lookup.name(other) == lookup.name(memref))
    return {};
  return stageName(lookup, event) + " puts " + lookup.name(other) +
         " in its place";
}

std::vector<std::string> placementClauses(const Lookup &lookup, Id memref) {
  std::vector<std::string> clauses;
  for (Id id : lookup.getIndex().eventsNamingValue(memref)) {
    const trace::Event &event = *lookup.event(id);
    const bool isAbout = event.value == memref;
    if (const auto *move = std::get_if<trace::MoveEvent>(&event.detail);
        move && isAbout)
      clauses.push_back(moveClause(lookup, event, *move));
    if (!cameAbout(lookup, event))
      continue;
    if (const auto *free = std::get_if<trace::FreeEvent>(&event.detail);
        free && isAbout)
      clauses.push_back(freeClause(lookup, event, *free));
    if (const auto *copy = std::get_if<trace::CopyEvent>(&event.detail);
        copy && copy->operand == memref && copy->clone != memref)
      clauses.push_back("cloned to " + lookup.name(copy->clone) + " for " +
                        lookup.name(event.value) +
                        copyTakenOut(lookup, copy->clone));
    if (std::holds_alternative<trace::CriticalEvent>(event.detail) && isAbout)
      clauses.push_back("a critical alias: clones are passed to it");
    if (std::string clause = replacedClause(lookup, event, memref);
        !clause.empty())
      clauses.push_back(std::move(clause));
  }
  if (std::string clause = otherNamesClause(lookup, memref); !clause.empty())
    clauses.push_back(std::move(clause));
  for (const trace::Event *event : warningsAbout(lookup, memref))
    clauses.push_back(
        warningWords(lookup, std::get<trace::WarningEvent>(event->detail)));
  return clauses;
}

std::vector<Explanation> placementSteps(const Lookup &lookup, Id memref) {
  std::vector<Explanation> steps;
  for (Id id : lookup.getIndex().eventsNamingValue(memref)) {
    const trace::Event &event = *lookup.event(id);
    const bool isAbout = event.value == memref;
    const auto *copy = std::get_if<trace::CopyEvent>(&event.detail);
    const bool isOfClassic =
        (copy && (isAbout || copy->operand == memref)) ||
        (isAbout &&
         (std::holds_alternative<trace::FreeEvent>(event.detail) ||
          std::holds_alternative<trace::AliasEvent>(event.detail) ||
          std::holds_alternative<trace::CriticalEvent>(event.detail)));
    const bool isMove =
        isAbout && std::holds_alternative<trace::MoveEvent>(event.detail);
    if (isMove || (isOfClassic && cameAbout(lookup, event)))
      steps.push_back(explainEvent(lookup, id));
  }
  for (const trace::Event *event : warningsAbout(lookup, memref))
    steps.push_back(explainEvent(lookup, event->id));
  return steps;
}

std::vector<Explanation> placementOfResults(const Lookup &lookup, Id function) {
  std::vector<Explanation> steps;
  for (Id id : lookup.eventsOfFunction(function)) {
    const trace::Event &event = *lookup.event(id);
    const trace::Op *op = lookup.op(event.op);
    const bool isOfBuffer =
        op && std::any_of(op->results.begin(), op->results.end(), [&](Id id) {
          const trace::Value *value = lookup.value(id);
          return value && value->isMemref;
        });
    if ((std::holds_alternative<trace::MoveEvent>(event.detail) &&
         event.value == none) ||
        (std::holds_alternative<trace::WarningEvent>(event.detail) &&
         !isOfBuffer))
      steps.push_back(explainEvent(lookup, id));
  }
  return steps;
}

} // namespace memreflens
