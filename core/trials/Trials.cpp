//===- core/trials/Trials.cpp ---------------------------------------------===//

#include "core/trials/Trials.h"
#include "core/check/Trial.h"
#include "core/files/UnnamedFile.h"
#include "core/pipeline/run/Analysis.h"
#include "core/process/Child.h"
#include "core/process/Parallel.h"
#include "core/source/IrLister.h"
#include "core/text/Shell.h"
#include "core/trace/Plan.h"
#include "core/trace/RunArguments.h"
#include "core/trials/Counting.h"
#include "core/trials/CppText.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassRegistry.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <list>
#include <utility>

using namespace mlir;

namespace memreflens {

/// Longest that one copy may take; only a pass that hangs comes so far.
static constexpr double trialSeconds = 60;
/// Of the path explorer, for each function of a copy.
static constexpr uint64_t trialSteps = 60000;

static Measures readMeasures(const std::string &text) {
  if (std::optional<Measures> measures = measuresFromJson(text))
    return std::move(*measures);
  Measures none;
  none.problem = "the pipeline dies on it";
  return none;
}

//===--- Edits ------------------------------------------------------------===//

static void returnCopies(FunctionOpInterface function) {
  for (Block &block : function.getFunctionBody()) {
    Operation *terminator = block.getTerminator();
    if (!terminator->hasTrait<OpTrait::ReturnLike>())
      continue;
    OpBuilder builder(terminator);
    for (OpOperand &operand : terminator->getOpOperands())
      if (isa<BaseMemRefType>(operand.get().getType()) &&
          !operand.get().getDefiningOp<memref::AllocOp>())
        operand.set(bufferization::CloneOp::create(
            builder, terminator->getLoc(), operand.get()));
  }
}

static void dropDeallocs(FunctionOpInterface function) {
  SmallVector<Operation *> frees;
  function->walk([&](Operation *op) {
    if (isa<memref::DeallocOp, bufferization::DeallocOp>(op) && op->use_empty())
      frees.push_back(op);
  });
  for (Operation *op : frees)
    op->erase();
}

static void applyEdit(const Remedy &remedy, trace::Id chunk, ModuleOp module) {
  module->walk([&](FunctionOpInterface function) {
    if (function.isExternal() ||
        (!remedy.functions.count({chunk, function.getName().str()}) &&
         !remedy.functions.count({chunk, pathOf(function)})))
      return;
    if (remedy.edit == RemedyEdit::makePrivate)
      function.setPrivate();
    if (remedy.edit == RemedyEdit::returnCopies)
      returnCopies(function);
    if (remedy.edit == RemedyEdit::dropDeallocs)
      dropDeallocs(function);
  });
}

//===--- One copy ---------------------------------------------------------===//

static trace::RunOptions runOptions(const TrialOptions &options,
                                    const Remedy &remedy) {
  trace::RunOptions run = options.run;
  run.privateFunctionDynamicOwnership = remedy.dynamicOwnership;
  if (!remedy.freshResults.empty())
    run.freshResults.push_back(remedy.freshResults);
  if (!remedy.noCapture.empty())
    run.noCapture.push_back(remedy.noCapture);
  std::string own = prePassPipeline(options.run);
  run.bufferize = false;
  run.prePipeline = own;
  if (!remedy.before.empty())
    run.prePipeline += (own.empty() ? "" : ",") + remedy.before;
  if (!remedy.after.empty()) {
    run.passes = trace::passesOf(options.run);
    run.passes.push_back(remedy.after);
  }
  return run;
}

/// What to give to mlir-opt for the same.
static std::string pipelineText(const trace::RunOptions &run,
                                const Remedy &remedy) {
  std::string text = "builtin.module(";
  if (!run.prePipeline.empty())
    text += run.prePipeline + ",";
  text += "buffer-deallocation-pipeline";
  if (run.privateFunctionDynamicOwnership)
    text += "{private-function-dynamic-ownership=1}";
  if (!remedy.after.empty())
    text += "," + remedy.after;
  return text + ")";
}

/// The same with our passes, which take what is stated of functions.
static std::string statedPipeline(const trace::RunOptions &run,
                                  const Remedy &remedy) {
  std::string fresh, options;
  auto add = [&](const std::string &option) {
    options += (options.empty() ? "" : " ") + option;
  };
  for (const std::string &pattern : run.freshResults)
    fresh += (fresh.empty() ? "" : ",") + pattern;
  if (!fresh.empty())
    add("assume-fresh-results=" + fresh);
  if (!remedy.noCapture.empty())
    add("assume-no-capture=" + remedy.noCapture + " late-free=last-use");
  if (run.privateFunctionDynamicOwnership)
    add("private-function-dynamic-ownership=1");
  const bool hasPass = !remedy.after.empty() && remedy.noCapture.empty();
  return "builtin.module(" +
         (run.prePipeline.empty() ? "" : run.prePipeline + ",") +
         "lens-buffer-deallocation-pipeline{" + options + "}" +
         (hasPass ? "," + remedy.after : "") + ")";
}

/// Whether a pass is ours, which mlir-opt has to load.
static bool takesPlugin(const std::string &pipeline) {
  return pipeline.find("lens-") != std::string::npos;
}

/// As the user writes it.
static std::string mlirOptCommand(const trace::RunOptions &run,
                                  const std::string &pipeline,
                                  const trace::Source &source) {
  const bool isSplit = source.text.find("// -----") != std::string::npos;
  return std::string("mlir-opt-22") +
         (takesPlugin(pipeline) ? " --load-pass-plugin=libMemrefLensPasses.so"
                                : "") +
         (run.allowUnregisteredDialect ? " --allow-unregistered-dialect" : "") +
         (isSplit ? " --split-input-file" : "") +
         " --pass-pipeline=" + shellWord(pipeline) + " " +
         shellWord(source.path);
}

/// Of memref-lens: with --pre, or with the pipeline that has the pass behind.
static std::string ownCommand(const trace::RunOptions &run,
                              const Remedy &remedy) {
  bool isDynamic = run.privateFunctionDynamicOwnership;
  std::string text = "memref-lens check";
  trace::RunOptions inFront, then;
  inFront.prePipeline = run.prePipeline;
  then.allowUnregisteredDialect = run.allowUnregisteredDialect;
  then.freshResults = run.freshResults;
  then.noCapture = run.noCapture;
  then.privateFunctionDynamicOwnership = isDynamic && remedy.after.empty();
  if (!remedy.after.empty()) {
    text = "memref-lens ir --stage=final";
    then.pipeline = isDynamic ? "dynamic+" : "ownership+";
    then.pipeline += remedy.noCapture.empty() ? "liveness" : "last-use";
  }
  for (const trace::RunOptions &options : {inFront, then})
    for (const auto &[flag, value] : trace::runArguments(options))
      text += " " + flag + (value.empty() ? "" : "=" + shellWord(value));
  return text;
}

/// The pass that makes the functions private, as the edit does.
static std::string privatePass(const Remedy &remedy, const Measures &before) {
  std::string others;
  for (const auto &[key, measure] : before.functions)
    if (measure.isPublic && !remedy.functions.count(key))
      others += (others.empty() ? "" : ",") + key.second;
  return others.empty() ? "symbol-privatize"
                        : "symbol-privatize{exclude=" + others + "}";
}

static TrialSteps stepsOf(const TrialOptions &options, const Remedy &remedy,
                          const trace::Source &source, const Measures &before) {
  trace::RunOptions run = runOptions(options, remedy);
  TrialSteps steps;
  steps.pipeline = pipelineText(run, remedy);
  std::string pipeline = steps.pipeline;
  const bool hasNested = std::ranges::any_of(
      before.functions, [](auto &entry) { return entry.second.isNested; });
  if (remedy.edit == RemedyEdit::makePrivate && !hasNested) {
    run.prePipeline = privatePass(remedy, before) +
                      (run.prePipeline.empty() ? "" : "," + run.prePipeline);
    pipeline = pipelineText(run, remedy);
  } else if (remedy.edit != RemedyEdit::none) {
    // No pass makes the edit; what is run then is what was run before.
    return steps;
  }
  std::string file = shellWord(source.path);
  steps.code =
      cppFor({run.prePipeline, remedy.noCapture.empty() ? remedy.after : "",
              run.privateFunctionDynamicOwnership, remedy.freshResults,
              remedy.noCapture});
  // Upstream knows no such statement; our passes do.
  if (!run.freshResults.empty() || !remedy.noCapture.empty()) {
    steps.pipeline.clear();
    steps.commands = {ownCommand(run, remedy) + " " + file,
                      mlirOptCommand(run, statedPipeline(run, remedy), source)};
    return steps;
  }
  steps.commands = {mlirOptCommand(run, pipeline, source),
                    ownCommand(run, remedy) + " " + file};
  return steps;
}

namespace {
/// All that a trial needs to know.
struct Trial {
  const TrialOptions &options;
  const trace::Source &source;
  const DialectRegistry &registry;
  const FileReport &report;
  const Measures &before;
  const Remedy &remedy;
  ParsedSource &parsed;
};
} // namespace

/// Whether it would help if it is sound.
static bool mayHelp(const Trial &trial, Measures measures,
                    const trace::Trace &trace, const PlacedFunctions &placed) {
  addTrace(measures, trace, placed);
  return helpsAny(trial.report, trial.remedy, trial.before, measures);
}

static Measures measureCopy(const Trial &trial) {
  Measures measures;
  const Remedy &remedy = trial.remedy;
  AnalysisOptions analysis;
  analysis.run = runOptions(trial.options, remedy);
  analysis.parsed = &trial.parsed;
  analysis.text = StageText::none;
  // Of the decisions, only those are counted that the IR shows; but where a
  // function is rejected, that has to be recorded.
  analysis.isRecorded =
      !remedy.rules.count("branch-loop") &&
      llvm::any_of(trial.before.functions,
                   [](const auto &entry) { return !entry.second.isAccepted; });
  PlacedFunctions placed;
  analysis.onPlaced = [&](trace::Id chunk, ModuleOp module,
                          const trace::Trace &trace) {
    addPlaced(placed, chunk, module, trace);
  };
  if (remedy.edit != RemedyEdit::none)
    analysis.edit = [&](trace::Id chunk, ModuleOp module) {
      applyEdit(remedy, chunk, module);
    };
  // Copies end one by one; the cores that they leave help the last ones.
  const trace::Workers workers = severalWorkers(trial.options.jobs);
  analysis.onModule = [&](trace::Id chunk, ModuleOp module, bool isFinal,
                          const trace::Trace &trace) {
    if (!isFinal)
      return;
    HeapLimits heap = trial.options.heap;
    heap.workers = workers;
    addFinalIrOfCopy(measures, trial.before, chunk, module, trace, heap);
    ExploreLimits limits = trial.options.limits;
    limits.workers = workers;
    limits.maxSteps = std::min(limits.maxSteps, trialSteps);
    if (mayHelp(trial, measures, trace, placed))
      addFaultsOfChanged(measures, trial.before, chunk, module, trace, limits);
  };
  Analysis result = analyse(trial.source, trial.registry, analysis);
  addTrace(measures, result.trace, placed);
  for (const trace::Problem &problem : result.trace.problems)
    if (problem.stage == 0 && problem.severity == trace::Severity::error)
      measures.problem = "the pass fails: " + problem.message;
  return measures;
}

using Clock = std::chrono::steady_clock;

namespace {
/// One copy, measured in a process of its own: a pass may die on it. Whatever
/// else ends the process does not do so twice.
class CopyRun {
public:
  CopyRun(const Trial &trial, size_t remedy) : remedy(remedy), trial(trial) {
    start();
  }
  /// What came of it, once it has ended or taken too long.
  std::optional<Measures> poll();
  const Child &process() const { return child; }
  /// Its number.
  const size_t remedy;

private:
  void start();

  Trial trial;
  UnnamedFile file = UnnamedFile::none();
  Child child;
  Clock::time_point begun;
  bool isSecond = false;
};
} // namespace

void CopyRun::start() {
  file = UnnamedFile();
  child = {};
  begun = Clock::now();
  if (!file.isOpen())
    return;
  auto measure = [this] {
    std::fputs(measuresToJson(measureCopy(trial)).c_str(), file.getStream());
    std::fflush(file.getStream());
    return 0;
  };
  child = Child::run(measure, ChildOutput::discarded);
}

std::optional<Measures> CopyRun::poll() {
  Measures none;
  if (!child.hasStarted()) {
    none.problem = "no process could be started";
    return none;
  }
  if (std::optional<ChildEnd> end = child.poll()) {
    if (end->signal != 0 && !std::exchange(isSecond, true)) {
      start();
      return std::nullopt;
    }
    // No pass does this to its own process.
    if (end->signal == SIGKILL) {
      none.problem = "its process was killed";
      return none;
    }
    return readMeasures(file.read());
  }
  if (std::chrono::duration<double>(Clock::now() - begun).count() <=
      trialSeconds)
    return std::nullopt;
  child.kill();
  none.problem = "it takes longer than a minute";
  return none;
}

//===--- All of them ------------------------------------------------------===//

/// How much may be gained: findings that the remedy is for, each by what it
/// keeps from the user.
static uint64_t promiseOf(const Remedy &remedy, const FileReport &report,
                          const Measures &before) {
  uint64_t promise = 0;
  for (const Finding &finding : report.findings) {
    if (!remedy.rules.count(finding.rule))
      continue;
    promise += finding.severity == trace::Severity::error     ? 1000
               : finding.severity == trace::Severity::warning ? 30
                                                              : 1;
  }
  // What is stated for it gains the peak, too.
  if (!remedy.noCapture.empty())
    return 6 * promise;
  // What moves to the stack is not gone; and upstream's pass knows no last use
  // where external functions return buffers.
  const bool isVain = remedy.after.empty() || !before.externals.empty();
  return remedy.movesMemory && isVain ? promise / 8 : promise;
}

/// Numbers of remedies, the most promising first.
static std::vector<size_t> byPromise(const std::vector<Remedy> &remedies,
                                     const FileReport &report,
                                     const Measures &before) {
  std::vector<std::pair<uint64_t, size_t>> order;
  for (size_t i = 0; i < remedies.size(); ++i)
    order.push_back({promiseOf(remedies[i], report, before), i});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [](const auto &entry) { return entry.first; });
  std::vector<size_t> numbers;
  for (const auto &[promise, number] : order)
    numbers.push_back(number);
  return numbers;
}

/// Those that fit, the most promising first; in the order in which they came.
static std::vector<Remedy> within(const TrialOptions &options,
                                  std::vector<Remedy> remedies,
                                  const Measures &before, FileReport &report) {
  const std::vector<size_t> order = byPromise(remedies, report, before);
  size_t most = options.maxOps == 0 || before.ops == 0
                    ? order.size()
                    : options.maxOps / before.ops;
  constexpr uint64_t manyOps = 1000;
  if (options.mostCopies > 0 && before.ops > manyOps)
    most = std::min<size_t>(most, options.mostCopies);
  std::vector<bool> isTried(remedies.size());
  for (size_t i = 0; i < std::min(most, order.size()); ++i)
    isTried[order[i]] = true;
  std::vector<Remedy> tried;
  for (size_t i = 0; i < remedies.size(); ++i)
    if (isTried[i])
      tried.push_back(std::move(remedies[i]));
    else
      report.untried.push_back(remedies[i].words);
  return tried;
}

/// As lines of a diff.
static std::vector<std::string> changedDeclarations(const Measures &before,
                                                    const Measures &after) {
  std::vector<std::string> lines;
  for (const auto &[name, text] : before.declarations)
    if (const auto now = after.declarations.find(name);
        now != after.declarations.end() && now->second != text) {
      lines.push_back("-" + text);
      lines.push_back("+" + now->second);
    }
  return lines;
}

static std::vector<const Child *>
processesOf(const std::list<CopyRun> &running) {
  std::vector<const Child *> processes;
  for (const CopyRun &copy : running)
    processes.push_back(&copy.process());
  return processes;
}

ParsedSource parseForTrials(const trace::Source &source,
                            const DialectRegistry &registry,
                            const trace::RunOptions &run) {
  AnalysisOptions parse;
  parse.run = run;
  return parseOnce(source, registry, parse);
}

void tryRemedies(FileReport &report, const Measures &before,
                 const TrialOptions &options, const trace::Source &source,
                 const DialectRegistry &registry, ParsedSource parsed) {
  std::vector<Remedy> worthATry = remediesToTry(
      report, before, options.run.privateFunctionDynamicOwnership);
  // In a program that does not link our passes.
  if (!PassInfo::lookup(trace::lastUsePass))
    std::erase_if(worthATry, [](const Remedy &remedy) {
      return !remedy.noCapture.empty() || remedy.before == outParamsPass;
    });
  const std::vector<Remedy> remedies =
      within(options, std::move(worthATry), before, report);
  if (!remedies.empty() && !parsed.context)
    parsed = parseForTrials(source, registry, options.run);
  // Some at a time. Those that change most take longest and begin first.
  const std::vector<size_t> order = byPromise(remedies, report, before);
  std::vector<Measures> measures(remedies.size());
  std::list<CopyRun> running;
  for (size_t started = 0; started < order.size() || !running.empty();) {
    for (; started < order.size() && running.size() < options.jobs; ++started)
      running.emplace_back(Trial{options, source, registry, report, before,
                                 remedies[order[started]], parsed},
                           order[started]);
    const size_t were = running.size();
    std::erase_if(running, [&](CopyRun &copy) {
      std::optional<Measures> found = copy.poll();
      if (found)
        measures[copy.remedy] = std::move(*found);
      return found.has_value();
    });
    if (running.size() == were)
      pauseUntilOneEnds(processesOf(running));
  }
  for (size_t i = 0; i < remedies.size(); ++i) {
    TrialSteps steps = stepsOf(options, remedies[i], source, before);
    steps.edit = changedDeclarations(before, measures[i]);
    addOutcome(report, remedies[i], steps, before, measures[i]);
  }
  finishTrials(report);
}

} // namespace memreflens
