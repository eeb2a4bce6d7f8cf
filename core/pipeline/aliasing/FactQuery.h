//===- core/pipeline/aliasing/FactQuery.h - facts that a program states ---===//
//
// Whether two accesses provably touch no common memory by what the program says
// in the dialect `lens`: scopes within a domain, distinct objects, `none_are`.
//
//   FactQuery query(function);
//   if (Answer answer = query.ask(load, store)) ... // they cannot touch
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_ALIASING_FACTQUERY_H
#define MEMREFLENS_PIPELINE_ALIASING_FACTQUERY_H

#include "core/dialect/LensDialect.h"

#include "llvm/ADT/DenseMap.h"

namespace memreflens::aliasing {

enum class Fact : uint8_t {
  none,            ///< nothing is known: they may touch
  scopes,          ///< the scopes of one are in the `noalias` of the other
  distinctObjects, ///< reached through different objects
  noneAre          ///< through an object, and through one that none of them is
};

struct Answer {
  Fact fact = Fact::none;
  /// The op that states it. It holds for one run of that op's region.
  mlir::Operation *by = nullptr;

  explicit operator bool() const { return fact != Fact::none; }
};

class FactQuery {
public:
  explicit FactQuery(mlir::Operation *root);

  /// Of two ops that access memory.
  Answer ask(mlir::Operation *first, mlir::Operation *second) const;

private:
  /// Through what a value is reached, as one op of distinct objects sees it.
  struct Reached {
    llvm::DenseSet<unsigned> objects;
    bool others = false;
    /// Also past the op: nothing can be said.
    bool elsewhere = false;
  };

  Answer askScopes(mlir::Operation *first, mlir::Operation *second) const;
  Answer askObjects(dialect::DistinctObjectsOp objects, mlir::Operation *first,
                    mlir::Operation *second) const;
  Reached reach(mlir::Operation *access,
                dialect::DistinctObjectsOp objects) const;

  /// Where each memref may come from, directly.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> sources;
};

/// The memrefs whose memory `op` reads or writes.
llvm::SmallVector<mlir::Value, 2> accessedMemrefs(mlir::Operation *op);

} // namespace memreflens::aliasing

#endif // MEMREFLENS_PIPELINE_ALIASING_FACTQUERY_H
