//===- core/pipeline/bufferize/Amounts.h - how much, and how often --------===//
//
// Bytes of a buffer, in numbers or in the names of its sizes, and how often the
// loops around a place run it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_AMOUNTS_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_AMOUNTS_H

#include "core/trace/Model.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace memreflens::bufferize {

/// Sets `bytes`, or `size` where a size is not static; `sizes` are those, as
/// far as they are known.
void setBytes(trace::TensorCost &cost, mlir::Operation *scope,
              mlir::ShapedType type, mlir::ValueRange sizes,
              const trace::Trace &trace);

/// Sets `loops` and `times` of what stands in `block`.
void setLoops(trace::TensorCost &cost, mlir::Block *block);

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_AMOUNTS_H
