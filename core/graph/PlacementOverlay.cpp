//===- core/graph/PlacementOverlay.cpp ------------------------------------===//

#include "core/graph/PlacementOverlay.h"
#include "core/text/Escape.h"

#include "core/graph/LineText.h"
#include "core/trace/Plan.h"

#include <algorithm>

namespace memreflens::graph {

using namespace trace;

namespace {

bool contains(const std::vector<Id> &ids, Id id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

} // namespace

PlacementOverlay::PlacementOverlay(const Lookup &lookup, Id function,
                                   const ChipLimits &limits)
    : lookup(lookup), trace(lookup.getTrace()), function(function),
      limits(limits) {
  const RunOptions &run = trace.options;
  alone = stageOf(run, ownershipPass) < 0;
  isOff = trace.functions[size_t(function)].status != FunctionStatus::traced ||
          run.passes.empty();
  if (isOff)
    return;
  for (Id id : lookup.eventsOfFunction(function)) {
    const auto *move = as<MoveEvent>(lookup.event(id));
    const Id value = lookup.event(id)->value;
    if (!move || move->to == none || value == none)
      continue;
    homes[value] = move->to;
    hoistedInto[move->to].push_back(id);
  }
}

Id PlacementOverlay::hoistedTo(Id value) const {
  auto home = homes.find(value);
  return home == homes.end() ? none : home->second;
}

//===--- Chips and rows ---------------------------------------------------===//

Chip PlacementOverlay::chip(Meaning meaning, Id value, std::string text,
                            Id event) const {
  return makeChip(meaning, value, text, event, limits.maxText);
}

Row PlacementOverlay::row(RowKind kind, const char *label,
                          std::vector<Chip> chips) const {
  Row made{kind, label, std::move(chips)};
  limitRow(lookup, made, limits);
  return made;
}

static void addRow(std::vector<Row> &rows, Row row) {
  if (!row.chips.empty())
    rows.push_back(std::move(row));
}

//===--- Aliases ----------------------------------------------------------===//

std::vector<Chip>
PlacementOverlay::aliasChips(const std::vector<Id> &values) const {
  std::vector<Chip> chips;
  for (Id value : values) {
    std::string sources;
    Id first = none, critical = none;
    bool isView = false;
    for (Id id : lookup.eventsOfValue(value)) {
      const Event *event = lookup.event(id);
      if (as<CriticalEvent>(event))
        critical = id;
      const auto *alias = as<AliasEvent>(event);
      if (!alias)
        continue;
      first = first == none ? id : first;
      isView |= alias->link == AliasLink::view;
      sources += (sources.empty() ? "" : " or ") + lookup.name(alias->source);
    }
    if (critical != none)
      chips.push_back(chip(Meaning::cloned, value,
                           lookup.name(value) + ", critical: takes clones",
                           critical));
    else if (first != none)
      chips.push_back(
          chip(Meaning::plain, value,
               lookup.name(value) + (isView ? " views " : " may be ") + sources,
               first));
  }
  return chips;
}

std::vector<Row> PlacementOverlay::headRows(Id block) const {
  if (isOff)
    return {};
  std::vector<Row> rows;
  addRow(rows, row(RowKind::aliases, "aliases",
                   aliasChips(trace.blocks[size_t(block)].arguments)));
  std::vector<Chip> hoisted;
  if (auto into = hoistedInto.find(block); into != hoistedInto.end())
    for (Id id : into->second) {
      const Event *event = lookup.event(id);
      // Only its last home counts, where it moved twice.
      if (hoistedTo(event->value) == block)
        hoisted.push_back(chip(Meaning::allocated, event->value,
                               lookup.name(event->value) + ", hoisted from " +
                                   lookup.blockName(event->block),
                               id));
    }
  addRow(rows, row(RowKind::allocated, "allocates", std::move(hoisted)));
  return rows;
}

//===--- A part of a block ------------------------------------------------===//

/// The classic pass's own list, of a run without the ownership pass.
static Id allocationOf(const Lookup &lookup, Id value) {
  for (Id id : lookup.eventsOfValue(value))
    if (const auto *candidate = as<CandidateEvent>(lookup.event(id));
        candidate && candidate->source == CandidateSource::allocation &&
        candidate->dropped == DropReason::notDropped)
      return id;
  return none;
}

std::vector<Chip>
PlacementOverlay::allocationChips(const std::vector<Id> &ops) const {
  std::vector<Chip> chips;
  for (Id op : ops)
    for (Id result : trace.ops[size_t(op)].results) {
      const Id event = allocationOf(lookup, result);
      if (event == none)
        continue;
      const Id home = hoistedTo(result);
      chips.push_back(chip(Meaning::allocated, result,
                           home == none
                               ? lookup.name(result)
                               : lookup.name(result) + ", hoisted to " +
                                     lookup.blockName(home),
                           event));
      chips.back().faded = home != none;
    }
  return chips;
}

std::vector<Chip>
PlacementOverlay::copyChips(Id block, const std::vector<Id> &ops) const {
  std::vector<Chip> chips;
  for (Id id : lookup.eventsOfBlock(block)) {
    const Event *event = lookup.event(id);
    const auto *copy = as<CopyEvent>(event);
    if (!copy || copy->clone == copy->operand || !contains(ops, event->op))
      continue;
    const Value *clone = lookup.value(copy->clone);
    const bool isGone = clone && lookup.isErased(clone->op);
    std::string text =
        lookup.name(copy->operand) + " for " + lookup.name(event->value);
    chips.push_back(chip(Meaning::cloned, copy->operand,
                         isGone ? text + ", then taken out" : text, id));
    chips.back().faded = isGone;
  }
  return chips;
}

Id PlacementOverlay::anchorOf(Id block, const FreeEvent &detail) const {
  const Op *after = lookup.op(detail.after);
  if (!after || !after->generated || after->results.size() != 1)
    return detail.after;
  for (Id id : lookup.eventsOfBlock(block))
    if (const auto *copy = as<CopyEvent>(lookup.event(id));
        copy && copy->clone == after->results.front())
      return lookup.event(id)->op;
  return detail.after;
}

Chip PlacementOverlay::freeChip(const Event &event,
                                const FreeEvent &detail) const {
  const Op *after = lookup.op(detail.after);
  std::string text = lookup.name(event.value);
  if (detail.dealloc == none)
    return chip(Meaning::owned, event.value, text, event.id);
  const bool isOther =
      detail.lastAlias != none && detail.lastAlias != event.value;
  if (after && after->generated && after->name == "bufferization.clone")
    text += isOther ? " after the copy of " + lookup.name(detail.lastAlias)
                    : " after its copy";
  else if (after)
    text += " after " + lookup.opName(detail.after) +
            (isOther ? ", as " + lookup.name(detail.lastAlias) : "");
  const bool isGone = lookup.isErased(detail.dealloc);
  Chip made = chip(Meaning::freed, event.value,
                   isGone ? text + ", then taken out" : text, event.id);
  made.faded = isGone;
  return made;
}

std::vector<Chip> PlacementOverlay::freeChips(const BlockPart &part,
                                              bool isFreed) const {
  std::vector<Chip> chips;
  const std::vector<Id> &all = trace.blocks[size_t(part.block)].ops;
  for (Id id : lookup.eventsOfBlock(part.block)) {
    const Event *event = lookup.event(id);
    const auto *free = as<FreeEvent>(event);
    if (!free || (free->dealloc != none) != isFreed)
      continue;
    const Id anchor = anchorOf(part.block, *free);
    // After an op with regions is behind them; its copies are made before.
    const bool isBehind = anchor == free->after && anchor == part.upTo;
    const bool isHere = anchor == part.behind
                            ? anchor == free->after
                            : contains(part.ops, anchor) && !isBehind;
    if ((isHere || (part.isLast && !contains(all, anchor))) &&
        (isFreed || !leavesFunction(part.block, anchor)))
      chips.push_back(freeChip(*event, *free));
  }
  return chips;
}

/// Of the ops that the part holds, and of that which it is behind.
static std::vector<Id> resultsIn(const Trace &trace, const BlockPart &part) {
  std::vector<Id> results;
  auto add = [&](Id op) {
    for (Id result : trace.ops[size_t(op)].results)
      results.push_back(result);
  };
  if (part.behind != none)
    add(part.behind);
  for (Id op : part.ops)
    if (op != part.upTo)
      add(op);
  return results;
}

std::vector<Row> PlacementOverlay::partRows(const BlockPart &part) const {
  if (isOff || !alone)
    return {};
  std::vector<Row> rows;
  addRow(rows, row(RowKind::allocated, "allocates", allocationChips(part.ops)));
  addRow(rows,
         row(RowKind::aliases, "aliases", aliasChips(resultsIn(trace, part))));
  addRow(rows, row(RowKind::cloned, "clones", copyChips(part.block, part.ops)));
  addRow(rows,
         row(RowKind::freed, "deallocs", freeChips(part, /*isFreed=*/true)));
  addRow(rows, row(RowKind::ownership, "passes on",
                   freeChips(part, /*isFreed=*/false)));
  return rows;
}

//===--- Edges and the boundary -------------------------------------------===//

/// Whether the copy that `event` tells of is what `target` gets: an op may pass
/// one operand on as several.
static bool isCopyFor(const Lookup &lookup, const Event &event, Id operand,
                      Id target) {
  if (event.value == target)
    return true;
  const Op *op = lookup.op(event.op);
  return op &&
         std::count(op->operands.begin(), op->operands.end(), operand) == 1;
}

/// "%a → %b", or "copy of %a → %b" where that stays.
Chip PlacementOverlay::passedChip(Id operand, Id target, Id op) const {
  std::string text = lookup.name(operand) + " → " + lookup.name(target);
  for (Id id : lookup.getIndex().eventsNamingValue(operand)) {
    const Event *event = lookup.event(id);
    const auto *copy = as<CopyEvent>(event);
    if (!copy || event->op != op || copy->operand != operand ||
        copy->clone == operand || !isCopyFor(lookup, *event, operand, target))
      continue;
    const Value *clone = lookup.value(copy->clone);
    if (clone && !lookup.isErased(clone->op))
      return chip(Meaning::cloned, operand, "copy of " + text, id);
  }
  return chip(Meaning::plain, operand, text, none);
}

std::vector<Chip> PlacementOverlay::branchChips(Id block, int number) const {
  std::vector<Chip> chips;
  const std::vector<Id> &ops = trace.blocks[size_t(block)].ops;
  if (number < 0 || ops.empty())
    return chips;
  for (const ForwardedOperand &one :
       forwardedOperands(trace, trace.ops[size_t(ops.back())]))
    if (one.edge == number && trace.values[size_t(one.argument)].isMemref)
      chips.push_back(passedChip(one.operand, one.argument, ops.back()));
  return chips;
}

/// What `op` passes on as `target`. A way that is known from another op already
/// is not recorded again; then it is the one of the operands that is known.
static std::vector<Id> sourcesOf(const Lookup &lookup, Id target,
                                 AliasLink link, Id op) {
  std::vector<Id> exact, others;
  const std::vector<Id> &operands = lookup.op(op)->operands;
  for (Id id : lookup.eventsOfValue(target)) {
    const auto *alias = as<AliasEvent>(lookup.event(id));
    if (!alias || alias->link != link)
      continue;
    if (lookup.event(id)->op == op)
      exact.push_back(alias->source);
    else if (contains(operands, alias->source))
      others.push_back(alias->source);
  }
  if (exact.empty() && others.size() == 1)
    return others;
  return exact;
}

std::vector<Chip> PlacementOverlay::passedChips(const std::vector<Id> &targets,
                                                AliasLink link, Id op) const {
  std::vector<Chip> chips;
  for (Id target : targets)
    for (Id source : sourcesOf(lookup, target, link, op))
      chips.push_back(passedChip(source, target, op));
  Row made = row(RowKind::arguments, "", std::move(chips));
  return std::move(made.chips);
}

std::vector<Chip> PlacementOverlay::entryChips(Id op, Id entry) const {
  if (isOff || !alone)
    return {};
  return passedChips(entry == none ? trace.ops[size_t(op)].results
                                   : trace.blocks[size_t(entry)].arguments,
                     AliasLink::regionEntry, op);
}

std::vector<Chip> PlacementOverlay::exitChips(Id block, Id entry) const {
  const Block &from = trace.blocks[size_t(block)];
  if (isOff || !alone || from.ops.empty() || from.parentOp == none)
    return {};
  return passedChips(entry == none ? trace.ops[size_t(from.parentOp)].results
                                   : trace.blocks[size_t(entry)].arguments,
                     AliasLink::regionExit, from.ops.back());
}

bool PlacementOverlay::leavesFunction(Id block, Id op) const {
  const Block &from = trace.blocks[size_t(block)];
  return op != none && from.parentOp == trace.functions[size_t(function)].op &&
         from.successors.empty() && trace.ops[size_t(op)].isTerminator;
}

std::vector<Row> PlacementOverlay::returnRows(Id block) const {
  std::vector<Row> rows;
  std::vector<Chip> chips;
  if (isOff)
    return rows;
  for (Id id : lookup.eventsOfBlock(block)) {
    const Event *event = lookup.event(id);
    const auto *free = as<FreeEvent>(event);
    if (!free || free->dealloc != none || !leavesFunction(block, free->after))
      continue;
    std::string text = lookup.name(event->value);
    if (free->lastAlias != none && free->lastAlias != event->value)
      text += " as " + lookup.name(free->lastAlias);
    chips.push_back(chip(Meaning::owned, event->value, text, id));
  }
  addRow(rows, row(RowKind::ownership, "caller gets", std::move(chips)));
  return rows;
}

//===--- Questions --------------------------------------------------------===//

bool PlacementOverlay::allocates(Id op) const {
  const std::vector<Id> &results = trace.ops[size_t(op)].results;
  return !isOff && alone &&
         std::any_of(results.begin(), results.end(), [&](Id result) {
           return allocationOf(lookup, result) != none;
         });
}

bool PlacementOverlay::hasDecision(Id block) const {
  const std::span<const Id> events = lookup.eventsOfBlock(block);
  return std::any_of(events.begin(), events.end(), [&](Id id) {
    const Event *event = lookup.event(id);
    return as<CandidateEvent>(event) || as<CriticalEvent>(event) ||
           as<CopyEvent>(event) || as<FreeEvent>(event) || as<MoveEvent>(event);
  });
}

} // namespace memreflens::graph
