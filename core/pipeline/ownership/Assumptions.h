//===- core/pipeline/ownership/Assumptions.h - ops that nobody registered -===//
//
// With --unregistered=assume-..., the pass goes on past an op that is not
// registered as if it said that it allocates and frees nothing. The trace has a
// note for each function that rests on it, and for each such op.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_OWNERSHIP_ASSUMPTIONS_H
#define MEMREFLENS_PIPELINE_OWNERSHIP_ASSUMPTIONS_H

#include "core/pipeline/record/Recorder.h"

namespace memreflens {

/// Whether the run takes `op` for one without harm: it is not registered, and
/// has no regions, no successors, and does not end its block. Where it has,
/// control goes nobody knows where, and no free could be placed.
bool isAssumedHarmless(mlir::Operation *op,
                       trace::UnregisteredOps unregistered);

/// Adds the note about a function's assumed ops, if it has any.
void recordAssumptions(mlir::Operation *function, Recorder &recorder);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OWNERSHIP_ASSUMPTIONS_H
