//===- core/pipeline/simplify/OriginAnalysis.cpp --------------------------===//
//
// Do two buffers share memory?.

#include "core/pipeline/simplify/OriginAnalysis.h"
#include "core/pipeline/simplify/ValueFlow.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace memreflens {

Value stripViews(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

static OriginAnalysis::Verdict judge(const Origins &a, const Origins &b) {
  const bool overlap =
      SharedSets::firstCommon(a.terminals, b.terminals) != std::nullopt;
  if (overlap && SharedSets::size(a.terminals) == 1 &&
      SharedSets::size(b.terminals) == 1)
    return {true, trace::AliasRule::sameSingleTerminal};
  if (overlap)
    return {std::nullopt, trace::AliasRule::overlappingTerminals};
  const bool toldApart =
      (a.allAllocations && b.allAllocationsOrEntryArguments) ||
      (b.allAllocations && a.allAllocationsOrEntryArguments);
  if (toldApart)
    return {false, trace::AliasRule::disjointAllocations};
  return {std::nullopt, trace::AliasRule::notAllAllocations};
}

OriginAnalysis::OriginAnalysis(Operation *root, bool refines,
                               std::function<bool(Operation *)> isFresh)
    : root(root), isFresh(std::move(isFresh)),
      first(root, /*followsDistinctObjects=*/false, this->isFresh) {
  if (refines)
    refined = std::make_unique<Snapshot>(root, /*followsDistinctObjects=*/true,
                                         this->isFresh);
}

const Origins &OriginAnalysis::origins(Value value) const {
  Value base = stripViews(value);
  std::optional<unsigned> id = first.graph.find(base);
  if (id && !first.graph[*id].stale)
    return originsIn(first, base);
  return originsIn(freshSnapshot(), base);
}

/// Whether all are results of one memref.distinct_objects, which it then is.
static Operation *objectsOf(ArrayRef<Value> terminals) {
  Operation *objects = nullptr;
  for (Value terminal : terminals) {
    Operation *op = terminal.getDefiningOp<memref::DistinctObjectsOp>();
    if (!op || (objects && op != objects))
      return nullptr;
    objects = op;
  }
  return objects;
}

/// What the second question finds out, if anything. In both graphs no result of
/// a distinct_objects is known to be apart from anything else, so that an
/// answer of upstream's never contradicts one of these.
std::optional<OriginAnalysis::Verdict> OriginAnalysis::refine(Value a,
                                                              Value b) const {
  SmallVector<Value> left, right;
  terminalValues(origins(a), left);
  terminalValues(origins(b), right);
  Operation *objects = objectsOf(left);
  // Results of two runs of the op may be one buffer.
  if (objects && objects == objectsOf(right) && !mayRunTwice(objects) &&
      llvm::none_of(left,
                    [&](Value v) { return llvm::is_contained(right, v); }))
    return Verdict{false, trace::AliasRule::distinctObjects, true};
  std::optional<unsigned> first = refined->graph.find(stripViews(a));
  std::optional<unsigned> second = refined->graph.find(stripViews(b));
  if (!first || !second || refined->graph[*first].stale ||
      refined->graph[*second].stale)
    refined = std::make_unique<Snapshot>(root, /*followsDistinctObjects=*/true,
                                         isFresh);
  Verdict said = judge(originsIn(*refined, stripViews(a)),
                       originsIn(*refined, stripViews(b)));
  if (!said.same)
    return std::nullopt;
  said.refined = true;
  return said;
}

OriginAnalysis::Verdict OriginAnalysis::verdict(Value a, Value b) const {
  Verdict said = upstreamVerdict(a, b);
  if (said.same || !refined)
    return said;
  return refine(a, b).value_or(said);
}

OriginAnalysis::Verdict OriginAnalysis::upstreamVerdict(Value a,
                                                        Value b) const {
  const Origins *left = &origins(a);
  const Origins *right = &origins(b);
  if (left->base == right->base)
    return {true, trace::AliasRule::sameBase};
  if (left->isFresh != right->isFresh) {
    // Node ids of two graphs cannot be compared.
    left = &originsIn(freshSnapshot(), left->base);
    right = &originsIn(freshSnapshot(), right->base);
  }
  Verdict said = judge(*left, *right);
  said.refined = said.same && (left->restOnStatement || right->restOnStatement);
  return said;
}

AliasAnswer OriginAnalysis::isSameAllocation(Value a, Value b) const {
  AliasAnswer answer;
  answer.first = a;
  answer.second = b;
  Verdict said = verdict(a, b);
  answer.same = said.same;
  answer.rule = said.rule;
  answer.refined = said.refined;
  if (said.rule == trace::AliasRule::sameBase)
    return answer;
  if (refined && said.refined &&
      said.rule != trace::AliasRule::distinctObjects) {
    terminalValues(originsIn(*refined, stripViews(a)), answer.firstTerminals);
    terminalValues(originsIn(*refined, stripViews(b)), answer.secondTerminals);
    return answer;
  }
  terminalValues(origins(a), answer.firstTerminals);
  terminalValues(origins(b), answer.secondTerminals);
  return answer;
}

SmallVector<Value> OriginAnalysis::terminalsOf(Value value) const {
  SmallVector<Value> values;
  terminalValues(origins(value), values);
  return values;
}

OriginAnalysis::Snapshot &OriginAnalysis::freshSnapshot() const {
  if (!fresh)
    fresh = std::make_unique<Snapshot>(root, /*followsDistinctObjects=*/false,
                                       isFresh);
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
  answer.graph = &snapshot.graph;
  if (!id)
    return answer;
  const ViewFlowGraph::Terminals &found = snapshot.graph.terminalsOf(*id);
  answer.terminals = found.nodes;
  answer.allAllocations = found.allAllocations;
  answer.allAllocationsOrEntryArguments = found.allAllocationsOrEntryArguments;
  answer.restOnStatement = found.restOnStatement;
  snapshot.byNode[*id] = &answer;
  return answer;
}

void OriginAnalysis::terminalValues(const Origins &origins,
                                    SmallVectorImpl<Value> &values) const {
  const ViewFlowGraph &graph = *origins.graph;
  SharedSets::forEach(origins.terminals, [&](unsigned terminal) {
    if (Value value = graph.liveValue(terminal))
      values.push_back(value);
  });
}

void OriginAnalysis::operationErased(Operation *op) {
  changes += first.graph.operationErased(op);
  if (refined)
    refined->graph.operationErased(op);
  fresh.reset();
}

void OriginAnalysis::blockErased(Block *block) {
  changes += first.graph.blockErased(block);
  if (refined)
    refined->graph.blockErased(block);
  fresh.reset();
}

} // namespace memreflens
