//===- core/pipeline/placement/LastUse.h - freed where nothing can use it -===//
//
// Deallocates right after the last use, where that is proven to be the last:
// what `optimize-allocation-liveness` does without a proof. Where a buffer
// leaves what can be followed (docs/passes.md lists the ways), its dealloc
// stays.
//
//   FreesMoved moved = freeAfterLastUse(module, symbols, {});
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_PLACEMENT_LASTUSE_H
#define MEMREFLENS_PIPELINE_PLACEMENT_LASTUSE_H

#include "mlir/IR/SymbolTable.h"

#include <functional>

namespace memreflens::placement {

/// What the user states of a call whose callee has no body; neither, if empty.
struct StatedOfCalls {
  /// It keeps no pointer to what it is passed.
  std::function<bool(mlir::Operation *)> keepsNothing;
  /// Its memref results are buffers that nothing else points to.
  std::function<bool(mlir::Operation *)> isFresh;
};

struct FreesMoved {
  /// memref.dealloc ops that are nearer to their allocation now, and those of
  /// which the last use is not known.
  uint64_t moved = 0, unknown = 0;
};

/// Each memref.dealloc below `root` moves up in its block only, and only if the
/// op that allocates is in that block, too. Functions beside `root` are not
/// looked into. Takes time in the number of uses.
FreesMoved freeAfterLastUse(mlir::Operation *root,
                            mlir::SymbolTableCollection &symbols,
                            const StatedOfCalls &stated);

} // namespace memreflens::placement

#endif // MEMREFLENS_PIPELINE_PLACEMENT_LASTUSE_H
