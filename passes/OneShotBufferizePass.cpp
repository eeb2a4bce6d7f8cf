//===- passes/OneShotBufferizePass.cpp - the same IR, decided sooner ------===//
//
// MLIR's analysis compares each read of a buffer with each write of it, anew
// for each operand that it decides: its time grows with the cube of the writes.
// core/pipeline/bufferize/Replay.h compares each pair once. What that does not
// know, upstream's own pass decides.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/bufferize/PassOptions.h"
#include "core/pipeline/bufferize/Replay.h"
#include "passes/LensPasses.h"
#include "passes/Options.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace memreflens {

namespace {
class LensOneShotBufferizePass
    : public PassWrapper<LensOneShotBufferizePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LensOneShotBufferizePass)

  LensOneShotBufferizePass() = default;
  LensOneShotBufferizePass(const LensOneShotBufferizePass &other)
      : PassWrapper(other), written(other.written) {}
  explicit LensOneShotBufferizePass(std::string options)
      : written(std::move(options)) {}

  StringRef getArgument() const override {
    return options::oneShotBufferizePass;
  }
  StringRef getDescription() const override {
    return "one-shot-bufferize, with its options and the same IR, in less time "
           "where a buffer is written often";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<bufferization::BufferizationDialect, memref::MemRefDialect>();
  }
  /// The options are those of one-shot-bufferize, which has no class for them
  /// that others may take.
  LogicalResult initializeOptions(
      StringRef text,
      function_ref<LogicalResult(const Twine &)> onError) override {
    written = text.str();
    bufferize::PassOptions read;
    const std::string fault = bufferize::readPassOptions(written, read);
    return fault.empty() ? success() : onError(fault);
  }
  void runOnOperation() override;

private:
  LogicalResult runReplayed();

  std::string written;
};
} // namespace

/// Fails, with the module as it was, where upstream's analysis is needed.
LogicalResult LensOneShotBufferizePass::runReplayed() {
  bufferize::PassOptions read;
  if (std::string fault = bufferize::readPassOptions(written, read);
      !fault.empty())
    return failure();
  const bufferization::OneShotBufferizationOptions &steps = read.steps;
  if (steps.copyBeforeWrite || steps.testAnalysisOnly || steps.dumpAliasSets ||
      steps.printConflicts || !read.notAnalysed.empty())
    return failure();
  bufferization::OneShotAnalysisState state(getOperation(), steps);
  if (failed(bufferize::replay(getOperation(), steps, state)))
    return failure();
  bufferization::BufferizationState symbols;
  if (failed(
          bufferization::insertTensorCopies(getOperation(), state, symbols)) ||
      failed(bufferization::bufferizeModuleOp(getOperation(), steps, symbols)))
    signalPassFailure();
  return success();
}

void LensOneShotBufferizePass::runOnOperation() {
  if (succeeded(runReplayed()))
    return;
  OpPassManager upstream(ModuleOp::getOperationName());
  const std::string pipeline = "one-shot-bufferize{" + written + "}";
  if (failed(parsePassPipeline(pipeline, upstream)) ||
      failed(runPipeline(upstream, getOperation())))
    signalPassFailure();
}

std::unique_ptr<Pass> createLensOneShotBufferizePass(std::string options) {
  return std::make_unique<LensOneShotBufferizePass>(std::move(options));
}

void registerOneShotBufferizePass() {
  PassRegistration<LensOneShotBufferizePass>();
}

} // namespace memreflens
