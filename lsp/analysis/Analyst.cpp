//===- lsp/analysis/Analyst.cpp -------------------------------------------===//

#include "lsp/analysis/Analyst.h"
#include "core/explain/OpText.h"
#include "core/pipeline/opneeds/OpNeeds.h"
#include "core/pipeline/ownership/Preflight.h"
#include "core/process/Parallel.h"
#include "core/source/Identity.h"
#include "core/symexec/CallGraph.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>
#include <chrono>

namespace memreflens::lsp {

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

//===--- Units ------------------------------------------------------------===//

void Analyst::refresh(Document &document) {
  if (!document.isStale)
    return;
  document.isStale = false;
  document.next = 0;
  document.pathKeys.clear();
  UnitOptions split;
  split.wholeChunks = !options.canSplit();
  split.seed = options.seed();
  Clock::time_point begin = Clock::now();
  document.units = splitUnits(document.text, split);
  tally.cutting += secondsSince(begin);
  document.lineOfKey.clear();
  for (const Unit &unit : document.units)
    document.lineOfKey[unit.key] = unit.line;
  auto isGone = [&](uint64_t key) { return !document.lineOfKey.contains(key); };
  // First, lest what goes to the shelf push off it what is to be taken back.
  takeBack(document);
  shelve(document, isGone);
  std::erase_if(document.told,
                [&](const auto &entry) { return isGone(entry.first); });
  std::erase_if(document.dropped, isGone);
}

const Unit *Analyst::unitAt(Document &document, size_t line) {
  refresh(document);
  const Unit *found = nullptr;
  for (const Unit &unit : document.units)
    if (unit.line <= line)
      found = &unit;
  return found;
}

//===--- Traces -----------------------------------------------------------===//

const Fatal *Analyst::fatalOf(uint64_t key) const {
  for (const Fatal &fatal : fatals)
    if (fatal.key == key)
      return &fatal;
  return nullptr;
}

AnalysisOptions Analyst::optionsFor(const Units &units) const {
  AnalysisOptions made;
  made.run = options.run;
  made.text = StageText::none;
  made.parse.splitInput = false;
  for (const Unit *unit : units) {
    const Fatal *fatal = fatalOf(*unit);
    if (!fatal)
      continue;
    Quarantined entry;
    entry.chunk = 0;
    // Bare, as a trace has it; empty for a chunk, which ends at that stage.
    entry.function = bareName(*unit);
    entry.stage = std::max(fatal->stage, 0);
    entry.message = fatal->message;
    if (fatal->timedOut)
      entry.cause = trace::RejectionCause::stageTimedOut;
    made.quarantine.push_back(std::move(entry));
  }
  return made;
}

/// Runs a few units' stages, telling the parent where it is.
static Analysis follow(Progress::Piece &piece, trace::Source source,
                       const mlir::DialectRegistry &registry,
                       AnalysisOptions options) {
  options.onStage = [&piece, next = options.onStage](trace::Id chunk,
                                                     int stage) {
    piece.enter(stage);
    if (next)
      next(chunk, stage);
  };
  return analyse(std::move(source), registry, options);
}

static std::vector<uint64_t> keysOf(const std::vector<const Unit *> &units) {
  std::vector<uint64_t> keys;
  for (const Unit *unit : units)
    keys.push_back(unit->key);
  return keys;
}

/// Every op that would stop the pass, not only the first of each function.
static std::vector<AlsoRejected>
rejectedIn(mlir::ModuleOp module, trace::UnregisteredOps unregistered) {
  std::vector<AlsoRejected> rejected;
  module->walk([&](mlir::FunctionOpInterface function) {
    if (!function.isExternal())
      for (RejectedOp &entry : rejectedOps(function, unregistered))
        rejected.push_back({entry.op, entry.rejection.cause,
                            entry.rejection.message,
                            std::move(entry.remedies)});
  });
  return rejected;
}

/// Where units stand in the text of them alone.
static std::vector<Batch::Place>
placesOf(const std::vector<const Unit *> &units, std::string_view text) {
  std::vector<Batch::Place> places;
  size_t at = headOfUnits(units).size(), line = 0;
  for (const Unit *unit : units) {
    at += unit->line - line;
    size_t size = unit->end - unit->begin;
    places.push_back(
        {unit->key, unit->line, {uint32_t(at), uint32_t(at + size)}});
    std::string_view own = text.substr(at, size);
    line = unit->line + size_t(std::count(own.begin(), own.end(), '\n'));
    at += size;
  }
  return places;
}

struct Analyst::Job {
  Units units;
  std::string text;
  std::vector<Batch::Place> places;
  const mlir::DialectRegistry *registry = nullptr;
  AnalysisOptions options;
  CheckInputs inputs = {};
  /// Made.
  std::unique_ptr<Batch> batch = nullptr;
  /// Seconds.
  double parsing = 0, stages = 0;
};

Analyst::Job Analyst::prepare(const Document &document, Units units) const {
  std::string text = textOfUnits(document.text, units);
  std::vector<Batch::Place> places = placesOf(units, text);
  AnalysisOptions wanted = optionsFor(units);
  return {std::move(units), std::move(text), std::move(places),
          &registryOf(document.uri), std::move(wanted)};
}

/// On any thread: it sees nothing that changes meanwhile.
void Analyst::run(const Document &document, Job &job) {
  job.options.onModule = [&](trace::Id, mlir::ModuleOp module, bool isFinal,
                             const trace::Trace &trace) {
    if (isFinal)
      return;
    job.inputs.rejected = rejectedIn(module, trace.options.unregistered);
    job.inputs.calls = symexec::callsIn(module, trace);
    // Other functions of the file stand there as declarations.
    for (CallSite &call : job.inputs.calls)
      call.isOpen = false;
  };
  Clock::time_point begin = Clock::now();
  double parsing = -1;
  job.options.onStage = [&](trace::Id, int) {
    if (parsing < 0)
      parsing = secondsSince(begin);
  };
  auto analyseAll = [&] {
    Progress::Piece piece(progress, document, keysOf(job.units));
    return follow(piece, {document.uri, std::move(job.text)}, *job.registry,
                  job.options);
  };
  Analysis analysis = analyseAll();
  double all = secondsSince(begin);
  job.parsing = parsing < 0 ? all : parsing;
  job.stages = all - job.parsing;
  job.batch = std::make_unique<Batch>(
      std::move(analysis.trace), std::move(job.places), std::move(job.inputs));
}

void Analyst::finish(Document &document, Job &job) {
  tally.parsing += job.parsing;
  tally.stages += job.stages;
  tally.analysed += job.units.size();
  std::shared_ptr<Batch> batch = hold(std::move(job.batch));
  if (!batch->isChunkParsed() && job.units.size() > 1) {
    for (const Unit *unit : job.units)
      analyseUnits(document, {unit});
    return;
  }
  for (const Unit *unit : job.units) {
    document.traces[unit->key] = batch;
    document.dropped.erase(unit->key);
  }
}

/// Bytes of a function that takes a good part of a second.
static constexpr size_t giantBytes = size_t(256) << 10;

static bool isGiant(const Unit &unit) {
  return unit.end - unit.begin > giantBytes;
}

bool Analyst::isQuick(const Document &document, const Unit &unit) const {
  return document.traces.contains(unit.key) ||
         (!isGiant(unit) && !isSuspect(unit));
}

bool Analyst::isComing(const Document &document, const Unit &unit) const {
  if (document.traces.contains(unit.key))
    return false;
  const bool isWaiting =
      isGiant(unit) && !document.isReported && !options.onSave;
  return giantWork.contains(unit.key) || isWaiting;
}

size_t Analyst::analyseBatches(Document &document, std::vector<Units> batches,
                               const GoesOn &goesOn) {
  std::vector<Job> jobs;
  std::set<uint64_t> keys;
  bool isSafe = giantWork.empty() && meanwhile;
  for (const Units &units : batches)
    for (const Unit *unit : units) {
      if (isGiant(*unit))
        keys.insert(unit->key);
      // Nothing else runs beside what may kill the process.
      isSafe &= !isSuspect(*unit);
    }
  const bool staysFree = !keys.empty() && isSafe;
  if (staysFree)
    giantWork = std::move(keys);
  for (Units &units : batches) {
    // The parser itself died on it: nothing can be learned.
    std::erase_if(units, [&](const Unit *unit) {
      const Fatal *fatal = fatalOf(*unit);
      return fatal && fatal->stage < 0;
    });
    jobs.push_back(prepare(document, std::move(units)));
  }
  size_t begun = inParallel(
      jobs.size(), options.threadCount(),
      [&](size_t i) {
        if (!jobs[i].units.empty())
          run(document, jobs[i]);
      },
      [&] {
        if (staysFree)
          meanwhile();
        return goesOn();
      },
      staysFree);
  if (staysFree)
    giantWork.clear();
  for (size_t i = 0; i < begun; ++i)
    if (jobs[i].batch)
      finish(document, jobs[i]);
  return begun;
}

void Analyst::analyseUnits(Document &document, Units units) {
  analyseBatches(document, {std::move(units)}, [] { return true; });
}

const Batch *Analyst::traceOf(Document &document, const Unit &unit) {
  auto at = document.traces.find(unit.key);
  if (at == document.traces.end()) {
    analyseUnits(document, {&unit});
    at = document.traces.find(unit.key);
    if (at == document.traces.end())
      return nullptr;
  }
  at->second->move(document.lineOfKey);
  return at->second.get();
}

bool Analyst::isBroken(const Document &document, const Unit &unit) const {
  auto at = document.traces.find(unit.key);
  return at != document.traces.end() && !at->second->isChunkParsed();
}

bool Analyst::isAnyBroken(const Document &document) const {
  return std::any_of(
      document.traces.begin(), document.traces.end(),
      [](const auto &entry) { return !entry.second->isChunkParsed(); });
}

bool Analyst::isSuspect(const Unit &unit) const {
  return suspects.contains(unit.key) || fatalOf(unit) != nullptr;
}

bool Analyst::joins(const Units &batch, const Unit &unit) const {
  auto goesAlone = [&](const Unit &one) {
    return one.isChunk || isSuspect(one) || isGiant(one);
  };
  return batch.empty() || (batch.size() < options.batchSize &&
                           batch.back()->chunk == unit.chunk &&
                           !goesAlone(unit) && !goesAlone(*batch.back()));
}

bool Analyst::addTo(std::vector<Units> &batches, const Unit &unit,
                    size_t most) const {
  if (batches.empty() || !joins(batches.back(), unit)) {
    if (!batches.empty() && (batches.size() >= most || isSuspect(unit) ||
                             isSuspect(*batches.back().back())))
      return false;
    batches.emplace_back();
  }
  batches.back().push_back(&unit);
  return true;
}

bool Analyst::ensure(Document &document, const Units &units,
                     const GoesOn &goesOn) {
  std::vector<Units> batches;
  auto analyseAll = [&] {
    size_t all = batches.size();
    bool isDone = analyseBatches(document, std::move(batches), goesOn) == all;
    batches.clear();
    trim(&document);
    return isDone && goesOn();
  };
  for (const Unit *unit : units) {
    if (document.traces.contains(unit->key))
      continue;
    if (addTo(batches, *unit, options.threadCount()))
      continue;
    if (!analyseAll())
      return false;
    (void)addTo(batches, *unit, options.threadCount());
  }
  if (!batches.empty())
    analyseBatches(document, std::move(batches), [] { return true; });
  return true;
}

Document *Analyst::step(const GoesOn &goesOn) {
  // More than run at once, so that no thread waits for the slowest for long.
  const size_t most = 4 * options.threadCount();
  for (auto &[uri, document] : documents) {
    if (document.isReported)
      continue;
    refresh(document);
    std::vector<Units> batches;
    /// Where each begins.
    std::vector<size_t> begins;
    for (; document.next < document.units.size(); ++document.next) {
      const Unit &unit = document.units[document.next];
      if (document.traces.contains(unit.key))
        continue;
      if (!addTo(batches, unit, most))
        break;
      if (batches.size() > begins.size())
        begins.push_back(document.next);
    }
    size_t begun = analyseBatches(document, std::move(batches), goesOn);
    if (begun < begins.size())
      document.next = begins[begun];
    trim(&document);
    return &document;
  }
  return nullptr;
}

bool Analyst::findMore(Document &document) {
  const unsigned threads = options.threadCount();
  std::vector<Batch *> waiting;
  for (const Unit &unit : document.units) {
    auto at = document.traces.find(unit.key);
    if (at == document.traces.end())
      continue;
    at->second->move(document.lineOfKey);
    if (at->second->hasFindings() ||
        std::ranges::find(waiting, at->second.get()) != waiting.end())
      continue;
    waiting.push_back(at->second.get());
    if (waiting.size() == threads)
      break;
  }
  inParallel(waiting.size(), threads,
             [&](size_t i) { (void)waiting[i]->findings(); });
  return !waiting.empty();
}

std::vector<Finding> Analyst::findingsIn(Document &document, size_t line) {
  const Unit *unit = unitAt(document, line);
  if (!unit || !traceOf(document, *unit))
    return {};
  return document.traces[unit->key]->findings().findings;
}

Batch::Place Analyst::placeAlone(const Unit &unit) {
  size_t at = headOfUnits({&unit}).size() + unit.line;
  return {unit.key,
          unit.line,
          {uint32_t(at), uint32_t(at + unit.end - unit.begin)}};
}

std::shared_ptr<const Batch> Analyst::keptTrace(const Document &document,
                                                const Unit &unit) {
  return keep(document, unit, /*isInput=*/false)->batch;
}

std::shared_ptr<const UnitRun> Analyst::keptInput(const Document &document,
                                                  const Unit &unit) {
  return keep(document, unit, /*isInput=*/true);
}

/// About each op as it is written; of several made from one, about the last.
static std::map<uint32_t, trace::OpFacts> factsIn(mlir::ModuleOp module,
                                                  const trace::Trace &trace) {
  std::map<uint32_t, trace::OpFacts> found;
  module->walk([&](mlir::Operation *op) {
    trace::Id id = taggedOp(op->getLoc());
    if (id == trace::none || trace.ops[size_t(id)].nameRange.empty())
      return;
    const uint32_t begin = trace.ops[size_t(id)].nameRange.begin;
    trace::OpFacts facts = factsOfOp(op);
    if (explainOp(facts).empty())
      found.erase(begin);
    else
      found.insert_or_assign(begin, std::move(facts));
  });
  return found;
}

const trace::OpFacts *UnitRun::factsAt(uint32_t offset) const {
  auto after = facts.upper_bound(offset);
  if (after == facts.begin())
    return nullptr;
  const trace::OpFacts &found = std::prev(after)->second;
  const trace::Op &op = batch->getTrace().ops[size_t(found.op)];
  return op.nameRange.contains(offset) ? &found : nullptr;
}

std::shared_ptr<const UnitRun> Analyst::keep(const Document &document,
                                             const Unit &unit, bool isInput) {
  constexpr size_t most = 8;
  // Ranges in it are those of the unit's line.
  auto at = std::find_if(kept.begin(), kept.end(), [&](const Kept &one) {
    return one.uri == document.uri && one.key == unit.key &&
           one.line == unit.line && one.isInput == isInput;
  });
  if (at != kept.end()) {
    std::rotate(kept.begin(), at, at + 1);
    return kept.front().run;
  }
  auto run = std::make_shared<UnitRun>();
  AnalysisOptions wanted = optionsFor({&unit});
  wanted.run.aliases = isInput;
  if (isInput) {
    wanted.lastStage = 0;
    wanted.onModule = [&](trace::Id, mlir::ModuleOp module, bool isFinal,
                          const trace::Trace &trace) {
      if (!isFinal)
        run->facts = factsIn(module, trace);
    };
  } else {
    wanted.text = StageText::sourceNames;
  }
  std::vector<Batch::Place> places = {placeAlone(unit)};
  run->batch = std::make_shared<Batch>(traceAlone(document, unit, wanted),
                                       std::move(places));
  kept.push_front({document.uri, unit.key, unit.line, isInput, std::move(run)});
  if (kept.size() > most)
    kept.pop_back();
  return kept.front().run;
}

trace::Trace Analyst::wholeTrace(const Document &document, const Unit &unit,
                                 const trace::RunOptions &run, int lastStage,
                                 StageText text) {
  AnalysisOptions wanted = optionsFor({&unit});
  wanted.run = run;
  wanted.text = text;
  wanted.lastStage = lastStage;
  return traceAlone(document, unit, wanted);
}

trace::Trace Analyst::traceAlone(const Document &document, const Unit &unit,
                                 const AnalysisOptions &wanted) {
  Progress::Piece piece(progress, document, {unit.key});
  return follow(piece, {document.uri, textOfUnits(document.text, {&unit})},
                registryOf(document.uri), wanted)
      .trace;
}

} // namespace memreflens::lsp
