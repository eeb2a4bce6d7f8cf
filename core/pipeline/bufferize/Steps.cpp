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
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
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

/// With more, MLIR's analysis takes longer than the rest of the pipeline.
static constexpr uint64_t manyComparisons = 200'000;

/// Options of the analysis, which refer to those of the pass.
static OneShotBufferizationOptions analysedBy(const PassOptions &options) {
  OneShotBufferizationOptions analysed = options.steps;
  if (!options.notAnalysed.empty())
    analysed.opFilter.denyOperation(
        [&](Operation *op) { return isLeftOut(op, options.notAnalysed); });
  return analysed;
}

/// Decides, and makes the copies on tensors.
static LogicalResult decide(ModuleOp module, const PassOptions &options,
                            const trace::Trace &trace, Origins &origins,
                            trace::Bufferization &record, AnalysisBy by) {
  const OneShotBufferizationOptions analysed = analysedBy(options);
  auto state = std::make_unique<OneShotAnalysisState>(module, analysed);
  record.isReplayed =
      (by == AnalysisBy::replay ||
       (by == AnalysisBy::either &&
        comparisonsIn(module, *state, Decided::no) > manyComparisons)) &&
      succeeded(replay(module, analysed, *state));
  if (!record.isReplayed) {
    if (by != AnalysisBy::upstream)
      state = std::make_unique<OneShotAnalysisState>(module, analysed);
    if (failed(analyze(module, analysed, *state)))
      return failure();
  }
  record.comparisons = comparisonsIn(module, *state, Decided::yes);
  recordDecisions(module, *state, options.steps, trace, record);
  if (analysed.testAnalysisOnly)
    return success();
  BufferizationState symbols;
  return origins.resolve(module, *state, symbols);
}

LogicalResult bufferize(ModuleOp module, const trace::Trace &trace,
                        trace::Bufferization &record, AnalysisBy by,
                        const std::function<void()> &onCopies) {
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
  if (onCopies && !options.steps.copyBeforeWrite)
    onCopies();
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

LogicalResult insertCopiesAsUpstream(ModuleOp module, StringRef options) {
  PassOptions read;
  if (!readPassOptions(options, read).empty())
    return failure();
  if (read.steps.copyBeforeWrite || read.steps.testAnalysisOnly)
    return failure();
  BufferizationState symbols;
  return insertTensorCopies(module, analysedBy(read), symbols);
}

} // namespace memreflens::bufferize
