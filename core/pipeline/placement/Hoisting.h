//===- core/pipeline/placement/Hoisting.h - where an allocation may move --===//
//
// MLIR's `buffer-hoisting` and `buffer-loop-hoisting`, step by step: for each
// allocation the blocks that it goes up through, and what stops it there. The
// IR is that of the passes.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_PLACEMENT_HOISTING_H
#define MEMREFLENS_PIPELINE_PLACEMENT_HOISTING_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <vector>

namespace memreflens::placement {

enum class HoistingPass : uint8_t {
  blocks, ///< buffer-hoisting
  loops   ///< buffer-loop-hoisting
};

/// What keeps an allocation from moving further up.
enum class HoistingLimit : uint8_t {
  /// The op may not be moved by this pass.
  notHoistable,
  /// An operand (`because`) is defined in the block.
  operand,
  /// All uses, those of aliases too, already lie below the block: going on
  /// would only make it live longer.
  usesBelow,
  /// The next step would leave an op (`around`) that no hoisting leaves: one
  /// that is neither a loop nor a known region branch, a function for one.
  unknownRegion,
  /// It would leave a loop, which only loop hoisting does.
  loop,
  /// It would leave an op that is no loop, which loop hoisting does not do.
  noLoop,
  /// It would leave a loop whose iterations run at the same time: each needs
  /// memory of its own.
  parallelLoop,
  /// Uses outside of the loop need the allocation of each iteration.
  usedOutsideLoop,
};

struct Hoisted {
  mlir::Operation *allocation = nullptr;
  mlir::Block *from = nullptr;
  mlir::Block *to = nullptr;
  HoistingLimit limit = HoistingLimit::notHoistable;
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
