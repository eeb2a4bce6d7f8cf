//===- core/check/explore/HeapWatch.h -------------------------------------===//
//
// What is live while paths are tried.
//
// Collects, while the explorer goes along every path, how many bytes of heap
// are live at each op of the function, and what is not known about them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_EXPLORE_HEAPWATCH_H
#define MEMREFLENS_CHECK_EXPLORE_HEAPWATCH_H

#include "core/trace/Model.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <functional>
#include <optional>

namespace memreflens::explorer {

/// Of one exploration, which is in one thread.
struct HeapWatch {
  using Gap = std::pair<trace::PeakGapKind, mlir::Operation *>;

  /// Most bytes live at an op of the explored function, over all paths; what
  /// callees hold counts at their call.
  llvm::MapVector<mlir::Operation *, int64_t> live;
  llvm::SetVector<Gap> gaps;
  /// Allocation and the op that deallocates it, both of the function itself.
  llvm::SetVector<std::pair<mlir::Operation *, mlir::Operation *>> freed;
  /// Bytes of each object by its serial number.
  llvm::DenseMap<unsigned, int64_t> bytes;
  /// Most bytes live in front of each iteration of a loop that is not gone
  /// through to its end.
  llvm::MapVector<mlir::Operation *, std::vector<int64_t>> iterations;
  /// Of a callee that is not run; none where it is being measured already.
  std::function<std::optional<trace::HeapUse>(mlir::Operation *callee)> heapOf;

  void see(mlir::Operation *op, int64_t bytesLive);
  void iterates(mlir::Operation *loop, unsigned iteration, int64_t bytesLive);
  /// Once all paths were tried.
  void addGrowth();
};

} // namespace memreflens::explorer

#endif // MEMREFLENS_CHECK_EXPLORE_HEAPWATCH_H
