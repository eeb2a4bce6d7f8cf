//===- passes/CopySharedPass.cpp - one buffer for each tensor -------------===//
//
// one-shot-bufferize takes the results of a call, and what a loop carries, for
// buffers of their own. Where two are one, and one of them is written before
// the other is read, a copy keeps them apart; and so it does where one is a
// constant that is written:
//
//   return %t, %t : tensor<4xf32>, tensor<4xf32>
//
//   %copy = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
//   return %copy, %t : tensor<4xf32>, tensor<4xf32>
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/bufferize/Sharing.h"
#include "passes/LensPasses.h"
#include "passes/Options.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memreflens {

/// Of loops in functions that call each other, one may come to light after
/// another.
static constexpr unsigned mostRounds = 16;

namespace {
class CopySharedPass
    : public PassWrapper<CopySharedPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CopySharedPass)

  CopySharedPass() = default;
  CopySharedPass(const CopySharedPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return options::copySharedPass; }
  StringRef getDescription() const override {
    return "Tensors that a call returns, or a loop yields, in one buffer are "
           "copied where one is written and the other is read";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<bufferization::BufferizationDialect>();
  }
  void runOnOperation() override;

private:
  Statistic copied{this, "copied", "tensors that are copied"};
};
} // namespace

/// Operands of returns and yields; none where the program is rejected.
static SetVector<OpOperand *> operandsToCopy(ModuleOp module) {
  bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true;
  bufferization::OneShotAnalysisState state(module, options);
  SetVector<OpOperand *> found;
  // What is rejected, one-shot-bufferize rejects with its own words.
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  if (failed(bufferization::analyzeModuleOp(module, state)))
    return found;
  bufferize::Sources sources(state);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    bufferize::Conflicts conflicts(state, function);
    for (const bufferize::SharedWrite &write :
         bufferize::sharedWrites(function, state, sources, conflicts).all)
      found.insert_range(write.toCopy);
  }
  return found;
}

void CopySharedPass::runOnOperation() {
  for (unsigned round = 0; round < mostRounds; ++round) {
    bool isCopied = false;
    for (OpOperand *operand : operandsToCopy(getOperation())) {
      auto type = dyn_cast<RankedTensorType>(operand->get().getType());
      auto made = operand->get().getDefiningOp<bufferization::AllocTensorOp>();
      if (!type || (made && made.getCopy()))
        continue;
      OpBuilder builder(operand->getOwner());
      operand->set(bufferization::AllocTensorOp::create(
          builder, operand->getOwner()->getLoc(), type,
          /*dynamicSizes=*/ValueRange(), /*copy=*/operand->get()));
      ++copied;
      isCopied = true;
    }
    if (!isCopied)
      return;
  }
}

std::unique_ptr<Pass> createLensCopySharedPass() {
  return std::make_unique<CopySharedPass>();
}

void registerCopySharedPass() { PassRegistration<CopySharedPass>(); }

} // namespace memreflens
