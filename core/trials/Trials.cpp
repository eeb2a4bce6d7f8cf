//===- core/trials/Trials.cpp ---------------------------------------------===//

#include "core/trials/Trials.h"
#include "core/check/Trial.h"
#include "core/process/Gate.h"
#include "core/symexec/CallGraph.h"
#include "core/trace/Plan.h"
#include "core/trials/Copy.h"
#include "core/trials/CopyRun.h"
#include "core/trials/Counting.h"
#include "core/trials/Steps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassRegistry.h"

#include <deque>
#include <list>
#include <utility>

using namespace mlir;

namespace memreflens {

//===--- Which ------------------------------------------------------------===//

static uint64_t weighed(uint64_t promise, const Remedy &remedy,
                        const Measures &before) {
  // What is stated for it gains the peak, too.
  if (!remedy.noCapture.empty())
    return 6 * promise;
  // Each finding is a copy and mostly a buffer, not a late dealloc.
  if (!remedy.beforeBufferize.empty() || !remedy.bufferizeOption.empty())
    return 8 * promise;
  // What moves to the stack is not gone; and upstream's pass knows no last use
  // where external functions return buffers.
  const bool isVain = remedy.after.empty() || !before.externals.empty();
  return remedy.movesMemory && isVain ? promise / 8 : promise;
}

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
  return weighed(promise, remedy, before);
}

/// Numbers of remedies, the most promising first.
static std::vector<size_t> byPromise(const std::vector<Remedy> &remedies,
                                     const auto &promise) {
  std::vector<std::pair<uint64_t, size_t>> order;
  for (size_t i = 0; i < remedies.size(); ++i)
    order.push_back({promise(remedies[i]), i});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [](const auto &entry) { return entry.first; });
  std::vector<size_t> numbers;
  for (const auto &[promise, number] : order)
    numbers.push_back(number);
  return numbers;
}

/// Programs of more ops are not tried in every way.
static constexpr uint64_t manyOps = 1000;

/// Comparisons that one-shot-bufferize does in the time that an op takes
/// through all of the pipeline.
static constexpr uint64_t comparisonsForAnOp = 200;
/// Where it does more, its analysis takes most of the time, of a copy too.
static constexpr uint64_t manyComparisons = 1'000'000;

/// A copy that is bufferized, too, takes the time of one and a half.
static size_t mostOfLarge(const TrialOptions &options) {
  return bufferizes(options.run) ? (options.mostCopies * 2 + 2) / 3
                                 : options.mostCopies;
}

/// How many copies of a program the options allow.
static size_t mostOf(const TrialOptions &options, uint64_t ops,
                     uint64_t tensorComparisons = 0) {
  const uint64_t weight = ops + tensorComparisons / comparisonsForAnOp;
  size_t most =
      options.maxOps == 0 || weight == 0 ? SIZE_MAX : options.maxOps / weight;
  if (options.mostCopies > 0 && ops > manyOps)
    most = std::min<size_t>(most, mostOfLarge(options));
  if (options.mostCopies > 0 && tensorComparisons > manyComparisons)
    most = 0;
  return most;
}

/// Without those that a program takes which does not link our passes.
static std::vector<Remedy> possible(std::vector<Remedy> remedies) {
  if (!PassInfo::lookup(trace::lastUsePass))
    std::erase_if(remedies, [](const Remedy &remedy) {
      return !remedy.noCapture.empty() || remedy.dropsIdle ||
             remedy.id == RemedyId::externalOutParams;
    });
  return remedies;
}

/// Whether MLIR's own analysis runs on the copy, though our replay decides in
/// the program itself.
static bool analysesAsUpstream(const Remedy &remedy) {
  return remedy.beforeBufferize.find("eliminate-empty-tensors") !=
             std::string::npos ||
         remedy.bufferizeOption.find("from-terminators") != std::string::npos;
}

/// Without those that take seconds because of it; not tested, as they say.
static std::vector<Remedy> quick(std::vector<Remedy> remedies,
                                 const Measures &before, FileReport &report) {
  constexpr uint64_t slowComparisons = 10'000'000;
  if (before.replayedComparisons <= slowComparisons)
    return remedies;
  for (const Remedy &remedy : remedies)
    if (analysesAsUpstream(remedy))
      report.untried.push_back(remedy.words);
  std::erase_if(remedies, analysesAsUpstream);
  return remedies;
}

/// Those that fit, the most promising first; in the order in which they came.
static std::vector<Remedy> within(size_t most, std::vector<Remedy> remedies,
                                  const Measures &before, FileReport &report) {
  const std::vector<size_t> order =
      byPromise(remedies, [&](const Remedy &remedy) {
        return promiseOf(remedy, report, before);
      });
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

//===--- In which processes -----------------------------------------------===//

namespace {
/// Remedies, by their numbers, for one process.
struct Job {
  std::vector<size_t> remedies;
  bool isSecond = false;
};

struct Running {
  Job job;
  std::unique_ptr<CopyRun> copy;
};
} // namespace

/// In this order; what is without a pass behind the pipeline does part of the
/// work of what is the same with one.
static std::deque<Job> jobsFor(const std::vector<Remedy> &remedies,
                               const std::vector<size_t> &order,
                               bool sharesWork) {
  auto baseOf = [&](size_t number) {
    if (sharesWork)
      for (size_t other : order)
        if (remedies[other].after.empty() &&
            sharePasses(remedies[other], remedies[number]))
          return other;
    return number;
  };
  std::deque<Job> jobs;
  for (size_t number : order) {
    const size_t base = baseOf(number);
    auto job = llvm::find_if(
        jobs, [&](const Job &one) { return one.remedies.front() == base; });
    if (job == jobs.end())
      job = jobs.insert(jobs.end(), {{base}});
    if (number != base)
      job->remedies.push_back(number);
  }
  return jobs;
}

static CopyPlan planOf(const Job &job, const std::vector<Remedy> &remedies,
                       bool isRecorded) {
  CopyPlan plan;
  for (size_t number : job.remedies)
    plan.remedies.push_back(remedies[number]);
  plan.isRecorded =
      isRecorded && !plan.remedies.front().rules.contains(ruleIds::branchLoop);
  return plan;
}

static bool isSame(const Remedy &one, const Remedy &other) {
  return sharePasses(one, other) && one.after == other.after &&
         one.noCapture == other.noCapture && one.rules == other.rules;
}

static bool isSame(const CopyPlan &one, const CopyPlan &other) {
  return one.isRecorded == other.isRecorded &&
         std::ranges::equal(one.remedies, other.remedies,
                            [](const Remedy &left, const Remedy &right) {
                              return isSame(left, right);
                            });
}

static bool rejectsAny(const Measures &measures) {
  return llvm::any_of(measures.functions, [](const auto &entry) {
    return !entry.second.isAccepted;
  });
}

std::unique_ptr<CopyRun> *Trials::findAhead(const CopyPlan &plan) {
  auto found = llvm::find_if(ahead, [&](const std::unique_ptr<CopyRun> &copy) {
    return copy && isSame(copy->getPlan(), plan);
  });
  return found == ahead.end() ? nullptr : &*found;
}

/// Goes on with one that waits for it, where there is one.
std::unique_ptr<CopyRun> Trials::begin(CopyPlan plan, const Known &known) {
  if (std::unique_ptr<CopyRun> *found = findAhead(plan))
    if (std::unique_ptr<CopyRun> waiting = std::move(*found);
        waiting->release(known))
      return waiting;
  return std::make_unique<CopyRun>(
      CopySource{options, source, registry, parsed}, std::move(plan), known);
}

static std::vector<const Child *>
processesOf(const std::list<Running> &running) {
  std::vector<const Child *> processes;
  for (const Running &one : running)
    processes.push_back(&one.copy->process());
  return processes;
}

std::vector<Measures> Trials::measureAll(const std::vector<Remedy> &remedies,
                                         const FileReport &report,
                                         const Measures &before) {
  const Known known{report, before};
  const bool isRejected = rejectsAny(before);
  auto planOf = [&](const Job &job) {
    return memreflens::planOf(job, remedies, isRejected);
  };
  // Those that change most take longest and begin first.
  std::deque<Job> pending =
      jobsFor(remedies,
              byPromise(remedies,
                        [&](const Remedy &remedy) {
                          return promiseOf(remedy, report, before);
                        }),
              !isRejected && parsed.document.chunks.size() == 1);
  // What was begun in vain only takes memory.
  std::erase_if(ahead, [&](const std::unique_ptr<CopyRun> &copy) {
    return llvm::none_of(pending, [&](const Job &job) {
      return isSame(copy->getPlan(), planOf(job));
    });
  });
  // The others have most of it behind them.
  std::ranges::stable_partition(
      pending, [&](const Job &job) { return !findAhead(planOf(job)); });
  std::vector<Measures> measures(remedies.size());
  std::list<Running> running;
  size_t load = 0;
  auto start = [&](Job job) {
    load += job.remedies.size();
    CopyPlan plan = planOf(job);
    running.push_back({std::move(job), begin(std::move(plan), known)});
  };
  auto take = [&](Running &one) {
    if (!one.copy->hasEnded())
      return false;
    const std::vector<size_t> &numbers = one.job.remedies;
    load -= numbers.size();
    const bool isAgain =
        one.copy->wasKilled() && !std::exchange(one.job.isSecond, true);
    const std::vector<std::optional<Measures>> found = one.copy->measures();
    for (size_t i = 0; i < numbers.size(); ++i)
      if (found[i] && !isAgain)
        measures[numbers[i]] = *found[i];
      else
        pending.push_front({{numbers[i]}, isAgain});
    return true;
  };
  while (!pending.empty() || !running.empty()) {
    for (; !pending.empty() && load < options.jobs; pending.pop_front())
      start(pending.front());
    if (std::erase_if(running, take) == 0)
      pauseUntilOneEnds(processesOf(running));
  }
  return measures;
}

//===--- Ahead ------------------------------------------------------------===//

/// Where it takes less, nobody waits.
static constexpr uint64_t opsWorthIt = 2'000;
/// Each keeps the program in memory.
static constexpr size_t mostAhead = 6;

/// Whether the analysis of a program leaves cores free for long: one function
/// is most of it.
static bool isOneGiant(ParsedSource &parsed) {
  uint64_t all = 0, largest = 0;
  for (ParsedChunk &chunk : parsed.document.chunks)
    if (chunk.module)
      chunk.module->walk([&](FunctionOpInterface function) {
        const uint64_t ops = symexec::opsIn(function);
        all += ops;
        largest = std::max(largest, ops);
      });
  return largest >= opsWorthIt && largest > all / 2;
}

/// Whether a tensor is computed that is to be part of another one.
static bool putsTensorsBack(const ParsedSource &parsed) {
  return llvm::any_of(parsed.trace.ops, [](const trace::Op &op) {
    return op.name == "tensor.insert_slice" || op.name == "tensor.pad";
  });
}

void Trials::prepare(const Gate &isKnown) {
  readProgram();
  if (options.jobs < 2 || !isOneGiant(parsed))
    return;
  Measures calls;
  SymbolTableCollection symbols;
  for (ParsedChunk &chunk : parsed.document.chunks)
    if (chunk.module)
      addCalls(calls, *chunk.module, symbols, options.run);
  const std::vector<Remedy> likely = possible(
      likelyRemedies(calls, options.run.privateFunctionDynamicOwnership,
                     bufferizes(options.run) && putsTensorsBack(parsed)));
  std::vector<size_t> order = byPromise(likely, [&](const Remedy &remedy) {
    constexpr uint64_t unknown = 8;
    return weighed(unknown, remedy, calls);
  });
  order.resize(std::min(
      {order.size(), mostAhead, mostOf(options, parsed.trace.ops.size())}));
  auto isBusy = [](const std::unique_ptr<CopyRun> &copy) {
    return !copy->isWaiting();
  };
  constexpr int pause = 10; // Milliseconds.
  for (const Job &job :
       jobsFor(likely, order, parsed.document.chunks.size() == 1)) {
    if (isKnown.isOpen())
      return;
    // The analysis takes one.
    while (size_t(llvm::count_if(ahead, isBusy)) + 1 >= options.jobs)
      if (isKnown.isOpen(pause))
        return;
    ahead.push_back(
        std::make_unique<CopyRun>(CopySource{options, source, registry, parsed},
                                  planOf(job, likely, false)));
  }
}

//===--- All of it --------------------------------------------------------===//

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

Trials::Trials(const TrialOptions &options, const trace::Source &source,
               const DialectRegistry &registry)
    : options(options), source(source), registry(registry) {}

Trials::~Trials() = default;

void Trials::readProgram() {
  AnalysisRequest parse;
  parse.run = options.run;
  parsed = parseOnce(source, registry, parse);
}

void Trials::tryRemedies(FileReport &report, const Measures &before) {
  std::vector<Remedy> candidates = possible(remediesToTry(
      report, before, options.run.privateFunctionDynamicOwnership,
      bufferizes(options.run) ? prePassPipeline(options.run) : std::string()));
  if (options.mostCopies > 0)
    candidates = quick(std::move(candidates), before, report);
  const std::vector<Remedy> remedies =
      within(mostOf(options, before.ops, before.tensorComparisons),
             std::move(candidates), before, report);
  if (!remedies.empty() && !parsed.context)
    readProgram();
  const std::vector<Measures> measures = measureAll(remedies, report, before);
  for (size_t i = 0; i < remedies.size(); ++i) {
    TrialSteps steps = stepsOf(options.run, remedies[i], source, before);
    steps.edit = changedDeclarations(before, measures[i]);
    addOutcome(report, remedies[i], steps, before, measures[i]);
  }
  finishTrials(report);
}

} // namespace memreflens
