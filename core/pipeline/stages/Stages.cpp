//===- core/pipeline/stages/Stages.cpp ------------------------------------===//

#include "core/pipeline/aliasing/TraceAliases.h"
#include "core/pipeline/bufferize/Origins.h"
#include "core/pipeline/bufferize/Steps.h"
#include "core/pipeline/ownership/OwnershipPass.h"
#include "core/pipeline/record/Difference.h"
#include "core/pipeline/record/SilentReplacements.h"
#include "core/pipeline/stages/Canonicalize.h"
#include "core/pipeline/stages/CopiesText.h"
#include "core/pipeline/stages/Lowering.h"
#include "core/pipeline/stages/PassPlan.h"
#include "core/pipeline/stages/PassRoots.h"
#include "core/pipeline/stages/PassRunner.h"
#include "core/pipeline/stages/Rewrites.h"
#include "core/pipeline/stages/StageRecord.h"
#include "core/pipeline/stages/StockPasses.h"
#include "core/pipeline/stages/TracedPlacement.h"
#include "core/source/Document.h"
#include "core/source/Identity.h"
#include "core/trace/Plan.h"

#include "core/trace/Symbol.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;

namespace {
/// Runs the stages of one chunk, and records them.
class StageRunner : PassRunner {
public:
  StageRunner(ModuleOp module, Id chunk, const StageOptions &options,
              trace::Trace &trace)
      : PassRunner(module), chunk(chunk), options(options), trace(trace),
        recorder(trace),
        skipped(module, chunk, options, recorder, trace, result.retry),
        record(module, chunk, options, recorder, trace, skipped,
               result.upstreamTexts) {}
  StagesResult run();

private:
  void runStage(int stage);
  void verifyInput();
  bool isKnownValid(int stage) const;
  int lastStage() const {
    return std::min(options.lastStage, trace::lastStage(trace.options));
  }
  void noteStart();
  bool isOurs(int stage) const { return isMadeHere(passOf(stage)); }
  std::vector<Operation *> rootsOf(const std::string &pass);
  bool endsAt(int stage);
  void holdAgainstTool(int stage);
  LogicalResult transform(int stage);
  OperationFingerPrint fingerPrint() const;
  LogicalResult expandRealloc() override;
  LogicalResult canonicalize(const std::string &pass) override;
  LogicalResult simplify() override;
  LogicalResult place() override;
  LogicalResult placeIn(func::FuncOp function,
                        SymbolTableCollection &symbolTables);
  void placeInStandIn(func::FuncOp standIn,
                      SymbolTableCollection &symbolTables);
  LogicalResult lower() override;
  LogicalResult cse(const std::string &pass) override;
  LogicalResult placeClassic();
  LogicalResult bufferize(const std::string &pass);
  LogicalResult runText(const std::string &pass);
  const std::string &passOf(int stage) const {
    return trace::passesOf(trace.options)[size_t(stage) - 1];
  }
  bool isPass(int stage, std::string_view name) const {
    return trace::isPass(trace.options, stage, name);
  }

  Id chunk;
  const StageOptions &options;
  trace::Trace &trace;
  StagesResult result;
  Recorder recorder;
  SkippedFunctions skipped;
  StageRecord record;
  DeallocNumbers numbers;
  std::vector<DeallocBefore> lowered;
  /// As it was before a pass that records nothing.
  std::optional<Difference> unrecorded;
  ToolSide::Verdict verdict;
  /// The verifier accepts the module as it is.
  bool isVerified = false;
  /// The stage that runs left the module as it was.
  bool isUnchanged = false;
  /// Of the module, where the last stage left it as it was.
  std::optional<OperationFingerPrint> unchanged;
};
} // namespace

//===--- Driver -----------------------------------------------------------===//

StagesResult StageRunner::run() {
  recorder.beginChunk(chunk, module, options.start);
  noteStart();
  skipped.skipKnown(0);
  verifyInput();
  record.add(0, isVerified, verdict);
  if (trace.options.aliases)
    aliasing::recordAliases(module, recorder);
  for (int stage = 1; stage <= lastStage() && result.retry.empty(); ++stage) {
    if (endsAt(stage))
      break;
    runStage(stage);
    if (options.onOwnership && result.retry.empty() &&
        stage == trace::placementStage(trace.options))
      options.onOwnership();
  }
  record.finish(options.onEnd);
  skipped.tellLarge();
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
    skipped.forgetErased();
    recorder.adopt(module);
  }
  if (verdict.agreement == trace::Agreement::notReached)
    return;
  for (const Skipped &entry : skipped.rejected())
    if (entry.stage == stage && entry.function != none && !entry.why.empty()) {
      verdict.agreement = trace::Agreement::different;
      verdict.difference =
          trace::symbolText(trace.functions[entry.function].title()) +
          " is rejected here (" + entry.why + "), and the tool's pass takes it";
    }
}

void StageRunner::noteStart() {
  result.starts.push_back({Id(trace.blocks.size()), Id(trace.ops.size()),
                           Id(trace.values.size()), recorder.nextEvent(),
                           recorder.endOfDeallocs()});
}

/// Once for its text and the stages that change nothing. What is wrong is told
/// by the first stage.
void StageRunner::verifyInput() {
  isVerified = options.isVerified && skipped.rejected().empty();
  if (isVerified)
    return;
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  isVerified = succeeded(verify(module));
}

/// Whether the stage left what was valid so, or nobody wants to know yet.
bool StageRunner::isKnownValid(int stage) const {
  return isVerified && (isUnchanged ||
                        (options.verifiesLate &&
                         !mayMakeInvalidIr(stage, lastStage(), trace.options)));
}

void StageRunner::runStage(int stage) {
  isUnchanged = false;
  if (options.onStage)
    options.onStage(stage);
  recorder.beginStage(stage);
  noteStart();
  skipped.skipKnown(stage);
  if (isPass(stage, upstream::canonicalizePass) && skipped.rejectUnsafe(stage))
    return;
  skipped.keepSpoiled(stage);
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
    skipped.takeOutLarge(stage);
    ranThrough = succeeded(transform(stage));
    skipped.putBackLarge();
    skipped.forgetErased();
    skipped.dropSpoiled();
    // The tool's own IR is as valid as the tool wants it to be.
    bool isMade = !options.tool || isOurs(stage);
    isVerified = ranThrough && isMade &&
                 (isKnownValid(stage) || succeeded(verify(module)));
    outcome = success(ranThrough && (!isMade || isVerified));
  }
  if (failed(outcome))
    return skipped.blame(stage, error, ranThrough);
  if (isUnchanged && !options.tool && skipped.rejected().empty())
    return record.addUnchanged(stage);
  unchanged.reset();
  recorder.adopt(module);
  if (isPass(stage, bufferizePass))
    bufferize::linkCosts(module, trace);
  if (stage < trace::placementStage(trace.options))
    recordSilentReplacements(module, recorder);
  if (isPass(stage, trace::loweringPass))
    recordLowering(module, std::move(lowered), recorder);
  holdAgainstTool(stage);
  if (unrecorded)
    unrecorded->record(module, recorder);
  unrecorded.reset();
  record.add(stage, isVerified, verdict);
}

LogicalResult StageRunner::transform(int stage) {
  const std::string &pass = passOf(stage);
  if (const std::optional<upstream::PassId> id = runnerOf(pass))
    return PassRunner::run(*id, pass);
  if (isPass(stage, trace::classicPass))
    return placeClassic();
  if (isPass(stage, bufferizePass))
    return bufferize(pass);
  if (isTracedPlacement(pass))
    return tracePlacementPass(pass, module, recorder);
  if (!options.tool || isOurs(stage))
    return runText(pass);
  unrecorded.emplace(module, recorder);
  return options.tool->take(stage, module, recorder);
}

/// The ops that a pass runs on: those that its anchors lead to.
std::vector<Operation *> StageRunner::rootsOf(const std::string &pass) {
  return passRoots(module, passesInPrinted(pass).front().anchors);
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

/// Of the module as the stage gets it.
OperationFingerPrint StageRunner::fingerPrint() const {
  return unchanged ? *unchanged : OperationFingerPrint(module);
}

LogicalResult StageRunner::expandRealloc() {
  // Without a realloc it still folds: only its result tells.
  const OperationFingerPrint before = fingerPrint();
  LogicalResult outcome =
      runPass(memref::createExpandReallocPass({/*emitDeallocs=*/false}));
  unchanged.emplace(module);
  isUnchanged = before == *unchanged;
  return outcome;
}

LogicalResult StageRunner::placeClassic() {
  for (func::FuncOp function : skipped.others()) {
    Operation *before = function->clone();
    if (traceClassicPass(function, recorder))
      before->erase();
    else
      skipped.reject(function, before);
  }
  return success();
}

/// By its steps, so that what it decides is recorded.
LogicalResult StageRunner::bufferize(const std::string &pass) {
  const NestedPass nested = passesInPrinted(pass).front();
  unrecorded.emplace(module, recorder);
  for (Operation *root : passRoots(module, nested.anchors)) {
    auto inside = dyn_cast<ModuleOp>(root);
    if (!inside)
      return runText(pass);
    trace::Bufferization record;
    record.chunk = chunk;
    record.stage = recorder.getStage();
    record.options = passOptions(nested.text).str();
    auto keepCopies = [&] {
      if (options.copiesText)
        record.copiesText = copiesText(
            inside, trace, {options.text, options.start, options.resources});
    };
    if (failed(bufferize::bufferize(inside, trace, record,
                                    bufferize::AnalysisBy::either, keepCopies)))
      return failure();
    trace.bufferizations.push_back(std::move(record));
  }
  return success();
}

LogicalResult StageRunner::canonicalize(const std::string &pass) {
  RewriteRecorder rewrites(recorder, numbers);
  // In the program as it was written there may be nothing to do. What MLIR
  // changes without a word shows in the fingerprint.
  std::optional<OperationFingerPrint> before;
  if (recorder.getStage() < trace::placementStage(trace.options))
    before = fingerPrint();
  rewrites.record([&] {
    for (Operation *root : rootsOf(pass))
      memreflens::canonicalize(root, getPatterns(), &rewrites);
  });
  if (before && !rewrites.sawChange()) {
    unchanged.emplace(module);
    isUnchanged = *before == *unchanged;
  }
  return success();
}

LogicalResult StageRunner::simplify() {
  RewriteRecorder rewrites(recorder, numbers);
  LogicalResult outcome = failure();
  rewrites.record(
      [&] { outcome = simplifyAsStated(module, trace.options, &rewrites); });
  if (succeeded(outcome))
    rewrites.recordKept(module);
  return outcome;
}

LogicalResult StageRunner::lower() {
  lowered = collectDeallocs(module, recorder, numbers);
  return runPass(bufferization::createLowerDeallocationsPass());
}

LogicalResult StageRunner::cse(const std::string &pass) {
  RewriteRecorder rewrites(recorder, numbers);
  rewrites.record([&] {
    IRRewriter rewriter(module.getContext(), &rewrites);
    for (Operation *root : rootsOf(pass)) {
      DominanceInfo dominance;
      eliminateCommonSubExpressions(rewriter, dominance, root);
    }
  });
  return success();
}

//===--- Ownership --------------------------------------------------------===//

LogicalResult StageRunner::place() {
  const size_t before = trace.events.size();
  SymbolTableCollection symbolTables;
  SmallVector<func::FuncOp> functions;
  module.walk([&](func::FuncOp function) { functions.push_back(function); });
  for (func::FuncOp function : functions) {
    if (function.isExternal())
      continue;
    if (recorder.isIgnored(function))
      placeInStandIn(function, symbolTables);
    else if (failed(placeIn(function, symbolTables)))
      return failure();
  }
  for (size_t i = before; i < trace.events.size(); ++i)
    if (const auto *dealloc =
            std::get_if<trace::DeallocEvent>(&trace.events[i].detail))
      numbers[trace.events[i].op] = dealloc->dealloc;
  return success();
}

LogicalResult StageRunner::placeIn(func::FuncOp function,
                                   SymbolTableCollection &symbolTables) {
  Operation *before = function->clone();
  OwnershipResult outcome =
      runOwnershipPass(function, options.ownership, symbolTables, recorder);
  result.missedChange |= outcome.missedChange;
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
  placeInStandIn(skipped.reject(function, before), symbolTables);
  return success();
}

/// The module must stay what upstream would have made with the stand-in in
/// place, but none of it is the user's.
void StageRunner::placeInStandIn(func::FuncOp standIn,
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
