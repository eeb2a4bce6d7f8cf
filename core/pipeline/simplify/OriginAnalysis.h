//===- core/pipeline/simplify/OriginAnalysis.h ----------------------------===//
//
// Do two buffers share memory?.
//
// Answers "same", "different" or "not known" for two memrefs, and says on which
// grounds: the rule that decided and the buffers at which each side starts.
//
//   %s = arith.select %c, %a, %b     (%s, %a): not known, {%a, %b} against {%a}
//
// The flow of buffers is recorded once and the program may change under it: an
// erased value is never looked at again, and answers that would rest on one are
// given on a fresh graph.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_SIMPLIFY_ORIGINANALYSIS_H
#define MEMREFLENS_PIPELINE_SIMPLIFY_ORIGINANALYSIS_H

#include "core/pipeline/simplify/ViewFlowGraph.h"
#include "core/trace/Event.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <deque>
#include <memory>
#include <optional>

namespace memreflens {

/// One question and its answer. Terminals that were erased are left out.
struct AliasAnswer {
  mlir::Value first, second;
  /// Set if known.
  std::optional<bool> same;
  trace::AliasRule rule = trace::AliasRule::sameBase;
  llvm::SmallVector<mlir::Value> firstTerminals, secondTerminals;
  /// By what memref.distinct_objects or an assumption says, which upstream does
  /// not ask.
  bool refined = false;
};

/// Where a buffer may start.
struct Origins {
  /// Value that is left after stripping views.
  mlir::Value base;
  /// Nodes of the graph that answered.
  SharedSets::Set terminals = nullptr;
  bool allAllocations = true;
  bool allAllocationsOrEntryArguments = true;
  /// Some are results of calls that are only said to allocate.
  bool restOnStatement = false;
  /// Answered by a fresh graph, as the first one rests on an erased value.
  bool isFresh = false;
  /// The graph that answered.
  const ViewFlowGraph *graph = nullptr;
};

/// Lives as long as one simplification of `root`; not for several threads.
class OriginAnalysis {
public:
  /// With `refines`, what upstream cannot tell is asked again with what
  /// memref.distinct_objects states.
  /// Calls for which `isFresh` holds, if given, allocate what they return.
  explicit OriginAnalysis(mlir::Operation *root, bool refines = false,
                          std::function<bool(mlir::Operation *)> isFresh = {});
  bool isRefined() const { return refined != nullptr; }

  AliasAnswer isSameAllocation(mlir::Value a, mlir::Value b) const;

  /// The answer alone, without the terminals: cheap enough to ask for all
  /// pairs.
  struct Verdict {
    std::optional<bool> same;
    trace::AliasRule rule;
    bool refined = false;
  };
  Verdict verdict(mlir::Value a, mlir::Value b) const;

  /// The values where `value` may start, in program order.
  llvm::SmallVector<mlir::Value> terminalsOf(mlir::Value value) const;

  /// Where `value` may start. Valid until an op is erased.
  const Origins &origins(mlir::Value value) const;

  /// To be told before an op, a block or a block argument goes away.
  void operationErased(mlir::Operation *op);
  void blockErased(mlir::Block *block);
  /// To be told that a memref may be a view of another one than before.
  void viewModified() { ++changes; }
  /// As long as it is the same, so are the answers, if they are alike.
  unsigned changeCount() const { return changes; }
  /// Whether no answer rests on a graph that goes with the next op.
  bool answersAlike() const { return !refined && !fresh; }

private:
  /// A graph with the answers that it gave, by node.
  struct Snapshot {
    Snapshot(mlir::Operation *root, bool followsDistinctObjects,
             const std::function<bool(mlir::Operation *)> &isFresh)
        : graph(root, followsDistinctObjects, isFresh) {}

    ViewFlowGraph graph;
    llvm::DenseMap<unsigned, const Origins *> byNode;
    std::deque<Origins> answers;
  };

  const Origins &originsIn(Snapshot &snapshot, mlir::Value base) const;
  Snapshot &freshSnapshot() const;
  Verdict upstreamVerdict(mlir::Value a, mlir::Value b) const;
  std::optional<Verdict> refine(mlir::Value a, mlir::Value b) const;
  void terminalValues(const Origins &origins,
                      llvm::SmallVectorImpl<mlir::Value> &values) const;

  mlir::Operation *root;
  const std::function<bool(mlir::Operation *)> isFresh;
  unsigned changes = 0;
  mutable Snapshot first;
  /// Taken when an answer would rest on an erased value; null if out of date.
  mutable std::unique_ptr<Snapshot> fresh;
  /// Follows distinct objects; null if not wanted.
  mutable std::unique_ptr<Snapshot> refined;
};

/// Follows view-like ops from `value` to the buffer that they look at.
mlir::Value stripViews(mlir::Value value);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_SIMPLIFY_ORIGINANALYSIS_H
