//===- passes/IdleDeallocsPass.cpp - deallocs that never deallocate -------===//
//
// A loop that carries buffers which it does not own has a bufferization.dealloc
// in each iteration, all of whose conditions are false: its lowering allocates
// lists, calls dealloc_helper and frees nothing. No fold sees that, since the
// conditions go round in the loop. Here they are followed, as sparse
// conditional constant propagation does, and through the dealloc itself:
//
//   %o:2 = bufferization.dealloc (%m, ...) if (%c, ...) retain (%r0, %r1)
//
//   all conditions false: nothing is deallocated, and all of %o is false
//   a condition true, and its memref retained: it is not deallocated, and its
//     own indicator is true
//
//===----------------------------------------------------------------------===//

#include "passes/LensPasses.h"
#include "passes/Options.h"

#include "core/pipeline/simplify/Simplify.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using dataflow::ConstantValue;
using Indicator = dataflow::Lattice<ConstantValue>;

namespace memreflens {

/// The memref whose base buffer the dealloc names.
static Value memrefOf(Value listed) {
  auto metadata = listed.getDefiningOp<memref::ExtractStridedMetadataOp>();
  return metadata && metadata.getBaseBuffer() == listed ? metadata.getSource()
                                                        : listed;
}

static bool isKnown(const Indicator *indicator, bool value) {
  if (indicator->getValue().isUninitialized())
    return false;
  auto constant =
      dyn_cast_if_present<BoolAttr>(indicator->getValue().getConstantValue());
  return constant && constant.getValue() == value;
}

namespace {
class IndicatorPropagation : public dataflow::SparseConstantPropagation {
public:
  using SparseConstantPropagation::SparseConstantPropagation;

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const Indicator *> operands,
                               ArrayRef<Indicator *> results) override;

private:
  void visitDealloc(bufferization::DeallocOp op,
                    ArrayRef<const Indicator *> conditions,
                    ArrayRef<Indicator *> results);
};

class IdleDeallocsPass : public PassWrapper<IdleDeallocsPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(IdleDeallocsPass)

  IdleDeallocsPass() = default;
  IdleDeallocsPass(const IdleDeallocsPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return options::idleDeallocsPass; }
  StringRef getDescription() const override {
    return "Removes each bufferization.dealloc that never deallocates";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, bufferization::BufferizationDialect,
                    memref::MemRefDialect>();
  }
  void runOnOperation() override;

private:
  FailureOr<bool> removeIn(Operation *root);

  Statistic removed{this, "removed", "bufferization.dealloc removed"};
};
} // namespace

/// Of one that may still become known, nothing is said yet.
void IndicatorPropagation::visitDealloc(bufferization::DeallocOp op,
                                        ArrayRef<const Indicator *> conditions,
                                        ArrayRef<Indicator *> results) {
  if (llvm::any_of(conditions, [](const Indicator *condition) {
        return condition->getValue().isUninitialized();
      }))
    return;
  Dialect *arith = op->getContext()->getLoadedDialect<arith::ArithDialect>();
  auto known = [&](bool value) {
    return ConstantValue(BoolAttr::get(op->getContext(), value), arith);
  };
  const bool isIdle = llvm::all_of(conditions, [](const Indicator *condition) {
    return isKnown(condition, false);
  });
  for (auto [retained, result] : llvm::zip(op.getRetained(), results)) {
    const Value kept = retained;
    const bool isOwned = llvm::any_of(
        llvm::zip(op.getMemrefs(), conditions), [&](const auto &pair) {
          return memrefOf(std::get<0>(pair)) == kept &&
                 isKnown(std::get<1>(pair), true);
        });
    propagateIfChanged(
        result, result->join(isIdle    ? known(false)
                             : isOwned ? known(true)
                                       : ConstantValue::getUnknownConstant()));
  }
}

LogicalResult
IndicatorPropagation::visitOperation(Operation *op,
                                     ArrayRef<const Indicator *> operands,
                                     ArrayRef<Indicator *> results) {
  auto dealloc = dyn_cast<bufferization::DeallocOp>(op);
  if (!dealloc)
    return SparseConstantPropagation::visitOperation(op, operands, results);
  const size_t memrefs = dealloc.getMemrefs().size();
  visitDealloc(dealloc, operands.slice(memrefs, dealloc.getConditions().size()),
               results);
  return success();
}

/// Constants in place of uses of what is known.
static void useConstants(Operation *root, DataFlowSolver &solver) {
  auto replace = [&](Value value, OpBuilder &builder) {
    if (!value.getType().isInteger(1) || value.use_empty())
      return;
    const auto *state = solver.lookupState<Indicator>(value);
    if (!state)
      return;
    for (bool constant : {false, true})
      if (isKnown(state, constant))
        value.replaceAllUsesWith(
            arith::ConstantIntOp::create(builder, value.getLoc(), constant, 1));
  };
  root->walk([&](Operation *op) {
    if (!op->hasTrait<OpTrait::ConstantLike>() && op->getNumResults() > 0 &&
        op != root) {
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      for (Value result : op->getResults())
        replace(result, builder);
    }
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        OpBuilder builder = OpBuilder::atBlockBegin(&block);
        for (Value argument : block.getArguments())
          replace(argument, builder);
      }
  });
}

/// What is never owned where a dealloc lists it is not listed.
static void dropUnowned(bufferization::DeallocOp op, DataFlowSolver &solver) {
  for (unsigned i = op.getMemrefs().size(); i-- > 0;)
    if (const auto *state =
            solver.lookupState<Indicator>(op.getConditions()[i]);
        state && isKnown(state, false)) {
      op.getConditionsMutable().erase(i);
      op.getMemrefsMutable().erase(i);
    }
}

/// Whether it deallocates nothing, whatever its memrefs are.
static bool isIdle(bufferization::DeallocOp op, DataFlowSolver &solver) {
  return llvm::all_of(
      llvm::zip(op.getMemrefs(), op.getConditions()), [&](const auto &pair) {
        const auto [listed, condition] = pair;
        const auto *state = solver.lookupState<Indicator>(condition);
        return (state && isKnown(state, false)) ||
               llvm::is_contained(op.getRetained(), memrefOf(listed));
      });
}

void IdleDeallocsPass::runOnOperation() {
  // Alone, so that what its callers pass is left open.
  SmallVector<Operation *> functions;
  if (isa<FunctionOpInterface>(getOperation()))
    functions.push_back(getOperation());
  else
    getOperation()->walk(
        [&](FunctionOpInterface function) { functions.push_back(function); });
  bool hasRemoved = false;
  for (Operation *function : functions) {
    FailureOr<bool> removes = removeIn(function);
    if (failed(removes))
      return signalPassFailure();
    hasRemoved |= *removes;
  }
  if (!hasRemoved)
    return;
  // A clone that is made always, say, is told apart from what it is made of.
  Operation *root = getOperation();
  OpPassManager canonicalize(root->getName());
  canonicalize.addPass(createCanonicalizerPass());
  if (failed(runPipeline(canonicalize, root)) ||
      failed(simplifyDeallocations(root, {})))
    signalPassFailure();
}

/// Whether it removed any.
FailureOr<bool> IdleDeallocsPass::removeIn(Operation *root) {
  DataFlowSolver solver;
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<IndicatorPropagation>();
  if (failed(solver.initializeAndRun(root)))
    return failure();
  SmallVector<bufferization::DeallocOp> idle;
  root->walk([&](bufferization::DeallocOp op) {
    if (isIdle(op, solver))
      idle.push_back(op);
  });
  if (idle.empty())
    return false;
  SmallVector<bufferization::DeallocOp> others;
  root->walk([&](bufferization::DeallocOp op) { others.push_back(op); });
  for (bufferization::DeallocOp op : others)
    if (!llvm::is_contained(idle, op))
      dropUnowned(op, solver);
  useConstants(root, solver);
  bool hasRemoved = false;
  for (bufferization::DeallocOp op : idle)
    if (op->use_empty()) {
      op.erase();
      ++removed;
      hasRemoved = true;
    }
  return hasRemoved;
}

std::unique_ptr<Pass> createLensIdleDeallocsPass() {
  return std::make_unique<IdleDeallocsPass>();
}

void registerIdleDeallocsPass() { PassRegistration<IdleDeallocsPass>(); }

} // namespace memreflens
