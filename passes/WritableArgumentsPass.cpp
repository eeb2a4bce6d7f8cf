//===- passes/WritableArgumentsPass.cpp - arguments that may be written ---===//
//
// An argument of which `bufferization.writable = false` is stated is copied
// before each write. Of a private function all callers are known, so that
// one-shot-bufferize can see itself whether one still reads what it passes, and
// copy there. The statement goes:
//
//   func.func private @f(%t: tensor<4xf32> {bufferization.writable = false})
//
//   func.func private @f(%t: tensor<4xf32>)
//
//===----------------------------------------------------------------------===//

#include "passes/LensPasses.h"
#include "passes/Options.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using bufferization::BufferizationDialect;

namespace memreflens {

namespace {
class WritableArgumentsPass
    : public PassWrapper<WritableArgumentsPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WritableArgumentsPass)

  WritableArgumentsPass() = default;
  WritableArgumentsPass(const WritableArgumentsPass &other)
      : PassWrapper(other) {}

  StringRef getArgument() const override {
    return options::writableArgumentsPass;
  }
  StringRef getDescription() const override {
    return "bufferization.writable = false goes from arguments of private "
           "functions all of whose callers are known";
  }
  void runOnOperation() override;

private:
  Statistic freed{this, "freed", "arguments that may be written then"};
};
} // namespace

/// Whether calls are all that names the function.
static bool isOnlyCalled(func::FuncOp function, ModuleOp module) {
  const auto uses = SymbolTable::getSymbolUses(function, module);
  return uses && llvm::all_of(*uses, [](const SymbolTable::SymbolUse &use) {
           return isa<func::CallOp>(use.getUser());
         });
}

void WritableArgumentsPass::runOnOperation() {
  const StringRef name = BufferizationDialect::kWritableAttrName;
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.isPrivate() ||
        !isOnlyCalled(function, getOperation()))
      continue;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto stated = function.getArgAttrOfType<BoolAttr>(i, name);
          stated && !stated.getValue()) {
        function.removeArgAttr(i, name);
        ++freed;
      }
  }
}

std::unique_ptr<Pass> createLensWritableArgumentsPass() {
  return std::make_unique<WritableArgumentsPass>();
}

void registerWritableArgumentsPass() {
  PassRegistration<WritableArgumentsPass>();
}

} // namespace memreflens
