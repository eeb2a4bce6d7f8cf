//===- core/pipeline/ownership/LiveSet.h ----------------------------------===//
//
// A set of values, and what its order is.
//
// Values live at one place, in the order in which upstream meets them, as far
// as it has one: up to 16 stay in order of insertion, more are hashed by
// address, and what comes out of a hashed set has no order that a second run
// would repeat. A group is a run of values whose order among each other rests
// on addresses; the order of the groups does not.
//
//   insert a, b; add the hashed {c, d}; insert e    ->    a | b | c d | e
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_OWNERSHIP_LIVESET_H
#define MEMREFLENS_PIPELINE_OWNERSHIP_LIVESET_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace memreflens {

class LiveSet {
public:
  struct Member {
    mlir::Value value;
    unsigned group = 0;
  };

  /// False if it was there.
  bool insert(mlir::Value value);
  bool contains(mlir::Value value) const;
  unsigned size() const { return hashed ? many.size() : few.size(); }
  /// The values are in no order at all.
  bool isHashed() const { return hashed; }

  void add(const LiveSet &other);
  void subtract(const LiveSet &other);
  /// Fills each gap with the last value, as upstream's sets do.
  void removeIf(llvm::function_ref<bool(mlir::Value)> isUnwanted);
  /// A new set, filled in our order.
  LiveSet filtered(llvm::function_ref<bool(mlir::Value)> isWanted) const;

  /// All of them, by group; those of one group in no particular order.
  llvm::SmallVector<Member> members() const;

private:
  unsigned nextGroup() const;
  void append(mlir::Value value, unsigned group);
  void removeAt(unsigned position);

  llvm::SmallVector<Member, 0> few;
  llvm::DenseSet<mlir::Value> many;
  bool hashed = false;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OWNERSHIP_LIVESET_H
