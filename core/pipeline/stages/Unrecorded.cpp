//===- core/pipeline/stages/Unrecorded.cpp --------------------------------===//

#include "core/pipeline/stages/Unrecorded.h"
#include "core/pipeline/ownership/OwnershipPass.h"
#include "core/pipeline/record/FreshCalls.h"
#include "core/pipeline/record/SourceNames.h"
#include "core/pipeline/simplify/Simplify.h"
#include "core/pipeline/stages/Canonicalize.h"
#include "core/trace/Plan.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace memreflens {

static LogicalResult runPass(ModuleOp module, std::unique_ptr<Pass> pass) {
  PassManager passes(module.getContext(), "builtin.module");
  passes.enableVerifier(false);
  passes.addPass(std::move(pass));
  return passes.run(module);
}

static LogicalResult place(ModuleOp module, const OwnershipOptions &options) {
  SymbolTableCollection symbols;
  Recorder silent;
  return success(!module
                      .walk([&](func::FuncOp function) {
                        if (function.isExternal())
                          return WalkResult::skip();
                        OwnershipResult result = runOwnershipPass(
                            function, options, symbols, silent);
                        return result.accepted ? WalkResult::skip()
                                               : WalkResult::interrupt();
                      })
                      .wasInterrupted());
}

static LogicalResult simplify(ModuleOp module, const trace::RunOptions &run) {
  SymbolTableCollection symbols;
  SimplifyOptions options;
  options.refineDistinctObjects = run.refineDistinctObjects;
  if (statesFreshResults(module, run))
    options.isFresh = [&](Operation *op) {
      return isFreshCall(op, run, symbols);
    };
  return simplifyDeallocations(module, options);
}

static LogicalResult canonicalize(ModuleOp module) {
  return findUnsafeFold(module) ? failure()
                                : runPass(module, createCanonicalizerPass());
}

static LogicalResult transform(ModuleOp module, std::string_view pass,
                               const StageOptions &options,
                               const trace::RunOptions &run) {
  if (pass == trace::ownershipPass)
    return place(module, options.ownership);
  if (pass == trace::simplificationPass)
    return simplify(module, run);
  if (pass == "canonicalize")
    return canonicalize(module);
  return runPass(module, pass == trace::loweringPass
                             ? bufferization::createLowerDeallocationsPass()
                         : pass == "cse" ? createCSEPass()
                                         : memref::createExpandReallocPass(
                                               {/*emitDeallocs=*/false}));
}

std::optional<std::string> irWithoutRecord(ModuleOp module,
                                           const StageOptions &options,
                                           const trace::RunOptions &run) {
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  const std::vector<std::string> &passes = trace::passesOf(run);
  const size_t last = std::min(size_t(options.lastStage), passes.size());
  for (size_t stage = 1; stage <= last; ++stage) {
    if (options.onStage)
      options.onStage(int(stage));
    if (failed(transform(module, trace::passName(passes[stage - 1]), options,
                         run)) ||
        failed(verify(module)))
      return std::nullopt;
  }
  return printAsUpstream(module, Verified::yes);
}

} // namespace memreflens
