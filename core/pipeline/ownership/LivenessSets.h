//===- core/pipeline/ownership/LivenessSets.h -----------------------------===//
//
// Memrefs live across block borders.
//
// Live-in and live-out memrefs of every block of a function, computed once on
// the function as it enters the pass, in the pass's order. Ops that are rebuilt
// during the pass report their new results here, so the sets never name a value
// that is gone; a question that upstream would have answered from freed memory
// is remembered.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_OWNERSHIP_LIVENESSSETS_H
#define MEMREFLENS_PIPELINE_OWNERSHIP_LIVENESSSETS_H

#include "core/pipeline/ownership/BlockLiveness.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace memreflens {

class Recorder;

class LivenessSets {
public:
  /// Analyses all blocks at and below `function`.
  explicit LivenessSets(mlir::Operation *function);

  /// Memrefs live at the start of `block`, sorted.
  llvm::SmallVector<mlir::Value> liveIn(mlir::Block *block);
  /// Memrefs live at the end of `from`, and at the start of `to` if given.
  llvm::SmallVector<mlir::Value> liveAcross(mlir::Block *from, mlir::Block *to);

  /// The last op of the program that uses `value` past the end of `block`: in
  /// another block, or nested in one. Null if there is none; of many, the last
  /// of some.
  mlir::Operation *useAfter(mlir::Value value, mlir::Block *block,
                            const Recorder &recorder) const;

  /// `oldValue` is about to be erased in favour of `newValue` (any type).
  void renamed(mlir::Value oldValue, mlir::Value newValue);

  /// A set that names a rebuilt op's old result was read: there, upstream
  /// reads freed memory (core/upstream).
  bool readsStaleValue() const { return readStale; }

private:
  LiveSet memrefsOf(const LiveSet &values);
  llvm::SmallVector<mlir::Value> sorted(const LiveSet &memrefs) const;
  mlir::Value current(mlir::Value value) const;

  BlockLiveness liveness;
  /// Values of memref type, known by address since they may be gone by now,
  /// with their position in the function.
  llvm::DenseMap<mlir::Value, unsigned> memrefs;
  llvm::DenseMap<mlir::Value, mlir::Value> renames;
  bool readStale = false;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OWNERSHIP_LIVENESSSETS_H
