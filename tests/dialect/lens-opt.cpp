//===- tests/dialect/lens-opt.cpp - mlir-opt with the dialect `lens` ------===//
//
// `--lens-print-aliases`: for each two ops of a function that carry `probe`,
// what the program states about their memory, as remarks at the function.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/aliasing/FactQuery.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace memreflens;

namespace {
struct PrintAliases
    : mlir::PassWrapper<PrintAliases, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintAliases)
  llvm::StringRef getArgument() const override { return "lens-print-aliases"; }
  llvm::StringRef getDescription() const override { return "stated facts"; }

  void runOnOperation() override {
    static constexpr const char *facts[] = {"may", "scopes", "distinct",
                                            "none-are"};
    const aliasing::FactQuery query(getOperation());
    llvm::SmallVector<mlir::Operation *> accesses;
    getOperation()->walk([&](mlir::Operation *op) {
      if (op->hasAttr("probe"))
        accesses.push_back(op);
    });
    auto nameOf = [](mlir::Operation *op) {
      return op->getAttrOfType<mlir::StringAttr>("probe").getValue();
    };
    for (size_t i = 0; i < accesses.size(); ++i)
      for (size_t j = i + 1; j < accesses.size(); ++j) {
        const aliasing::Answer answer = query.ask(accesses[i], accesses[j]);
        const aliasing::Answer back = query.ask(accesses[j], accesses[i]);
        if (answer.fact != back.fact || answer.by != back.by)
          getOperation()->emitError("the answer depends on the order");
        llvm::errs() << "@" << getOperation().getSymName() << " "
                     << nameOf(accesses[i]) << " " << nameOf(accesses[j]) << " "
                     << facts[size_t(answer.fact)] << "\n";
      }
  }
};
} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  registry.insert<dialect::LensDialect>();
  mlir::PassRegistration<PrintAliases>();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "mlir-opt with lens\n", registry));
}
