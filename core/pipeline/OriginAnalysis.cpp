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
  if (id && !graph[*id].stale) {
    auto [entry, isNew] = known.try_emplace(*id);
    if (isNew)
      entry->second = originsIn(graph, /*generation=*/0, base);
    return entry->second;
  }
  freshGraph();
  static thread_local Origins last;
  last = originsIn(*fresh, generation, base);
  return last;
}

OriginAnalysis::Verdict OriginAnalysis::verdict(Value a, Value b) const {
  if (stripViews(a) == stripViews(b))
    return {true, trace::AliasRule::sameBase};
  Origins first = origins(a);
  Origins second = origins(b);
  if (first.generation != second.generation) {
    const ViewFlowGraph &now = freshGraph();
    first = originsIn(now, generation, first.base);
    second = originsIn(now, generation, second.base);
  }
  return judge(first, second);
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

const ViewFlowGraph &OriginAnalysis::freshGraph() const {
  if (!fresh) {
    fresh = std::make_unique<ViewFlowGraph>(root);
    ++generation;
  }
  return *fresh;
}

Origins OriginAnalysis::originsIn(const ViewFlowGraph &in, unsigned number,
                                  Value base) const {
  Origins result;
  result.base = base;
  result.generation = number;
  if (std::optional<unsigned> id = in.find(base))
    result.terminals = in.terminalsOf(*id);
  for (unsigned terminal : result.terminals) {
    result.allAllocations &= in[terminal].allocation;
    result.allAllocationsOrEntryArguments &=
        in[terminal].allocation || in[terminal].entryArgument;
  }
  return result;
}

void OriginAnalysis::terminalValues(const Origins &origins,
                                    SmallVectorImpl<Value> &values) const {
  const ViewFlowGraph &in = origins.generation == 0 ? graph : *fresh;
  for (unsigned terminal : origins.terminals)
    if (Value value = in.liveValue(terminal))
      values.push_back(value);
}

void OriginAnalysis::operationErased(Operation *op) {
  graph.operationErased(op);
  fresh.reset();
}

void OriginAnalysis::blockErased(Block *block) {
  graph.blockErased(block);
  fresh.reset();
}

} // namespace memreflens
