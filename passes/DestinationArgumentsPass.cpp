//===- passes/DestinationArgumentsPass.cpp - results in their places ------===//
//
// A private function that returns a new tensor, which its caller puts into a
// place in another one, computes it there:
//
//   func.func private @g(%a: ...) -> tensor<64xf32> {
//     %e = tensor.empty() : tensor<64xf32>
//     %x = linalg.exp ins(%a) outs(%e)
//   %x = call @g(%a)
//   %r = tensor.insert_slice %x into %o[0] [64] [1]
//
//   func.func private @g(%a: ..., %e: tensor<64xf32>) -> tensor<64xf32> {
//     %x = linalg.exp ins(%a) outs(%e)
//   %s = tensor.extract_slice %o[0] [64] [1]
//   %x = call @g(%a, %s)
//   %r = tensor.insert_slice %x into %o[0] [64] [1]
//
// drop-equivalent-buffer-results behind one-shot-bufferize drops the result.
//
//===----------------------------------------------------------------------===//

#include "passes/LensPasses.h"
#include "passes/Options.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using bufferization::AnalysisState;

namespace memreflens {

/// All calls of a private function, or nothing if it is used in another way.
static std::optional<SmallVector<func::CallOp>> callsOf(func::FuncOp function,
                                                        ModuleOp module) {
  const auto uses = SymbolTable::getSymbolUses(function, module);
  if (!function.isPrivate() || function.isExternal() || !uses || uses->empty())
    return std::nullopt;
  SmallVector<func::CallOp> calls;
  for (const SymbolTable::SymbolUse &use : *uses) {
    auto call = dyn_cast<func::CallOp>(use.getUser());
    if (!call)
      return std::nullopt;
    calls.push_back(call);
  }
  return calls;
}

/// The tensor.empty in whose buffer the tensor is computed.
static tensor::EmptyOp emptyBehind(Value value, const AnalysisState &state) {
  llvm::SmallPtrSet<Value, 8> seen;
  while (isa<OpResult>(value) && seen.insert(value).second) {
    if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
      return empty;
    // Of a call its function decides.
    const auto from = value.getDefiningOp<func::CallOp>()
                          ? bufferization::AliasingOpOperandList()
                          : state.getAliasingOpOperands(value);
    if (from.getNumAliases() != 1 ||
        from.begin()->relation != bufferization::BufferRelation::Equivalent)
      return {};
    value = from.begin()->opOperand->get();
  }
  return {};
}

/// The op that puts the result of a call into its place, where that is all that
/// is done with it, and the place is known at the call.
static tensor::InsertSliceOp placeOf(Value result) {
  if (!result.hasOneUse())
    return {};
  OpOperand &use = *result.getUses().begin();
  auto back = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
  Operation *call = result.getDefiningOp();
  if (!back || &use != &back.getSourceMutable() ||
      back->getBlock() != call->getBlock() ||
      back.getSourceType() != result.getType())
    return {};
  DominanceInfo dominance;
  return llvm::all_of(back->getOperands(),
                      [&](Value value) {
                        return value == result ||
                               dominance.properlyDominates(value, call);
                      })
             ? back
             : tensor::InsertSliceOp();
}

namespace {
class DestinationArgumentsPass
    : public PassWrapper<DestinationArgumentsPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DestinationArgumentsPass)

  DestinationArgumentsPass() = default;
  DestinationArgumentsPass(const DestinationArgumentsPass &other)
      : PassWrapper(other) {}

  StringRef getArgument() const override {
    return options::destinationArgumentsPass;
  }
  StringRef getDescription() const override {
    return "A private function computes a tensor that it returns where its "
           "callers put it";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<tensor::TensorDialect>();
  }
  void runOnOperation() override;

private:
  void pass(func::FuncOp function, ArrayRef<func::CallOp> calls,
            unsigned result, tensor::EmptyOp empty);

  Statistic passed{this, "passed", "results that are passed as arguments"};
};
} // namespace

void DestinationArgumentsPass::pass(func::FuncOp function,
                                    ArrayRef<func::CallOp> calls,
                                    unsigned result, tensor::EmptyOp empty) {
  const auto type = cast<RankedTensorType>(empty.getType());
  const unsigned number = function.getNumArguments();
  if (failed(function.insertArgument(number, type, {}, empty.getLoc())))
    return;
  empty.getResult().replaceAllUsesWith(function.getArgument(number));
  empty.erase();
  for (func::CallOp call : calls) {
    OpBuilder builder(call);
    Value given;
    if (tensor::InsertSliceOp back = placeOf(call.getResult(result)))
      given = tensor::ExtractSliceOp::create(
          builder, call.getLoc(), type, back.getDest(), back.getMixedOffsets(),
          back.getMixedSizes(), back.getMixedStrides());
    else
      given = tensor::EmptyOp::create(builder, call.getLoc(), type.getShape(),
                                      type.getElementType());
    call.getOperandsMutable().append(given);
  }
  ++passed;
}

void DestinationArgumentsPass::runOnOperation() {
  const bufferization::BufferizationOptions options;
  const AnalysisState state(options);
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    const auto calls = callsOf(function, getOperation());
    if (!calls || !function.getBody().hasOneBlock())
      continue;
    Operation *end = function.front().getTerminator();
    for (OpOperand &returned : end->getOpOperands()) {
      const unsigned number = returned.getOperandNumber();
      auto type = dyn_cast<RankedTensorType>(returned.get().getType());
      // A part of the empty tensor that is returned has another type.
      tensor::EmptyOp empty =
          type && type.hasStaticShape() && !type.getEncoding()
              ? emptyBehind(returned.get(), state)
              : tensor::EmptyOp();
      if (empty && empty.getType() == type && empty->hasOneUse() &&
          empty->getBlock() == &function.front() &&
          llvm::any_of(*calls, [&](func::CallOp call) {
            return bool(placeOf(call.getResult(number)));
          }))
        pass(function, *calls, number, empty);
    }
  }
}

std::unique_ptr<Pass> createLensDestinationArgumentsPass() {
  return std::make_unique<DestinationArgumentsPass>();
}

void registerDestinationArgumentsPass() {
  PassRegistration<DestinationArgumentsPass>();
}

} // namespace memreflens
