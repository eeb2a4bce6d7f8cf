//===- core/pipeline/OriginAnalysis.cpp - do two buffers share memory? ----===//

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

OriginAnalysis::OriginAnalysis(Operation *root) : root(root), first(root) {}

const Origins &OriginAnalysis::origins(Value value) const {
  Value base = stripViews(value);
  std::optional<unsigned> id = first.graph.find(base);
  if (id && !first.graph[*id].stale)
    return originsIn(first, base);
  return originsIn(freshSnapshot(), base);
}

OriginAnalysis::Verdict OriginAnalysis::verdict(Value a, Value b) const {
  const Origins *left = &origins(a);
  const Origins *right = &origins(b);
  if (left->base == right->base)
    return {true, trace::AliasRule::sameBase};
  if (left->isFresh != right->isFresh) {
    // Node ids of two graphs cannot be compared.
    left = &originsIn(freshSnapshot(), left->base);
    right = &originsIn(freshSnapshot(), right->base);
  }
  return judge(*left, *right);
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

OriginAnalysis::Snapshot &OriginAnalysis::freshSnapshot() const {
  if (!fresh)
    fresh = std::make_unique<Snapshot>(root);
  return *fresh;
}

const Origins &OriginAnalysis::originsIn(Snapshot &snapshot, Value base) const {
  std::optional<unsigned> id = snapshot.graph.find(base);
  if (id)
    if (const Origins *known = snapshot.byNode.lookup(*id))
      return *known;

  Origins &answer = snapshot.answers.emplace_back();
  answer.base = base;
  answer.isFresh = &snapshot != &first;
  if (!id)
    return answer;
  answer.terminals = snapshot.graph.terminalsOf(*id);
  for (unsigned terminal : answer.terminals) {
    const ViewFlowGraph::Node &node = snapshot.graph[terminal];
    answer.allAllocations &= node.allocation;
    answer.allAllocationsOrEntryArguments &=
        node.allocation || node.entryArgument;
  }
  snapshot.byNode[*id] = &answer;
  return answer;
}

void OriginAnalysis::terminalValues(const Origins &origins,
                                    SmallVectorImpl<Value> &values) const {
  const ViewFlowGraph &graph = origins.isFresh ? fresh->graph : first.graph;
  for (unsigned terminal : origins.terminals)
    if (Value value = graph.liveValue(terminal))
      values.push_back(value);
}

void OriginAnalysis::operationErased(Operation *op) {
  first.graph.operationErased(op);
  fresh.reset();
}

void OriginAnalysis::blockErased(Block *block) {
  first.graph.blockErased(block);
  fresh.reset();
}

} // namespace memreflens
