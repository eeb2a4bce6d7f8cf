//===- core/pipeline/placement/Pipelines.cpp ------------------------------===//

#include "core/pipeline/placement/Pipelines.h"
#include "core/pipeline/Canonicalize.h"
#include "core/pipeline/StandIn.h"
#include "core/pipeline/classic/ClassicPass.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace memreflens {

namespace {
/// A part of a name that stands for a pass.
struct Mover {
  llvm::StringLiteral word;
  llvm::StringLiteral pass;
  bool isAfter = false;
};
} // namespace

static constexpr Mover movers[] = {
    {"hoist", "func.func(buffer-hoisting)"},
    {"loop-hoist", "func.func(buffer-loop-hoisting)"},
    {"stack", "func.func(promote-buffers-to-stack)"},
    {"drop-results", "drop-equivalent-buffer-results"},
    {"out-params", "buffer-results-to-out-params"},
    {"liveness", "func.func(optimize-allocation-liveness)", true},
};

static std::optional<Placement> placementCalled(llvm::StringRef word) {
  if (word == "ownership")
    return Placement::ownership;
  if (word == "dynamic")
    return Placement::dynamic;
  if (word == "classic")
    return Placement::classic;
  return std::nullopt;
}

static std::string knownWords() {
  std::string words = "ownership, dynamic, classic";
  for (const Mover &mover : movers)
    words += ", " + mover.word.str();
  return words;
}

std::optional<PlacementPipeline> parsePlacement(llvm::StringRef text,
                                                std::string &error) {
  PlacementPipeline pipeline;
  pipeline.name = text.str();
  bool frees = false;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, '+');
  for (llvm::StringRef word : words) {
    if (std::optional<Placement> placement = placementCalled(word)) {
      if (frees) {
        error = "'" + text.str() + "' names two ways to free; one is possible";
        return std::nullopt;
      }
      pipeline.placement = *placement;
      frees = true;
      continue;
    }
    auto *mover = llvm::find_if(
        movers, [&](const Mover &known) { return known.word == word; });
    if (mover == std::end(movers)) {
      error = "no pipeline is called '" + word.str() + "'; there are " +
              knownWords() + ", joined by '+'";
      return std::nullopt;
    }
    std::string &side = mover->isAfter ? pipeline.after : pipeline.before;
    side += (side.empty() ? "" : ",") + mover->pass.str();
  }
  if (!frees) {
    error = "'" + text.str() +
            "' frees nothing; add ownership, dynamic or classic with '+'";
    return std::nullopt;
  }
  return pipeline;
}

namespace {
/// Keeps the first reason.
struct Refusal : classic::Observer {
  void refused(Operation *, const std::string &message) override {
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
