//===- lsp/analysis/PathScheduler.cpp - paths, tried in the background ----===//

#include "lsp/analysis/PathScheduler.h"
#include "core/check/FaultRule.h"
#include "core/pipeline/stages/Stages.h"
#include "core/process/Parallel.h"
#include "core/symexec/BoundedExploration.h"
#include "core/text/Fingerprint.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

#include <algorithm>
#include <atomic>

namespace memreflens::lsp {

static_assert(exploring > allStages);

//===--- Which bodies count -----------------------------------------------===//

void PathScheduler::findPathKeys(Document &document) {
  if (!document.pathKeys.empty() || document.units.empty())
    return;
  UnitsByName unitOfName;
  const std::vector<Unit> &units = document.units;
  for (size_t i = 0; i < units.size(); ++i)
    if (!units[i].isChunk && canExplore(document, i))
      unitOfName[{units[i].chunk, units[i].name}] = i;
  std::set<uint64_t> keys;
  for (size_t i = 0; i < units.size(); ++i) {
    PathKey made{mixInto(fingerprint({}), units[i].key),
                 bodiesOf(units, i, unitOfName)};
    for (size_t body : made.bodies)
      made.key = mixInto(made.key, units[body].key);
    keys.insert(made.key);
    document.pathKeys.push_back(std::move(made));
  }
  cache.shelvePaths(document,
                    [&](uint64_t key) { return !keys.contains(key); });
  cache.takeBackPaths(document);
}

//===--- Trying -----------------------------------------------------------===//

bool PathScheduler::canExplore(const Document &document, size_t unit) const {
  const Unit &one = document.units[unit];
  return document.dropped.contains(one.key) ||
         (document.traces.contains(one.key) && !isBroken(document, one));
}

bool PathScheduler::isPathWaiting(const Document &document, size_t unit) const {
  uint64_t key = document.pathKeys[unit].key;
  return !document.paths.contains(key) && !state.fatalOf(key) &&
         canExplore(document, unit);
}

bool PathScheduler::isPathSuspect(const Document &document, size_t unit) const {
  return state.suspects.contains(document.pathKeys[unit].key);
}

/// A few units that have no report and are not taken; empty if there are none.
std::vector<size_t>
PathScheduler::nextPaths(const Document &document,
                         const std::set<size_t> &taken) const {
  constexpr size_t few = 8;
  std::vector<size_t> wanted;
  for (size_t i = 0; i < document.units.size() && wanted.size() < few; ++i) {
    if (taken.contains(i) || !isPathWaiting(document, i))
      continue;
    const Unit &unit = document.units[i];
    bool goesAlone = isPathSuspect(document, i) || unit.isChunk;
    bool isOther =
        !wanted.empty() && document.units[wanted.front()].chunk != unit.chunk;
    if (!wanted.empty() && (goesAlone || isOther))
      break;
    wanted.push_back(i);
    if (goesAlone)
      break;
  }
  return wanted;
}

namespace {
/// Looks at one module before and after the pipeline.
class PathTrier {
public:
  using Look = std::function<void(const std::string &function)>;
  PathTrier(symexec::ExploreLimits limits, Look look)
      : limits(std::move(limits)), look(std::move(look)) {}

  void tryAll(mlir::ModuleOp module, bool isFinal, const trace::Trace &trace,
              const std::set<std::string> &functions) {
    std::vector<Explored> &made = isFinal ? output : input;
    made.clear();
    mlir::SymbolTableCollection symbols;
    symexec::ExploreLimits own = limits;
    own.symbols = &symbols;
    module->walk<mlir::WalkOrder::PreOrder>(
        [&](mlir::FunctionOpInterface function) {
          const trace::Function *known =
              function.isExternal() ? nullptr : tracedFunction(function, trace);
          bool isWanted =
              known && (functions.empty() || functions.contains(known->name));
          if (!isWanted || isInterrupted())
            return;
          look(known->name);
          auto result = isFinal ? symexec::exploreOutput(function, trace, own)
                                : symexec::exploreInput(function, trace, own);
          if (isInterrupted())
            return;
          if (result)
            made.push_back({known->id, !isFinal, std::move(*result)});
          if (isFinal)
            done.insert(known->name);
        });
  }

  bool isInterrupted() {
    wasInterrupted = wasInterrupted || !limits.goesOn();
    return wasInterrupted;
  }

  std::vector<Explored> input, output;
  /// Functions that both were done for.
  std::set<std::string> done;
  bool wasInterrupted = false;

private:
  symexec::ExploreLimits limits;
  Look look;
};
} // namespace

/// Adds what was found in one function, or in all.
static void addFindings(const Lookup &lookup,
                        const std::vector<Explored> &explored,
                        const std::string &function, PathReport &report) {
  for (const Explored &one : explored) {
    const trace::Function *known = lookup.function(one.function);
    if (!known || (!function.empty() && known->name != function))
      continue;
    FileReport found;
    FindingMaker maker(lookup, found);
    CheckInputs inputs;
    inputs.explored.push_back(one);
    addFaults(maker, inputs);
    finishReport(found);
    std::string bounds = boundsText(one.result);
    for (Finding &finding : found.findings)
      report.findings.push_back({std::move(finding), one.isInput, bounds});
    if (!one.isInput)
      report.bounds = bounds;
  }
}

/// A few units whose paths are tried in one run.
struct PathScheduler::PathJob {
  std::vector<size_t> wanted;
  /// Those whose bodies count.
  Units units;
  /// Functions to be tried, all if empty, and their units.
  std::set<std::string> functions;
  std::map<std::string, size_t> unitOf;
  std::vector<uint64_t> keys;
  const mlir::DialectRegistry *registry = nullptr;
  std::string text;
  AnalysisOptions options;
  /// What was found, by unit; none where it was not tried to its end.
  std::map<size_t, std::shared_ptr<const PathReport>> reports = {};
};

PathScheduler::PathJob
PathScheduler::preparePaths(const Document &document,
                            std::vector<size_t> wanted,
                            std::set<size_t> &taken) const {
  std::set<size_t> bodies;
  for (size_t unit : wanted)
    bodies.insert(document.pathKeys[unit].bodies.begin(),
                  document.pathKeys[unit].bodies.end());
  // Where so much is analysed for a few, the others of it go with them.
  if (wanted.size() > 1 && bodies.size() > 4 * wanted.size()) {
    wanted.clear();
    for (size_t unit : bodies)
      if (isPathWaiting(document, unit) && !isPathSuspect(document, unit) &&
          !taken.contains(unit))
        wanted.push_back(unit);
  }
  PathJob job;
  for (size_t body : bodies)
    job.units.push_back(&document.units[body]);
  for (size_t unit : wanted) {
    taken.insert(unit);
    const Unit &one = document.units[unit];
    job.keys.push_back(document.pathKeys[unit].key);
    if (one.isChunk)
      continue;
    job.functions.insert(one.name.substr(1));
    job.unitOf[one.name.substr(1)] = unit;
  }
  job.wanted = std::move(wanted);
  job.registry = &state.registryOf(document.uri);
  job.text = textOfUnits(document.text, job.units);
  job.options = state.optionsFor(job.units);
  return job;
}

/// On any thread: it sees nothing that changes meanwhile.
void PathScheduler::run(const Document &document, PathJob &job,
                        const GoesOn &goesOn) {
  symexec::ExploreLimits limits;
  limits.bound = unsigned(state.options.findings.bound);
  limits.maxSteps = state.options.findings.steps;
  limits.seconds =
      std::min(state.options.findings.seconds, state.options.timeLimit * 0.8);
  limits.goesOn = goesOn;
  Progress::Piece piece(state.progress, document, job.keys);
  PathTrier trier(limits, [&](const std::string &function) {
    auto at = job.unitOf.find(function);
    size_t unit = at == job.unitOf.end() ? job.wanted.front() : at->second;
    piece.enter({document.pathKeys[unit].key}, exploring);
  });
  job.options.onStage = [&](trace::Id, int stage) {
    piece.enter(job.keys, stage);
  };
  job.options.onModule = [&](trace::Id, mlir::ModuleOp module, bool isFinal,
                             const trace::Trace &trace) {
    trier.tryAll(module, isFinal, trace, job.functions);
  };
  Analysis analysis =
      analyse({document.uri, std::move(job.text)}, *job.registry, job.options);
  PathReport empty;
  for (const Unit *unit : job.units)
    empty.lines.push_back({unit->line, unit->key});
  Lookup lookup(analysis.trace);
  for (size_t unit : job.wanted) {
    const Unit &one = document.units[unit];
    std::string name = one.isChunk ? "" : one.name.substr(1);
    // What the stages did not come to the end of was not looked at again.
    if (trier.wasInterrupted && !trier.done.contains(name))
      continue;
    auto report = std::make_shared<PathReport>(empty);
    addFindings(lookup, trier.input, name, *report);
    addFindings(lookup, trier.output, name, *report);
    job.reports[unit] = std::move(report);
  }
}

void PathScheduler::finish(Document &document, PathJob &job) {
  for (auto &[unit, report] : job.reports) {
    document.hasPathNews |= !report->findings.empty();
    document.paths[document.pathKeys[unit].key] = std::move(report);
  }
}

void PathScheduler::exploreJobs(Document &document, std::vector<PathJob> &jobs,
                                const GoesOn &goesOn) {
  const unsigned threads = state.options.threadCount();
  std::atomic<bool> isStopped = false;
  auto ask = [&] {
    if (!isStopped && !goesOn())
      isStopped = true;
    return !isStopped;
  };
  // Questions are answered meanwhile, and by this thread alone.
  size_t begun = inParallel(
      jobs.size(), threads,
      [&](size_t i) { run(document, jobs[i], [&] { return !isStopped; }); },
      ask, /*staysFree=*/true);
  for (size_t i = 0; i < begun; ++i) {
    finish(document, jobs[i]);
    state.tally.explored += jobs[i].wanted.size();
  }
}

Document *PathScheduler::explore(const GoesOn &goesOn) {
  for (auto &[uri, document] : documents.all()) {
    if (!document.isReported || document.isExplored)
      continue;
    std::vector<PathJob> jobs;
    if (state.options.findings.enabled && state.options.findings.explore) {
      findPathKeys(document);
      std::set<size_t> taken;
      while (jobs.size() < state.options.threadCount()) {
        std::vector<size_t> wanted = nextPaths(document, taken);
        bool isSuspect =
            !wanted.empty() && isPathSuspect(document, wanted.front());
        if (wanted.empty() || (isSuspect && !jobs.empty()))
          break;
        jobs.push_back(preparePaths(document, std::move(wanted), taken));
        if (isSuspect)
          break;
      }
    }
    if (jobs.empty())
      document.isExplored = true;
    else
      exploreJobs(document, jobs, goesOn);
    return &document;
  }
  return nullptr;
}

} // namespace memreflens::lsp
