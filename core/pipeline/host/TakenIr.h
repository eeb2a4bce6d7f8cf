//===- core/pipeline/host/TakenIr.h - IR of another tool in place of ours -===//
//
// After a pass that only the tool has, its IR becomes ours. Who each op is, is
// known by its location: before the pass both programs are the same, so each of
// the tool's locations stands for ops of ours.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_HOST_TAKENIR_H
#define MEMREFLENS_PIPELINE_HOST_TAKENIR_H

#include "core/pipeline/record/Recorder.h"

#include "mlir/IR/BuiltinOps.h"

namespace memreflens {

/// Gives the ops of `ours`, which are tagged, the locations of `tools` below
/// their tags. Both must be the same program.
void adoptLocations(mlir::ModuleOp ours, mlir::ModuleOp tools);

/// Puts the ops of `now` in the place of those of `ours` that differ from them.
///
/// `before` is the tool's program before the pass, the same as `ours` but for
/// what is ignored; null where it is not the same any more, and our own
/// locations stand for it. An op keeps its identity where its name, location
/// and operands are those of one before, or name and location where there are
/// as many of those as there were; all else is new.
void takeIr(mlir::ModuleOp ours, mlir::ModuleOp before, mlir::ModuleOp now,
            Recorder &recorder);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_HOST_TAKENIR_H
