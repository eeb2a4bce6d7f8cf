//===- core/pipeline/stages/Unrecorded.cpp --------------------------------===//

#include "core/pipeline/stages/Unrecorded.h"
#include "core/pipeline/ownership/OwnershipPass.h"
#include "core/pipeline/record/SourceNames.h"
#include "core/pipeline/stages/Canonicalize.h"
#include "core/pipeline/stages/PassPlan.h"
#include "core/pipeline/stages/PassRunner.h"
#include "core/pipeline/stages/TracedPlacement.h"
#include "core/source/Identity.h"
#include "core/trace/Plan.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

#include <algorithm>

using namespace mlir;

namespace memreflens {

namespace {
/// Of the ownership pass, for functions of a trace.
class OwnershipRun {
public:
  OwnershipRun(const OwnershipOptions &options, trace::Trace &trace)
      : options(options), trace(trace) {
    for (trace::Function &function : trace.functions)
      functions[function.op] = &function;
  }
  LogicalResult run(ModuleOp module);

private:
  LogicalResult runOn(func::FuncOp function);

  const OwnershipOptions &options;
  trace::Trace &trace;
  llvm::DenseMap<trace::Id, trace::Function *> functions;
  SymbolTableCollection symbols;
  Recorder silent;
};
} // namespace

LogicalResult OwnershipRun::runOn(func::FuncOp function) {
  const OwnershipResult result =
      runOwnershipPass(function, options, symbols, silent);
  if (trace::Function *known = functions.lookup(taggedOp(function.getLoc()))) {
    known->upstreamReadsFreedMemory = result.upstreamReadsFreedMemory;
    known->dynamicOwnership = options.privateFunctionDynamicOwnership &&
                              !hasStaticBoundary(function, options);
  }
  return success(result.accepted);
}

LogicalResult OwnershipRun::run(ModuleOp module) {
  return success(!module
                      .walk([&](func::FuncOp function) {
                        return function.isExternal() ||
                                       succeeded(runOn(function))
                                   ? WalkResult::skip()
                                   : WalkResult::interrupt();
                      })
                      .wasInterrupted());
}

/// What a constant decides before the canonicalizer comes to it: each scf.if
/// that it resolves makes it look at the users of the results once more, and a
/// dealloc at the end of a large function may be a user of a thousand. It
/// resolves them as this does, but not in this order.
static void resolveDecided(ModuleOp module) {
  SmallVector<scf::IfOp> decided;
  module->walk([&](scf::IfOp op) {
    if (matchPattern(op.getCondition(), m_Constant()))
      decided.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (scf::IfOp op : decided) {
    Region &taken = matchPattern(op.getCondition(), m_One())
                        ? op.getThenRegion()
                        : op.getElseRegion();
    if (taken.empty()) {
      rewriter.eraseOp(op);
      continue;
    }
    Operation *yield = taken.front().getTerminator();
    SmallVector<Value> results(yield->getOperands());
    rewriter.inlineBlockBefore(&taken.front(), op);
    rewriter.replaceOp(op, results);
    rewriter.eraseOp(yield);
  }
}

LogicalResult runText(ModuleOp module, const std::string &pass) {
  if (isTracedPlacement(pass)) {
    Recorder silent;
    return tracePlacementPass(pass, module, silent);
  }
  PassManager passes(module.getContext(), "builtin.module");
  passes.enableVerifier(false);
  if (failed(parsePassPipeline(pass, passes, llvm::nulls())))
    return failure();
  return passes.run(module);
}

namespace {
/// Runs the stages of one chunk, and records nothing.
class SilentRunner : PassRunner {
public:
  SilentRunner(ModuleOp module, const StageOptions &options,
               trace::Trace &trace)
      : PassRunner(module), options(options), trace(trace) {}
  LogicalResult runStage(size_t stage);

private:
  LogicalResult expandRealloc() override {
    return runPass(memref::createExpandReallocPass({/*emitDeallocs=*/false}));
  }
  LogicalResult canonicalize(const std::string &) override {
    if (findUnsafeFold(module))
      return failure();
    memreflens::canonicalize(module, getPatterns(), /*listener=*/nullptr);
    return success();
  }
  LogicalResult place() override {
    if (failed(OwnershipRun(options.ownership, trace).run(module)))
      return failure();
    if (options.onPlaced)
      options.onPlaced(module);
    return success();
  }
  LogicalResult simplify() override {
    return simplifyAsStated(module, trace.options, /*rewrites=*/nullptr);
  }
  LogicalResult lower() override {
    return runPass(bufferization::createLowerDeallocationsPass());
  }
  LogicalResult cse(const std::string &) override {
    return runPass(createCSEPass());
  }

  const StageOptions &options;
  trace::Trace &trace;
};
} // namespace

/// The first are the pipeline's (`canDoWithoutRecord`).
LogicalResult SilentRunner::runStage(size_t stage) {
  const std::string &pass = trace::passesOf(trace.options)[stage - 1];
  return stage > std::size(upstream::pipelinePasses)
             ? runText(module, pass)
             : run(upstream::pipelinePasses[stage - 1].id, pass);
}

bool canDoWithoutRecord(const trace::RunOptions &run) {
  const std::vector<std::string> &eight = trace::passesOf({});
  const std::vector<std::string> &passes = trace::passesOf(run);
  return passes.size() >= eight.size() &&
         std::equal(eight.begin(), eight.end(), passes.begin()) &&
         run.function.empty() && run.skipSimplificationOver == 0 &&
         !run.aliases;
}

std::optional<std::string> runWithoutRecord(ModuleOp module,
                                            const StageOptions &options,
                                            trace::Trace &trace) {
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  SilentRunner runner(module, options, trace);
  const size_t last =
      size_t(std::min(options.lastStage, trace::lastStage(trace.options)));
  for (size_t stage = 1; stage <= last; ++stage) {
    if (options.onStage)
      options.onStage(int(stage));
    const bool isCounted = options.text == StageText::none;
    const std::string_view pass =
        trace::passName(trace::passesOf(trace.options)[stage - 1]);
    if (isCounted && pass == upstream::canonicalizePass)
      resolveDecided(module);
    // Of what is shown, each stage has to be valid that may not be; what is
    // counted, at its end.
    const bool isVerified =
        mayMakeInvalidIr(int(stage), int(last), trace.options) &&
        !(isCounted && stage < last && pass == trace::loweringPass);
    if (failed(runner.runStage(stage)) ||
        (isVerified && failed(verify(module))))
      return std::nullopt;
  }
  return options.text == StageText::none
             ? std::string()
             : printAsUpstream(module, {.verified = Verified::yes,
                                        .resources = options.resources});
}

} // namespace memreflens
