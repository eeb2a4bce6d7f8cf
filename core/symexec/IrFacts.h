//===- core/symexec/IrFacts.h - facts about the IR, found once ------------===//
//
// Numbers values, says what running an op comes to, which values are dead after
// it or at a block's start, and which regions matter to memory at all. What its
// loops' rounds differ in is in LoopFacts.cpp, ways through ops in
// OpSummary.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_IRFACTS_H
#define MEMREFLENS_SYMEXEC_IRFACTS_H

#include "mlir/Analysis/Liveness.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace memreflens::symexec {

/// What an op with regions does to buffers, whichever way is taken through it.
struct OpSummary {
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

/// What running an op comes to.
enum class Action : uint8_t {
  nothing, ///< it makes a constant, or nothing that is followed
  load,
  store,
  dealloc, ///< bufferization.dealloc
  realloc,
  clone,
  dim,
  assertion,
  choice, ///< arith.select of two buffers
  view,
  scalar, ///< one number, made without memory
  effects,
  region,
  call,
  branch,
  terminate,
  end ///< the program does not get there
};

class IrFacts {
public:
  /// What is found out about an op when its block is first met.
  struct Known {
    Action action = Action::nothing;
    /// Values of the op's own region that nothing needs after it.
    std::vector<unsigned> dead;
  };
  /// Stays where it is.
  const Known &of(mlir::Operation *op);

  unsigned numberOf(mlir::Value value);
  mlir::Value valueOf(unsigned number) const { return values[number]; }
  /// The number that the value always is; none if it may be others.
  std::optional<int64_t> constantOf(unsigned number) const {
    return constants[number];
  }
  /// No value right in the region has a lower number.
  unsigned firstIn(mlir::Region *region) const {
    auto known = firstOfRegion.find(region);
    return known == firstOfRegion.end() ? unsigned(values.size())
                                        : known->second;
  }

  /// Whether a value of the block's region is needed in it or later.
  bool isLiveInto(mlir::Value value, mlir::Block *block);

  /// Memory is allocated, freed, passed on or stored below `op`, so that each
  /// way through it counts; else its uses are all that matters.
  bool mattersBelow(mlir::Operation *op);
  const OpSummary &summaryOf(mlir::Operation *op);
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
  void lookAt(mlir::Block *block);
  Action actionOf(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, unsigned> numbers;
  std::vector<mlir::Value> values;
  std::vector<std::optional<int64_t>> constants;
  llvm::DenseMap<mlir::Region *, unsigned> firstOfRegion;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<mlir::Liveness>> analyses;
  llvm::DenseMap<mlir::Operation *, Known *> known;
  std::deque<Known> allKnown;
  llvm::DenseMap<mlir::Operation *, bool> matters, touches, keeps;
  /// Without calls that are run, and with.
  llvm::DenseMap<mlir::Operation *, bool> counts[2];
  llvm::DenseMap<mlir::Value, bool> marks;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<OpSummary>> summaries;
};

/// A memref, or a tensor (which may stand for one).
bool isBuffer(mlir::Type type);

/// Numbers and buffers: of these the content of memory matters to who frees
/// what.
bool isFollowed(mlir::Type element);

/// Code behind where it is put into memory can read it back to tell who owns
/// what.
bool decidesOwnership(mlir::Type stored);

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_IRFACTS_H
