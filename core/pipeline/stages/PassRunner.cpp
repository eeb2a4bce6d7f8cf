//===- core/pipeline/stages/PassRunner.cpp --------------------------------===//

#include "core/pipeline/stages/PassRunner.h"
#include "core/pipeline/simplify/Simplify.h"
#include "core/pipeline/stages/Canonicalize.h"
#include "core/pipeline/stages/PassPlan.h"
#include "core/pipeline/stages/Rewrites.h"
#include "core/source/Contracts.h"
#include "core/trace/Plan.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace memreflens {

using upstream::PassId;

LogicalResult PassRunner::run(PassId id, const std::string &pass) {
  switch (id) {
  case PassId::expandRealloc:
    return expandRealloc();
  case PassId::canonicalize:
    return canonicalize(pass);
  case PassId::ownership:
    return place();
  case PassId::simplification:
    return simplify();
  case PassId::lowering:
    return lower();
  case PassId::cse:
    return cse(pass);
  }
  return module.emitError("nothing runs the pass '") << pass << "'";
}

LogicalResult PassRunner::runPass(std::unique_ptr<Pass> pass) {
  PassManager passes(module.getContext(), "builtin.module");
  passes.enableVerifier(false);
  passes.addPass(std::move(pass));
  return passes.run(module);
}

const FrozenRewritePatternSet &PassRunner::getPatterns() {
  if (!patterns)
    patterns.emplace(canonicalizationPatterns(module.getContext()));
  return *patterns;
}

/// The part of a pass's text that has to be as the pipeline has it.
static std::string comparedText(PassId id, const std::string &pass) {
  switch (id) {
  case PassId::expandRealloc:
    return pass;
  case PassId::canonicalize:
  case PassId::cse:
    return passesInPrinted(pass).front().text;
  case PassId::ownership:
  case PassId::simplification:
  case PassId::lowering:
    break;
  }
  return std::string(trace::passName(pass));
}

std::optional<PassId> runnerOf(const std::string &pass) {
  for (const upstream::PipelinePass &known : upstream::pipelinePasses)
    if (comparedText(known.id, pass) == known.text)
      return known.id;
  return std::nullopt;
}

LogicalResult simplifyAsStated(ModuleOp module, const trace::RunOptions &run,
                               RewriteRecorder *rewrites) {
  SymbolTableCollection symbols;
  SimplifyOptions options;
  options.observer = rewrites;
  options.listener = rewrites;
  options.refineDistinctObjects = run.refineDistinctObjects;
  if (statesFreshResults(module, run))
    options.isFresh = [&](Operation *op) {
      return isFreshCall(op, run, symbols);
    };
  return simplifyDeallocations(module, options);
}

} // namespace memreflens
