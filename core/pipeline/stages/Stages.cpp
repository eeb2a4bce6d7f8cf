//===- core/pipeline/stages/Stages.cpp ------------------------------------===//

#include "core/pipeline/aliasing/TraceAliases.h"
#include "core/pipeline/ownership/OwnershipPass.h"
#include "core/pipeline/stages/Canonicalize.h"
#include "core/pipeline/stages/StageRunner.h"
#include "core/pipeline/stages/StockPasses.h"
#include "core/pipeline/stages/TracedPlacement.h"
#include "core/source/Document.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;

StageRunner::~StageRunner() {
  for (SetAside &entry : aside)
    entry.original->erase();
}

/// As in upstream's pipeline, where it makes allocations that are freed later.
static constexpr std::string_view expandRealloc =
    "expand-realloc{emit-deallocs=false}";

//===--- Driver -----------------------------------------------------------===//

StagesResult StageRunner::run() {
  recorder.beginChunk(chunk, module, options.start);
  setAsideQuarantined(0);
  recordText(0);
  if (trace.options.aliases)
    aliasing::recordAliases(module, recorder);
  const int last = std::min(options.lastStage, trace::lastStage(trace.options));
  for (int stage = 1; stage <= last && result.retry.empty(); ++stage) {
    if (endsAt(stage))
      break;
    runStage(stage);
  }
  tellLeftOut();
  result.endOfDeallocs = recorder.endOfDeallocs();
  return std::move(result);
}

/// Whether only the tool can run the stage, and did not come so far. What ran
/// before is good.
bool StageRunner::endsAt(int stage) {
  if (!options.tool || options.tool->reached(stage) || isOurs(stage))
    return false;
  for (Id id : trace.chunks[chunk].functions)
    if (trace::Function &function = trace.functions[id];
        function.status == trace::FunctionStatus::traced)
      function.lastGoodStage = stage - 1;
  return true;
}

void StageRunner::holdAgainstTool(int stage) {
  verdict = {};
  if (!options.tool)
    return;
  if (!isOurs(stage)) {
    verdict.agreement = trace::Agreement::taken;
    return;
  }
  verdict = options.tool->hold(stage, module, recorder);
  if (verdict.agreement == trace::Agreement::different) {
    isVerified = false;
    forgetErasedStandIns();
    recorder.adopt(module);
  }
  if (verdict.agreement == trace::Agreement::notReached)
    return;
  for (const SetAside &entry : aside)
    if (entry.stage == stage && entry.function != none && !entry.why.empty()) {
      verdict.agreement = trace::Agreement::different;
      verdict.difference = "@" + trace.functions[entry.function].title() +
                           " is refused here (" + entry.why +
                           "), and the tool's pass takes it";
    }
}

void StageRunner::runStage(int stage) {
  if (options.onStage)
    options.onStage(stage);
  recorder.beginStage(stage);
  setAsideQuarantined(stage);
  if (isPass(stage, "canonicalize") && refuseUnsafe(stage))
    return;
  keepQuarantined(stage);
  StageError error;
  bool ranThrough = false;
  LogicalResult outcome = failure();
  {
    ScopedDiagnosticHandler capture(
        module.getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              error.message.empty()) {
            error.message = diagnostic.str();
            error.offset = offsetOf(diagnostic.getLocation(), trace);
          }
          return success();
        });
    ranThrough = succeeded(transform(stage));
    forgetErasedStandIns();
    dropInvalid(stage);
    // The tool's own IR is as valid as the tool wants it to be.
    bool isMade = !options.tool || isOurs(stage);
    isVerified = ranThrough && isMade && succeeded(verify(module));
    outcome = success(ranThrough && (!isMade || isVerified));
  }
  if (failed(outcome))
    return blame(stage, error, ranThrough);
  recorder.adopt(module);
  if (stage < trace::placementStage(trace.options))
    recorder.recordReplaced(module);
  if (isPass(stage, trace::loweringPass))
    recordLowering(module, std::move(lowered), recorder);
  holdAgainstTool(stage);
  if (unrecorded)
    unrecorded->record(module, recorder);
  unrecorded.reset();
  recordText(stage);
}

LogicalResult StageRunner::transform(int stage) {
  std::vector<LeftOut> large = leaveOutLarge(stage);
  LogicalResult outcome = runTransform(stage);
  for (LeftOut &entry : large) {
    entry.declaration->getBlock()->getOperations().insert(
        entry.declaration->getIterator(), entry.function);
    entry.declaration->erase();
  }
  return outcome;
}

LogicalResult StageRunner::runTransform(int stage) {
  const std::string &pass = passOf(stage);
  std::string_view name = trace::passName(pass);
  if (name == trace::ownershipPass)
    return runOwnership();
  if (name == trace::simplificationPass)
    return simplify();
  if (name == trace::loweringPass)
    return lower();
  if (name == trace::classicPass)
    return runClassic();
  // Others only without options of their own.
  const NestedPass nested = passesInPrinted(pass).front();
  if (nested.text == "canonicalize")
    return canonicalize(nested);
  if (nested.text == "cse")
    return cse(nested);
  if (pass == expandRealloc)
    return runPass(memref::createExpandReallocPass({/*emitDeallocs=*/false}));
  if (isTracedPlacement(pass))
    return runPlacement(pass);
  if (!options.tool || isOurs(stage))
    return runText(pass);
  unrecorded.emplace(module, recorder);
  return options.tool->take(stage, module, recorder);
}

bool StageRunner::isOurs(int stage) const { return isMadeHere(passOf(stage)); }

/// The ops that a pass runs on: those that its anchors lead to.
std::vector<Operation *> StageRunner::rootsOf(const NestedPass &pass) {
  std::vector<Operation *> roots = {module};
  for (llvm::StringRef anchor : pass.anchors) {
    std::vector<Operation *> inside;
    for (Operation *root : roots)
      for (Region &region : root->getRegions())
        for (Operation &op : region.getOps())
          if (anchor == "any" || op.getName().getStringRef() == anchor)
            inside.push_back(&op);
    roots = std::move(inside);
  }
  return roots;
}

LogicalResult StageRunner::runPass(std::unique_ptr<Pass> pass) {
  PassManager passes(module.getContext(), "builtin.module");
  passes.enableVerifier(false);
  passes.addPass(std::move(pass));
  return passes.run(module);
}

/// A pass that MLIR has and we do not: what changed is found by comparing.
LogicalResult StageRunner::runText(const std::string &pass) {
  PassManager passes(module.getContext(), "builtin.module");
  passes.enableVerifier(false);
  if (failed(parsePassPipeline(pass, passes, llvm::nulls())))
    return failure();
  unrecorded.emplace(module, recorder);
  return passes.run(module);
}

std::vector<func::FuncOp> StageRunner::functionsWithBody() {
  std::vector<func::FuncOp> functions;
  module.walk([&](func::FuncOp function) {
    if (!function.isExternal() && !recorder.isIgnored(function))
      functions.push_back(function);
  });
  return functions;
}

LogicalResult StageRunner::runPlacement(const std::string &pass) {
  return tracePlacementPass(pass, module, recorder);
}

LogicalResult StageRunner::runClassic() {
  for (func::FuncOp function : functionsWithBody()) {
    Operation *before = function->clone();
    if (traceClassicPass(function, recorder))
      before->erase();
    else
      refuse(function, before);
  }
  return success();
}

/// The function was refused by the event recorded last.
void StageRunner::refuse(func::FuncOp function, Operation *before) {
  const auto *why =
      std::get_if<trace::RejectionEvent>(&trace.events.back().detail);
  if (Id id = recorder.functionOf(function); id != none) {
    trace.functions[id].status = trace::FunctionStatus::rejected;
    trace.functions[id].lastGoodStage = recorder.getStage() - 1;
  }
  setAside(function, before, recorder.getStage(),
           why ? why->message : "rejected");
}

LogicalResult StageRunner::canonicalize(const NestedPass &pass) {
  if (!patterns)
    patterns.emplace(canonicalizationPatterns(module.getContext()));
  RewriteRecorder rewrites(recorder, numbers);
  rewrites.record(module.getContext(), [&] {
    for (Operation *root : rootsOf(pass))
      memreflens::canonicalize(root, *patterns, &rewrites);
  });
  return success();
}

LogicalResult StageRunner::simplify() {
  RewriteRecorder rewrites(recorder, numbers);
  LogicalResult outcome = failure();
  rewrites.record(module.getContext(), [&] {
    outcome = simplifyDeallocations(
        module, {.observer = &rewrites,
                 .listener = &rewrites,
                 .refineDistinctObjects = trace.options.refineDistinctObjects});
  });
  if (succeeded(outcome))
    rewrites.recordKept(module);
  return outcome;
}

LogicalResult StageRunner::lower() {
  lowered = collectDeallocs(module, recorder, numbers);
  return runPass(bufferization::createLowerDeallocationsPass());
}

LogicalResult StageRunner::cse(const NestedPass &pass) {
  RewriteRecorder rewrites(recorder, numbers);
  rewrites.record(module.getContext(), [&] {
    IRRewriter rewriter(module.getContext(), &rewrites);
    for (Operation *root : rootsOf(pass)) {
      DominanceInfo dominance;
      eliminateCommonSubExpressions(rewriter, dominance, root);
    }
  });
  return success();
}

//===--- Ownership --------------------------------------------------------===//

LogicalResult StageRunner::runOwnership() {
  const size_t before = trace.events.size();
  SymbolTableCollection symbolTables;
  SmallVector<func::FuncOp> functions;
  module.walk([&](func::FuncOp function) { functions.push_back(function); });
  for (func::FuncOp function : functions) {
    if (function.isExternal())
      continue;
    if (recorder.isIgnored(function))
      runOwnershipOnStandIn(function, symbolTables);
    else if (failed(runOwnershipOn(function, symbolTables)))
      return failure();
  }
  for (size_t i = before; i < trace.events.size(); ++i)
    if (const auto *dealloc =
            std::get_if<trace::DeallocEvent>(&trace.events[i].detail))
      numbers[trace.events[i].op] = dealloc->dealloc;
  return success();
}

LogicalResult StageRunner::runOwnershipOn(func::FuncOp function,
                                          SymbolTableCollection &symbolTables) {
  Operation *before = function->clone();
  OwnershipResult outcome =
      runOwnershipPass(function, options.ownership, symbolTables, recorder);
  Id id = recorder.functionOf(function);
  if (id != none) {
    trace::Function &entry = trace.functions[id];
    entry.upstreamReadsFreedMemory = outcome.upstreamReadsFreedMemory;
    entry.dynamicOwnership =
        options.ownership.privateFunctionDynamicOwnership &&
        !hasStaticBoundary(function, options.ownership);
  }
  if (outcome.accepted) {
    before->erase();
    return success();
  }
  refuse(function, before);
  runOwnershipOnStandIn(cast<func::FuncOp>(aside.back().standIn), symbolTables);
  return success();
}

/// The module must stay what upstream would have made with the stand-in in
/// place, but none of it is the user's.
void StageRunner::runOwnershipOnStandIn(func::FuncOp standIn,
                                        SymbolTableCollection &symbolTables) {
  auto strip = [&] {
    standIn.walk([](Operation *op) { op->setLoc(stripTag(op->getLoc())); });
    for (Block &block : standIn.getBody())
      for (BlockArgument argument : block.getArguments())
        argument.setLoc(stripTag(argument.getLoc()));
  };
  strip();
  trace::Trace scratch;
  Recorder discard(scratch);
  scratch.chunks.emplace_back();
  discard.beginChunk(0, standIn);
  (void)runOwnershipPass(standIn, options.ownership, symbolTables, discard);
  strip();
}

StagesResult runStages(ModuleOp module, Id chunk, const StageOptions &options,
                       trace::Trace &trace) {
  return StageRunner(module, chunk, options, trace).run();
}

} // namespace memreflens
