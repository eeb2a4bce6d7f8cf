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

#include <functional>

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
/// are marked until linkCosts (Origins.h) finds them. `onCopies`, which may be
/// empty, is called between the steps, with the copies on tensors in the
/// module; not where nothing is analysed.
mlir::LogicalResult bufferize(mlir::ModuleOp module, const trace::Trace &trace,
                              trace::Bufferization &record,
                              AnalysisBy by = AnalysisBy::either,
                              const std::function<void()> &onCopies = {});

/// The first two steps as MLIR has them: its analysis, and the copies on
/// tensors. Fails, too, where the options ask for no analysis, or for no more.
mlir::LogicalResult insertCopiesAsUpstream(mlir::ModuleOp module,
                                           llvm::StringRef options);

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_STEPS_H
