//===- core/reduce/Seen.cpp -----------------------------------------------===//

#include "core/reduce/Seen.h"
#include "core/pipeline/ownership/Preflight.h"
#include "core/symexec/BoundedExploration.h"
#include "core/symexec/CallGraph.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace memreflens {

/// By steps, not by time: what is found must not depend on the machine.
static symexec::ExploreLimits limitsWith(SymbolTableCollection &symbols) {
  symexec::ExploreLimits limits;
  limits.symbols = &symbols;
  limits.maxSteps = 100000;
  limits.seconds = 60;
  return limits;
}

void Watcher::look(Chunk &chunk, ModuleOp module, bool isFinal,
                   const trace::Trace &trace) {
  if (!isFinal) {
    chunk = {};
    chunk.calls = symexec::callsIn(module, trace);
  }
  SymbolTableCollection symbols;
  const symexec::ExploreLimits limits = limitsWith(symbols);
  module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    const trace::Function *known = tracedFunction(function, trace);
    if (!known || function.isExternal())
      return;
    if (!isFinal)
      for (RejectedOp &entry : rejectedOps(function))
        chunk.rejected.push_back({entry.op, entry.rejection.cause,
                                  entry.rejection.message, entry.remedies});
    std::optional<ExploreResult> result =
        isFinal ? symexec::exploreOutput(function, trace, limits)
                : symexec::exploreInput(function, trace, limits);
    if (result)
      chunk.explored.push_back({known->id, !isFinal, std::move(*result)});
  });
}

void Watcher::addTo(AnalysisObservers &analysis) {
  analysis.onModule = [this](trace::Id chunk, ModuleOp module, bool isFinal,
                             const trace::Trace &trace) {
    look(chunks[chunk], module, isFinal, trace);
  };
}

CheckInputs Watcher::take() {
  CheckInputs inputs;
  for (auto &[id, chunk] : chunks) {
    llvm::move(chunk.calls, std::back_inserter(inputs.calls));
    llvm::move(chunk.rejected, std::back_inserter(inputs.rejected));
    llvm::move(chunk.explored, std::back_inserter(inputs.explored));
  }
  return inputs;
}

} // namespace memreflens
