//===- core/pipeline/costs/LoopBounds.h - numbers that values stand for ---===//

#ifndef MEMREFLENS_PIPELINE_COSTS_LOOPBOUNDS_H
#define MEMREFLENS_PIPELINE_COSTS_LOOPBOUNDS_H

#include "core/trace/Model.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace memreflens::costs {

/// As a product of values that the program names, and dimensions of them.
trace::Amount amountOf(mlir::OpFoldResult number, const trace::Trace &trace);

/// Bytes of a buffer that `op` makes of these sizes, one for each dynamic
/// dimension in order; without sizes, those of `buffer` itself. Laid out
/// without gaps.
trace::Amount bytesOf(mlir::Operation *op, mlir::MemRefType type,
                      mlir::ValueRange sizes, mlir::Value buffer,
                      const trace::Trace &trace);

/// Each time that the loop is entered.
trace::LoopRounds roundsOf(mlir::LoopLikeOpInterface loop,
                           const trace::Trace &trace);

} // namespace memreflens::costs

#endif // MEMREFLENS_PIPELINE_COSTS_LOOPBOUNDS_H
