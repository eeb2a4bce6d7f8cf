//===- core/pipeline/ownership/BlockLiveness.h ----------------------------===//
//
// What is live around each block.
//
// Values live into and out of every block below an op, with the order in which
// upstream's analysis keeps them. That analysis hands out sets whose order may
// rest on addresses and does not say which; this one does (LiveSet.h).
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_OWNERSHIP_BLOCKLIVENESS_H
#define MEMREFLENS_PIPELINE_OWNERSHIP_BLOCKLIVENESS_H

#include "core/pipeline/ownership/LiveSet.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"

namespace memreflens {

class BlockLiveness {
public:
  explicit BlockLiveness(mlir::Operation *root);

  const LiveSet &liveIn(mlir::Block *block) const;
  const LiveSet &liveOut(mlir::Block *block) const;

private:
  struct Facts {
    /// Used in the block or below, and not defined there.
    LiveSet uses;
    LiveSet definitions;
    LiveSet liveIn;
    LiveSet liveOut;
  };

  void gather(mlir::Block *block, Facts &facts);
  bool updateLiveIn(Facts &facts);
  void updateLiveOut(mlir::Block *block, Facts &facts);

  llvm::DenseMap<mlir::Block *, Facts> blocks;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OWNERSHIP_BLOCKLIVENESS_H
