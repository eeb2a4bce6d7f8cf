//===- core/pipeline/costs/Amounts.h - numbers that values stand for ------===//
//
//   amountOf(size, trace)   // 4 * %n, of %size = arith.muli %n, %c4
//   rangeOf(value, trace)   // (%n + 1) / 4, of an affine.apply
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_COSTS_AMOUNTS_H
#define MEMREFLENS_PIPELINE_COSTS_AMOUNTS_H

#include "core/trace/Model.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>
#include <set>
#include <vector>

namespace memreflens::costs {

/// As a product of values that the program names, and dimensions of them.
trace::Amount amountOf(mlir::OpFoldResult number, const trace::Trace &trace);

/// Bytes of a buffer that `op` makes of these sizes, one for each dynamic
/// dimension in order; without sizes, those of `buffer` itself. Laid out
/// without gaps.
trace::Amount bytesOf(mlir::Operation *op, mlir::MemRefType type,
                      mlir::ValueRange sizes, mlir::Value buffer,
                      const trace::Trace &trace);

//===--- Ranges: sums of amounts, divided by one (trace::LoopRange) -------===//

std::optional<trace::LoopRange> rangeOf(mlir::OpFoldResult number,
                                        const trace::Trace &trace);
/// `operands` are those of its map, of which the first ones are dimensions.
std::optional<trace::LoopRange> rangeOf(mlir::AffineExpr number,
                                        mlir::ValueRange operands,
                                        unsigned dimensions,
                                        const trace::Trace &trace);
/// From one number up to another, by `step`.
std::optional<trace::LoopRange> rangeBetween(const trace::LoopRange &low,
                                             const trace::LoopRange &high,
                                             const trace::Amount &step);
/// How many steps it is, where that is constant.
std::optional<int64_t> stepsOf(const trace::LoopRange &range);

//===--- Of a function ----------------------------------------------------===//

/// What it passes to a function of the program.
std::vector<trace::PassedNumber> passedBy(mlir::CallOpInterface call,
                                          const trace::Trace &trace);

/// How those of `wanted` are computed, and those that they are computed from.
std::vector<trace::ComputedNumber>
computedIn(mlir::FunctionOpInterface function, std::set<trace::Id> wanted,
           const trace::Trace &trace);

} // namespace memreflens::costs

#endif // MEMREFLENS_PIPELINE_COSTS_AMOUNTS_H
