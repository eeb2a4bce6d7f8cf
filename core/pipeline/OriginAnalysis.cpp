//===- core/pipeline/OriginAnalysis.cpp - do two buffers share an allocation?
//===//

#include "core/pipeline/OriginAnalysis.h"

#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace memreflens {

Value stripViews(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

static bool intersects(ArrayRef<unsigned> a, ArrayRef<unsigned> b) {
  while (!a.empty() && !b.empty()) {
    if (a.front() == b.front())
      return true;
    (a.front() < b.front() ? a : b) =
        (a.front() < b.front() ? a : b).drop_front();
  }
  return false;
}

static OriginAnalysis::Verdict judge(const Origins &a, const Origins &b) {
  if (a.terminals.size() == 1 && a.terminals == b.terminals)
    return {true, trace::AliasRule::sameSingleTerminal};
  if (intersects(a.terminals, b.terminals))
    return {std::nullopt, trace::AliasRule::overlappingTerminals};
  const bool toldApart =
      (a.allAllocations && b.allAllocationsOrEntryArguments) ||
      (b.allAllocations && a.allAllocationsOrEntryArguments);
  if (toldApart)
    return {false, trace::AliasRule::disjointAllocations};
  return {std::nullopt, trace::AliasRule::notAllAllocations};
}

OriginAnalysis::OriginAnalysis(Operation *root) : root(root), graph(root) {}

const Origins &OriginAnalysis::origins(Value value) const {
  Value base = stripViews(value);
  std::optional<unsigned> id = graph.find(base);
  if (!id || graph[*id].stale)
    return freshOrigins(base);
  std::unique_ptr<Origins> &answer = answers[base];
  if (!answer)
    answer = std::make_unique<Origins>(originsIn(graph, base));
  return *answer;
}

const Origins &OriginAnalysis::freshOrigins(Value base) const {
  if (!fresh)
    fresh = std::make_unique<ViewFlowGraph>(root);
  std::unique_ptr<Origins> &answer = freshAnswers[base];
  if (!answer) {
    answer = std::make_unique<Origins>(originsIn(*fresh, base));
    answer->isFresh = true;
  }
  return *answer;
}

OriginAnalysis::Verdict OriginAnalysis::verdict(Value a, Value b) const {
  const Origins &first = origins(a);
  const Origins &second = origins(b);
  if (first.base == second.base)
    return {true, trace::AliasRule::sameBase};
  if (first.isFresh == second.isFresh)
    return judge(first, second);
  // Node ids of two graphs cannot be compared.
  return judge(freshOrigins(first.base), freshOrigins(second.base));
}

AliasAnswer OriginAnalysis::isSameAllocation(Value a, Value b) const {
  AliasAnswer answer;
  answer.first = a;
  answer.second = b;
  Verdict said = verdict(a, b);
  answer.same = said.same;
  answer.rule = said.rule;
  if (said.rule == trace::AliasRule::sameBase)
    return answer;
  terminalValues(origins(a), answer.firstTerminals);
  terminalValues(origins(b), answer.secondTerminals);
  return answer;
}

Origins OriginAnalysis::originsIn(const ViewFlowGraph &in, Value base) const {
  Origins result;
  result.base = base;
  if (std::optional<unsigned> id = in.find(base))
    result.terminals = in.terminalsOf(*id);
  for (unsigned terminal : result.terminals) {
    const ViewFlowGraph::Node &node = in[terminal];
    result.allAllocations &= node.allocation;
    result.allAllocationsOrEntryArguments &=
        node.allocation || node.entryArgument;
  }
  return result;
}

void OriginAnalysis::terminalValues(const Origins &origins,
                                    SmallVectorImpl<Value> &values) const {
  const ViewFlowGraph &in = origins.isFresh ? *fresh : graph;
  for (unsigned terminal : origins.terminals)
    if (Value value = in.liveValue(terminal))
      values.push_back(value);
}

void OriginAnalysis::operationErased(Operation *op) {
  graph.operationErased(op);
  llvm::for_each(op->getResults(), [&](Value result) { forget(result); });
}

void OriginAnalysis::blockErased(Block *block) {
  graph.blockErased(block);
  llvm::for_each(block->getArguments(), [&](Value value) { forget(value); });
}

void OriginAnalysis::forget(Value value) {
  answers.erase(value);
  fresh.reset();
  freshAnswers.clear();
}

} // namespace memreflens
