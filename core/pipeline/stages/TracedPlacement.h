//===- core/pipeline/stages/TracedPlacement.h -----------------------------===//
//
// Other placements, recorded.
//
// The classic deallocation pass and the passes that move allocations, with each
// decision as an event (core/trace/PlacementEvents.h).
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_TRACEDPLACEMENT_H
#define MEMREFLENS_PIPELINE_STAGES_TRACEDPLACEMENT_H

#include "core/pipeline/record/Recorder.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace memreflens {

/// Runs the classic pass on a function with a body. False if it is rejected:
/// the last event says why, and the IR is to be thrown away.
bool traceClassicPass(mlir::FunctionOpInterface function, Recorder &recorder);

/// Whether `tracePlacementPass` takes it, a pass as mlir-opt does.
bool isTracedPlacement(llvm::StringRef pass);
/// Runs a pass that moves allocations, frees or results on the functions of the
/// module that are not set aside. Fails where MLIR's fails, with its error.
mlir::LogicalResult tracePlacementPass(llvm::StringRef pass,
                                       mlir::ModuleOp module,
                                       Recorder &recorder);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_TRACEDPLACEMENT_H
