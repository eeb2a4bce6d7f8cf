//===- passes/LensPasses.cpp ----------------------------------------------===//

#include "passes/LensPasses.h"
#include "passes/Options.h"
#include "passes/Remarks.h"

#include "core/pipeline/ownership/OwnershipPass.h"
#include "core/pipeline/simplify/Simplify.h"
#include "core/source/Contracts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace memreflens {

using namespace options;

//===--- Options ----------------------------------------------------------===//

/// What no option of ours is; empty if all is well.
static std::string problemOf(StringRef refine, StringRef late = {}) {
  if (!refine.empty() && refine != "distinct-objects")
    return "'" + std::string(refineName) + "' knows distinct-objects only";
  if (!late.empty() && late != "last-use")
    return "'" + std::string(lateName) + "' knows last-use only";
  return {};
}

//===--- Ownership --------------------------------------------------------===//

namespace {
class OwnershipPass : public PassWrapper<OwnershipPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OwnershipPass)

  OwnershipPass() = default;
  OwnershipPass(const OwnershipPass &other) : PassWrapper(other) {
    copyOptionValuesFrom(&other);
  }
  explicit OwnershipPass(const LensDeallocationOptions &options) {
    dynamic = options.privateFunctionDynamicOwnership;
    refine = options.refineDistinctObjects ? "distinct-objects" : "";
    remarks = options.remarks;
  }

  StringRef getArgument() const override {
    return "lens-ownership-based-buffer-deallocation";
  }
  StringRef getDescription() const override {
    return "Inserts bufferization.dealloc for all allocations, as "
           "ownership-based-buffer-deallocation does";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<bufferization::BufferizationDialect, arith::ArithDialect,
                    memref::MemRefDialect, scf::SCFDialect>();
  }
  LogicalResult initialize(MLIRContext *context) override {
    std::string problem = problemOf(refine);
    return problem.empty()
               ? success()
               : LogicalResult(emitError(UnknownLoc::get(context), problem));
  }
  void runOnOperation() override;

private:
  Option<bool> dynamic{*this, dynamicName, llvm::cl::desc(dynamicHelp),
                       llvm::cl::init(false)};
  Option<std::string> refine{*this, refineName, llvm::cl::desc(refineHelp)};
  Option<bool> remarks{*this, remarksName, llvm::cl::desc(remarksHelp),
                       llvm::cl::init(false)};
  Statistic clones{this, "clones", "bufferization.clone made"};
  Statistic conditionalClones{this, "conditional-clones",
                              "of these, made under a condition"};
  Statistic deallocs{this, "deallocs", "bufferization.dealloc made"};
};
} // namespace

/// With upstream's words, at upstream's op; what helps beside them.
static void tellRejection(const OwnershipState::Rejected &rejection) {
  InFlightDiagnostic error =
      rejection.op ? rejection.op->emitError(rejection.message)
                   : emitError(rejection.location, rejection.message);
  for (const std::string &remedy : rejection.remedies)
    error.attachNote() << "memref-lens: " << remedy;
}

void OwnershipPass::runOnOperation() {
  OwnershipOptions options;
  options.privateFunctionDynamicOwnership = dynamic;
  options.refineDistinctObjects = refine == "distinct-objects";
  SymbolTableCollection symbolTables;
  Recorder silent;
  llvm::DenseSet<Operation *> before;
  if (remarks)
    before = clonesIn(getOperation());
  WalkResult walked = getOperation()->walk([&](func::FuncOp function) {
    if (function.isExternal())
      return WalkResult::skip();
    OwnershipResult result =
        runOwnershipPass(function, options, symbolTables, silent);
    clones += result.made.clones;
    conditionalClones += result.made.conditionalClones;
    deallocs += result.made.deallocs;
    if (result.rejection)
      tellRejection(*result.rejection);
    else if (remarks)
      remarkOnMade(function, result.made);
    return result.accepted ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return signalPassFailure();
  if (remarks)
    remarkOnClones(getOperation(), before);
}

//===--- Simplification ---------------------------------------------------===//

namespace {
class SimplificationPass
    : public PassWrapper<SimplificationPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SimplificationPass)

  SimplificationPass() = default;
  SimplificationPass(const SimplificationPass &other) : PassWrapper(other) {
    copyOptionValuesFrom(&other);
  }
  explicit SimplificationPass(const LensDeallocationOptions &options) {
    refine = options.refineDistinctObjects ? "distinct-objects" : "";
    fresh = ArrayRef<std::string>(options.freshResults);
    remarks = options.remarks;
  }

  StringRef getArgument() const override {
    return "lens-buffer-deallocation-simplification";
  }
  StringRef getDescription() const override {
    return "Fewer run-time alias checks, as "
           "buffer-deallocation-simplification does";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<bufferization::BufferizationDialect, arith::ArithDialect,
                    memref::MemRefDialect>();
  }
  LogicalResult initialize(MLIRContext *context) override {
    std::string problem = problemOf(refine);
    return problem.empty()
               ? success()
               : LogicalResult(emitError(UnknownLoc::get(context), problem));
  }
  void runOnOperation() override;

private:
  void count();

  Option<std::string> refine{*this, refineName, llvm::cl::desc(refineHelp)};
  ListOption<std::string> fresh{*this, freshName, llvm::cl::desc(freshHelp)};
  Option<bool> remarks{*this, remarksName, llvm::cl::desc(remarksHelp),
                       llvm::cl::init(false)};
  Statistic left{this, "deallocs", "bufferization.dealloc that are left"};
  Statistic conditional{this, "conditional-deallocs",
                        "of these, under a condition"};
  Statistic checks{this, "run-time-alias-checks",
                   "pointers that they compare without dealloc_helper"};
  Statistic helpers{this, "dealloc-helper-calls",
                    "of these, that will call dealloc_helper"};
};
} // namespace

void SimplificationPass::runOnOperation() {
  Operation *root = getOperation();
  trace::RunOptions stated;
  stated.freshResults.assign(fresh.begin(), fresh.end());
  // The declarations stand beside a function, if the pass runs on one.
  SymbolTableCollection symbolTables;
  SimplifyOptions options;
  options.refineDistinctObjects = refine == "distinct-objects";
  Operation *around = root;
  while (around->getParentOp())
    around = around->getParentOp();
  if (statesFreshResults(around, stated))
    options.isFresh = [&](Operation *op) {
      return isFreshCall(op, stated, symbolTables);
    };
  if (failed(simplifyDeallocations(root, options)))
    return signalPassFailure();
  count();
  if (remarks)
    remarkOnDeallocs(root);
}

void SimplificationPass::count() {
  const DeallocCounts counts = countDeallocs(getOperation());
  left += counts.deallocs;
  conditional += counts.conditional;
  helpers += counts.helperCalls;
  checks += counts.checks;
}

//===--- The pipeline -----------------------------------------------------===//

std::unique_ptr<Pass> createLensOwnershipBasedBufferDeallocationPass(
    const LensDeallocationOptions &options) {
  return std::make_unique<OwnershipPass>(options);
}

std::unique_ptr<Pass> createLensBufferDeallocationSimplificationPass(
    const LensDeallocationOptions &options) {
  return std::make_unique<SimplificationPass>(options);
}

void buildLensBufferDeallocationPipeline(
    OpPassManager &manager, const LensDeallocationOptions &options) {
  manager.addPass(memref::createExpandReallocPass({/*emitDeallocs=*/false}));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createLensOwnershipBasedBufferDeallocationPass(options));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createLensBufferDeallocationSimplificationPass(options));
  if (options.dropIdleDeallocs)
    manager.addPass(createLensIdleDeallocsPass());
  manager.addPass(bufferization::createLowerDeallocationsPass());
  manager.addPass(createCSEPass());
  manager.addPass(createCanonicalizerPass());
  if (options.freeAfterLastUse)
    manager.addPass(createLensOptimizeAllocationLivenessPass(options));
}

namespace {
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<bool> dynamic{*this, dynamicName, llvm::cl::desc(dynamicHelp),
                       llvm::cl::init(false)};
  Option<std::string> refine{*this, refineName, llvm::cl::desc(refineHelp)};
  ListOption<std::string> fresh{*this, freshName, llvm::cl::desc(freshHelp)};
  ListOption<std::string> noCapture{*this, noCaptureName,
                                    llvm::cl::desc(noCaptureHelp)};
  Option<std::string> late{*this, lateName, llvm::cl::desc(lateHelp)};
  Option<bool> idle{*this, idleName, llvm::cl::desc(idleHelp),
                    llvm::cl::init(false)};
  Option<bool> remarks{*this, remarksName, llvm::cl::desc(remarksHelp),
                       llvm::cl::init(false)};
};
} // namespace

void registerLensPasses() {
  // memref-lens has them, and may load the plugin.
  if (PassPipelineInfo::lookup("lens-buffer-deallocation-pipeline"))
    return;
  PassRegistration<OwnershipPass>();
  PassRegistration<SimplificationPass>();
  registerLastUsePass();
  registerExternalOutParamsPass();
  registerIdleDeallocsPass();
  registerFillConstantsPass();
  registerCopySharedPass();
  registerReadsFirstPass();
  registerYieldInPlacePass();
  registerWritableArgumentsPass();
  registerUnrollCrossedPass();
  registerReadOnlyBuffersPass();
  registerSliceFromDestinationPass();
  registerDestinationArgumentsPass();
  registerOneShotBufferizePass();
  PassPipelineRegistration<PipelineOptions>(
      "lens-buffer-deallocation-pipeline",
      "buffer-deallocation-pipeline with memref-lens's ownership pass and "
      "simplification",
      [](OpPassManager &manager, const PipelineOptions &asked) {
        LensDeallocationOptions options;
        options.privateFunctionDynamicOwnership = asked.dynamic;
        options.refineDistinctObjects = asked.refine == "distinct-objects";
        options.freshResults.assign(asked.fresh.begin(), asked.fresh.end());
        options.noCapture.assign(asked.noCapture.begin(),
                                 asked.noCapture.end());
        options.freeAfterLastUse = asked.late == "last-use";
        options.dropIdleDeallocs = asked.idle;
        options.remarks = asked.remarks;
        if (std::string problem = problemOf(asked.refine, asked.late);
            !problem.empty())
          llvm::report_fatal_error(Twine(problem), /*gen_crash_diag=*/false);
        buildLensBufferDeallocationPipeline(manager, options);
      });
}

} // namespace memreflens
