//===- core/pipeline/run/Analysis.cpp -------------------------------------===//

#include "core/pipeline/run/Analysis.h"
#include "core/Version.h"
#include "core/pipeline/costs/CostSites.h"
#include "core/pipeline/host/ToolSide.h"
#include "core/pipeline/lifetimes/UseSpans.h"
#include "core/pipeline/stages/CopiesText.h"
#include "core/pipeline/stages/Unrecorded.h"
#include "core/source/Statements.h"
#include "core/source/TraceIr.h"
#include "core/trace/Plan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <map>
#include <set>

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;

std::unique_ptr<MLIRContext> makeContext(const DialectRegistry &registry,
                                         const trace::RunOptions &run) {
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->allowUnregisteredDialects(run.allowUnregisteredDialect ||
                                     run.unregistered !=
                                         trace::UnregisteredOps::reject);
  // Those whose ops the stages create.
  context->loadDialect<arith::ArithDialect, bufferization::BufferizationDialect,
                       cf::ControlFlowDialect, func::FuncDialect,
                       memref::MemRefDialect, scf::SCFDialect, ub::UBDialect>();
  return context;
}

bool runPassBehind(ModuleOp module, const std::string &pass) {
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  return succeeded(runText(module, pass)) && succeeded(verify(module));
}

//===--- One attempt ------------------------------------------------------===//

static bool runsPrePasses(const trace::RunOptions &run) {
  return run.bufferize || !run.prePipeline.empty();
}

/// Names of the functions that these refer to, themselves included.
static std::set<std::string> reachedFrom(ModuleOp module,
                                         const std::string &wanted) {
  std::multimap<std::string, std::string> callees;
  module->walk([&](FunctionOpInterface function) {
    if (auto uses = SymbolTable::getSymbolUses(function.getOperation()))
      for (const SymbolTable::SymbolUse &use : *uses)
        callees.emplace(function.getName().str(),
                        use.getSymbolRef().getLeafReference().str());
  });
  // Of a title, "outer::@f", its last part.
  const size_t at = wanted.rfind('@');
  std::vector<std::string> pending = {
      at == wanted.npos ? wanted : wanted.substr(at + 1)};
  std::set<std::string> reached;
  while (!pending.empty()) {
    const std::string name = std::move(pending.back());
    pending.pop_back();
    if (!reached.insert(name).second)
      continue;
    auto [begin, end] = callees.equal_range(name);
    for (auto entry = begin; entry != end; ++entry)
      pending.push_back(entry->second);
  }
  return reached;
}

/// A function's figures of memory have what it calls in them.
static std::vector<Quarantined>
skippedFunctions(const trace::Trace &trace, Id chunk, ModuleOp module,
                 const AnalysisOptions &options) {
  const std::string &wanted = options.run.function;
  std::vector<Quarantined> skipped;
  if (wanted.empty())
    return skipped;
  std::set<std::string> reached;
  if (options.measure)
    reached = reachedFrom(module, wanted);
  for (Id id : trace.chunks[chunk].functions)
    if (const trace::Function &function = trace.functions[id];
        !function.isCalled(wanted) && !reached.contains(function.name) &&
        function.status == trace::FunctionStatus::traced)
      skipped.push_back({chunk, function.title(), 0,
                         trace::FunctionStatus::skipped,
                         trace::RejectionCause::stageFailed, "", -1});
  return skipped;
}

/// Stage that the chunk as a whole cannot get past; one more than the last if
/// there is none.
static int lastStageOf(Id chunk, const std::vector<Quarantined> &quarantine,
                       int lastStage) {
  for (const Quarantined &entry : quarantine)
    if (entry.chunk == chunk && entry.function.empty())
      lastStage = std::min(lastStage, entry.stage - 1);
  return lastStage;
}

static void addProblems(trace::Trace &trace,
                        const std::vector<Quarantined> &quarantine) {
  for (const Quarantined &entry : quarantine) {
    if (entry.status == trace::FunctionStatus::skipped)
      continue;
    trace::Problem problem;
    problem.chunk = entry.chunk;
    problem.stage = entry.stage;
    problem.isInvalidIr = entry.cause == trace::RejectionCause::invalidIr;
    problem.died = entry.cause == trace::RejectionCause::stageCrashed ||
                   entry.cause == trace::RejectionCause::stageTimedOut;
    problem.message =
        std::string(trace::stageName(trace.options, entry.stage)) + ": " +
        entry.message;
    uint32_t begin = trace.chunks[entry.chunk].range.begin;
    for (Id id : trace.chunks[entry.chunk].functions) {
      trace::Function &function = trace.functions[id];
      if (entry.function.empty()) {
        if (function.status == trace::FunctionStatus::traced) {
          function.status = entry.status;
          function.lastGoodStage = entry.stage - 1;
        }
      } else if (function.title() == entry.function) {
        problem.function = id;
        begin = function.nameRange.begin;
      }
    }
    if (entry.offset >= 0)
      begin = uint32_t(entry.offset);
    problem.range = {begin, begin};
    const bool isSaid = llvm::any_of(trace.problems, [&](const auto &other) {
      return other.chunk == problem.chunk && other.stage == problem.stage &&
             other.message == problem.message && other.range == problem.range;
    });
    if (!isSaid)
      trace.problems.push_back(std::move(problem));
  }
}

static void addFault(trace::Trace &trace, Id chunk, std::string message) {
  trace::Problem problem;
  problem.chunk = chunk;
  problem.message = std::move(message);
  problem.range = {trace.chunks[chunk].range.begin,
                   trace.chunks[chunk].range.begin};
  trace.problems.push_back(std::move(problem));
}

/// As if the stages had been recorded, and nothing had happened in them.
static void addEmptyStages(Analysis &analysis, Id chunk, int lastStage) {
  trace::Trace &trace = analysis.trace;
  const int last = std::min(lastStage, trace::lastStage(trace.options));
  for (int number = 0; number <= last; ++number) {
    trace::Stage stage;
    stage.number = number;
    stage.name = std::string(trace::stageName(trace.options, number));
    trace.chunks[chunk].stages.push_back(std::move(stage));
  }
  analysis.starts.assign(size_t(last) + 1,
                         {Id(trace.blocks.size()), Id(trace.ops.size()),
                          Id(trace.values.size()), Id(trace.events.size()), 0});
  analysis.upstreamTexts.back().resize(size_t(last) + 1);
}

ParsedSource parseOnce(const trace::Source &source,
                       const DialectRegistry &registry,
                       const AnalysisRequest &request) {
  ParsedSource parsed;
  parsed.trace.toolVersion = toolVersion;
  parsed.trace.llvmVersion = llvmVersion;
  parsed.trace.options = request.run;
  parsed.context = makeContext(registry, request.run);
  parsed.document =
      parseDocument(source, *parsed.context, request.parse, parsed.trace);
  return parsed;
}

namespace {
/// What came of one attempt.
struct Outcome {
  /// Nothing where the stages have to be recorded.
  std::optional<Analysis> analysis;
  /// To be set aside.
  std::vector<Quarantined> retry;
  /// See `OwnershipResult`.
  bool missedChange = false;
};
} // namespace

static Outcome attempt(const trace::Source &source,
                       const DialectRegistry &registry,
                       const AnalysisOptions &options) {
  const bool isParsed = options.parsed && !options.parsed->isTaken;
  std::unique_ptr<ParsedSource> own;
  if (!isParsed)
    own = std::make_unique<ParsedSource>(parseOnce(source, registry, options));
  ParsedSource &parsed = isParsed ? *options.parsed : *own;
  parsed.isTaken = true;
  Outcome outcome;
  Analysis &analysis = outcome.analysis.emplace();
  analysis.trace = std::move(parsed.trace);
  trace::Trace &trace = analysis.trace;
  trace.options = options.run;
  ParsedDocument &document = parsed.document;
  Id endOfDeallocs = 0;
  std::set<std::string> met;
  for (ParsedChunk &chunk : document.chunks) {
    analysis.upstreamTexts.emplace_back();
    if (!chunk.module ||
        (options.onlyChunk != none && options.onlyChunk != chunk.id))
      continue;
    StageOptions stages;
    stages.start = PartStart::of(trace);
    stages.start.dealloc = endOfDeallocs;
    if (options.edit)
      options.edit(chunk.id, *chunk.module, trace);
    if (!options.isBatch)
      checkStatements(*chunk.module, chunk.id, met, trace);
    const bool wantsCopies =
        options.copiesText || options.text == StageText::sourceNames;
    PrePassOptions prePasses;
    prePasses.onPass = options.onPrePass;
    if (wantsCopies)
      prePasses.copiesText = [&](ModuleOp module) {
        return copiesText(module, trace,
                          {options.text, stages.start, chunk.resources.get()});
      };
    trace::Problem problem =
        runPrePasses(*chunk.module, chunk.id, options.run, trace, prePasses);
    if (!problem.message.empty()) {
      trace.problems.push_back(std::move(problem));
      trace.chunks[chunk.id].parsed = false;
      continue;
    }
    if (options.edit && !runsPrePasses(options.run))
      addIrToTrace(*chunk.module, chunk.id, trace, /*tagged=*/true);
    markFreshResults(*chunk.module, trace);
    stages.ownership.privateFunctionDynamicOwnership =
        options.run.privateFunctionDynamicOwnership;
    stages.ownership.refineDistinctObjects = options.run.refineDistinctObjects;
    stages.ownership.looksEverywhere = options.looksEverywhere;
    stages.text = options.text;
    stages.lastTextOnly = options.lastTextOnly;
    stages.copiesText = wantsCopies;
    stages.textsBeside =
        options.textsBeside && options.run.passes.empty() && !options.tool;
    stages.resources = chunk.resources.get();
    stages.leavesCopies = options.leavesIr;
    stages.showStandIns = options.showStandIns;
    stages.isVerified = !runsPrePasses(options.run) && !options.edit;
    stages.isBatch = options.isBatch;
    stages.verifiesLate =
        options.verifiesLate && options.quarantine.empty() && !options.tool;
    stages.lastStage =
        lastStageOf(chunk.id, options.quarantine, options.lastStage);
    stages.quarantine = options.quarantine;
    for (Quarantined &entry :
         skippedFunctions(trace, chunk.id, *chunk.module, options))
      stages.quarantine.push_back(std::move(entry));
    if (options.onStage)
      stages.onStage = [&](int stage) { options.onStage(chunk.id, stage); };
    if (options.onOwnership)
      stages.onOwnership = [&] { options.onOwnership(chunk.id, trace); };
    std::unique_ptr<ToolSide> tool;
    if (options.tool) {
      std::string fault;
      tool = ToolSide::open(*options.tool, *chunk.module, fault);
      if (!tool)
        addFault(trace, chunk.id, std::move(fault));
      stages.tool = tool.get();
    }
    for (Id id : trace.chunks[chunk.id].functions)
      if (trace.functions[id].status == trace::FunctionStatus::traced)
        trace.functions[id].lastGoodStage = trace::lastStage(trace.options);
    if (options.onModule)
      options.onModule(chunk.id, *chunk.module, /*isFinal=*/false, trace);
    stages.onEnd = [&] {
      lifetimes::addUseSpans(*chunk.module, trace);
      costs::addCostSites(*chunk.module, trace);
      if (options.measure)
        options.measure(*chunk.module, trace, options.workers);
    };
    const bool isRecorded = options.isRecorded ||
                            !canDoWithoutRecord(options.run) ||
                            !options.quarantine.empty() || options.tool;
    if (!isRecorded) {
      if (options.onPlaced)
        stages.onPlaced = [&](ModuleOp placed) {
          options.onPlaced(chunk.id, placed, trace);
        };
      std::optional<std::string> text =
          runWithoutRecord(*chunk.module, stages, trace);
      if (!text)
        return {};
      addEmptyStages(analysis, chunk.id, stages.lastStage);
      analysis.upstreamTexts.back().back() = std::move(*text);
      if (stages.onEnd)
        stages.onEnd();
    }
    if (isRecorded) {
      StagesResult result = runStages(*chunk.module, chunk.id, stages, trace);
      endOfDeallocs = analysis.endOfDeallocs = result.endOfDeallocs;
      analysis.starts = std::move(result.starts);
      analysis.upstreamTexts.back() = std::move(result.upstreamTexts);
      outcome.missedChange |= result.missedChange;
      llvm::append_range(outcome.retry, result.retry);
    }
    if (options.onModule)
      options.onModule(chunk.id, *chunk.module, /*isFinal=*/true, trace);
  }
  if (options.onStagesEnd)
    options.onStagesEnd();
  addProblems(trace, options.quarantine);
  if (!options.isBatch && options.onlyChunk == none &&
      llvm::all_of(trace.chunks,
                   [](const trace::Chunk &chunk) { return chunk.parsed; }))
    reportUnmet(met, trace);
  if (options.leavesIr)
    (void)own.release();
  return outcome;
}

/// Adds what is not known yet. A function that is blamed again although it was
/// set aside would be blamed for ever: then its whole chunk ends there. False
/// if nothing is new.
static bool addToQuarantine(std::vector<Quarantined> &known,
                            const std::vector<Quarantined> &retry) {
  auto isKnown = [&](const Quarantined &entry) {
    return llvm::any_of(known, [&](const Quarantined &other) {
      return other.chunk == entry.chunk && other.function == entry.function &&
             other.stage <= entry.stage;
    });
  };
  bool added = false;
  for (Quarantined entry : retry) {
    if (isKnown(entry))
      entry.function.clear();
    if (isKnown(entry))
      continue;
    known.push_back(std::move(entry));
    added = true;
  }
  return added;
}

/// Changes what the outcome shows to be wrong of the attempt; false where it
/// shows nothing.
static bool prepareNext(AnalysisAttempt &attempt, const Outcome &outcome) {
  if (!outcome.analysis)
    return attempt.isRecorded = true;
  if (outcome.missedChange)
    return attempt.looksEverywhere = true;
  if (outcome.retry.empty() || !attempt.verifiesLate)
    return addToQuarantine(attempt.quarantine, outcome.retry);
  attempt.verifiesLate = false;
  return true;
}

Analysis analyse(trace::Source source, const DialectRegistry &registry,
                 const AnalysisOptions &options) {
  AnalysisOptions current = options;
  // A file that has statements beside it is not cut into batches.
  std::vector<trace::Problem> beside;
  if (!options.isBatch)
    beside = addStatementsBeside(source.path, current.run);
  Outcome outcome = attempt(source, registry, current);
  while (prepareNext(current, outcome))
    outcome = attempt(source, registry, current);
  std::vector<trace::Problem> &problems = outcome.analysis->trace.problems;
  problems.insert(problems.begin(), beside.begin(), beside.end());
  return std::move(*outcome.analysis);
}

} // namespace memreflens
