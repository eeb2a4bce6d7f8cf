//===- core/graph/tensors/TensorFlow.cpp ----------------------------------===//

#include "core/graph/tensors/TensorFlow.h"
#include "core/graph/tensors/TensorRows.h"

#include <algorithm>

namespace memreflens::graph {

using trace::TensorOperand;

static bool isTensor(const trace::Value &value) {
  return value.type.starts_with("tensor<");
}

TensorFlows::TensorFlows(const Lookup &lookup) : lookup(lookup), text(lookup) {
  if (empty())
    return;
  const trace::Trace &trace = lookup.getTrace();
  operands.resize(trace.functions.size());
  results.resize(trace.ops.size());
  blocks.resize(trace.ops.size());
  arguments.resize(trace.blocks.size());
  auto functionOf = [&](Id id) {
    const trace::Op *op = lookup.op(id);
    const trace::Block *block = op ? lookup.block(op->block) : nullptr;
    return block ? block->function : none;
  };
  for (const trace::Bufferization &run : trace.bufferizations) {
    ByIds<const TensorOperand *> decided(trace.functions.size());
    for (const TensorOperand &operand : run.operands)
      if (const Id function = functionOf(operand.op);
          function != none && lookup.value(operand.value))
        decided[size_t(function)].push_back(&operand);
    // Of several runs the one with the most to decide.
    for (size_t i = 0; i < decided.size(); ++i)
      if (decided[i].size() > operands[i].size())
        operands[i] = std::move(decided[i]);
    for (const trace::TensorLoop &loop : run.loops)
      times[loop.op] = loop.times;
  }
  for (const trace::Block &block : trace.blocks)
    if (block.parentOp != none)
      blocks[size_t(block.parentOp)].push_back(block.id);
  for (const trace::Value &value : trace.values) {
    if (!isTensor(value))
      continue;
    if (value.op != none)
      results[size_t(value.op)].push_back(value.id);
    else if (value.block != none)
      arguments[size_t(value.block)].push_back(value.id);
  }
  auto byIndex = [&](Id value) { return lookup.value(value)->index; };
  for (auto *lists : {&results, &arguments})
    for (std::vector<Id> &list : *lists)
      std::ranges::stable_sort(list, {}, byIndex);
}

template <class Element>
static const std::vector<Element> &
listOf(const std::vector<std::vector<Element>> &lists, Id id) {
  static const std::vector<Element> nothing;
  return id < 0 || size_t(id) >= lists.size() ? nothing : lists[size_t(id)];
}

const std::vector<const TensorOperand *> &
TensorFlows::operandsOf(Id function) const {
  return listOf(operands, function);
}
const std::vector<Id> &TensorFlows::resultsOf(Id op) const {
  return listOf(results, op);
}
const std::vector<Id> &TensorFlows::argumentsOf(Id block) const {
  return listOf(arguments, block);
}
const std::vector<Id> &TensorFlows::blocksOf(Id op) const {
  return listOf(blocks, op);
}

int64_t TensorFlows::timesOf(Id loop) const {
  auto found = times.find(loop);
  return found == times.end() ? -1 : found->second;
}

TensorFlow TensorFlows::of(Id function,
                           const TensorFlowOptions &options) const {
  TensorFlow flow;
  const trace::Function *known = lookup.function(function);
  if (!known || operandsOf(function).empty())
    return flow;
  flow.function = function;
  flow.title = "@" + known->title();
  flow.headline = text.totals(function);
  const TensorSources sources(*this, function);
  addRows(*this, sources, flow);
  foldRows(*this, options.mostRows, flow);
  addColumns(sources, flow);
  addArrows(*this, flow);
  return flow;
}

} // namespace memreflens::graph
