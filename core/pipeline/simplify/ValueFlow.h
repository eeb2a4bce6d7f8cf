//===- core/pipeline/simplify/ValueFlow.h - what control flow hands on ----===//
//
// Which values become which arguments and results where control flows: along a
// branch, and into, between and out of the regions of an op.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_SIMPLIFY_VALUEFLOW_H
#define MEMREFLENS_PIPELINE_SIMPLIFY_VALUEFLOW_H

#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace memreflens {

/// `from` becomes `to`, one by one, because of `via`.
using FlowVisitor = llvm::function_ref<void(
    mlir::ValueRange from, mlir::ValueRange to, mlir::Operation *via)>;

/// To the arguments of each successor; without those that the branch makes.
void visitBranchFlow(mlir::BranchOpInterface branch, FlowVisitor visit);

/// `via` is the op itself where its operands are handed to a region (or past
/// all), and a region's terminator where that hands on.
void visitRegionFlow(mlir::RegionBranchOpInterface op, FlowVisitor visit);

/// Appends what branches pass to a block's argument; false if a predecessor
/// does not end in a branch, or makes the operand itself.
bool operandsInto(mlir::BlockArgument argument,
                  llvm::SmallVectorImpl<mlir::Value> &from);

/// Whether `op` may run more than once in one call of its function: it lies in
/// a loop, or in an op of which it is not known that it is none.
bool mayRunTwice(mlir::Operation *op);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_SIMPLIFY_VALUEFLOW_H
