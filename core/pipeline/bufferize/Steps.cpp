//===- core/pipeline/bufferize/Steps.cpp ----------------------------------===//

#include "core/pipeline/bufferize/Steps.h"
#include "core/pipeline/bufferize/Analysis.h"
#include "core/pipeline/bufferize/Decisions.h"
#include "core/pipeline/bufferize/Globals.h"
#include "core/pipeline/bufferize/Origins.h"
#include "core/pipeline/bufferize/PassOptions.h"
#include "core/pipeline/bufferize/Replay.h"

#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace memreflens::bufferize {

/// Whether `op` is in a function that the options leave out of the analysis.
static bool isLeftOut(Operation *op, ArrayRef<std::string> functions) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    function = op->getParentOfType<func::FuncOp>();
  return function && llvm::is_contained(functions, function.getSymName());
}

/// Decides, and makes the copies on tensors.
static LogicalResult decide(ModuleOp module, const PassOptions &options,
                            const trace::Trace &trace, Origins &origins,
                            trace::Bufferization &record, AnalysisBy by) {
  OneShotBufferizationOptions analysed = options.steps;
  if (!options.notAnalysed.empty())
    analysed.opFilter.denyOperation(
        [&](Operation *op) { return isLeftOut(op, options.notAnalysed); });
  auto state = std::make_unique<OneShotAnalysisState>(module, analysed);
  record.isReplayed =
      (by == AnalysisBy::replay ||
       (by == AnalysisBy::either && takesLong(module, *state))) &&
      succeeded(replay(module, analysed, *state));
  if (!record.isReplayed) {
    if (by != AnalysisBy::upstream)
      state = std::make_unique<OneShotAnalysisState>(module, analysed);
    if (failed(analyze(module, analysed, *state)))
      return failure();
  }
  recordDecisions(module, *state, options.steps, trace, record);
  if (analysed.testAnalysisOnly)
    return success();
  BufferizationState symbols;
  return origins.resolve(module, *state, symbols);
}

LogicalResult bufferize(ModuleOp module, const trace::Trace &trace,
                        trace::Bufferization &record, AnalysisBy by) {
  PassOptions options;
  if (std::string fault = readPassOptions(record.options, options);
      !fault.empty())
    return emitError(UnknownLoc::get(module.getContext()), fault);
  Origins origins(trace, record);
  if (options.steps.copyBeforeWrite)
    recordCopiesBeforeWrite(module, options.steps, trace, record);
  else if (failed(decide(module, options, trace, origins, record, by)))
    return failure();
  if (options.steps.testAnalysisOnly)
    return success();
  origins.listen(module, options.steps);
  const llvm::StringSet<> globals = globalNames(module);
  BufferizationState symbols;
  if (failed(options.steps.bufferizeFunctionBoundaries
                 ? bufferizeModuleOp(module, options.steps, symbols)
                 : bufferizeOp(module, options.steps, symbols)))
    return failure();
  orderGlobals(module, globals);
  origins.finish(module);
  return success();
}

} // namespace memreflens::bufferize
