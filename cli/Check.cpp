//===- cli/Check.cpp - one file, checked ----------------------------------===//

#include "cli/Check.h"
#include "cli/ExitStatus.h"
#include "cli/Input.h"
#include "cli/ProgramRun.h"
#include "core/Version.h"
#include "core/causes/Causes.h"
#include "core/causes/RunOfCauses.h"
#include "core/check/Change.h"
#include "core/check/Collect.h"
#include "core/check/HandOver.h"
#include "core/check/Rules.h"
#include "core/pipeline/ownership/Preflight.h"
#include "core/pipeline/run/Batches.h"
#include "core/process/Parallel.h"
#include "core/symexec/BoundedExploration.h"
#include "core/symexec/CallGraph.h"
#include "core/symexec/SideBySide.h"
#include "core/trials/Counting.h"
#include "core/trials/Trials.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

#include <deque>
#include <map>
#include <semaphore>
#include <utility>

using namespace mlir;

namespace memreflens {

namespace {
/// Looks at a file's modules before and after the pipeline.
class ModuleChecker {
public:
  /// Paths of so many functions are tried at a time.
  ModuleChecker(const CheckOptions &options, unsigned threads)
      : options(options), threads(threads) {}

  void look(trace::Id chunk, ModuleOp module, bool isFinal,
            const trace::Trace &trace);
  /// Measures a module of the last stage, and tries its paths meanwhile, in
  /// front of the look at it.
  void lookWhile(const MeasureModule &measure, ModuleOp module,
                 trace::Trace &trace, const trace::Workers &workers);
  CheckInputs take();

private:
  struct Chunk {
    std::vector<CallSite> calls;
    std::vector<AlsoRejected> rejected;
    std::vector<Explored> input, output;
  };
  std::vector<Explored> exploreAll(ArrayRef<FunctionOpInterface> functions,
                                   bool isFinal, const trace::Trace &trace,
                                   const trace::Workers &workers) const;

  const CheckOptions &options;
  const unsigned threads;
  /// A chunk that is run again starts anew.
  std::map<trace::Id, Chunk> chunks;
  /// Of the module that was looked at last while it was measured.
  std::optional<std::vector<Explored>> tried;
};
} // namespace

symexec::ExploreLimits limitsOf(const CheckOptions &options) {
  return {
      options.bound, options.maxSteps, options.stepsAnOp, options.seconds, {},
      nullptr};
}

/// In the order of the functions, from any number of threads.
std::vector<Explored>
ModuleChecker::exploreAll(ArrayRef<FunctionOpInterface> functions, bool isFinal,
                          const trace::Trace &trace,
                          const trace::Workers &workers) const {
  std::vector<std::optional<ExploreResult>> results(functions.size());
  symexec::exploreSideBySide(
      functions, workers, [&](size_t i, SymbolTableCollection &symbols) {
        if (!tracedFunction(functions[i], trace))
          return;
        symexec::ExploreLimits limits = limitsOf(options);
        limits.symbols = &symbols;
        results[i] = isFinal
                         ? symexec::exploreOutput(functions[i], trace, limits)
                         : symexec::exploreInput(functions[i], trace, limits);
      });
  std::vector<Explored> found;
  for (auto [function, result] : llvm::zip(functions, results))
    if (result)
      found.push_back(
          {tracedFunction(function, trace)->id, !isFinal, std::move(*result)});
  return found;
}

static SmallVector<FunctionOpInterface> functionsOf(ModuleOp module) {
  SmallVector<FunctionOpInterface> functions;
  module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (!function.isExternal())
      functions.push_back(function);
  });
  return functions;
}

void ModuleChecker::lookWhile(const MeasureModule &measure, ModuleOp module,
                              trace::Trace &trace,
                              const trace::Workers &workers) {
  if (threads < 2)
    return measure(module, trace, workers);
  // Where the one has nothing left to do, the other takes all cores.
  std::counting_semaphore<> cores(threads);
  const trace::Workers shared = [&](size_t count,
                                    const std::function<void(size_t)> &work) {
    inParallel(count, threads, [&](size_t i) {
      cores.acquire();
      work(i);
      cores.release();
    });
  };
  // What measures writes what nobody else reads.
  symexec::exploreBoth(
      *module.getContext(), workersOn(2),
      [&] { measure(module, trace, shared); },
      [&] {
        tried =
            exploreAll(functionsOf(module), /*isFinal=*/true, trace, shared);
      });
}

void ModuleChecker::look(trace::Id id, ModuleOp module, bool isFinal,
                         const trace::Trace &trace) {
  Chunk &chunk = chunks[id];
  if (!isFinal) {
    chunk = {};
    chunk.calls = symexec::callsIn(module, trace);
  }
  const SmallVector<FunctionOpInterface> functions = functionsOf(module);
  if (!isFinal)
    for (FunctionOpInterface function : functions)
      for (RejectedOp &entry :
           rejectedOps(function, trace.options.unregistered))
        chunk.rejected.push_back({entry.op, entry.rejection.cause,
                                  entry.rejection.message, entry.remedies});
  if (isFinal && tried)
    chunk.output = *std::exchange(tried, std::nullopt);
  else
    (isFinal ? chunk.output : chunk.input) =
        exploreAll(functions, isFinal, trace, severalWorkers(threads));
}

CheckInputs ModuleChecker::take() {
  CheckInputs inputs;
  for (auto &[id, chunk] : chunks) {
    llvm::move(chunk.calls, std::back_inserter(inputs.calls));
    llvm::move(chunk.rejected, std::back_inserter(inputs.rejected));
    llvm::move(chunk.input, std::back_inserter(inputs.explored));
    llvm::move(chunk.output, std::back_inserter(inputs.explored));
  }
  return inputs;
}

static bool isUnreadable(const trace::Trace &trace) {
  return !trace.problems.empty() &&
         llvm::none_of(trace.chunks,
                       [](const trace::Chunk &chunk) { return chunk.parsed; });
}

static void addFaults(Measures &measures, const trace::Trace &trace,
                      const CheckInputs &inputs) {
  for (const Explored &explored : inputs.explored) {
    const trace::Function &function = trace.functions[explored.function];
    if (explored.isInput)
      continue;
    Measure &target = measures.functions[{function.chunk, function.title()}];
    target.faults += errorsIn(explored.result);
    target.faultKeys.merge(faultKeysIn(explored.result));
    target.lostWrites += lostWritesIn(explored.result);
    target.allPaths = explored.result.stopped.empty();
    target.comparesPoison = explored.result.comparesPoison;
  }
}

namespace {
/// What came of the analysis of a file, or of some of its functions.
class AnalysisChecker {
public:
  AnalysisChecker(const CheckOptions &check, Measures &measures,
                  unsigned threads)
      : check(check), measures(measures), modules(check, threads) {}
  void follow(AnalysisObservers &analysis);
  FileReport reportOf(const trace::Trace &trace);

private:
  const CheckOptions &check;
  Measures &measures;
  ModuleChecker modules;
};
} // namespace

/// Has it look at what is analysed.
void AnalysisChecker::follow(AnalysisObservers &analysis) {
  if (analysis.measure)
    analysis.measure = [this, measure = std::move(analysis.measure)](
                           ModuleOp module, trace::Trace &trace,
                           const trace::Workers &workers) {
      modules.lookWhile(measure, module, trace, workers);
    };
  analysis.onModule = [this](trace::Id chunk, ModuleOp module, bool isFinal,
                             const trace::Trace &trace) {
    modules.look(chunk, module, isFinal, trace);
    if (isFinal && check.triesRemedies)
      addFinalIr(measures, chunk, module, trace);
  };
}

FileReport AnalysisChecker::reportOf(const trace::Trace &trace) {
  Lookup lookup(trace);
  CheckInputs inputs = modules.take();
  FileReport report = collectFindings(lookup, inputs);
  addCauses(report, lookup);
  if (check.describes)
    describeFunctions(report, lookup);
  addTrace(measures, trace);
  addFaults(measures, trace, inputs);
  report.unreadable = isUnreadable(trace);
  report.unparsed = uint64_t(llvm::count_if(
      trace.chunks, [](const trace::Chunk &part) { return !part.parsed; }));
  llvm::erase_if(report.findings, [&](const Finding &finding) {
    const Rule *rule = findRule(finding.rule);
    return rule && !isWanted(*rule, check.rules);
  });
  return report;
}

/// Nothing where the file is not cut into batches.
static std::optional<FileReport>
checkSideBySide(const trace::Source &source, const DialectRegistry &registry,
                const CheckOptions &check, const AnalysisOptions &analysis,
                unsigned threads, Measures &measures) {
  BatchRun batches(source, analysis);
  std::vector<Measures> counted(batches.size());
  std::vector<FileReport> reports(batches.size());
  std::deque<AnalysisChecker> checkers;
  for (Measures &one : counted)
    checkers.emplace_back(check, one, /*threads=*/1);
  auto follow = [&](size_t batch, AnalysisObservers &own) {
    checkers[batch].follow(own);
  };
  auto report = [&](size_t batch, Analysis result) {
    reports[batch] = checkers[batch].reportOf(result.trace);
  };
  if (threads == 0 || batches.size() == 0 ||
      !batches.analyseAll(registry, threads, follow, report))
    return std::nullopt;
  FileReport joined;
  joined.file = source.path;
  for (size_t batch = 0; batch < batches.size(); ++batch) {
    joinReport(joined, std::move(reports[batch]));
    // Another one counts what it borrows, and the module.
    counted[batch].ops -=
        batches[batch].opsBefore + batches[batch].opsBehind + (batch > 0);
    joinMeasures(measures, std::move(counted[batch]));
  }
  finishReport(joined);
  return joined;
}

FileReport checkSource(const trace::Source &source,
                       const DialectRegistry &registry,
                       const CheckOptions &check, AnalysisOptions analysis,
                       unsigned threads, Measures &measures) {
  const bool hasRun = !check.withRun.empty();
  if (!hasRun) {
    analysis.text = StageText::none;
    if (std::optional<FileReport> report = checkSideBySide(
            source, registry, check, analysis, threads, measures))
      return std::move(*report);
  }
  AnalysisChecker checker(check, measures, threads);
  checker.follow(analysis);
  const trace::Trace &trace =
      leftToExit(analyse(source, registry, analysis)).trace;
  FileReport report = checker.reportOf(trace);
  printProblems(trace, false);
  if (!hasRun || report.unreadable)
    return report;
  if (auto run = openRun(check.withRun, trace))
    addRun(report, *run);
  else
    report.unreadable = true;
  return report;
}

bool writeReport(FileReport report, const std::string &path) {
  const std::string bytes = asBytes(std::move(report));
  return writeOutput(path, [&](std::ostream &out) { out << bytes; });
}

bool writeMeasures(const Measures &measures, const std::string &path) {
  return writeOutput(
      path, [&](std::ostream &out) { out << measuresToJson(measures); });
}

static symexec::HeapLimits heapLimitsOf(const CheckOptions &check) {
  symexec::HeapLimits limits;
  if (check.stepsAnOp > 0)
    limits = {2000, check.stepsAnOp / 2, 60, {}};
  return limits;
}

//===--- Remedies ---------------------------------------------------------===//

static TrialOptions trialOptions(const CliOptions &options) {
  const CheckOptions &check = options.check;
  return {options.run,  limitsOf(check),  heapLimitsOf(check),
          check.tryOps, check.mostCopies, options.jobs};
}

static void addTrials(const CliOptions &options, Trials &trials) {
  const CheckOptions &check = options.check;
  std::string error;
  std::optional<trace::Source> counted = readInput(check.measuresPath, error);
  std::optional<trace::Source> text = readInput(check.reportPath, error);
  if (!counted || !text)
    return;
  std::optional<Measures> before = measuresFromJson(counted->text);
  std::optional<FileReport> report = reportFromBytes(text->text);
  if (!before || !before->problem.empty() || !report)
    return;
  trials.tryRemedies(*report, *before);
  writeReport(std::move(*report), check.reportPath);
}

FileTrials::FileTrials(const CliOptions &options, const trace::Source &source,
                       const DialectRegistry &registry, bool goesAhead)
    : options(options), source(source), registry(registry) {
  if (goesAhead && options.jobs > 1 && isReported.isMade())
    ahead = Child::run([this] { return goAhead(); }, ChildOutput::discarded);
}

FileTrials::~FileTrials() {
  if (ahead.hasStarted())
    ahead.kill();
}

int FileTrials::goAhead() {
  Trials trials(trialOptions(options), source, registry);
  trials.prepare(isReported);
  if (isReported.pass())
    addTrials(options, trials);
  return done;
}

void FileTrials::add() {
  const bool isAwaited = ahead.hasStarted() && isReported.let();
  const std::optional<ChildEnd> end =
      isAwaited ? std::optional(std::exchange(ahead, Child()).wait())
                : std::nullopt;
  if (end && end->status == done)
    return;
  // What it died of meanwhile, the analysis survived.
  Trials trials(trialOptions(options), source, registry);
  addTrials(options, trials);
}

//===--- For a report -----------------------------------------------------===//

std::function<FileReport(const trace::Trace &)>
lookForFindings(const CliOptions &options, const trace::Source &source,
                const DialectRegistry &registry, AnalysisObservers &analysis,
                unsigned threads) {
  struct Look {
    Measures measures;
    AnalysisChecker checker;
    Look(const CheckOptions &check, unsigned threads)
        : checker(check, measures, threads) {}
  };
  auto look = std::make_shared<Look>(options.check, threads);
  look->checker.follow(analysis);
  return [look, &options, &source, &registry](const trace::Trace &trace) {
    FileReport report = look->checker.reportOf(trace);
    if (!options.check.triesRemedies)
      return report;
    // As many as in the overview.
    CliOptions few = options;
    few.check.stepsAnOp = overviewStepsAnOp;
    few.check.mostCopies = overviewCopies;
    Trials(trialOptions(few), source, registry)
        .tryRemedies(report, look->measures);
    return report;
  };
}

} // namespace memreflens
