//===- core/query/Tensors.cpp ---------------------------------------------===//

#include "core/query/Tensors.h"

#include <algorithm>
#include <tuple>

namespace memreflens::trace {

void TensorAmount::add(const TensorCost &cost) {
  ++count;
  if (cost.bytes < 0)
    isLowerBound = true;
  else
    bytes += uint64_t(cost.bytes);
}

Tensors::Tensors(const Lookup &lookup) : lookup(lookup) {
  if (empty())
    return;
  for (const Event &event : lookup.getTrace().events)
    if (const auto *rewrite = std::get_if<RewriteEvent>(&event.detail))
      for (Id gone : rewrite->erased) {
        erased.insert(gone);
        for (Id inserted : rewrite->inserted)
          if (lookup.opName(inserted) == lookup.opName(gone))
            remade.try_emplace(gone, inserted);
      }
  // Where the op is kept, its results are memrefs by now.
  std::map<Id, Id> onlyResults;
  for (const Value &value : lookup.getTrace().values)
    if (value.op != none && value.type.starts_with("tensor<"))
      if (auto [at, isNew] = onlyResults.try_emplace(value.op, value.id);
          !isNew)
        at->second = none;
  for (const Bufferization &run : lookup.getTrace().bufferizations) {
    for (const TensorBuffer &buffer : run.buffers)
      buffers[buffer.value] = buffer.same;
    for (const TensorOperand &operand : run.operands)
      decisions[operand.op].push_back(&operand);
    for (const TensorCost &cost : run.costs) {
      made[cost.op].push_back(&cost);
      if (!cost.isCopy && cost.now != none)
        madeBy.try_emplace(endOf(cost.now), &cost);
      if (!cost.isCopy && cost.origin == TensorCostOrigin::opResult)
        allocations.try_emplace(bufferOf(cost.value), &cost);
      const bool isOfOperand = cost.origin == TensorCostOrigin::operand ||
                               cost.origin == TensorCostOrigin::newBuffer ||
                               cost.origin == TensorCostOrigin::result;
      if (cost.isCopy || !isOfOperand)
        continue;
      if (const TensorOperand *decision = decisionOf(cost.op, cost.operand))
        for (Id value : decision->becomes)
          ofOperands.try_emplace(bufferOf(value), &cost);
      auto result = onlyResults.find(cost.op);
      if (result != onlyResults.end() && result->second != none)
        ofOperands.try_emplace(bufferOf(result->second), &cost);
    }
    for (const TensorFunction &function : run.functions) {
      functions[function.function] = &function;
      for (const TensorArgument &argument : function.arguments)
        if (argument.value != none)
          arguments[argument.value] = &argument;
    }
    for (const TensorCost &cost : run.costs)
      if (!cost.isOntoItself && isLive(cost))
        live.push_back(&cost);
  }
  std::ranges::stable_sort(live, {}, &TensorCost::op);
}

bool Tensors::empty() const { return lookup.getTrace().bufferizations.empty(); }

/// A pattern may make an op anew, with a static size for instance; what it
/// inserts is younger.
Id Tensors::endOf(Id now) const {
  for (auto next = remade.find(now); next != remade.end() && next->second > now;
       next = remade.find(now))
    now = next->second;
  return now;
}

bool Tensors::isLive(const TensorCost &cost) const {
  const Id now = endOf(cost.now);
  return lookup.op(now) && !erased.contains(now);
}

Id Tensors::memrefOf(const TensorCost &cost) const {
  const Op *op = cost.isCopy ? nullptr : lookup.op(endOf(cost.now));
  return op && op->results.size() == 1 ? op->results.front() : none;
}

const TensorCost *Tensors::originOf(Id memref) const {
  const Value *value = lookup.value(memref);
  auto found = value ? madeBy.find(value->op) : madeBy.end();
  return found == madeBy.end() ? nullptr : found->second;
}

Id Tensors::functionAround(Id id) const {
  const Op *op = lookup.op(id);
  return op ? lookup.getIndex().functionOfBlock(op->block) : none;
}

TensorTotals Tensors::totals(Id function) const {
  TensorTotals totals;
  auto isOfIt = [&](Id op) {
    return function == none || functionAround(op) == function;
  };
  for (const Bufferization &run : lookup.getTrace().bufferizations)
    for (const TensorOperand &operand : run.operands)
      if (isOfIt(operand.op)) {
        totals.operands += operand.placement != TensorPlacement::undecided;
        totals.inPlace += operand.placement == TensorPlacement::inPlace;
      }
  for (const TensorCost *cost : costs())
    if (isOfIt(cost->op)) {
      const bool isOwn = cost->origin == TensorCostOrigin::program;
      (cost->isCopy ? isOwn ? totals.ownCopies : totals.copies
       : isOwn      ? totals.ownBuffers
                    : totals.buffers)
          .add(*cost);
    }
  return totals;
}

bool Tensors::isForNothing(const TensorOperand &decision) const {
  return !decision.reasons.empty() && !decision.isBounded &&
         decision.reasonCount == decision.reasons.size() &&
         std::ranges::all_of(decision.reasons, [](const TensorReason &reason) {
           return reason.kind == TensorReasonKind::readAfterWrite &&
                  (reason.joined != none || reason.isDisjoint);
         });
}

/// What kept an operand from being in place.
TensorCause Tensors::causeOf(const TensorOperand *decision) const {
  if (!decision || decision->reasons.empty())
    return TensorCause::other;
  const TensorReason &reason = decision->reasons.front();
  const Op *op = lookup.op(decision->op);
  switch (reason.kind) {
  case TensorReasonKind::readAfterWrite:
    if (isForNothing(*decision))
      return std::ranges::any_of(decision->reasons, &TensorReason::isDisjoint)
                 ? TensorCause::disjointParts
                 : TensorCause::falseConflict;
    return op && reason.write == decision->op && lookup.calleeOf(*op)
               ? TensorCause::calleeWrites
               : TensorCause::readAfterWrite;
  case TensorReasonKind::notWritable:
    return reason.readOnly == TensorReadOnly::constant
               ? TensorCause::constantWritten
               : TensorCause::readOnlyWritten;
  case TensorReasonKind::parallel:
    return TensorCause::parallel;
  case TensorReasonKind::copyBeforeWrite:
    return TensorCause::copyBeforeWrite;
  case TensorReasonKind::unknownOp:
  case TensorReasonKind::unexplained:
    break;
  }
  return TensorCause::other;
}

TensorCause Tensors::causeOf(const TensorCost &cost) const {
  switch (cost.origin) {
  case TensorCostOrigin::operand:
  case TensorCostOrigin::result:
  case TensorCostOrigin::newBuffer:
    return causeOf(decisionOf(cost.op, cost.operand));
  case TensorCostOrigin::loopValue:
    return TensorCause::loopValue;
  case TensorCostOrigin::opResult:
    return TensorCause::opResult;
  case TensorCostOrigin::writtenBack:
    return TensorCause::writtenBack;
  case TensorCostOrigin::layout:
  case TensorCostOrigin::boundaryLayout:
    return TensorCause::layout;
  case TensorCostOrigin::copyBeforeWrite:
    return TensorCause::copyBeforeWrite;
  case TensorCostOrigin::program:
  case TensorCostOrigin::unknown:
    break;
  }
  return TensorCause::other;
}

TensorCause Tensors::groupOf(const TensorCost &cost) const {
  const TensorCause cause = causeOf(cost);
  const bool isOfProgram =
      cause == TensorCause::opResult || cause == TensorCause::other;
  return cost.loops.empty() || isOfProgram ? cause : TensorCause::perIteration;
}

std::vector<TensorGroup> Tensors::groups() const {
  std::map<TensorCause, TensorGroup> byCause;
  auto add = [&](TensorCause cause, const TensorCost &cost) {
    TensorGroup &group = byCause[cause];
    group.cause = cause;
    (cost.isCopy ? group.copies : group.buffers).add(cost);
    return &group;
  };
  for (const TensorCost *cost : costs()) {
    const TensorCause cause = groupOf(*cost);
    if (cause == TensorCause::opResult || cause == TensorCause::other)
      continue;
    add(cause, *cost)->costs.push_back(cost);
    const TensorCost *source = causeOf(*cost) == TensorCause::writtenBack
                                   ? allocationOf(cost->value)
                                   : nullptr;
    if (source && isLive(*source))
      add(cause, *source);
  }
  std::vector<TensorGroup> groups;
  for (auto &[cause, group] : byCause) {
    std::ranges::stable_sort(group.costs, std::ranges::greater(),
                             &TensorCost::bytes);
    groups.push_back(std::move(group));
  }
  auto weight = [](const TensorGroup &group) {
    return std::tuple(group.copies.bytes + group.buffers.bytes,
                      group.copies.count);
  };
  std::ranges::stable_sort(groups, std::ranges::greater(), weight);
  return groups;
}

template <class Element>
static std::vector<const Element *>
listAt(const std::map<Id, std::vector<const Element *>> &lists, Id op) {
  auto found = lists.find(op);
  return found == lists.end() ? std::vector<const Element *>() : found->second;
}

std::vector<const TensorOperand *> Tensors::decisionsAt(Id op) const {
  return listAt(decisions, op);
}

std::vector<const TensorCost *> Tensors::costsAt(Id op) const {
  return listAt(made, op);
}

const TensorOperand *Tensors::decisionOf(Id op, int32_t operand) const {
  for (const TensorOperand *decision : decisionsAt(op))
    if (decision->operand == operand)
      return decision;
  return nullptr;
}

Id Tensors::bufferOf(Id value) const {
  auto found = buffers.find(value);
  return found == buffers.end() || found->second == none ? value
                                                         : found->second;
}

const TensorArgument *Tensors::argument(Id value) const {
  auto found = arguments.find(value);
  return found == arguments.end() ? nullptr : found->second;
}

const TensorCost *Tensors::holderOf(Id value) const {
  if (const TensorCost *allocation = allocationOf(value))
    return allocation;
  auto found = ofOperands.find(bufferOf(value));
  return found == ofOperands.end() ? nullptr : found->second;
}

const TensorFunction *Tensors::functionOf(Id function) const {
  auto found = functions.find(function);
  return found == functions.end() ? nullptr : found->second;
}

const TensorArgument *Tensors::argumentOf(const Op &call,
                                          int32_t operand) const {
  const Function *callee = lookup.calleeOf(call);
  const TensorFunction *known = callee ? functionOf(callee->id) : nullptr;
  if (!known)
    return nullptr;
  // Only tensors are decided, and only tensor arguments are known.
  const auto among = decisionsAt(call.id);
  const auto before =
      size_t(std::ranges::count_if(among, [&](const TensorOperand *decision) {
        return decision->operand < operand;
      }));
  return before < known->arguments.size() ? &known->arguments[before] : nullptr;
}

const TensorCost *Tensors::allocationOf(Id value) const {
  auto found = allocations.find(bufferOf(value));
  return found == allocations.end() ? nullptr : found->second;
}

} // namespace memreflens::trace
