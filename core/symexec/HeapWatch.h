//===- core/symexec/HeapWatch.h -------------------------------------------===//
//
// What is live while paths are tried.
//
// Collects, while the explorer goes along every path, how many bytes of heap
// are live at each op of the function, and what is not known about them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_HEAPWATCH_H
#define MEMREFLENS_SYMEXEC_HEAPWATCH_H

#include "core/trace/Model.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <compare>
#include <functional>
#include <optional>
#include <set>

namespace memreflens::symexec {

/// Iterations of a loop whose end is not known: the first ones differ from
/// those of its steady state.
inline constexpr unsigned iterationsTried = 4;

/// Bytes that a callee holds while it is called.
struct InCallee {
  mlir::Operation *callee = nullptr;
  int64_t bytes = 0;
};

/// A live buffer of the function itself that may be the pipeline's: a clone, or
/// a list for `dealloc_helper`.
struct LiveMade {
  /// Of its object.
  unsigned serial = 0;
  /// The clone; null for a list.
  mlir::Operation *op = nullptr;
  int64_t bytes = 0;
};

/// Of one exploration, which is in one thread.
struct HeapWatch {
  using Gap = std::pair<trace::PeakGapKind, mlir::Operation *>;

  /// Only what is in this memory space counts (core/source/MemorySpace.h);
  /// nothing: all of them together.
  std::optional<std::string> space = std::nullopt;

  /// Most bytes live at an op of the explored function, over all paths; what
  /// callees hold counts at their call.
  llvm::MapVector<mlir::Operation *, int64_t> live;
  /// Of these at a call: those of the callee, and whom it is.
  llvm::MapVector<mlir::Operation *, InCallee> callees;
  /// Bytes of what the function itself allocates, or gets of a callee; -1 where
  /// they are not known on a path.
  llvm::MapVector<mlir::Value, int64_t> sizes;
  /// And of what it has on the stack.
  llvm::MapVector<mlir::Value, int64_t> stack;
  llvm::SetVector<Gap> gaps;
  /// Objects that a callee made, by serial number: the call that returned them.
  llvm::DenseMap<unsigned, mlir::Operation *> returnedBy;
  /// Allocation, or call that returned it, and the op that deallocates it, both
  /// of the function itself.
  llvm::SetVector<std::pair<mlir::Operation *, mlir::Operation *>> freed;
  /// Bytes of each object by its serial number.
  llvm::DenseMap<unsigned, int64_t> bytes;
  /// Most bytes live in front of each iteration of a loop that is not gone
  /// through to its end.
  llvm::MapVector<mlir::Operation *, std::vector<int64_t>> iterations;
  /// A path in a loop that goes on as it did at an earlier iteration.
  struct Repeat {
    mlir::Operation *loop = nullptr;
    unsigned first = 0, again = 0;
    auto operator<=>(const Repeat &) const = default;
  };
  std::set<Repeat> repeats;
  /// Rounds of a loop were taken for others that could have been counted.
  bool passesRounds = false;
  /// Most bytes live at once on any path, the op there, and what the pipeline
  /// made of them: of more than a thousand buffers the first ones.
  int64_t most = 0;
  mlir::Operation *mostAt = nullptr;
  std::vector<LiveMade> made;
  /// Of a callee that is not run; none where it is being measured already.
  std::function<std::optional<trace::HeapUse>(mlir::Operation *callee)> heapOf;

  /// Whether a memref of this type counts.
  bool counts(mlir::Type type) const;
  void see(mlir::Operation *op, int64_t bytesLive, InCallee inCallee = {});
  static void size(llvm::MapVector<mlir::Value, int64_t> &sizes,
                   mlir::Value buffer, int64_t bytes);
  void iterates(mlir::Operation *loop, unsigned iteration, int64_t bytesLive);
  void addRepeats();
  /// Once all paths were tried.
  void addGrowth();
  bool grows() const {
    return llvm::any_of(gaps, [](const Gap &gap) {
      return gap.first == trace::PeakGapKind::growth;
    });
  }
};

/// Of a buffer with these sizes, by its layout; -1 where they are not known, or
/// one of the sizes is negative. `element`: that of its elements, or -1.
int64_t bytesOf(mlir::MemRefType type, llvm::ArrayRef<int64_t> sizes,
                int64_t element);

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_HEAPWATCH_H
