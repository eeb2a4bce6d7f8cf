//===- passes/YieldInPlacePass.cpp - loops that keep their buffers --------===//
//
// one-shot-bufferize rejects scf.for that yields another buffer than that of
// its argument, or copies, or allocates in each iteration. Here the loop puts
// what it yields into the argument:
//
//   %new = linalg.fill ins(%x : f32) outs(%empty : tensor<4xf32>)
//   scf.yield %new
//
//   %new = linalg.fill ins(%x : f32) outs(%empty : tensor<4xf32>)
//   %kept = bufferization.materialize_in_destination %new in %argument
//   scf.yield %kept
//
// eliminate-empty-tensors then computes %new there from the start.
//
//===----------------------------------------------------------------------===//

#include "passes/LensPasses.h"
#include "passes/Options.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using bufferization::AnalysisState;

namespace memreflens {

/// Whether all steps from `argument` to `value` keep the buffer.
static bool isOfBuffer(Value value, Value argument,
                       const AnalysisState &state) {
  llvm::SmallPtrSet<Value, 8> seen;
  while (value != argument && seen.insert(value).second) {
    if (!isa<OpResult>(value))
      return false;
    const auto from = state.getAliasingOpOperands(value);
    if (from.getNumAliases() != 1 ||
        from.begin()->relation != bufferization::BufferRelation::Equivalent)
      return false;
    value = from.begin()->opOperand->get();
  }
  return value == argument;
}

namespace {
class YieldInPlacePass : public PassWrapper<YieldInPlacePass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(YieldInPlacePass)

  YieldInPlacePass() = default;
  YieldInPlacePass(const YieldInPlacePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return options::yieldInPlacePass; }
  StringRef getDescription() const override {
    return "scf.for puts what it yields into the argument that it is yielded "
           "for";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<bufferization::BufferizationDialect>();
  }
  void runOnOperation() override;

private:
  Statistic put{this, "put", "yielded tensors that are put into arguments"};
};
} // namespace

void YieldInPlacePass::runOnOperation() {
  const bufferization::BufferizationOptions options;
  const AnalysisState state(options);
  getOperation()->walk([&](scf::ForOp loop) {
    Operation *end = loop.getBody()->getTerminator();
    for (OpOperand &yielded : end->getOpOperands()) {
      Value argument = loop.getRegionIterArg(yielded.getOperandNumber());
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      // Of dynamic ones the next iteration may have another size.
      if (!type || !type.hasStaticShape() ||
          isOfBuffer(yielded.get(), argument, state))
        continue;
      OpBuilder builder(end);
      yielded.set(bufferization::MaterializeInDestinationOp::create(
                      builder, end->getLoc(), yielded.get(), argument)
                      ->getResult(0));
      ++put;
    }
  });
}

std::unique_ptr<Pass> createLensYieldInPlacePass() {
  return std::make_unique<YieldInPlacePass>();
}

void registerYieldInPlacePass() { PassRegistration<YieldInPlacePass>(); }

} // namespace memreflens
