//===- passes/LastUsePass.cpp ---------------------------------------------===//

#include "passes/LensPasses.h"
#include "passes/Options.h"

#include "core/pipeline/placement/LastUse.h"
#include "core/source/Contracts.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace memreflens {

namespace {
class LastUsePass : public PassWrapper<LastUsePass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LastUsePass)

  LastUsePass() = default;
  LastUsePass(const LastUsePass &other) : PassWrapper(other) {
    copyOptionValuesFrom(&other);
  }
  explicit LastUsePass(const LensDeallocationOptions &options) {
    fresh = ArrayRef<std::string>(options.freshResults);
    noCapture = ArrayRef<std::string>(options.noCapture);
  }

  StringRef getArgument() const override {
    return "lens-optimize-allocation-liveness";
  }
  StringRef getDescription() const override {
    return "Moves memref.dealloc right behind the last use of the buffer, "
           "where that is proven to be the last";
  }
  void runOnOperation() override;

private:
  ListOption<std::string> fresh{*this, options::freshName,
                                llvm::cl::desc(options::freshHelp)};
  ListOption<std::string> noCapture{*this, options::noCaptureName,
                                    llvm::cl::desc(options::noCaptureHelp)};
  Statistic moved{this, "moved", "memref.dealloc moved up"};
  Statistic unknown{this, "unknown",
                    "memref.dealloc left where the last use is not proven"};
};
} // namespace

void LastUsePass::runOnOperation() {
  SymbolTableCollection symbols;
  const std::vector<std::string> freshNames(fresh.begin(), fresh.end());
  const std::vector<std::string> safeNames(noCapture.begin(), noCapture.end());
  placement::StatedOfCalls stated;
  stated.isFresh = [&](Operation *call) {
    return isStated(call, freshResultsAttribute, freshNames, symbols);
  };
  stated.keepsNothing = [&](Operation *call) {
    return isStated(call, noCaptureAttribute, safeNames, symbols);
  };
  const placement::FreesMoved count =
      placement::freeAfterLastUse(getOperation(), symbols, stated);
  moved += count.moved;
  unknown += count.unknown;
}

std::unique_ptr<Pass> createLensOptimizeAllocationLivenessPass(
    const LensDeallocationOptions &options) {
  return std::make_unique<LastUsePass>(options);
}

void registerLastUsePass() { PassRegistration<LastUsePass>(); }

} // namespace memreflens
