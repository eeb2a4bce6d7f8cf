//===- passes/FillConstantsPass.cpp - no copies of constants --------------===//
//
// A constant is a memref.global when it is bufferized, which must not be
// written: an op that writes into it gets a copy. Where all its elements are
// one value, a buffer that is filled needs no copy, and no global:
//
//   %zero = arith.constant dense<0.0> : tensor<64x64xf32>
//   linalg.matmul ... outs(%zero : ...)
//
//   %empty = tensor.empty() : tensor<64x64xf32>
//   %zero = linalg.fill ins(%cst : f32) outs(%empty : ...)
//   linalg.matmul ... outs(%zero : ...)
//
//===----------------------------------------------------------------------===//

#include "passes/LensPasses.h"
#include "passes/Options.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using bufferization::AnalysisState;
using bufferization::BufferizableOpInterface;

namespace memreflens {

/// The one value of all elements, if linalg.fill can have it; null if there are
/// several.
static TypedAttr elementOf(Value tensor) {
  auto constant = tensor.getDefiningOp<arith::ConstantOp>();
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!constant || !type || type.getEncoding())
    return {};
  auto elements = dyn_cast<SplatElementsAttr>(constant.getValue());
  return elements && type.getElementType().isSignlessIntOrIndexOrFloat()
             ? dyn_cast<TypedAttr>(elements.getSplatValue<Attribute>())
             : TypedAttr();
}

/// Whether the op writes into the tensor.
static bool isWritten(OpOperand &operand, const AnalysisState &state) {
  Operation *op = operand.getOwner();
  auto bufferizable = dyn_cast<BufferizableOpInterface>(op);
  return bufferizable && !isa<CallOpInterface>(op) &&
         bufferizable.bufferizesToMemoryWrite(operand, state);
}

/// Whether an op of the function that is called writes into it. What that does
/// by way of others is not looked at.
static bool isWrittenByCallee(OpOperand &operand,
                              SymbolTableCollection &symbols,
                              const AnalysisState &state) {
  auto call = dyn_cast<func::CallOp>(operand.getOwner());
  auto callee = call ? symbols.lookupNearestSymbolFrom<func::FuncOp>(
                           call, call.getCalleeAttr())
                     : func::FuncOp();
  return callee && !callee.isExternal() &&
         llvm::any_of(callee.getArgument(operand.getOperandNumber()).getUses(),
                      [&](OpOperand &use) { return isWritten(use, state); });
}

namespace {
class FillConstantsPass
    : public PassWrapper<FillConstantsPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FillConstantsPass)

  FillConstantsPass() = default;
  FillConstantsPass(const FillConstantsPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return options::fillConstantsPass; }
  StringRef getDescription() const override {
    return "Ops that write into a constant of one value write into a "
           "tensor.empty that linalg.fill filled";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, linalg::LinalgDialect,
                    tensor::TensorDialect>();
  }
  void runOnOperation() override;

private:
  Statistic filled{this, "filled", "constants in place of which a fill is"};
};
} // namespace

void FillConstantsPass::runOnOperation() {
  const bufferization::BufferizationOptions options;
  const AnalysisState state(options);
  SymbolTableCollection symbols;
  SmallVector<OpOperand *> written;
  getOperation()->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (elementOf(operand.get()) &&
          (isWritten(operand, state) ||
           isWrittenByCallee(operand, symbols, state)))
        written.push_back(&operand);
  });
  for (OpOperand *operand : written) {
    Operation *op = operand->getOwner();
    const Location loc = operand->get().getLoc();
    auto type = cast<RankedTensorType>(operand->get().getType());
    OpBuilder builder(op);
    Value tensor = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                           type.getElementType());
    if (isa<func::CallOp>(op) || state.bufferizesToMemoryRead(*operand)) {
      Value value =
          arith::ConstantOp::create(builder, loc, elementOf(operand->get()));
      tensor = linalg::FillOp::create(builder, loc, value, tensor).getResult(0);
    }
    operand->set(tensor);
    ++filled;
  }
}

std::unique_ptr<Pass> createLensFillConstantsPass() {
  return std::make_unique<FillConstantsPass>();
}

void registerFillConstantsPass() { PassRegistration<FillConstantsPass>(); }

} // namespace memreflens
