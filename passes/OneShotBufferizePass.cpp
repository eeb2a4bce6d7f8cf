//===- passes/OneShotBufferizePass.cpp - the same IR, decided sooner ------===//
//
// MLIR's analysis compares each read of a buffer with each write of it, anew
// for each operand that it decides: its time grows with the cube of the writes.
// core/pipeline/bufferize/Replay.h compares each pair once. What that does not
// know, upstream's own pass decides.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/bufferize/PassOptionFields.h"
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
/// Lets its options be declared elsewhere.
class PassOfOptions : public OperationPass<ModuleOp> {
public:
  using OperationPass<ModuleOp>::OperationPass;
  using Pass::ListOption;
  using Pass::Option;
};

class LensOneShotBufferizePass
    : public PassWrapper<LensOneShotBufferizePass, PassOfOptions> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LensOneShotBufferizePass)

  LensOneShotBufferizePass() = default;
  /// The pass manager copies the values of options.
  LensOneShotBufferizePass(const LensOneShotBufferizePass &other)
      : PassWrapper(other), fault(other.fault) {}
  explicit LensOneShotBufferizePass(const std::string &options) {
    (void)initializeOptions(options, [&](const Twine &message) {
      fault = message.str();
      return failure();
    });
  }

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
  /// What excludes each other is told before anything runs.
  LogicalResult initializeOptions(
      StringRef text,
      function_ref<LogicalResult(const Twine &)> onError) override {
    bufferize::PassOptions read;
    if (std::string wrong = bufferize::readPassOptions(text, read);
        !wrong.empty())
      return onError(wrong);
    return PassWrapper::initializeOptions(text, onError);
  }
  void runOnOperation() override;

private:
  std::string written();
  LogicalResult runReplayed();

  bufferize::PassOptionFields<PassOfOptions> fields{*this};
  /// Of the options that a program gave.
  std::string fault;
};
} // namespace

/// The options as text, which upstream's pass takes as well.
std::string LensOneShotBufferizePass::written() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  printAsTextualPipeline(stream);
  StringRef inside = text;
  inside.consume_front(getArgument());
  inside.consume_front("{");
  inside.consume_back("}");
  return inside.str();
}

/// Fails, with the module as it was, where upstream's analysis is needed.
LogicalResult LensOneShotBufferizePass::runReplayed() {
  bufferize::PassOptions read;
  if (std::string wrong = bufferize::readPassOptions(written(), read);
      !wrong.empty())
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
  if (!fault.empty()) {
    getOperation()->emitError(fault);
    return signalPassFailure();
  }
  if (succeeded(runReplayed()))
    return;
  OpPassManager upstream(ModuleOp::getOperationName());
  const std::string pipeline = "one-shot-bufferize{" + written() + "}";
  if (failed(parsePassPipeline(pipeline, upstream)) ||
      failed(runPipeline(upstream, getOperation())))
    signalPassFailure();
}

std::unique_ptr<Pass> createLensOneShotBufferizePass(std::string options) {
  return std::make_unique<LensOneShotBufferizePass>(options);
}

void registerOneShotBufferizePass() {
  PassRegistration<LensOneShotBufferizePass>();
}

} // namespace memreflens
