//===- core/graph/tensors/TensorSources.cpp -------------------------------===//
//
// Which tensors have an operand's buffer, the trace says (`becomes`). Of what
// goes into regions and out of them it does not: the n-th tensor that a loop
// gets, or that a terminator yields, is the n-th one of the region's arguments,
// or of the op's results.
//
//===----------------------------------------------------------------------===//

#include "core/graph/tensors/TensorSources.h"
#include "core/text/Bytes.h"

#include <algorithm>
#include <utility>

namespace memreflens::graph {

using trace::TensorCost;
using trace::TensorCostOrigin;
using trace::TensorOperand;
using trace::TensorPlacement;

/// Of more buffers than this the picture shows the first ones.
static constexpr size_t mostBuffers = 3;

TensorSources::TensorSources(const TensorFlows &flows, Id function)
    : flows(flows), lookup(flows.getLookup()), facts(flows.getText().facts()),
      function(function) {
  addFrames();
  const auto &operands = flows.operandsOf(function);
  for (size_t first = 0; first < operands.size();) {
    size_t end = first;
    while (end < operands.size() && operands[end]->op == operands[first]->op)
      ++end;
    for (size_t i = first; i < end; ++i)
      addUse(*operands[i], i - first, end - first);
    first = end;
  }
  addResultsOfFrames();
  setLinks();
}

const std::vector<TensorUse> &TensorSources::usesBy(Id op) const {
  static const std::vector<TensorUse> nothing;
  auto found = uses.find(op);
  return found == uses.end() ? nothing : found->second;
}

const TensorCost *TensorSources::costOf(const TensorUse &use) const {
  auto found = costs.find({use.op, use.operand});
  return found == costs.end() ? nullptr : found->second;
}

/// Ops around ops with tensor operands, or with tensors as block arguments.
void TensorSources::addFrames() {
  const trace::Function *known = lookup.function(function);
  for (const TensorOperand *operand : flows.operandsOf(function))
    for (const trace::Op *op = lookup.op(operand->op); op;) {
      const trace::Block *block = lookup.block(op->block);
      if (!block || !known || block->parentOp == known->op ||
          !frames.insert(block->parentOp).second)
        break;
      op = lookup.op(block->parentOp);
    }
  for (const TensorOperand *operand : flows.operandsOf(function))
    if (entryOf(operand->op, 0) != none &&
        !flows.argumentsOf(entryOf(operand->op, 0)).empty())
      frames.insert(operand->op);
}

/// First block of the region; `none` if there is none.
Id TensorSources::entryOf(Id op, size_t region) const {
  for (Id block : flows.blocksOf(op))
    if (const trace::Block *known = lookup.block(block);
        known && known->region == region)
      return block;
  return none;
}

//===--- What was made ----------------------------------------------------===//

/// The copy, or else the buffer, that was made for the operand.
const TensorCost *TensorSources::findCost(const TensorOperand &decision) {
  const TensorCost *found = nullptr;
  for (const TensorCost *cost : facts.costsAt(decision.op)) {
    if (cost->now == none || cost->isOntoItself || taken.contains(cost))
      continue;
    const bool isOfOperand = cost->operand == decision.operand;
    const bool isOfValue =
        cost->operand < 0 && cost->isCopy && cost->value == decision.value;
    if ((isOfOperand || isOfValue) && (!found || cost->isCopy))
      found = cost;
  }
  if (found)
    taken.insert(found);
  return found;
}

//===--- Where a tensor goes ----------------------------------------------===//

static Id at(const std::vector<Id> &list, size_t position, size_t count) {
  return list.size() == count ? list[position] : none;
}

/// What a region's terminator yields: to the results of its op, to its loop's
/// arguments, or into the next region.
std::vector<Id> TensorSources::yieldTargets(const trace::Op &terminator,
                                            Id parent, size_t position,
                                            size_t count) const {
  std::vector<Id> targets;
  auto add = [&](const std::vector<Id> &list) {
    if (const Id target = at(list, position, count); target != none)
      targets.push_back(target);
  };
  const size_t region = lookup.block(terminator.block)->region;
  const bool isLast = entryOf(parent, region + 1) == none;
  const Id loopEntry = entryOf(parent, 0);
  const bool isLoop =
      loopEntry != none && !flows.argumentsOf(loopEntry).empty();
  // The last region of scf.while leads back to its first, and not out.
  if (!isLast || !isLoop || region == 0)
    add(flows.resultsOf(parent));
  if (isLoop)
    add(flows.argumentsOf(isLast ? loopEntry : entryOf(parent, region + 1)));
  return targets;
}

/// The argument that the call gives back as this result, always; -1 for none.
int32_t TensorSources::argumentBehind(Id call, Id result) const {
  const trace::Op *op = lookup.op(call);
  const trace::Value *value = lookup.value(result);
  const trace::Function *callee = op ? lookup.calleeOf(*op) : nullptr;
  const trace::TensorFunction *known =
      callee ? facts.functionOf(callee->id) : nullptr;
  if (!known || !value || value->op != call)
    return -1;
  for (const trace::TensorResult &one : known->results)
    if (one.result == int32_t(value->index))
      return one.argument;
  return -1;
}

/// Those that are the same buffer first.
std::vector<Id> TensorSources::resultsFor(const TensorOperand &decision) const {
  const std::vector<Id> &results = flows.resultsOf(decision.op);
  std::vector<Id> found;
  for (Id value : decision.becomes)
    if (const int32_t behind = argumentBehind(decision.op, value);
        std::ranges::find(results, value) != results.end() &&
        (behind < 0 || behind == decision.operand))
      found.push_back(value);
  std::ranges::stable_partition(found, [&](Id value) {
    return facts.bufferOf(value) == facts.bufferOf(decision.value) ||
           argumentBehind(decision.op, value) == decision.operand;
  });
  return found;
}

/// Where a value goes that is copied to its place in another tensor.
Id TensorSources::copyTarget(const TensorOperand &decision) const {
  const std::vector<Id> &results = flows.resultsOf(decision.op);
  if (results.size() == 1)
    return results.front();
  for (const TensorOperand *other : facts.decisionsAt(decision.op))
    if (other->writes && other->value != decision.value)
      return other->value;
  return none;
}

std::vector<Id> TensorSources::targetsOf(const TensorOperand &decision,
                                         size_t position, size_t count) const {
  const trace::Op *op = lookup.op(decision.op);
  const trace::Block *block = op ? lookup.block(op->block) : nullptr;
  const trace::Function *known = lookup.function(function);
  if (!block || !known)
    return {};
  if (op->isTerminator && !op->successors.empty())
    return decision.becomes;
  if (op->isTerminator && block->parentOp == known->op)
    return {};
  if (op->isTerminator)
    return yieldTargets(*op, block->parentOp, position, count);
  if (const Id entry = entryOf(decision.op, 0); entry != none) {
    const std::vector<Id> &arguments = flows.argumentsOf(entry);
    for (Id value : decision.becomes)
      if (std::ranges::find(arguments, value) != arguments.end())
        return {value};
    if (const Id target = at(arguments, position, count); target != none)
      return {target};
  }
  return resultsFor(decision);
}

void TensorSources::addUse(const TensorOperand &decision, size_t position,
                           size_t count) {
  TensorUse use;
  use.op = decision.op;
  use.operand = decision.operand;
  use.value = decision.value;
  use.name = lookup.name(decision.value);
  use.placement = decision.placement;
  const TensorCost *cost = findCost(decision);
  costs[{use.op, use.operand}] = cost;
  std::vector<Id> targets = targetsOf(decision, position, count);
  if (!targets.empty())
    use.to = targets.front();
  if (cost && cost->isCopy && targets.empty())
    use.to = copyTarget(decision);
  // What a loop yields in the place of another buffer goes into that place.
  if (cost && cost->origin == TensorCostOrigin::loopValue &&
      cost->because != none)
    use.to = cost->because;
  for (Id target : targets)
    if (facts.bufferOf(target) == target)
      sources[target].push_back({decision.value, cost});
  uses[use.op].push_back(std::move(use));
}

/// An op with regions whose terminator yields nothing has the tensors that its
/// regions got.
void TensorSources::addResultsOfFrames() {
  for (Id frame : frames) {
    const std::vector<Id> &results = flows.resultsOf(frame);
    const Id entry = entryOf(frame, 0);
    if (entry == none || flows.argumentsOf(entry).size() != results.size())
      continue;
    const bool isLoop = entryOf(frame, 1) == none;
    for (size_t i = 0; i < results.size(); ++i)
      if (facts.bufferOf(results[i]) == results[i] && isLoop)
        sources[results[i]].push_back({flows.argumentsOf(entry)[i], nullptr});
  }
}

//===--- Buffers ----------------------------------------------------------===//

void TensorSources::collect(Id value, std::set<Id> &seen,
                            std::vector<TensorBufferKey> &out) const {
  const Id first = facts.bufferOf(value);
  if (!seen.insert(first).second || out.size() >= mostBuffers)
    return;
  auto add = [&](TensorBufferKey key) {
    if (std::ranges::find(out, key) == out.end() && out.size() < mostBuffers)
      out.push_back(key);
  };
  if (auto answered = known.find(first); answered != known.end())
    return (void)std::ranges::for_each(answered->second, add);
  auto found = sources.find(first);
  if (found == sources.end())
    return add({first, nullptr});
  for (const Source &source : found->second)
    if (source.made)
      add({none, source.made});
    else
      collect(source.value, seen, out);
}

const std::vector<TensorBufferKey> &TensorSources::buffersOf(Id value) const {
  const Id first = facts.bufferOf(value);
  if (auto answered = known.find(first); answered != known.end())
    return answered->second;
  std::set<Id> seen;
  std::vector<TensorBufferKey> out;
  collect(value, seen, out);
  if (out.empty())
    out.push_back({first, nullptr});
  return known[first] = std::move(out);
}

//===--- Links ------------------------------------------------------------===//

static std::string labelOf(const TensorCost &cost) {
  const std::string label = cost.isCopy ? "copy" : "new buffer";
  return cost.bytes < 0 ? label : label + " " + bytesText(uint64_t(cost.bytes));
}

TensorLink TensorSources::linkOf(const TensorUse &use,
                                 const TensorOperand &decision) const {
  const TensorCost *cost = costOf(use);
  if (cost)
    return cost->isCopy ? TensorLink::copy : TensorLink::newBuffer;
  if (use.placement == TensorPlacement::outOfPlace)
    return TensorLink::nothing;
  if (use.to == none)
    return decision.writes ? TensorLink::write : TensorLink::read;
  if (bufferOf(use.to) == bufferOf(use.value) ||
      argumentBehind(use.op, use.to) == use.operand)
    return TensorLink::inPlace;
  return buffersOf(use.to).size() > 1 ? TensorLink::mayBe : TensorLink::part;
}

void TensorSources::setLinks() {
  // In program order, so that what comes before is known already.
  Id last = none;
  for (const TensorOperand *operand : flows.operandsOf(function)) {
    if (std::exchange(last, operand->op) == operand->op)
      continue;
    for (TensorUse &use : uses[operand->op]) {
      const TensorOperand *decision = facts.decisionOf(use.op, use.operand);
      if (!decision)
        continue;
      use.link = linkOf(use, *decision);
      if (const TensorCost *cost = costOf(use))
        use.label = labelOf(*cost);
      for (const Explanation &words :
           flows.getText().aboutUse(use.op, use.value))
        use.sentence += (use.sentence.empty() ? "" : "\n") + words.sentence;
    }
  }
}

} // namespace memreflens::graph
