//===- core/graph/Overlay.cpp - what was decided for a block, as chips ----===//
//
// Decisions are those of the ownership pass; frees are those of the lowered
// code, with the conditions that the simplification left.
//
//===----------------------------------------------------------------------===//

#include "core/graph/Overlay.h"
#include "core/graph/Chips.h"
#include "core/text/Escape.h"

#include "core/explain/DecisionText.h"
#include "core/explain/FateHeadline.h"
#include "core/explain/FateText.h"
#include "core/explain/IndicatorText.h"
#include "core/graph/LineText.h"
#include "core/trace/Plan.h"

#include <algorithm>

namespace memreflens::graph {

using namespace trace;

namespace {

bool isAfterDealloc(OwnershipRule rule) {
  return rule == OwnershipRule::retainedResult ||
         rule == OwnershipRule::mergedAtCondBranch;
}

bool isAllocation(OwnershipRule rule) {
  return rule == OwnershipRule::allocation ||
         rule == OwnershipRule::stackAllocation ||
         rule == OwnershipRule::manualDeallocation;
}

} // namespace

Overlay::Overlay(const Lookup &lookup, Id function, size_t maxChips,
                 size_t maxText, bool hasSentences)
    : lookup(lookup), trace(lookup.getTrace()), function(function),
      maxChips(maxChips), maxText(maxText), hasSentences(hasSentences),
      placement(lookup, function, {maxChips, maxText, hasSentences}) {
  for (Id id : lookup.eventsOfFunction(function))
    if (as<RejectionEvent>(lookup.event(id)))
      rejections.push_back(id);
  findFrees();
}

//===--- Chips ------------------------------------------------------------===//

Chip Overlay::chip(Meaning meaning, Id value, std::string text,
                   Id event) const {
  return makeChip(meaning, value, text, event, maxText);
}

Chip ownershipChip(const Lookup &lookup, Id event, size_t maxText) {
  const auto *change = as<OwnershipEvent>(lookup.event(event));
  if (!change || change->after.state == OwnershipState::uninitialized)
    return {};
  const Ownership &after = change->after;
  Id value = lookup.event(event)->value;
  std::string name = lookup.name(value);
  int constant = lookup.constantOf(after.indicator);
  if (after.state == OwnershipState::unknown)
    return makeChip(Meaning::unknown, value, name, event, maxText);
  if (constant >= 0)
    return makeChip(constant ? Meaning::owned : Meaning::borrowed, value, name,
                    event, maxText);
  return makeChip(
      Meaning::ownedIf, value,
      ChipFacts{.name = name,
                .condition = indicatorExpression(lookup, after.indicator)},
      event, maxText);
}

void Overlay::limit(Row &row) const {
  limitRow(lookup, row, {maxChips, maxText, hasSentences});
}

std::string Overlay::condition(Id indicator, int32_t edge, bool &never) const {
  Id own = lookup.withoutEdge(indicator, edge);
  int constant = lookup.constantOf(own);
  never = constant == 0;
  if (constant >= 0 || own == none)
    return "";
  return indicatorExpression(lookup, own);
}

//===--- Head -------------------------------------------------------------===//

std::vector<Row> Overlay::headRows(Id block) const {
  std::vector<Row> rows;
  Row arguments{RowKind::arguments, "arguments", {}};
  for (Id argument : trace.blocks[size_t(block)].arguments) {
    const Value &value = trace.values[size_t(argument)];
    std::string text = lookup.name(argument) + ": " + value.type;
    arguments.chips.push_back(chip(Meaning::plain, argument, text, none));
  }
  Id seen = lookup.getPassBlocks().beginningAt(block);
  for (Id id : lookup.eventsOfBlock(seen)) {
    const auto *signature = as<SignatureEvent>(lookup.event(id));
    if (!signature || signature->part != SignaturePart::blockArgument)
      continue;
    Id memref = lookup.event(id)->value;
    arguments.chips.push_back(chip(Meaning::indicator, signature->indicator,
                                   lookup.name(signature->indicator) +
                                       ": ownership of " + lookup.name(memref),
                                   id));
  }
  limit(arguments);
  if (!arguments.chips.empty())
    rows.push_back(std::move(arguments));
  for (Row &row : placement.headRows(block))
    rows.push_back(std::move(row));
  addLiveness(rows, seen, RowKind::liveIn);
  return rows;
}

void Overlay::addLiveness(std::vector<Row> &rows, Id block,
                          RowKind kind) const {
  const LivenessEvent *liveness = lookup.livenessOf(block);
  if (!liveness)
    return;
  const bool in = kind == RowKind::liveIn;
  const List<Id> &values = in ? liveness->liveIn : liveness->liveOut;
  if (values.empty())
    return;
  Row row{kind, in ? "live-in" : "live-out", {}};
  for (size_t i = 0; i < values.size(); ++i) {
    Chip made = chip(Meaning::live, values[i], lookup.name(values[i]), none);
    if (!in && i < liveness->keptAliveBy.size() &&
        liveness->keptAliveBy[i] != none)
      made.tooltip +=
          visibleText(", used by " + lookup.opAt(liveness->keptAliveBy[i]));
    row.chips.push_back(std::move(made));
  }
  limit(row);
  rows.push_back(std::move(row));
}

std::vector<Row> Overlay::allocationRows(const std::vector<Id> &ops) const {
  Row row{RowKind::allocated, "allocates", {}};
  for (Id op : ops)
    for (Id named : trace.ops[size_t(op)].results) {
      // The pass may have seen it under another name.
      const Id result = lookup.heirOf(named);
      for (Id id : lookup.eventsOfValue(result)) {
        const auto *change = as<OwnershipEvent>(lookup.event(id));
        if (!change || !isAllocation(change->rule))
          continue;
        std::string text = lookup.name(result);
        if (text != lookup.name(named))
          text += " for " + lookup.name(named);
        if (change->rule == OwnershipRule::stackAllocation)
          text += " (stack)";
        if (change->rule == OwnershipRule::manualDeallocation)
          text += " (manual)";
        const Id home = placement.hoistedTo(result);
        if (home != none)
          text += ", hoisted to " + lookup.blockName(home);
        row.chips.push_back(chip(Meaning::allocated, result, text, id));
        row.chips.back().faded = home != none;
      }
    }
  limit(row);
  if (row.chips.empty())
    return {};
  return {std::move(row)};
}

std::vector<Row> Overlay::partRows(const BlockPart &part) const {
  std::vector<Row> rows = allocationRows(part.ops);
  for (Row &row : placement.partRows(part))
    rows.push_back(std::move(row));
  return rows;
}

//===--- End --------------------------------------------------------------===//

std::vector<Row> Overlay::endRows(Id users) const {
  std::vector<Row> rows;
  Id block = endingAt(users);
  if (block == none)
    return rows;
  for (Row row : {copiesRow(block), ownershipRow(block)})
    if (!row.chips.empty())
      rows.push_back(std::move(row));
  addDeallocRows(rows, block);
  if (Row row = freedRow(block); !row.chips.empty())
    rows.push_back(std::move(row));
  addLiveness(rows, block, RowKind::liveOut);
  return rows;
}

Row Overlay::copiesRow(Id block) const {
  Row row{RowKind::cloned, "clones", {}};
  for (Id id : lookup.eventsOfBlock(block)) {
    const auto *clone = as<CloneEvent>(lookup.event(id));
    if (!clone)
      continue;
    std::string text = lookup.name(lookup.event(id)->value) + " to " +
                       lookup.name(clone->result);
    bool never = lookup.isNeverMade(*clone);
    if (never)
      text += " never";
    else if (lookup.isConditional(*clone))
      text +=
          " unless " + indicatorExpression(lookup, clone->ownership.indicator);
    row.chips.push_back(chip(Meaning::cloned, clone->result, text, id));
    row.chips.back().faded = never;
  }
  limit(row);
  return row;
}

/// As it stands before the block's deallocs, owned first, not owned last.
Row Overlay::ownershipRow(Id block) const {
  std::vector<std::pair<Id, Id>> last; // value, event
  for (Id id : lookup.eventsOfBlock(block)) {
    const auto *change = as<OwnershipEvent>(lookup.event(id));
    if (!change || isAfterDealloc(change->rule))
      continue;
    Id value = lookup.event(id)->value;
    auto at = std::find_if(last.begin(), last.end(),
                           [&](auto &pair) { return pair.first == value; });
    if (at == last.end())
      last.push_back({value, id});
    else
      at->second = id;
  }
  Row row{RowKind::ownership, "ownership", {}};
  for (auto [_, id] : last) {
    Chip made = ownershipChip(lookup, id, maxText);
    if (!made.text.empty())
      row.chips.push_back(std::move(made));
  }
  std::stable_sort(row.chips.begin(), row.chips.end(),
                   [](const Chip &a, const Chip &b) {
                     bool lastA = a.meaning == Meaning::borrowed;
                     bool lastB = b.meaning == Meaning::borrowed;
                     return lastA < lastB;
                   });
  limit(row);
  return row;
}

/// A row for each dealloc. Those that can free nothing share one, at the end.
void Overlay::addDeallocRows(std::vector<Row> &rows, Id block) const {
  Row idle{RowKind::deallocList, "dealloc list", {}};
  for (Id id : lookup.eventsOfBlock(block)) {
    const auto *dealloc = as<DeallocEvent>(lookup.event(id));
    if (!dealloc || dealloc->memrefs.empty())
      continue;
    Row row = deallocRow(block, id, *dealloc);
    bool isIdle =
        std::all_of(row.chips.begin(), row.chips.end(), [](const Chip &chip) {
          return chip.faded || chip.value == none;
        });
    if (!isIdle) {
      limit(row);
      rows.push_back(std::move(row));
      continue;
    }
    for (Chip &made : row.chips)
      if (made.value != none &&
          std::none_of(idle.chips.begin(), idle.chips.end(),
                       [&](const Chip &c) { return c.value == made.value; }))
        idle.chips.push_back(std::move(made));
  }
  limit(idle);
  if (!idle.chips.empty())
    rows.push_back(std::move(idle));
}

/// With the edge's number where two edges have one target.
std::string Overlay::targetName(Id block, int32_t edge) const {
  const PassBlocks &blocks = lookup.getPassBlocks();
  if (blocks.successorsOf(block).size() < 2)
    return "";
  // As the user wrote it.
  auto users = blocks.usersEdge({block, edge});
  if (users)
    edge = users->number;
  // Those of a block around, where a region was taken into it.
  const std::span<const Id> all =
      users ? std::span<const Id>(trace.blocks[size_t(users->block)].successors)
            : blocks.successorsOf(block);
  if (edge < 0 || size_t(edge) >= all.size())
    return "";
  std::string name = lookup.blockName(all[size_t(edge)]);
  bool isOnly = std::count(all.begin(), all.end(), all[size_t(edge)]) == 1;
  return isOnly ? name : name + " (successor " + std::to_string(edge) + ")";
}

Row Overlay::deallocRow(Id block, Id id, const DeallocEvent &dealloc) const {
  Row row{RowKind::deallocList, "dealloc list", {}};
  if (std::string to = targetName(block, dealloc.edge);
      dealloc.edge >= 0 && !to.empty())
    row.chips.push_back(chip(Meaning::plain, none, "to " + to + ":", id));
  for (size_t i = 0; i < dealloc.memrefs.size(); ++i) {
    bool never = false;
    ChipFacts facts{.name = lookup.name(dealloc.memrefs[i])};
    facts.condition = condition(dealloc.conditions[i], dealloc.edge, never);
    Chip made = never ? chip(Meaning::candidate, dealloc.memrefs[i],
                             facts.name + " never", id)
                      : makeChip(Meaning::candidate, dealloc.memrefs[i], facts,
                                 id, maxText);
    made.faded = never;
    row.chips.push_back(std::move(made));
  }
  return row;
}

/// Uses the fates, so that a picture and `explain` say the same.
void Overlay::findFrees() {
  for (Id memref : lookup.memrefsOf(function)) {
    if (lookup.bufferOf(memref) != memref)
      continue; // Its base buffer: the same frees under another name.
    trace::Fate fate = fateOf(lookup.getIndex(), memref);
    if (fate.listed.empty() && trace.values[size_t(memref)].generated)
      continue; // Made by the lowering itself.
    for (const Freed &freed : fate.frees) {
      int32_t edge = freed.edge;
      bool never = false;
      ChipFacts facts{.name = lookup.name(memref)};
      if (freed.condition != none)
        facts.condition = condition(freed.condition, edge, never);
      if (never || lookup.isRemoved(freed) ||
          isRetainedBy(lookup, fate, freed.dealloc))
        continue;
      for (Id compared : freed.compared)
        if (Id other = lookup.bufferOf(compared); other != memref)
          facts.others.push_back(lookup.name(other));
      facts.isByHelper = freed.lowering == LoweringCase::libraryFunction;
      if (edge >= 0)
        facts.edge = targetName(freed.block, edge);
      frees[freed.block].push_back(makeChip(
          Meaning::freed, memref, std::move(facts), freed.event, maxText));
    }
  }
}

Row Overlay::freedRow(Id block) const {
  Row row{RowKind::freed, "deallocs", {}};
  if (auto at = frees.find(block); at != frees.end())
    row.chips = at->second;
  limit(row);
  return row;
}

//===--- Edges and the boundary -------------------------------------------===//

void Overlay::addForwarded(std::vector<Chip> &chips, Id block, int edge) const {
  const std::vector<Id> &ops = trace.blocks[size_t(block)].ops;
  if (edge < 0 || ops.empty())
    return;
  for (const ForwardedOperand &one :
       forwardedOperands(trace, trace.ops[size_t(ops.back())]))
    if (one.edge == edge && trace.values[size_t(one.argument)].isMemref)
      chips.push_back(chip(
          Meaning::plain, one.operand,
          lookup.name(one.operand) + " → " + lookup.name(one.argument), none));
}

std::vector<Chip> Overlay::edgeChips(Id users, int number) const {
  std::vector<Chip> chips;
  if (placement.isAlone()) {
    Row row{RowKind::arguments, "", placement.branchChips(users, number)};
    limit(row);
    return std::move(row.chips);
  }
  addForwarded(chips, users, number);
  auto pass = lookup.getPassBlocks().passEdge({users, number});
  if (number >= 0 && !pass)
    return chips;
  Id block = number < 0 ? endingAt(users) : pass->block;
  int edge = number < 0 ? number : pass->number;
  for (Id id : lookup.eventsOfBlock(block)) {
    const Event *event = lookup.event(id);
    const auto *retain = as<RetainEvent>(event);
    int retainedOn = retain ? retain->edge : -1;
    if (!retain || (retainedOn >= 0 && retainedOn != edge))
      continue;
    std::string why;
    if (retain->reason == RetainReason::liveAcrossEdge)
      why = " (live)";
    if (retain->reason == RetainReason::forwardedOperand)
      why = " (forwarded)";
    chips.push_back(chip(Meaning::retained, event->value,
                         lookup.name(event->value) + why, id));
  }
  for (Id id : lookup.eventsOfBlock(block)) {
    const Event *event = lookup.event(id);
    const auto *signature = as<SignatureEvent>(event);
    bool carries =
        signature && ((signature->part == SignaturePart::branchOperand &&
                       signature->edge == edge) ||
                      (signature->part == SignaturePart::terminatorOperand));
    if (!carries)
      continue;
    int constant = lookup.constantOf(signature->indicator);
    std::string name = constant < 0 ? lookup.name(signature->indicator)
                       : constant   ? "true"
                                    : "false";
    chips.push_back(chip(Meaning::indicator, signature->indicator,
                         "own " + lookup.name(event->value) + " = " + name,
                         id));
  }
  Row row{RowKind::arguments, "", std::move(chips)};
  limit(row);
  return std::move(row.chips);
}

std::vector<Row> Overlay::entryRows() const {
  Row row{RowKind::arguments, "lends", {}};
  const Function &of = trace.functions[size_t(function)];
  if (of.blocks.empty())
    return {};
  for (Id argument : trace.blocks[size_t(of.blocks[0])].arguments) {
    if (!trace.values[size_t(argument)].isMemref)
      continue;
    Id by = none;
    for (Id id : lookup.eventsOfValue(argument))
      if (const auto *change = as<OwnershipEvent>(lookup.event(id));
          change && change->rule == OwnershipRule::entryArgument)
        by = id;
    row.chips.push_back(
        chip(Meaning::borrowed, argument, lookup.name(argument), by));
  }
  limit(row);
  if (row.chips.empty())
    return {};
  return {std::move(row)};
}

std::vector<Row> Overlay::returnRows(Id users) const {
  if (placement.isAlone())
    return placement.returnRows(users);
  Row row{RowKind::ownership, "caller owns", {}};
  Id block = endingAt(users);
  for (Id id : lookup.eventsOfBlock(block)) {
    const Event *event = lookup.event(id);
    const auto *retain = as<RetainEvent>(event);
    if (!retain || retain->reason != RetainReason::returned)
      continue;
    Id indicator = none;
    if (const auto *dealloc = as<DeallocEvent>(lookup.event(retain->dealloc)))
      for (size_t i = 0; i < dealloc->retained.size(); ++i)
        if (dealloc->retained[i] == event->value && i < dealloc->results.size())
          indicator = dealloc->results[i];
    bool dynamic = trace.functions[size_t(function)].dynamicOwnership;
    bool isOpen = dynamic && lookup.constantOf(indicator) < 0;
    std::string text = lookup.name(event->value);
    if (isOpen)
      text += " if " + indicatorExpression(lookup, indicator);
    row.chips.push_back(chip(isOpen ? Meaning::ownedIf : Meaning::owned,
                             event->value, text, id));
  }
  limit(row);
  if (row.chips.empty())
    return {};
  return {std::move(row)};
}

bool Overlay::allocates(Id op) const {
  if (placement.allocates(op))
    return true;
  for (Id result : trace.ops[size_t(op)].results)
    for (Id id : lookup.eventsOfValue(lookup.heirOf(result)))
      if (const auto *change = as<OwnershipEvent>(lookup.event(id));
          change && isAllocation(change->rule))
        return true;
  return false;
}

//===--- Questions --------------------------------------------------------===//

const Event *Overlay::rejectionAt(Id op) const {
  for (Id id : rejections)
    if (lookup.event(id)->op == op)
      return lookup.event(id);
  return nullptr;
}

bool Overlay::isWitness(Id op) const {
  return std::any_of(rejections.begin(), rejections.end(), [&](Id id) {
    const auto &ops = as<RejectionEvent>(lookup.event(id))->witnesses;
    return std::find(ops.begin(), ops.end(), op) != ops.end();
  });
}

bool Overlay::hasDecision(Id users) const {
  if (placement.isAlone())
    return placement.hasDecision(users);
  Id block = wasSeen(users) ? users : endingAt(users);
  const int placementStage = trace::placementStage(lookup.getTrace().options);
  for (Id id : lookup.eventsOfBlock(block)) {
    const Event *event = lookup.event(id);
    if (event->stage < placementStage || as<LivenessEvent>(event))
      continue;
    if (const auto *change = as<OwnershipEvent>(event);
        change && change->rule == OwnershipRule::liveInAncestor)
      continue;
    if (const auto *candidate = as<CandidateEvent>(event);
        candidate && candidate->dropped == DropReason::ancestorRegion)
      continue;
    return true;
  }
  return frees.count(block) > 0;
}

} // namespace memreflens::graph
