//===- core/pipeline/costs/LoopBounds.h - rounds of a loop ----------------===//

#ifndef MEMREFLENS_PIPELINE_COSTS_LOOPBOUNDS_H
#define MEMREFLENS_PIPELINE_COSTS_LOOPBOUNDS_H

#include "core/trace/Model.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

namespace memreflens::costs {

/// Each time that the loop is entered.
trace::LoopRounds roundsOf(mlir::LoopLikeOpInterface loop,
                           const trace::Trace &trace);

} // namespace memreflens::costs

#endif // MEMREFLENS_PIPELINE_COSTS_LOOPBOUNDS_H
