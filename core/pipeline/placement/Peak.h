//===- core/pipeline/placement/Peak.h - bytes between allocation and use --===//
//
// For programs that deallocate nothing yet, to tell what hoisting does to them;
// peaks that users see are those of core/symexec/HeapPeak.h. In the order of
// the text: each buffer from its allocation to the last use of it or of an
// alias. Both arms of a branch count, a loop once.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_PLACEMENT_PEAK_H
#define MEMREFLENS_PIPELINE_PLACEMENT_PEAK_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace memreflens::placement {

/// Bytes of a buffer of static shape; none for another.
std::optional<uint64_t> bytesOf(mlir::Operation *scope, mlir::Type type);

struct Peak {
  /// Of buffers of static shape.
  uint64_t bytes = 0;
  /// Others are live in the function: there may be more.
  bool hasUnknown = false;
};

Peak peakOf(mlir::Operation *function);

} // namespace memreflens::placement

#endif // MEMREFLENS_PIPELINE_PLACEMENT_PEAK_H
