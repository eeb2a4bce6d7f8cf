//===- core/pipeline/placement/DropResults.h - results that are arguments -===//
//
// MLIR's `drop-equivalent-buffer-results`: for each result of each function of
// a module whether it goes, because it is always the same argument, or why it
// stays. The IR is that of the pass. Not only buffers go: any result does.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_PLACEMENT_DROPRESULTS_H
#define MEMREFLENS_PIPELINE_PLACEMENT_DROPRESULTS_H

#include "core/trace/PlacementEvents.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace memreflens::placement {

using trace::MoveOutcome;

struct ResultDrop {
  mlir::func::FuncOp function;
  /// Of the function before the pass.
  unsigned result = 0;
  mlir::Type type;
  MoveOutcome outcome = MoveOutcome::dropped;
  /// Which argument it is; with differingArguments, of the first return.
  unsigned argument = 0;
  /// The return that passes another argument, or none, and what it passes.
  mlir::Operation *at = nullptr;
  mlir::Value because;
  /// How many calls lost the result, and the casts to its type in its place.
  unsigned calls = 0;
  std::vector<mlir::Operation *> casts;
};

/// Runs the pass; one entry a result, in order. Functions of nested modules
/// are none of the pass's. What else than a call names a function that lost
/// results (a func.constant) is left as it is, and not valid any more.
std::vector<ResultDrop> dropEquivalentResults(mlir::ModuleOp module);

} // namespace memreflens::placement

#endif // MEMREFLENS_PIPELINE_PLACEMENT_DROPRESULTS_H
