//===- core/pipeline/simplify/ViewFlowGraph.cpp ---------------------------===//
//
// Where a buffer may come from.

#include "core/pipeline/simplify/ViewFlowGraph.h"
#include "core/pipeline/simplify/ValueFlow.h"

#include "mlir/Dialect/Bufferization/IR/BufferViewFlowOpInterface.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace memreflens {

static const void *ownerOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner();
  return value.getDefiningOp();
}

ViewFlowGraph::ViewFlowGraph(Operation *root, bool followsDistinctObjects,
                             const std::function<bool(Operation *)> &isFresh)
    : followsDistinctObjects(followsDistinctObjects) {
  if (isFresh)
    root->walk([&](Operation *op) {
      if (isFresh(op))
        freshCalls.insert(op);
    });
  root->walk([&](Operation *op) { addOperation(op); });
  answers.byNode.resize(nodes.size());
  answers.reached.resize(nodes.size());
  answers.lowest.resize(nodes.size());
}

void ViewFlowGraph::addOperation(Operation *op) {
  if (auto flow = dyn_cast<bufferization::BufferViewFlowOpInterface>(op)) {
    flow.populateDependencies(
        [&](ValueRange from, ValueRange to) { addEdges(from, to); });
    addTerminals(op, [&](Value v) { return flow.mayBeTerminalBuffer(v); });
    return;
  }
  if (!addThroughInterfaces(op))
    addTerminals(op, [](Value) { return true; });
}

/// Returns whether the flow into all results and arguments is known.
bool ViewFlowGraph::addThroughInterfaces(Operation *op) {
  if (followsDistinctObjects && isa<memref::DistinctObjectsOp>(op)) {
    addEdges(op->getOperands(), op->getResults());
    return true;
  }
  if (auto view = dyn_cast<ViewLikeOpInterface>(op)) {
    addEdges(view.getViewSource(), view.getViewDest());
    return true;
  }
  auto add = [&](ValueRange from, ValueRange to, Operation *) {
    addEdges(from, to);
  };
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    visitBranchFlow(branch, add);
    return true;
  }
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    visitRegionFlow(branch, add);
    return true;
  }
  if (isa<RegionBranchTerminatorOpInterface>(op))
    return true;
  // Nothing is known of the callee: a result may be any operand, or new.
  if (isa<CallOpInterface>(op) && !freshCalls.contains(op))
    for (Value operand : op->getOperands())
      for (Value result : op->getResults())
        addEdges(operand, result);
  return false;
}

void ViewFlowGraph::addTerminals(Operation *op,
                                 llvm::function_ref<bool(Value)> isTerminal) {
  auto add = [&](Value value) {
    if (isa<BaseMemRefType>(value.getType()) && isTerminal(value))
      nodes[nodeOf(value)].terminal = true;
  };
  llvm::for_each(op->getResults(), add);
  for (Region &region : op->getRegions())
    if (!region.empty())
      llvm::for_each(region.getArguments(), add);
}

void ViewFlowGraph::addEdges(ValueRange from, ValueRange to) {
  for (auto [source, dependent] : llvm::zip(from, to)) {
    unsigned sourceId = nodeOf(source);
    unsigned dependentId = nodeOf(dependent);
    nodes[dependentId].sources.push_back(sourceId);
    nodes[sourceId].dependents.push_back(dependentId);
  }
}

void ViewFlowGraph::describe(Node &node) const {
  node.owner = ownerOf(node.value);
  if (auto argument = dyn_cast<BlockArgument>(node.value)) {
    Block *block = argument.getOwner();
    node.entryArgument =
        block->isEntryBlock() && isa<FunctionOpInterface>(block->getParentOp());
    return;
  }
  node.stated = freshCalls.contains(node.value.getDefiningOp());
  node.allocation = node.stated || hasEffect<MemoryEffects::Allocate>(
                                       node.value.getDefiningOp(), node.value);
}

unsigned ViewFlowGraph::nodeOf(Value value) {
  auto [entry, isNew] = ids.try_emplace(value, unsigned(nodes.size()));
  if (isNew) {
    nodes.emplace_back().value = value;
    describe(nodes.back());
  }
  return entry->second;
}

std::optional<unsigned> ViewFlowGraph::find(Value value) const {
  auto entry = ids.find(value);
  // A block argument goes without notice, and another value may take its place.
  if (entry == ids.end() || nodes[entry->second].owner != ownerOf(value))
    return std::nullopt;
  return entry->second;
}

Value ViewFlowGraph::liveValue(unsigned id) const {
  const Node &node = nodes[id];
  if (node.erased)
    return {};
  if (!node.block || llvm::is_contained(node.block->getArguments(), node.value))
    return node.value;
  return {};
}

/// Tarjan's search for strongly connected components, without recursion: those
/// that a node comes from are complete before its own.
const ViewFlowGraph::Terminals &ViewFlowGraph::terminalsOf(unsigned id) const {
  if (answers.byNode[id])
    return *answers.byNode[id];
  struct Frame {
    unsigned node;
    unsigned next = 0;
  };
  SmallVector<Frame> frames;
  SmallVector<unsigned> open;
  auto enter = [&](unsigned node) {
    answers.reached[node] = answers.lowest[node] = ++answers.count;
    open.push_back(node);
    frames.push_back({node});
  };
  enter(id);
  while (!frames.empty()) {
    const unsigned node = frames.back().node;
    if (frames.back().next < nodes[node].sources.size()) {
      const unsigned source = nodes[node].sources[frames.back().next++];
      if (!answers.reached[source])
        enter(source);
      else if (!answers.byNode[source])
        answers.lowest[node] =
            std::min(answers.lowest[node], answers.reached[source]);
      continue;
    }
    frames.pop_back();
    if (!frames.empty()) {
      unsigned &lowest = answers.lowest[frames.back().node];
      lowest = std::min(lowest, answers.lowest[node]);
    }
    if (answers.lowest[node] != answers.reached[node])
      continue;
    size_t begin = open.size();
    do
      --begin;
    while (open[begin] != node);
    addCycle(ArrayRef(open).drop_front(begin));
    open.truncate(begin);
  }
  return *answers.byNode[id];
}

/// The answer of nodes that all come from each other, or of a single one.
void ViewFlowGraph::addCycle(ArrayRef<unsigned> members) const {
  Terminals found;
  auto add = [&](const Terminals &more) {
    found.nodes = answers.sets.unite(found.nodes, more.nodes);
    found.allAllocations &= more.allAllocations;
    found.allAllocationsOrEntryArguments &= more.allAllocationsOrEntryArguments;
    found.restOnStatement |= more.restOnStatement;
  };
  const Terminals *only = nullptr;
  for (unsigned member : members) {
    const Node &node = nodes[member];
    if (node.terminal)
      add({answers.sets.of(member), node.allocation,
           node.allocation || node.entryArgument, node.stated});
    for (unsigned source : node.sources)
      if (const Terminals *known = answers.byNode[source]) {
        add(*known);
        only = known;
      }
  }
  // A view of a buffer has that buffer's answer.
  const bool isSame = only && only->nodes == found.nodes;
  const Terminals *answer = isSame ? only : &answers.found.emplace_back(found);
  for (unsigned member : members)
    answers.byNode[member] = answer;
}

bool ViewFlowGraph::operationErased(Operation *op) {
  bool any = false;
  for (Value result : op->getResults())
    any |= erase(result);
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      any |= blockErased(&block);
      for (Operation &nested : block)
        any |= operationErased(&nested);
    }
  return any;
}

bool ViewFlowGraph::blockErased(Block *block) {
  bool any = false;
  for (Value argument : block->getArguments())
    any |= erase(argument);
  return any;
}

bool ViewFlowGraph::erase(Value value) {
  auto entry = ids.find(value);
  if (entry == ids.end())
    return false;
  const unsigned id = entry->second;
  ids.erase(entry);
  nodes[id].erased = true;
  SmallVector<unsigned> pending = {id};
  while (!pending.empty()) {
    Node &node = nodes[pending.pop_back_val()];
    if (std::exchange(node.stale, true))
      continue;
    llvm::append_range(pending, node.dependents);
  }
  return true;
}

} // namespace memreflens
