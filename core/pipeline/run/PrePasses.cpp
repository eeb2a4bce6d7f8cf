//===- core/pipeline/run/PrePasses.cpp - what runs in front of the stages -===//

#include "core/pipeline/bufferize/Globals.h"
#include "core/pipeline/bufferize/Origins.h"
#include "core/pipeline/bufferize/Steps.h"
#include "core/pipeline/run/Analysis.h"
#include "core/pipeline/stages/PassPlan.h"
#include "core/pipeline/stages/PassRoots.h"
#include "core/source/TraceIr.h"
#include "core/text/Nesting.h"
#include "core/trace/Plan.h"
#include "core/trace/Symbol.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;

std::string prePassPipeline(const trace::RunOptions &run) {
  std::string pipeline;
  if (run.bufferize) {
    pipeline = "one-shot-bufferize";
    // Programs have functions; without this a tensor argument stops it.
    std::string options = run.bufferizeOptions;
    if (options.find("bufferize-function-boundaries") == std::string::npos)
      options = "bufferize-function-boundaries" +
                (options.empty() ? "" : " " + options);
    pipeline += "{" + options + "}";
  }
  llvm::StringRef pre = run.prePipeline;
  if (pre.consume_front("builtin.module("))
    pre.consume_back(")");
  if (!pre.empty())
    pipeline += (pipeline.empty() ? "" : ",") + pre.str();
  return pipeline;
}

bool bufferizes(const trace::RunOptions &run) {
  return prePassPipeline(run).find(bufferizePass) != std::string::npos;
}

/// Of two allocations that a function returns, each by a return of its own,
/// the option makes one out-param, though both are written before it is known
/// which is returned.
static void warnOfHoisting(ModuleOp module, Id chunk, llvm::StringRef pipeline,
                           trace::Trace &trace) {
  const size_t at = pipeline.find("hoist-static-allocs");
  // One return is left then.
  if (at == pipeline.npos || pipeline.take_front(at).contains("lift-cf-to-scf"))
    return;
  module->walk([&](FunctionOpInterface function) {
    llvm::SmallPtrSet<Operation *, 4> returned;
    unsigned returns = 0;
    for (Block &block : function.getFunctionBody()) {
      if (!block.mightHaveTerminator() ||
          !block.getTerminator()->hasTrait<OpTrait::ReturnLike>())
        continue;
      ++returns;
      for (Value operand : block.getTerminator()->getOperands())
        if (auto alloc = operand.getDefiningOp<memref::AllocOp>())
          returned.insert(alloc);
    }
    if (returns < 2 || returned.size() < 2)
      return;
    trace::Problem problem;
    problem.severity = trace::Severity::warning;
    problem.chunk = chunk;
    const int64_t offset = offsetOf(function->getLoc(), trace);
    if (offset >= 0)
      problem.range = {uint32_t(offset), uint32_t(offset)};
    problem.message =
        "hoist-static-allocs gives a wrong result on " +
        trace::symbolText(function.getName().str()) +
        ", which returns one of several allocations, each by a return of its "
        "own: they become one out-param; run it without the option, or "
        "lift-cf-to-scf in front of it";
    trace.problems.push_back(std::move(problem));
  });
}

namespace {
/// Says which pass runs: one that dies can't say it itself.
class PassTeller : public PassInstrumentation {
public:
  explicit PassTeller(OnPrePass tell) : tell(std::move(tell)) {}
  void runBeforePass(Pass *pass, Operation *op) override {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    const llvm::StringRef argument = pass->getArgument();
    tell((argument.empty() ? pass->getName() : argument).str(),
         symbol && symbol.getNameAttr()
             ? trace::symbolText(symbol.getName().str())
             : "");
  }

private:
  OnPrePass tell;
};
} // namespace

namespace {
class PrePassRunner {
public:
  PrePassRunner(ModuleOp module, Id chunk, trace::Trace &trace,
                const PrePassOptions &options)
      : module(module), chunk(chunk), trace(trace), options(options) {}
  LogicalResult run(llvm::StringRef pipeline);

private:
  struct Step;
  std::vector<Step> stepsOf(llvm::StringRef pipeline) const;
  LogicalResult runPasses(const std::string &text);
  LogicalResult bufferize(const NestedPass &pass);
  LogicalResult bufferizeAsUpstream(const NestedPass &pass);
  void tellCopiesOfUpstream(const NestedPass &pass);

  ModuleOp module;
  Id chunk;
  trace::Trace &trace;
  const PrePassOptions &options;
};
} // namespace

/// A pass that is run by its steps, or others that run one after another.
struct PrePassRunner::Step {
  /// As text for a `builtin.module`.
  std::string passes;
  /// Of one-shot-bufferize; nothing for others.
  std::optional<NestedPass> bufferize;
};

/// Whether it runs on modules: one-shot-bufferize, and nothing else around it.
static bool isBufferize(const NestedPass &pass) {
  return trace::passName(pass.text) == bufferizePass &&
         llvm::all_of(pass.anchors, [](const std::string &anchor) {
           return anchor == "builtin.module";
         });
}

std::vector<PrePassRunner::Step>
PrePassRunner::stepsOf(llvm::StringRef pipeline) const {
  std::vector<Step> steps;
  auto addText = [&](std::string text) {
    if (steps.empty() || steps.back().bufferize)
      steps.emplace_back();
    std::string &passes = steps.back().passes;
    passes += (passes.empty() ? "" : ",") + text;
  };
  for (const std::string &part : partsOf(pipeline)) {
    const std::vector<NestedPass> passes = passesInPrinted(part);
    if (!llvm::any_of(passes, isBufferize)) {
      addText(part);
      continue;
    }
    for (const NestedPass &pass : passes)
      if (isBufferize(pass))
        steps.push_back({"", pass});
      else
        addText(textOf(pass));
  }
  return steps;
}

LogicalResult PrePassRunner::runPasses(const std::string &text) {
  PassManager passes(module.getContext(), "builtin.module");
  if (failed(parsePassPipeline(text, passes, llvm::nulls())))
    return failure();
  if (options.onPass)
    passes.addInstrumentation(std::make_unique<PassTeller>(options.onPass));
  return passes.run(module);
}

LogicalResult PrePassRunner::bufferize(const NestedPass &pass) {
  for (Operation *root : passRoots(module, pass.anchors)) {
    if (options.onPass) {
      StringAttr symbol = cast<ModuleOp>(root).getSymNameAttr();
      options.onPass(std::string(bufferizePass),
                     symbol ? trace::symbolText(symbol.str()) : "");
    }
    trace::Bufferization record;
    record.chunk = chunk;
    record.options = passOptions(pass.text).str();
    auto keepCopies = [&] {
      if (options.copiesText)
        record.copiesText = options.copiesText(cast<ModuleOp>(root));
    };
    if (failed(bufferize::bufferize(cast<ModuleOp>(root), trace, record,
                                    bufferize::AnalysisBy::either,
                                    keepCopies)) ||
        failed(verify(root)))
      return failure();
    trace.bufferizations.push_back(std::move(record));
  }
  return success();
}

/// What MLIR's own first two steps make of a copy of the module.
void PrePassRunner::tellCopiesOfUpstream(const NestedPass &pass) {
  if (!options.copiesText)
    return;
  for (Operation *root : passRoots(module, pass.anchors)) {
    if (root->getParentOp())
      continue;
    OwningOpRef<ModuleOp> copy = cast<ModuleOp>(root).clone();
    // The pass itself says what is wrong.
    ScopedDiagnosticHandler silence(module.getContext(),
                                    [](Diagnostic &) { return success(); });
    if (succeeded(
            bufferize::insertCopiesAsUpstream(*copy, passOptions(pass.text))))
      (void)options.copiesText(*copy);
  }
}

/// By the pass itself. Names and places of the globals that it makes vary from
/// run to run, and are no difference to ours.
LogicalResult PrePassRunner::bufferizeAsUpstream(const NestedPass &pass) {
  SmallVector<std::pair<ModuleOp, llvm::StringSet<>>> globals;
  for (Operation *root : passRoots(module, pass.anchors))
    globals.push_back(
        {cast<ModuleOp>(root), bufferize::globalNames(cast<ModuleOp>(root))});
  tellCopiesOfUpstream(pass);
  if (failed(runPasses(textOf(pass))))
    return failure();
  for (const auto &[root, before] : globals)
    bufferize::orderGlobals(root, before);
  return success();
}

LogicalResult PrePassRunner::run(llvm::StringRef pipeline) {
  bool isListed = true;
  for (const Step &step : stepsOf(pipeline)) {
    if (!step.bufferize) {
      if (failed(runPasses(step.passes)))
        return failure();
      isListed = false;
      continue;
    }
    if (options.asUpstream) {
      if (failed(bufferizeAsUpstream(*step.bufferize)))
        return failure();
      continue;
    }
    // What it decides is about the ops that it finds.
    if (!isListed)
      addIrToTrace(module, chunk, trace, /*tagged=*/true);
    if (failed(bufferize(*step.bufferize)))
      return failure();
    isListed = false;
  }
  return success();
}

/// What is wrong with the text.
static std::string faultOfPipeline(const std::string &pipeline,
                                   MLIRContext *context) {
  if (std::string problem = nestingProblem(pipeline); !problem.empty())
    return problem;
  PassManager passes(context, "builtin.module");
  std::string error;
  llvm::raw_string_ostream errors(error);
  if (succeeded(parsePassPipeline(pipeline, passes, errors)))
    return {};
  return "cannot parse the pass pipeline '" + pipeline +
         "': " + llvm::StringRef(error).trim().str();
}

/// one-shot-bufferize does not say in its message which op it left: with the
/// name of that, as other messages have it.
static std::string namedMessage(ModuleOp module, std::string message,
                                Location loc) {
  if (message != "op was not bufferized")
    return message;
  StringRef name;
  module.walk([&](Operation *op) {
    if (op->getLoc() != loc ||
        isa<bufferization::BufferizableOpInterface>(op) ||
        isa<bufferization::ToTensorOp, bufferization::ToBufferOp>(op))
      return WalkResult::advance();
    name = op->getName().getStringRef();
    return WalkResult::interrupt();
  });
  return name.empty() ? message : "'" + name.str() + "' " + message;
}

trace::Problem runPrePasses(ModuleOp module, Id chunk,
                            const trace::RunOptions &run, trace::Trace &trace,
                            const PrePassOptions &options) {
  trace::Problem problem;
  problem.chunk = chunk;
  problem.stage = 0;
  problem.range = {trace.chunks[chunk].range.begin,
                   trace.chunks[chunk].range.begin};
  const std::string pipeline = prePassPipeline(run);
  if (pipeline.empty())
    return problem;
  ScopedDiagnosticHandler capture(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error ||
            !problem.message.empty())
          return success();
        problem.message =
            namedMessage(module, diagnostic.str(), diagnostic.getLocation());
        int64_t offset = offsetOf(diagnostic.getLocation(), trace);
        if (offset >= 0)
          problem.range = {uint32_t(offset), uint32_t(offset)};
        return success();
      });
  std::string fault = faultOfPipeline(pipeline, module.getContext());
  if (!fault.empty()) {
    problem.message = std::move(fault);
    return problem;
  }
  warnOfHoisting(module, chunk, pipeline, trace);
  const bool ran =
      succeeded(PrePassRunner(module, chunk, trace, options).run(pipeline));
  if (!ran && problem.message.empty())
    problem.message = "the passes in front of the pipeline failed";
  if (options.onPass)
    options.onPass("", "");
  if (problem.message.empty()) {
    addIrToTrace(module, chunk, trace, /*tagged=*/true);
    bufferize::linkCosts(module, trace);
  }
  return problem;
}

} // namespace memreflens
