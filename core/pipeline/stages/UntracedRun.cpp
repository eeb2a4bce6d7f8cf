//===- core/pipeline/stages/UntracedRun.cpp -------------------------------===//

#include "core/pipeline/stages/UntracedRun.h"
#include "core/pipeline/classic/ClassicPass.h"
#include "core/pipeline/stages/Canonicalize.h"
#include "core/pipeline/stages/StandIn.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace memreflens {

namespace {
/// Keeps the first reason.
struct Refusal : classic::Observer {
  void refused(Operation *, const std::string &message,
               classic::Refusal) override {
    if (why.empty())
      why = message;
  }
  std::string why;
};
} // namespace

std::map<std::string, std::string> runClassic(ModuleOp module) {
  std::map<std::string, std::string> refused;
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  SmallVector<func::FuncOp> functions;
  module->walk([&](func::FuncOp function) {
    if (!function.isExternal())
      functions.push_back(function);
  });
  for (func::FuncOp function : functions) {
    Operation *before = function->clone();
    Refusal refusal;
    if (succeeded(classic::runClassicPass(function, refusal)) &&
        succeeded(verify(function))) {
      before->erase();
      continue;
    }
    refused[function.getSymName().str()] =
        refusal.why.empty() ? "the result is not valid" : refusal.why;
    function->getBlock()->getOperations().insert(function->getIterator(),
                                                 before);
    function->erase();
  }
  // Canonicalize would read past an op's operands.
  module->walk([&](func::FuncOp function) {
    if (function.isExternal() || !findUnsafeFold(function))
      return;
    refused[function.getSymName().str()] =
        "folding memref.dim reads past the operands of the subview";
    makeStandIn(function);
  });
  PassManager passes(module.getContext(), "builtin.module");
  passes.addPass(createCanonicalizerPass());
  (void)passes.run(module);
  return refused;
}

bool runPasses(const std::string &passes, ModuleOp module) {
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  PassManager manager(module.getContext(), "builtin.module");
  return succeeded(parsePassPipeline(passes, manager, llvm::nulls())) &&
         succeeded(manager.run(module));
}

} // namespace memreflens
