//===- tests/placement/FreeAndResultPasses.cpp ----------------------------===//
//
// The passes that move deallocations and results, for
// memref-lens-placement-opt:
// --lens-liveness, --lens-drop-results, --lens-out-params. What they decided,
// and why, is shown as remarks.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/placement/AllocationLiveness.h"
#include "core/pipeline/placement/DropResults.h"
#include "core/pipeline/placement/OutParams.h"
#include "tests/placement/Warn.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

using namespace memreflens;
using namespace memreflens::placement;

namespace {
struct Liveness
    : mlir::PassWrapper<Liveness, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Liveness)
  llvm::StringRef getArgument() const override { return "lens-liveness"; }
  llvm::StringRef getDescription() const override { return "earlier frees"; }
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    const std::vector<FreeMove> moves = optimizeLiveness(getOperation());
    warn(warningsOfLiveness(moves));
    for (const FreeMove &move : moves) {
      mlir::InFlightDiagnostic remark = move.allocation->emitRemark();
      remark << llvm::StringRef(trace::nameOf(move.outcome));
      if (move.after)
        remark << "; last use: " << move.lastUse->getName()
               << (move.lastUse == move.after ? "" : ", nested")
               << (move.through == move.allocation->getResult(0) ? ""
                                                                 : ", alias");
      if (!move.passed.empty())
        remark << "; passed: " << move.passed.size();
      if (move.uncounted)
        remark << "; uncounted: " << move.uncounted->getName();
      if (move.crashesUpstream)
        remark << "; crashes";
    }
  }
};

struct DropResults
    : mlir::PassWrapper<DropResults, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropResults)
  llvm::StringRef getArgument() const override { return "lens-drop-results"; }
  llvm::StringRef getDescription() const override { return "less results"; }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::memref::MemRefDialect>();
  }
  void runOnOperation() override {
    for (ResultDrop &entry : dropEquivalentResults(getOperation())) {
      mlir::InFlightDiagnostic remark = entry.function.emitRemark();
      remark << "result " << entry.result << ": "
             << llvm::StringRef(trace::nameOf(entry.outcome));
      if (entry.outcome == MoveOutcome::dropped ||
          entry.outcome == MoveOutcome::nextTime)
        remark << "; argument " << entry.argument;
      if (entry.because)
        remark << "; because of "
               << (entry.because.getDefiningOp()
                       ? entry.because.getDefiningOp()->getName().getStringRef()
                       : "a block argument");
      remark << "; calls: " << entry.calls << "; casts: " << entry.casts.size();
    }
  }
};

struct ToArguments
    : mlir::PassWrapper<ToArguments, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ToArguments)
  ToArguments() = default;
  ToArguments(const ToArguments &other) : PassWrapper(other) {}
  llvm::StringRef getArgument() const override { return "lens-out-params"; }
  llvm::StringRef getDescription() const override { return "out params"; }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::memref::MemRefDialect>();
  }
  void runOnOperation() override;
  void show(OutParam &entry);
  Option<bool> attribute{*this, "add-result-attr"};
  Option<bool> statics{*this, "hoist-static-allocs"};
  Option<bool> dynamics{*this, "hoist-dynamic-allocs"};
  Option<bool> publics{*this, "modify-public-functions"};
};
} // namespace

void ToArguments::runOnOperation() {
  OutParams all = moveResultsToArguments(
      getOperation(), {attribute, statics, dynamics, publics});
  if (!all.succeeded)
    signalPassFailure();
  warn(warningsOfOutParams(all));
  for (OutParam &entry : all.results)
    show(entry);
}

void ToArguments::show(OutParam &entry) {
  static constexpr const char *ways[] = {"hoisted", "notAllocation",
                                         "hoistingOff", "hoistedBefore",
                                         "hoistedBeside"};
  mlir::InFlightDiagnostic remark = entry.function.emitRemark();
  remark << "result " << entry.result << ": "
         << llvm::StringRef(trace::nameOf(entry.outcome));
  for (const ReturnedBuffer &one : entry.returns) {
    remark << "; return: " << ways[size_t(one.outcome)];
    if (one.allocation)
      remark << " " << *one.allocation;
    if (one.hadContents)
      remark << ", had contents";
    if (one.alignment)
      remark << ", alignment " << one.alignment;
    for (unsigned size : one.sizes)
      remark << ", size is argument " << size;
    if (one.hasOtherSize)
      remark << ", size is no argument";
    if (one.sizeFrom)
      remark << " but of " << *one.sizeFrom;
  }
  remark << "; allocations: " << entry.allocations.size();
}

void registerFreeAndResultPasses() {
  mlir::PassRegistration<Liveness>();
  mlir::PassRegistration<DropResults>();
  mlir::PassRegistration<ToArguments>();
}
