//===- core/check/explore/Shape.h - facts about the IR, found once --------===//
//
// Numbers values, says which are dead after an op or at a block's start, and
// which regions matter to memory at all.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_EXPLORE_SHAPE_H
#define MEMREFLENS_CHECK_EXPLORE_SHAPE_H

#include "mlir/Analysis/Liveness.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <vector>

namespace memreflens::explorer {

/// What an op with regions does to buffers, whichever way is taken through it.
struct Passage {
  /// It uses them, and that is all that matters of it: it frees, makes and
  /// hands on none, decides nothing about one, and gives back numbers at most.
  bool isPossible = false;
  /// Buffers from outside that something below uses, or may write numbers to.
  llvm::SmallVector<mlir::Value> used, written;
  /// Numbers from outside that are written to one.
  llvm::SmallVector<mlir::Value> stored;
  /// They pass on and give back no buffer.
  llvm::SmallVector<mlir::CallOpInterface> calls;
};

class Shape {
public:
  unsigned numberOf(mlir::Value value);
  mlir::Value valueOf(unsigned number) const { return values[number]; }
  /// No value right in the region has a lower number.
  unsigned firstIn(mlir::Region *region) const {
    auto known = firstOfRegion.find(region);
    return known == firstOfRegion.end() ? unsigned(values.size())
                                        : known->second;
  }

  /// Values of the op's own region that nothing needs after it.
  const std::vector<unsigned> &deadAfter(mlir::Operation *op);
  /// Whether a value of the block's region is needed in it or later.
  bool isLiveInto(mlir::Value value, mlir::Block *block);

  /// Memory is allocated, freed, passed on or stored below `op`, so that each
  /// way through it counts; else its uses are all that matters.
  bool mattersBelow(mlir::Operation *op);
  const Passage &passageOf(mlir::Operation *op);
  /// Below `op` a buffer or an i1 is put into memory, or taken out of it, at a
  /// place that is counted.
  bool keepsBuffers(mlir::Operation *op);
  /// What a round of the loop allocates, or which way it takes, may depend on
  /// numbers that are others in each; a callee that is run may ask for any.
  bool countsRounds(mlir::Operation *loop, bool runsCalls);
  /// The i1s in this memory of the function's own tell nothing of buffers: what
  /// they decide does nothing but with numbers, as where the sparse compiler
  /// notes which elements it has met.
  bool holdsMarks(mlir::Value memory);
  /// Memory occurs below `op`.
  bool touchesMemory(mlir::Operation *op);

private:
  const mlir::LivenessBlockInfo *liveness(mlir::Block *block);
  void findDead(mlir::Block *block);

  llvm::DenseMap<mlir::Value, unsigned> numbers;
  std::vector<mlir::Value> values;
  llvm::DenseMap<mlir::Region *, unsigned> firstOfRegion;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<mlir::Liveness>> analyses;
  llvm::DenseMap<mlir::Operation *, std::vector<unsigned>> dead;
  llvm::DenseMap<mlir::Operation *, bool> matters, touches, keeps;
  /// Without calls that are run, and with.
  llvm::DenseMap<mlir::Operation *, bool> counts[2];
  llvm::DenseMap<mlir::Value, bool> marks;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Passage>> passages;
};

/// A memref, or a tensor (which may stand for one).
bool isBuffer(mlir::Type type);

/// Numbers and buffers: of these the content of memory matters to who frees
/// what.
bool isFollowed(mlir::Type element);

} // namespace memreflens::explorer

#endif // MEMREFLENS_CHECK_EXPLORE_SHAPE_H
