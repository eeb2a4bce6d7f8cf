//===- core/pipeline/bufferize/Analysis.cpp -------------------------------===//

#include "core/pipeline/bufferize/Analysis.h"
#include "core/pipeline/bufferize/Calls.h"

#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace memreflens::bufferize {

/// The module with no other functions than these and what they call.
static OwningOpRef<ModuleOp> partOf(ModuleOp module, const Calls &calls,
                                    llvm::ArrayRef<Operation *> some) {
  Functions kept(some.begin(), some.end());
  for (size_t at = 0; at < kept.size(); ++at)
    if (auto called = calls.find(kept[at]); called != calls.end())
      kept.insert_range(called->second);
  auto part = cast<ModuleOp>(module->cloneWithoutRegions());
  OpBuilder builder(part.getContext());
  builder.createBlock(&part.getBodyRegion());
  for (Operation &op : module->getRegion(0).front())
    if (!isa<func::FuncOp>(op) || kept.contains(&op))
      builder.clone(op);
  return part;
}

static LogicalResult analyzeHeld(Operation *module, OneShotAnalysisState &state,
                                 std::vector<Diagnostic> &said) {
  said.clear();
  ScopedDiagnosticHandler handler(module->getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    said.push_back(std::move(diagnostic));
                                    return success();
                                  });
  return analyzeModuleOp(module, state);
}

/// The fewest functions in order that are rejected: what is said of them is
/// said of the last.
static void findFirstRejected(ModuleOp module,
                              const OneShotBufferizationOptions &options,
                              std::vector<Diagnostic> &said) {
  const Calls calls = callsIn(module);
  const Functions functions = calleesFirst(module, calls);
  size_t accepted = 0, rejected = functions.size();
  while (accepted + 1 < rejected) {
    const size_t middle = (accepted + rejected) / 2;
    OwningOpRef<ModuleOp> part =
        partOf(module, calls, functions.getArrayRef().take_front(middle));
    OneShotAnalysisState state(*part, options);
    std::vector<Diagnostic> saidOfPart;
    if (succeeded(analyzeHeld(*part, state, saidOfPart))) {
      accepted = middle;
      continue;
    }
    rejected = middle;
    said = std::move(saidOfPart);
  }
}

LogicalResult analyze(ModuleOp module,
                      const OneShotBufferizationOptions &options,
                      OneShotAnalysisState &state) {
  if (!options.bufferizeFunctionBoundaries)
    return analyzeOp(module, state);
  std::vector<Diagnostic> said;
  const LogicalResult result = analyzeHeld(module, state, said);
  if (failed(result))
    findFirstRejected(module, options, said);
  for (Diagnostic &diagnostic : said)
    module.getContext()->getDiagEngine().emit(std::move(diagnostic));
  return result;
}

} // namespace memreflens::bufferize
