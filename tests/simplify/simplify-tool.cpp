//===- tests/simplify/simplify-tool.cpp - the simplification stage alone --===//
//
// simplify-tool [--facts] [--log-actions] [--pairwise] FILE: runs the stage on
// the module in FILE and prints it as mlir-opt does. With --facts, each alias
// question and each pattern goes to stderr; --log-actions logs as mlir-opt
// does.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/simplify/Simplify.h"

#include "mlir/Debug/ExecutionContext.h"
#include "mlir/Debug/Observers/ActionLogging.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace test {
void registerTestDialect(DialectRegistry &registry);
} // namespace test

namespace {

const char *word(std::optional<bool> same) {
  return !same ? "unknown" : *same ? "same" : "different";
}

/// Printing an op numbers its whole function, so ops are named by their kind.
struct Printer : memreflens::SimplifyObserver {
  static std::string text(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return "argument " + std::to_string(argument.getArgNumber());
    auto result = cast<OpResult>(value);
    return result.getOwner()->getName().getStringRef().str() + "#" +
           std::to_string(result.getResultNumber());
  }

  void onAliasQuery(const memreflens::AliasAnswer &answer) override {
    llvm::errs() << "  " << text(answer.first) << " / " << text(answer.second)
                 << ": " << word(answer.same) << ", rule " << int(answer.rule)
                 << "\n";
    for (Value terminal : answer.firstTerminals)
      llvm::errs() << "    first: " << text(terminal) << "\n";
    for (Value terminal : answer.secondTerminals)
      llvm::errs() << "    second: " << text(terminal) << "\n";
  }
  void onDistinctFromAll(Value value, ValueRange others) override {
    llvm::errs() << "  " << text(value) << " / each other of " << others.size()
                 << ": different\n";
  }
  void onPatternBegin(const Pattern &pattern,
                      bufferization::DeallocOp op) override {
    llvm::errs() << memreflens::nameOf(pattern) << " ("
                 << op.getMemrefs().size() << " memrefs, "
                 << op.getRetained().size() << " retained)\n";
  }
  void onPatternEnd(const Pattern &pattern, bool applied) override {
    llvm::errs() << "  -> " << (applied ? "applied" : "no match") << "\n";
  }
};

} // namespace

int main(int argc, char **argv) {
  bool facts = false, logActions = false;
  memreflens::SimplifyOptions options;
  const char *path = nullptr;
  for (StringRef argument : llvm::ArrayRef(argv + 1, argc - 1))
    if (argument == "--facts")
      facts = true;
    else if (argument == "--pairwise")
      options.askEveryPair = true;
    else if (argument == "--log-actions")
      logActions = true;
    else
      path = argument.data();
  if (!path)
    return 2;

  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  test::registerTestDialect(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(path, ParserConfig(&context));
  if (!module)
    return 3;

  Printer printer;
  if (facts)
    options.observer = &printer;
  tracing::ExecutionContext execution([](const tracing::ActionActiveStack *) {
    return tracing::ExecutionContext::Apply;
  });
  tracing::ActionLogger logger(llvm::outs());
  if (logActions) {
    execution.registerObserver(&logger);
    context.registerActionHandler(execution);
  }
  LogicalResult result = memreflens::simplifyDeallocations(*module, options);
  if (logActions)
    context.registerActionHandler({});
  if (failed(result) || failed(verify(*module)))
    return 1;
  module->print(llvm::outs());
  llvm::outs() << "\n";
  return 0;
}
