//===- tests/placement/memref-lens-placement-opt.cpp - each pass alone ----===//
//
// mlir-opt with our own placement passes and MLIR's test dialect, to be held
// against the mlir-opt that has upstream's:
//
//   --lens-classic, --lens-hoist, --lens-loop-hoist, --lens-promote,
//   --lens-liveness, --lens-drop-results, --lens-out-params
//
// What they decided is shown as remarks, and what that makes worse as warnings.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/classic/ClassicPass.h"
#include "core/pipeline/placement/Hoisting.h"
#include "core/pipeline/placement/ToStack.h"
#include "tests/placement/Warn.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace memreflens;

namespace test {
void registerTestDialect(mlir::DialectRegistry &registry);
} // namespace test

/// In FreeAndResultPasses.cpp.
void registerFreeAndResultPasses();
/// In TwoBuffers.cpp.
void registerTwoBuffers(mlir::DialectRegistry &registry);

namespace {
template <class Derived>
struct FunctionPass
    : mlir::PassWrapper<Derived, mlir::OperationPass<mlir::func::FuncOp>> {
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::bufferization::BufferizationDialect,
                    mlir::memref::MemRefDialect>();
  }
  void runOnOperation() override {
    if (!this->getOperation().isExternal() &&
        failed(static_cast<Derived *>(this)->runOn(this->getOperation())))
      this->signalPassFailure();
  }
};

struct ErrorReporter : classic::Observer {
  void rejected(mlir::Operation *op, const std::string &message,
                classic::Rejection) override {
    op->emitError(message);
  }
};

struct Classic : FunctionPass<Classic> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Classic)
  llvm::StringRef getArgument() const override { return "lens-classic"; }
  llvm::StringRef getDescription() const override { return "clones, deallocs"; }
  mlir::LogicalResult runOn(mlir::func::FuncOp function) {
    ErrorReporter reporter;
    return classic::runClassicPass(function, reporter);
  }
};

mlir::LogicalResult hoist(mlir::func::FuncOp function,
                          placement::HoistingPass pass) {
  const placement::Peak peak = placement::peakOf(function);
  const std::vector<placement::Hoisted> entries =
      placement::hoistAllocations(function, pass);
  for (const placement::Hoisted &entry : entries)
    entry.allocation->emitRemark()
        << (entry.from != entry.to ? "left its block" : "stayed")
        << "; limit: " << llvm::StringRef(trace::nameOf(entry.limit));
  warn(placement::warningsOfHoisting(function, entries, peak));
  return mlir::success();
}

struct Hoist : FunctionPass<Hoist> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Hoist)
  llvm::StringRef getArgument() const override { return "lens-hoist"; }
  llvm::StringRef getDescription() const override { return "hoisting"; }
  mlir::LogicalResult runOn(mlir::func::FuncOp function) {
    return hoist(function, placement::HoistingPass::blocks);
  }
};

struct LoopHoist : FunctionPass<LoopHoist> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LoopHoist)
  llvm::StringRef getArgument() const override { return "lens-loop-hoist"; }
  llvm::StringRef getDescription() const override { return "loop hoisting"; }
  mlir::LogicalResult runOn(mlir::func::FuncOp function) {
    return hoist(function, placement::HoistingPass::loops);
  }
};

/// The ownership pipeline, which changes the module, with hoisting in front.
struct HoistAndFree
    : mlir::PassWrapper<HoistAndFree, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HoistAndFree)
  static constexpr llvm::StringLiteral freeing = "buffer-deallocation-pipeline";
  llvm::StringRef getArgument() const override { return "lens-hoist-free"; }
  llvm::StringRef getDescription() const override { return "hoist, free"; }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    mlir::OpPassManager pipeline("builtin.module");
    (void)mlir::parsePassPipeline(freeing, pipeline);
    pipeline.getDependentDialects(registry);
  }
  void runOnOperation() override {
    mlir::OwningOpRef<mlir::ModuleOp> without(getOperation().clone());
    for (auto function : getOperation().getOps<mlir::func::FuncOp>())
      if (!function.isExternal())
        placement::hoistAllocations(function, placement::HoistingPass::blocks);
    for (mlir::ModuleOp module : {*without, getOperation()}) {
      mlir::PassManager passes(&getContext(), "builtin.module");
      if (failed(mlir::parsePassPipeline(freeing, passes)) ||
          failed(passes.run(module)))
        return signalPassFailure();
    }
    for (auto function : getOperation().getOps<mlir::func::FuncOp>())
      warn(placement::warningsOfFrees(
          without->lookupSymbol(function.getSymName()), function));
  }
};

struct Promote : FunctionPass<Promote> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Promote)
  Promote() = default;
  Promote(const Promote &other) : FunctionPass(other) {}
  llvm::StringRef getArgument() const override { return "lens-promote"; }
  llvm::StringRef getDescription() const override { return "to the stack"; }
  mlir::LogicalResult runOn(mlir::func::FuncOp function) {
    const std::vector<placement::Promotion> entries =
        placement::promoteToStack(function, {bytes, rank});
    for (const placement::Promotion &entry : entries)
      entry.op->emitRemark() << llvm::StringRef(trace::nameOf(entry.outcome));
    warn(placement::warningsOfPromotion(function, entries));
    return mlir::success();
  }
  Option<unsigned> bytes{*this, "max-alloc-size-in-bytes",
                         llvm::cl::init(1024)};
  Option<unsigned> rank{*this, "max-rank-of-allocated-memref",
                        llvm::cl::init(1)};
};
} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  test::registerTestDialect(registry);
  registerTwoBuffers(registry);
  mlir::PassRegistration<Classic>();
  mlir::PassRegistration<Hoist>();
  mlir::PassRegistration<LoopHoist>();
  mlir::PassRegistration<HoistAndFree>();
  mlir::PassRegistration<Promote>();
  registerFreeAndResultPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "memref-lens placement passes\n", registry));
}
