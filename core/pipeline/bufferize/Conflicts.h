//===- core/pipeline/bufferize/Conflicts.h - why an operand is copied -----===//
//
// Upstream's analysis says which operands are not in place, and not why. This
// asks of the finished analysis, pair by pair, which read would find what which
// write has overwritten, what must not be written, and what threads would
// share.
//
//   Conflicts conflicts(state, function);
//   Conflicts::Reasons why = conflicts.of(operand);
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_CONFLICTS_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_CONFLICTS_H

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/IR/Dominance.h"

#include <vector>

namespace memreflens::bufferize {

/// `read` is to find `definition` in a buffer that `write` has overwritten.
struct Conflict {
  mlir::OpOperand *read = nullptr;
  mlir::OpOperand *write = nullptr;
  mlir::Value definition;
  /// What else the read may be to find, and the write can come behind.
  llvm::SmallVector<mlir::Value, 1> others = {};
  /// A loop leads from the write back to the read.
  bool isAcrossIterations = false;
};

/// `write` is in a parallel region that `definition` is not in.
struct Shared {
  mlir::OpOperand *write = nullptr;
  mlir::Value definition;
};

class Conflicts {
public:
  /// `root` holds all ops that are asked about. Both must outlive it.
  Conflicts(mlir::bufferization::OneShotAnalysisState &state,
            mlir::Operation *root);

  struct Reasons {
    /// By distance of the read from the operand's op, the operand's own write
    /// first. At most `kept`; `count` and the others say how many there are.
    std::vector<Conflict> conflicts;
    uint32_t count = 0, reads = 0, writes = 0;
    /// What must not be written, in program order.
    std::vector<mlir::Value> notWritable;
    std::vector<Shared> shared;
    bool isBounded = false;
  };
  static constexpr size_t kept = 4;

  /// Why `operand` is not in place. Of one that is: what would be a reason if
  /// parallel regions were heeded.
  Reasons of(mlir::OpOperand &operand);

  /// For a write that is in place: reads in other blocks that find what it
  /// wrote, and are to find an argument of a block. Upstream takes a write in
  /// another block than the argument's for harmless.
  std::vector<Conflict> overwritten(mlir::OpOperand &write);

  /// Whether `read` would not find what it is to find if both are in one buffer
  /// and `write` is in place.
  bool areInConflict(mlir::OpOperand *read, mlir::OpOperand *write) {
    Conflict found;
    return find(read, write, found);
  }
  /// The same, and what the conflict is.
  bool areInConflict(mlir::OpOperand *read, mlir::OpOperand *write,
                     Conflict &found) {
    return find(read, write, found);
  }
  /// Whether the use reads its buffer, or passes it on to a read.
  bool isRead(mlir::OpOperand &use);
  /// Whether threads would share what `write` writes.
  bool isShared(mlir::OpOperand *write);

private:
  using Uses = std::vector<mlir::OpOperand *>;
  /// Values of the buffer that `operand` would be in if it were in place.
  std::vector<mlir::Value> aliasesOf(mlir::OpOperand &operand);
  void gather(mlir::OpOperand &operand, Uses &reads, Uses &writes);
  bool comesFrom(mlir::OpOperand *operand, mlir::Value value);
  bool isOrdered(mlir::OpOperand *read, mlir::OpOperand *write,
                 llvm::ArrayRef<mlir::Value> definitions);
  bool isHarmlessInOrder(mlir::OpOperand *read, mlir::OpOperand *write);
  bool areSubsetsApart(mlir::OpOperand *read, mlir::OpOperand *write);
  bool isHarmless(mlir::OpOperand *read, mlir::OpOperand *write,
                  bool isOrdered);
  bool reaches(mlir::OpOperand *write, mlir::Value definition);
  bool find(mlir::OpOperand *read, mlir::OpOperand *write, Conflict &found);
  void findConflicts(const Uses &reads, const Uses &writes, Reasons &reasons);
  void findShared(const Uses &writes, Reasons &reasons);
  void keepNearest(mlir::OpOperand &operand, Reasons &reasons);
  unsigned placeOf(mlir::Operation *op) const { return places.lookup(op); }
  unsigned placeOf(mlir::Value value) const;

  mlir::bufferization::OneShotAnalysisState &state;
  mlir::DominanceInfo dominance;
  /// Numbers of ops in program order.
  llvm::DenseMap<mlir::Operation *, unsigned> places;
  /// Whether what an op with regions gives may be what it was given.
  bool passesRegions = true;
  /// Pairs that may still be looked at.
  size_t pairsLeft = 2'000'000;
};

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_CONFLICTS_H
