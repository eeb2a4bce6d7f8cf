// The one file of these tests that pays for the headers of all dialects.

#include "tests/source/Parsing.h"

#include "core/text/LineIndex.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

std::unique_ptr<MLIRContext> memreflens::test::makeContext() {
  static const DialectRegistry &registry = []() -> DialectRegistry & {
    static DialectRegistry all;
    registerAllDialects(all);
    registerAllExtensions(all);
    return all;
  }();
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->allowUnregisteredDialects();
  return context;
}

std::string memreflens::test::Parsed::problems() const {
  LineIndex lines(trace.source.text);
  std::string all;
  for (const trace::Problem &problem : trace.problems) {
    LineColumn at = lines.lineColumn(problem.range.begin);
    all += std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
           problem.message + "\n";
  }
  return all;
}

bool memreflens::test::runPipeline(ModuleOp module,
                                   const std::string &pipeline) {
  static bool registered = (registerAllPasses(), true);
  (void)registered;
  auto manager = PassManager::on<ModuleOp>(module->getContext());
  return (pipeline.empty() ||
          succeeded(parsePassPipeline(pipeline, manager))) &&
         succeeded(manager.run(module));
}
