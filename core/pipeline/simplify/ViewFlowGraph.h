//===- core/pipeline/simplify/ViewFlowGraph.h -----------------------------===//
//
// Where a buffer may come from.
//
// A graph over all values below an op: an edge says that a value may be (a view
// of) another one. It keeps what is needed of each value, so that no question
// has to look at a value that may be gone.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_SIMPLIFY_VIEWFLOWGRAPH_H
#define MEMREFLENS_PIPELINE_SIMPLIFY_VIEWFLOWGRAPH_H

#include "core/pipeline/simplify/SharedSets.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <optional>
#include <vector>

namespace memreflens {

class ViewFlowGraph {
public:
  struct Node {
    /// A buffer may start here: it cannot be traced back any further.
    bool terminal = false;
    bool allocation = false;
    /// Only said to be one.
    bool stated = false;
    /// Argument of a function's entry block.
    bool entryArgument = false;
    /// Comes, directly or not, from a value that was erased.
    bool stale = false;
    bool erased = false;
    mlir::Value value;
    /// Op of a result, block of an argument; compared, never looked at.
    const void *owner = nullptr;
    /// Block of an argument, there as long as the node is not erased.
    mlir::Block *block = nullptr;
    llvm::SmallVector<unsigned, 2> sources;
    llvm::SmallVector<unsigned, 2> dependents;
  };

  /// Upstream knows no flow through memref.distinct_objects; with
  /// `followsDistinctObjects` result i comes from operand i. Calls for which
  /// `isFresh` holds, if given, allocate what they return.
  explicit ViewFlowGraph(
      mlir::Operation *root, bool followsDistinctObjects = false,
      const std::function<bool(mlir::Operation *)> &isFresh = {});

  /// Node of a live value; none if it is not one that the graph has seen.
  std::optional<unsigned> find(mlir::Value value) const;
  const Node &operator[](unsigned id) const { return nodes[id]; }

  /// The value of a node, if it is still there (an argument can go without
  /// notice).
  mlir::Value liveValue(unsigned id) const;

  /// The terminals from which a node may come, as they were when the graph was
  /// made.
  struct Terminals {
    SharedSets::Set nodes = nullptr;
    bool allAllocations = true;
    bool allAllocationsOrEntryArguments = true;
    /// Some are results of calls that are only said to allocate.
    bool restOnStatement = false;
  };
  const Terminals &terminalsOf(unsigned id) const;

  /// Return whether one of the nodes went away.
  bool operationErased(mlir::Operation *op);
  bool blockErased(mlir::Block *block);

private:
  void addOperation(mlir::Operation *op);
  bool addThroughInterfaces(mlir::Operation *op);
  void addTerminals(mlir::Operation *op,
                    llvm::function_ref<bool(mlir::Value)> isTerminal);
  void addEdges(mlir::ValueRange from, mlir::ValueRange to);
  void describe(Node &node) const;
  unsigned nodeOf(mlir::Value value);
  bool erase(mlir::Value value);
  void addCycle(llvm::ArrayRef<unsigned> members) const;

  const bool followsDistinctObjects;
  /// What `isFresh` said of the ops with results.
  llvm::DenseSet<mlir::Operation *> freshCalls;
  std::vector<Node> nodes;
  llvm::DenseMap<mlir::Value, unsigned> ids;
  /// Answers so far. What flows in a circle has one answer in common.
  struct Answers {
    SharedSets sets;
    std::deque<Terminals> found;
    /// By node: its answer; null while there is none.
    std::vector<const Terminals *> byNode;
    /// By node, for Tarjan's search for cycles: when it was reached, from 1.
    std::vector<unsigned> reached, lowest;
    unsigned count = 0;
  };
  mutable Answers answers;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_SIMPLIFY_VIEWFLOWGRAPH_H
