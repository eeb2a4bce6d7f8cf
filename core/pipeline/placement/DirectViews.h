//===- core/pipeline/placement/DirectViews.h - surely the same memory -----===//
//
// What is certainly a buffer, or a part of it: itself and views and casts of
// it. And where its address is put into memory.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_PLACEMENT_DIRECTVIEWS_H
#define MEMREFLENS_PIPELINE_PLACEMENT_DIRECTVIEWS_H

#include "mlir/IR/Operation.h"

namespace memreflens::placement {

/// The buffer first, then views in the order of their ops' uses.
llvm::SmallVector<mlir::Value> directViews(mlir::Value buffer);

/// What a value is a view or cast of, at last.
mlir::Value rootOf(mlir::Value view);

/// The memref.store that puts `view`, or its aligned address that `user` takes,
/// into memory; null if `user` does nothing of that.
mlir::Operation *storeOfAddress(mlir::Operation *user, mlir::Value view);

} // namespace memreflens::placement

#endif // MEMREFLENS_PIPELINE_PLACEMENT_DIRECTVIEWS_H
