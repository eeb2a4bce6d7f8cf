//===- core/pipeline/bufferize/Steps.h - one-shot-bufferize, recorded -----===//
//
// The steps of MLIR's one-shot-bufferize one by one: analysis, copies on
// tensors, buffers. The IR is that of the pass; what it decided, and by what
// each allocation and each copy came about, is in the record.
//
//   trace::Bufferization record;
//   bufferize(module, "bufferize-function-boundaries", trace, record);
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_STEPS_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_STEPS_H

#include "core/trace/Model.h"

#include "mlir/IR/BuiltinOps.h"

namespace memreflens::bufferize {

/// By what each operand is decided, with the same result.
enum class AnalysisBy : uint8_t {
  upstream, ///< MLIR's own code
  replay,   ///< Replay.h, where that knows all there is
  either    ///< the replay where MLIR's own would take long
};

/// Runs `one-shot-bufferize{options}` over `module`, whose ops and arguments
/// carry the ids of `trace`. Where it fails, it has reported the error of the
/// pass, and the module is spoiled. `record.options` are the options; the ops
/// are marked until linkCosts (Origins.h) finds them.
mlir::LogicalResult bufferize(mlir::ModuleOp module, const trace::Trace &trace,
                              trace::Bufferization &record,
                              AnalysisBy by = AnalysisBy::either);

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_STEPS_H
