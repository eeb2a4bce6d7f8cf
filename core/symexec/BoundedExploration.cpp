//===- core/symexec/BoundedExploration.cpp --------------------------------===//

#include "core/symexec/BoundedExploration.h"
#include "core/source/Identity.h"
#include "core/symexec/CallGraph.h"
#include "core/symexec/SharedFacts.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens::symexec {

/// So that large states end a function in about the time in which many ops do.
static constexpr uint64_t wordsPerStep = 60;
/// Of large functions, whose states are large where few paths part, more.
static constexpr uint64_t wordsAnOp = 10'000, mostWordsPerStep = 600;

static constexpr uint64_t leastSteps = 2000;

/// Of the try that runs its calls, where another one does without: often enough
/// for a fault, seldom for all paths of what is called.
static constexpr uint64_t stepsOfFirstTry = 4000;
/// It is hopeless where paths part: their states are compared.
static constexpr uint64_t wordsOfFirstTry = 40000;

static uint64_t maxStepsOf(FunctionOpInterface function,
                           const ExploreLimits &limits) {
  return limits.stepsAnOp == 0
             ? limits.maxSteps
             : std::min(
                   limits.maxSteps,
                   std::max(leastSteps, limits.stepsAnOp * opsIn(function)));
}

static uint64_t maxWordsOf(FunctionOpInterface function,
                           const ExploreLimits &limits, uint64_t maxSteps) {
  return limits.stepsAnOp > 0
             ? maxSteps * wordsPerStep
             : std::clamp(opsIn(function) * wordsAnOp, maxSteps * wordsPerStep,
                          maxSteps * mostWordsPerStep);
}

/// What the pipeline made holds for any number of iterations.
static constexpr unsigned countedOfPipeline = 2;

namespace {
/// The tries of one function.
class Attempts {
public:
  Attempts(FunctionOpInterface function, const trace::Trace &trace,
           const ExploreOptions &explore, const ExploreLimits &limits);
  /// Runs calls as long as that may end, then takes them by the boundary.
  ExploreResult asWritten();
  /// The same for code that keeps to the boundary ABI, unless a fault says that
  /// it does not: there running the calls adds little.
  ExploreResult ofPipeline();

private:
  ExploreResult run(bool callsByBoundary, uint64_t steps, uint64_t words);
  ExploreResult run(bool callsByBoundary) {
    return run(callsByBoundary, maxSteps, maxWords);
  }
  /// There is nothing to be won by another try.
  bool isDone(const ExploreResult &result) const {
    return result.stopped.empty() || !result.faults.empty() ||
           (limits.goesOn && !limits.goesOn());
  }

  FunctionOpInterface function;
  const trace::Trace &trace;
  ExploreOptions explore;
  const ExploreLimits &limits;
  /// Else whether there is any is asked first, which takes fewer paths.
  bool expectsFaults = true;
  /// Of each.
  uint64_t maxSteps = 0, maxWords = 0;
  SymbolTableCollection ownSymbols;
  SharedFacts facts;
};
} // namespace

Attempts::Attempts(FunctionOpInterface function, const trace::Trace &trace,
                   const ExploreOptions &options, const ExploreLimits &limits)
    : function(function), trace(trace), explore(options), limits(limits),
      maxSteps(maxStepsOf(function, limits) / 2),
      maxWords(maxWordsOf(function, limits, maxSteps)) {
  explore.loopBound = limits.bound;
  explore.goesOn = limits.goesOn;
  explore.symbols = limits.symbols ? limits.symbols : &ownSymbols;
  explore.facts = &facts;
  explore.seconds = limits.seconds / 2;
}

ExploreResult Attempts::run(bool callsByBoundary, uint64_t steps,
                            uint64_t words) {
  ExploreOptions options = explore;
  options.callsByBoundary = callsByBoundary;
  options.maxSteps = steps;
  options.maxWords = words;
  if (expectsFaults)
    return symexec::explore(function, trace, options);
  options.tellsSitesApart = false;
  options.maxFaults = 1;
  ExploreResult any = symexec::explore(function, trace, options);
  if (any.faults.empty())
    return any;
  options.tellsSitesApart = true;
  options.maxFaults = explore.maxFaults;
  ExploreResult all = symexec::explore(function, trace, options);
  // It may have come to its limits before.
  if (all.faults.empty())
    all.faults = std::move(any.faults);
  return all;
}

ExploreResult Attempts::asWritten() {
  if (!callsBodies(function, *explore.symbols))
    return run(false);
  ExploreResult whole = run(false, maxSteps, maxWords / 2);
  if (isDone(whole))
    return whole;
  // Each callee is checked by itself: go on without running them here.
  ExploreResult simpler = run(true);
  return simpler.stopped.empty() || !simpler.faults.empty() ? simpler : whole;
}

ExploreResult Attempts::ofPipeline() {
  explore.countedIterations = countedOfPipeline;
  expectsFaults = false;
  if (!callsBodies(function, *explore.symbols))
    return run(false);
  ExploreResult whole =
      run(false, std::min(maxSteps, stepsOfFirstTry), wordsOfFirstTry);
  if (isDone(whole))
    return whole;
  ExploreResult simpler = run(true);
  if (simpler.faults.empty())
    return simpler;
  whole = run(false);
  return isDone(whole) ? whole : simpler;
}

/// Of all that is run for it, and no more than that: a callee alone does not
/// tell what its caller reads.
static void addLostWrites(ExploreResult &result, FunctionOpInterface function,
                          const trace::Trace &trace, ExploreOptions options,
                          const ExploreLimits &limits) {
  SymbolTableCollection own;
  options.symbols = limits.symbols ? limits.symbols : &own;
  if (!hasCopiesThatStandIn(function, trace, *options.symbols))
    return;
  options.watchesCopies = true;
  options.loopBound = limits.bound;
  options.goesOn = limits.goesOn;
  options.countedIterations = countedOfPipeline;
  options.tellsSitesApart = false;
  options.maxSteps = maxStepsOf(function, limits) / 2;
  options.maxWords = maxWordsOf(function, limits, options.maxSteps);
  options.seconds = limits.seconds / 2;
  ExploreResult watched = explore(function, trace, options);
  result.stoppedWatching = !watched.stopped.empty();
  for (MemoryFault &fault : watched.faults)
    if (fault.kind == FaultKind::lostWrite)
      result.faults.push_back(std::move(fault));
}

static bool freesByHand(FunctionOpInterface function) {
  return function
      ->walk([](Operation *op) {
        bool frees =
            isa<bufferization::DeallocOp>(op) ||
            (hasEffect<MemoryEffects::Free>(op) && !isa<memref::ReallocOp>(op));
        return frees ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Most faults of the program as written; nearly all are dropped again.
static constexpr unsigned mostOfInput = 1000;

/// What is nowhere freed by hand is the pipeline's to free, and no leak.
static void dropPlannedLeaks(ExploreResult &result) {
  const size_t found = result.faults.size();
  llvm::erase_if(result.faults, [](const MemoryFault &fault) {
    return fault.kind == FaultKind::leak && !fault.isFreedElsewhere;
  });
  const size_t dropped = found - result.faults.size();
  if (dropped > 0 && found >= mostOfInput && !result.stopped.empty())
    result.stopped = std::to_string(found) + " faults, " +
                     std::to_string(dropped) +
                     " of them buffers left to the pipeline";
}

std::optional<ExploreResult> exploreInput(FunctionOpInterface function,
                                          const trace::Trace &trace,
                                          const ExploreLimits &limits) {
  if (!freesByHand(function))
    return std::nullopt;
  ExploreOptions explore;
  explore.callResultsOwned = false;
  explore.resultsOwned = false;
  explore.maxFaults = mostOfInput;
  ExploreResult result = Attempts(function, trace, explore, limits).asWritten();
  dropPlannedLeaks(result);
  return result;
}

std::optional<ExploreResult> exploreOutput(FunctionOpInterface function,
                                           const trace::Trace &trace,
                                           const ExploreLimits &limits) {
  const trace::Function *known = tracedFunction(function, trace);
  if (!known || (known->status != trace::FunctionStatus::traced &&
                 known->status != trace::FunctionStatus::notProcessed))
    return std::nullopt;
  ExploreOptions explore;
  explore.dynamicOwnership = known->dynamicOwnership;
  explore.dynamicCalls = trace.options.privateFunctionDynamicOwnership;
  ExploreResult result =
      Attempts(function, trace, explore, limits).ofPipeline();
  addLostWrites(result, function, trace, explore, limits);
  return result;
}

} // namespace memreflens::symexec
