//===- passes/UnrollCrossedPass.cpp - loops that swap their tensors -------===//
//
// Where a loop yields two of its arguments in the place of each other,
// one-shot-bufferize copies both in each iteration. Two steps in one iteration
// yield each in its own place:
//
//   scf.for %i = %0 to %n step %1 iter_args(%x = %a, %y = %b) {
//     %w = linalg.exp ins(%x) outs(%y)
//     scf.yield %w, %x
//   }
//
// Where the number of iterations is not known to be even, an scf.if behind the
// loop has the last one.
//
//===----------------------------------------------------------------------===//

#include "passes/LensPasses.h"
#include "passes/Options.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using bufferization::AnalysisState;

namespace memreflens {

/// Of a loop with more ops in its body, two copies are no remedy.
static constexpr size_t mostOps = 500;

/// The tensor from which all steps to `value` keep the buffer.
static Value startOf(Value value, const AnalysisState &state) {
  llvm::SmallPtrSet<Value, 8> seen;
  while (isa<OpResult>(value) && seen.insert(value).second) {
    const auto from = state.getAliasingOpOperands(value);
    if (from.getNumAliases() != 1 ||
        from.begin()->relation != bufferization::BufferRelation::Equivalent)
      break;
    value = from.begin()->opOperand->get();
  }
  return value;
}

/// Whether two tensors change places in each iteration.
static bool isCrossed(scf::ForOp loop, const AnalysisState &state) {
  SmallVector<int64_t> from;
  for (Value yielded : loop.getYieldedValues()) {
    auto start = isa<TensorType>(yielded.getType())
                     ? dyn_cast<BlockArgument>(startOf(yielded, state))
                     : BlockArgument();
    const bool isCarried =
        start && start.getOwner() == loop.getBody() &&
        start.getArgNumber() >= unsigned(loop.getNumInductionVars());
    from.push_back(isCarried ? int64_t(start.getArgNumber()) -
                                   int64_t(loop.getNumInductionVars())
                             : -1);
  }
  for (auto [to, number] : llvm::enumerate(from))
    if (number >= 0 && number != int64_t(to) &&
        from[size_t(number)] == int64_t(to))
      return true;
  return false;
}

/// Upper bounds below the lower one would be taken for large numbers.
static void keepAboveLower(scf::ForOp loop) {
  if (getConstantIntValue(loop.getLowerBound()) &&
      getConstantIntValue(loop.getUpperBound()))
    return;
  OpBuilder builder(loop);
  loop.setUpperBound(arith::MaxSIOp::create(
      builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound()));
}

/// `loop` runs once or not at all.
static void replaceByIf(scf::ForOp loop) {
  OpBuilder builder(loop);
  const Location loc = loop.getLoc();
  Value runs =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                            loop.getLowerBound(), loop.getUpperBound());
  auto branch = scf::IfOp::create(builder, loc, loop.getResultTypes(), runs,
                                  /*withElseRegion=*/true);
  IRMapping given;
  given.map(loop.getInductionVar(), loop.getLowerBound());
  given.map(loop.getRegionIterArgs(), loop.getInitArgs());
  OpBuilder then = branch.getThenBodyBuilder();
  for (Operation &op : *loop.getBody())
    then.clone(op, given);
  OpBuilder otherwise = branch.getElseBodyBuilder();
  scf::YieldOp::create(otherwise, loc, loop.getInitArgs());
  loop.replaceAllUsesWith(branch.getResults());
  loop.erase();
}

namespace {
class UnrollCrossedPass
    : public PassWrapper<UnrollCrossedPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(UnrollCrossedPass)

  UnrollCrossedPass() = default;
  UnrollCrossedPass(const UnrollCrossedPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return options::unrollCrossedPass; }
  StringRef getDescription() const override {
    return "scf.for in which two tensors change places does two steps in one "
           "iteration";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, scf::SCFDialect>();
  }
  void runOnOperation() override;

private:
  Statistic unrolled{this, "unrolled", "loops that do two steps"};
};
} // namespace

void UnrollCrossedPass::runOnOperation() {
  const bufferization::BufferizationOptions options;
  const AnalysisState state(options);
  SmallVector<scf::ForOp> crossed;
  getOperation()->walk([&](scf::ForOp loop) {
    size_t ops = 0;
    loop->walk([&](Operation *) { ++ops; });
    if (ops <= mostOps && !loop.getUnsignedCmp() && isCrossed(loop, state))
      crossed.push_back(loop);
  });
  for (scf::ForOp loop : crossed) {
    keepAboveLower(loop);
    FailureOr<UnrolledLoopInfo> done = loopUnrollByFactor(loop, 2);
    if (failed(done))
      continue;
    if (done->epilogueLoopOp)
      replaceByIf(*done->epilogueLoopOp);
    ++unrolled;
  }
}

std::unique_ptr<Pass> createLensUnrollCrossedPass() {
  return std::make_unique<UnrollCrossedPass>();
}

void registerUnrollCrossedPass() { PassRegistration<UnrollCrossedPass>(); }

} // namespace memreflens
