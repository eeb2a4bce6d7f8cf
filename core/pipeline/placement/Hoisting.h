//===- core/pipeline/placement/Hoisting.h - where an allocation may move --===//
//
// MLIR's `buffer-hoisting` and `buffer-loop-hoisting`, step by step: for each
// allocation the blocks that it goes up through, and what stops it there. The
// IR is that of the passes.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_PLACEMENT_HOISTING_H
#define MEMREFLENS_PIPELINE_PLACEMENT_HOISTING_H

#include "core/trace/PlacementEvents.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <vector>

namespace memreflens::placement {

using trace::MoveOutcome;

enum class HoistingPass : uint8_t {
  blocks, ///< buffer-hoisting
  loops   ///< buffer-loop-hoisting
};

struct Hoisted {
  mlir::Operation *allocation = nullptr;
  mlir::Block *from = nullptr;
  mlir::Block *to = nullptr;
  /// What keeps it from moving further up: where an operand (`because`) is
  /// defined, or an op (`around`) that it would leave.
  MoveOutcome limit = MoveOutcome::notHoistable;
  mlir::Value because;
  mlir::Operation *around = nullptr;
};

/// Runs the pass on a function with a body; one entry an allocation, heap
/// before stack, inner ones first.
std::vector<Hoisted> hoistAllocations(mlir::FunctionOpInterface function,
                                      HoistingPass pass);

/// Whether control may come back to a region of `op` (the passes' question).
bool isLoop(mlir::Operation *op);
/// A loop, or an op that says how control flows through its regions.
bool isKnownControlFlow(mlir::Operation *op);

} // namespace memreflens::placement

#endif // MEMREFLENS_PIPELINE_PLACEMENT_HOISTING_H
