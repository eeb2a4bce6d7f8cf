//===- cli/Pipelines.cpp --------------------------------------------------===//

#include "cli/Pipelines.h"
#include "cli/Check.h"
#include "cli/ComparisonOptions.h"
#include "cli/ExitStatus.h"
#include "cli/Input.h"
#include "core/files/UnnamedFile.h"
#include "core/pipeline/placement/Peak.h"
#include "core/pipeline/placement/Warnings.h"
#include "core/pipeline/run/Analysis.h"
#include "core/pipeline/stages/PassPlan.h"
#include "core/symexec/BoundedExploration.h"
#include "core/symexec/HeapPeak.h"
#include "core/trials/Counting.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <cstdio>

using namespace mlir;

namespace memreflens {

namespace {
/// One pipeline on one file, inside its process.
class PipelineRun {
public:
  PipelineRun(const CliOptions &options, const std::string &pipeline,
              const trace::Source &source, const DialectRegistry &registry,
              const WorkerRequest &request)
      : options(options), pipeline(pipeline), source(source),
        registry(registry), request(request) {}
  std::vector<PipelineRow> run();
  const trace::Trace &getTrace() const { return analysis.trace; }

private:
  AnalysisOptions analysisOptions();
  void addModule(trace::Id chunk, ModuleOp module, const trace::Trace &trace);
  PipelineRow rowOf(const trace::Function &function) const;

  const CliOptions &options;
  const std::string &pipeline;
  const trace::Source &source;
  const DialectRegistry &registry;
  const WorkerRequest &request;
  using Key = std::pair<trace::Id, std::string>;
  std::map<Key, PlacementCounts> counts;
  /// For a page only.
  std::map<Key, std::string> irs;
  std::map<trace::Id, std::string> failedChunks;
  Analysis analysis;
};
} // namespace

AnalysisOptions PipelineRun::analysisOptions() {
  AnalysisOptions made;
  made.run = options.run;
  // Its name was looked at when it was given.
  (void)setPipeline(pipeline, made.run);
  made.text = StageText::none;
  made.quarantine = request.quarantineOf(0);
  made.onStage = [this](trace::Id chunk, int stage) {
    request.progress->chunk = chunk;
    request.progress->stage = stage;
  };
  made.onModule = [this](trace::Id chunk, ModuleOp module, bool isFinal,
                         const trace::Trace &trace) {
    if (isFinal)
      addModule(chunk, module, trace);
  };
  return made;
}

static void addCopy(PlacementCounts &counts, Operation *op, Value source) {
  ++counts.copies;
  if (std::optional<uint64_t> bytes = placement::bytesOf(op, source.getType()))
    counts.copiedBytes += *bytes;
  else
    ++counts.copiesOfUnknownSize;
}

static void countPlacement(Operation *function, PlacementCounts &counts) {
  function->walk([&](Operation *op) {
    if (isa<memref::AllocaOp>(op)) {
      ++counts.stack;
    } else if (isa<memref::DeallocOp>(op)) {
      ++counts.frees;
      counts.conditionalFrees += placement::isConditionalFree(op);
    } else if (auto clone = dyn_cast<bufferization::CloneOp>(op)) {
      addCopy(counts, op, clone.getInput());
    } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      addCopy(counts, op, copy.getSource());
    }
  });
}

static std::string printed(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, OpPrintingFlags().useLocalScope());
  return text;
}

void PipelineRun::addModule(trace::Id chunk, ModuleOp module,
                            const trace::Trace &trace) {
  Measures measures;
  addFinalIr(measures, chunk, module, trace);
  addFaultsOfChanged(measures, {}, chunk, module, trace,
                     limitsOf(options.check));
  // The other counts are of all memory spaces together, and so is the peak.
  std::map<std::string, trace::HeapUse> inAllSpaces;
  if (!symexec::memorySpacesIn(module).empty())
    symexec::measureHeap(
        module, trace, [&](FunctionOpInterface function, trace::HeapUse heap) {
          if (const auto *known = tracedFunction(function, trace))
            inAllSpaces[known->title()] = std::move(heap);
        });
  module->walk([&](FunctionOpInterface function) {
    const trace::Function *known = tracedFunction(function, trace);
    const Key key(chunk, known ? known->title() : "");
    auto measured = measures.functions.find(key);
    if (measured == measures.functions.end())
      return;
    PlacementCounts &target = counts[key] = {};
    target.heap = measured->second.allocations + measured->second.helperLists;
    target.checks = measured->second.runTimeChecks;
    target.helperCalls = measured->second.helperCalls;
    target.faults = measured->second.faults;
    target.hasUntriedPaths =
        !measured->second.allPaths || measured->second.unfollowed;
    target.peakBytes = measured->second.peakBytes;
    target.peakIsLowerBound = measured->second.peakIsLowerBound();
    if (auto all = inAllSpaces.find(key.second); all != inAllSpaces.end()) {
      target.peakBytes = uint64_t(all->second.peakBytes);
      target.peakIsLowerBound = !all->second.gaps.empty();
    }
    countPlacement(function, target);
    if (options.own<ComparisonOptions>().format == "html")
      irs[key] = printed(function);
  });
}

/// Why the function was rejected, in upstream's words.
static std::string rejectionOf(const trace::Trace &trace,
                               const trace::Function &function) {
  for (const trace::Event &event : trace.events)
    if (const auto *why = std::get_if<trace::RejectionEvent>(&event.detail);
        why && event.function == function.id)
      return why->message;
  return "rejected";
}

PipelineRow PipelineRun::rowOf(const trace::Function &function) const {
  const Key key(function.chunk, function.title());
  PipelineRow row{pipeline, key.first, key.second, {}, {}, {}};
  auto failed = failedChunks.find(function.chunk);
  auto counted = counts.find(key);
  if (failed != failedChunks.end())
    row.problem = failed->second;
  else if (function.status == trace::FunctionStatus::rejected ||
           function.status == trace::FunctionStatus::crashedStage)
    row.problem = rejectionOf(analysis.trace, function);
  else if (counted == counts.end())
    row.problem = "gone: a pass in front took it out";
  else
    row.counts = counted->second;
  if (auto ir = irs.find(key); ir != irs.end() && row.problem.empty())
    row.ir = ir->second;
  return row;
}

std::vector<PipelineRow> PipelineRun::run() {
  analysis = analyse(source, registry, analysisOptions());
  const trace::Trace &trace = analysis.trace;
  for (const trace::Problem &problem : trace.problems)
    if (problem.function == trace::none &&
        problem.severity == trace::Severity::error)
      failedChunks[problem.chunk] =
          (problem.stage == 0 ? "a pass in front fails: " : "") +
          problem.message;
  std::map<trace::Id, uint64_t> indicators;
  for (const trace::Event &event : trace.events)
    indicators[event.function] +=
        std::holds_alternative<trace::SignatureEvent>(event.detail);
  std::vector<PipelineRow> rows;
  for (const trace::Function &function : trace.functions) {
    if (function.status == trace::FunctionStatus::declaration ||
        function.status == trace::FunctionStatus::skipped ||
        function.status == trace::FunctionStatus::notProcessed)
      continue;
    rows.push_back(rowOf(function));
    if (rows.back().problem.empty())
      rows.back().counts.indicators = indicators[function.id];
  }
  return rows;
}

/// For the file as a whole: nothing of it could be measured.
static PipelineRow failedRow(const std::string &pipeline, std::string problem) {
  return {pipeline, 0, {}, std::move(problem), {}, {}};
}

static int runOne(const CliOptions &options, const std::string &pipeline,
                  const trace::Source &source, const DialectRegistry &registry,
                  const WorkerOptions &worker, bool showsProblems,
                  std::vector<PipelineRow> &rows) {
  UnnamedFile file;
  if (!file.isOpen())
    return failTemporary();
  bool isSecond = false;
  auto job = [&](const WorkerRequest &request) -> int {
    PipelineRun run(options, pipeline, source, registry, request);
    std::vector<PipelineRow> made = run.run();
    bool isUnreadable = made.empty() && !run.getTrace().problems.empty();
    if (showsProblems && (isSecond || !isUnreadable))
      printProblems(run.getTrace(),
                    wantsColor(int(options.color), STDERR_FILENO));
    if (!writeOutput(file.getPath(),
                     [&](std::ostream &out) { out << rowsToJson(made); }))
      return badInput;
    return isUnreadable ? int(badInput) : int(done);
  };
  int status = runInWorker(job, worker);
  // Not by what it ran.
  auto isOutside = [&] { return status == noResources || status > 128; };
  if (status != done && !isOutside()) {
    // What only somebody's signal ended does not end again.
    isSecond = true;
    status = runInWorker(job, worker);
  }
  if (isOutside())
    return status;
  if (status != done) {
    if (status != badInput)
      rows.push_back(failedRow(pipeline, "a pass dies on this file"));
    return status == badInput ? int(badInput) : int(done);
  }
  for (PipelineRow &row : rowsFromJson(file.read()))
    rows.push_back(std::move(row));
  return done;
}

int comparePipelines(const CliOptions &options, const trace::Source &source,
                     const DialectRegistry &registry,
                     const WorkerOptions &worker, PipelineTable &table) {
  PipelineFile file{source.path, {}};
  int status = done;
  for (const std::string &name : options.own<ComparisonOptions>().pipelines) {
    // The file's own errors are the same each time.
    bool isFirst = name == options.own<ComparisonOptions>().pipelines.front();
    status = std::max(status, runOne(options, name, source, registry, worker,
                                     isFirst, file.rows));
    if (status != done)
      break;
  }
  table.files.push_back(std::move(file));
  return status;
}

} // namespace memreflens
