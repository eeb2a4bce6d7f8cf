//===- lsp/analysis/Scheduler.cpp - batches of functions, side by side ----===//

#include "lsp/analysis/Scheduler.h"
#include "core/pipeline/ownership/Preflight.h"
#include "core/process/Parallel.h"
#include "core/symexec/CallGraph.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

namespace memreflens::lsp {

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
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

/// Bytes of a function that takes a good part of a second.
static constexpr size_t giantBytes = size_t(256) << 10;

/// Bytes of a document whose traces do not all stay awake.
static constexpr size_t largeBytes = size_t(1) << 20;

static bool isGiant(const Unit &unit) {
  return unit.end - unit.begin > giantBytes;
}

/// Jobs run on several threads, and one takes what they give.
static std::mutex &earlyMutex() {
  static std::mutex mutex;
  return mutex;
}

struct Scheduler::Job {
  Units units;
  std::string text;
  std::vector<Batch::Place> places;
  const mlir::DialectRegistry *registry = nullptr;
  AnalysisOptions options;
  CheckInputs inputs = {};
  /// Made.
  std::unique_ptr<Batch> batch = nullptr;
  /// Of a giant function, made while the stages run; null once it is taken.
  std::shared_ptr<Batch> early = nullptr;
  /// Seconds.
  double parsing = 0, stages = 0;
};

Scheduler::Job Scheduler::prepare(const Document &document, Units units) const {
  std::string text = textOfUnits(document.text, units);
  std::vector<Batch::Place> places = placesOf(units, text);
  AnalysisOptions wanted = state.optionsFor(units);
  return {std::move(units), std::move(text), std::move(places),
          &state.registryOf(document.uri), std::move(wanted)};
}

/// On any thread: it sees nothing that changes meanwhile.
void Scheduler::run(const Document &document, Job &job) {
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
  if (job.units.size() == 1 && isGiant(*job.units.front()))
    job.options.onOwnership = [&](trace::Id, const trace::Trace &trace) {
      auto early = std::make_shared<Batch>(trace, job.places);
      std::lock_guard lock(earlyMutex());
      job.early = std::move(early);
    };
  Clock::time_point begin = Clock::now();
  double parsing = -1;
  job.options.onStage = [&](trace::Id, int) {
    if (parsing < 0)
      parsing = secondsSince(begin);
  };
  auto analyseAll = [&] {
    Progress::Piece piece(state.progress, document, keysOf(job.units));
    return follow(piece, {document.uri, std::move(job.text)}, *job.registry,
                  job.options);
  };
  Analysis analysis = analyseAll();
  double all = secondsSince(begin);
  job.parsing = parsing < 0 ? all : parsing;
  job.stages = all - job.parsing;
  job.batch = std::make_unique<Batch>(
      std::move(analysis.trace), std::move(job.places), std::move(job.inputs));
  // It will be asleep when they are asked for. Who asks now is not kept.
  if (inBackground && state.options.findings.enabled &&
      document.text.size() > largeBytes)
    (void)job.batch->findings();
}

void Scheduler::finish(Document &document, Job &job) {
  state.tally.parsing += job.parsing;
  state.tally.stages += job.stages;
  state.tally.analysed += job.units.size();
  std::shared_ptr<Batch> batch = cache.hold(std::move(job.batch));
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

bool Scheduler::isQuick(const Document &document, const Unit &unit) const {
  return document.traces.contains(unit.key) ||
         (!isGiant(unit) && !state.isSuspect(unit));
}

bool Scheduler::isComing(const Document &document, const Unit &unit) const {
  if (document.traces.contains(unit.key))
    return false;
  const bool isWaiting =
      isGiant(unit) && !document.isReported && !state.options.onSave;
  return giantWork.contains(unit.key) || isWaiting;
}

void Scheduler::takeEarly(Document &document, std::vector<Job> &jobs) {
  std::lock_guard lock(earlyMutex());
  for (Job &job : jobs)
    if (std::shared_ptr<Batch> early = std::exchange(job.early, nullptr))
      document.early[job.units.front()->key] = std::move(early);
}

const Batch *Scheduler::earlyTraceOf(Document &document, const Unit &unit) {
  auto at = document.early.find(unit.key);
  if (at == document.early.end())
    return nullptr;
  at->second->move(document.lineOfKey);
  return at->second.get();
}

size_t Scheduler::analyseBatches(Document &document, std::vector<Units> batches,
                                 const GoesOn &goesOn) {
  std::vector<Job> jobs;
  std::set<uint64_t> keys;
  bool isSafe = giantWork.empty() && meanwhile;
  for (const Units &units : batches)
    for (const Unit *unit : units) {
      if (isGiant(*unit))
        keys.insert(unit->key);
      // Nothing else runs beside what may kill the process.
      isSafe &= !state.isSuspect(*unit);
    }
  const bool staysFree = !keys.empty() && isSafe;
  if (staysFree)
    giantWork = std::move(keys);
  for (Units &units : batches) {
    // The parser itself died on it: nothing can be learned.
    std::erase_if(units, [&](const Unit *unit) {
      const Fatal *fatal = state.fatalOf(*unit);
      return fatal && fatal->stage < 0;
    });
    jobs.push_back(prepare(document, std::move(units)));
  }
  size_t begun = inParallel(
      jobs.size(), state.options.threadCount(),
      [&](size_t i) {
        if (!jobs[i].units.empty())
          run(document, jobs[i]);
      },
      [&] {
        if (staysFree) {
          takeEarly(document, jobs);
          meanwhile();
        }
        return goesOn();
      },
      staysFree);
  if (staysFree)
    giantWork.clear();
  document.early.clear();
  for (size_t i = 0; i < begun; ++i)
    if (jobs[i].batch)
      finish(document, jobs[i]);
  return begun;
}

void Scheduler::analyseUnits(Document &document, Units units) {
  analyseBatches(document, {std::move(units)}, [] { return true; });
}

const Batch *Scheduler::batchOf(Document &document, const Unit &unit) {
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

const Batch *Scheduler::traceOf(Document &document, const Unit &unit) {
  const Batch *batch = batchOf(document, unit);
  if (batch)
    cache.use(*document.traces[unit.key]);
  return batch;
}

bool Scheduler::joins(const Units &batch, const Unit &unit) const {
  auto goesAlone = [&](const Unit &one) {
    return one.isChunk || state.isSuspect(one) || isGiant(one);
  };
  return batch.empty() || (batch.size() < state.options.batchSize &&
                           batch.back()->chunk == unit.chunk &&
                           !goesAlone(unit) && !goesAlone(*batch.back()));
}

bool Scheduler::addTo(std::vector<Units> &batches, const Unit &unit,
                      size_t most) const {
  if (batches.empty() || !joins(batches.back(), unit)) {
    if (!batches.empty() && (batches.size() >= most || state.isSuspect(unit) ||
                             state.isSuspect(*batches.back().back())))
      return false;
    batches.emplace_back();
  }
  batches.back().push_back(&unit);
  return true;
}

bool Scheduler::ensure(Document &document, const Units &units,
                       const GoesOn &goesOn) {
  std::vector<Units> batches;
  auto analyseAll = [&] {
    size_t all = batches.size();
    bool isDone = analyseBatches(document, std::move(batches), goesOn) == all;
    batches.clear();
    documents.trim(&document);
    return isDone && goesOn();
  };
  for (const Unit *unit : units) {
    if (document.traces.contains(unit->key))
      continue;
    if (addTo(batches, *unit, state.options.threadCount()))
      continue;
    if (!analyseAll())
      return false;
    (void)addTo(batches, *unit, state.options.threadCount());
  }
  if (!batches.empty())
    analyseBatches(document, std::move(batches), [] { return true; });
  return true;
}

Document *Scheduler::step(const GoesOn &goesOn) {
  // More than run at once, so that no thread waits for the slowest for long.
  const size_t most = 4 * state.options.threadCount();
  for (auto &[uri, document] : documents.all()) {
    if (document.isReported)
      continue;
    documents.refresh(document);
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
    inBackground = true;
    size_t begun = analyseBatches(document, std::move(batches), goesOn);
    inBackground = false;
    if (begun < begins.size())
      document.next = begins[begun];
    documents.trim(&document);
    return &document;
  }
  return nullptr;
}

bool Scheduler::findMore(Document &document) {
  const unsigned threads = state.options.threadCount();
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
  cache.letSleep(documents.all());
  return !waiting.empty();
}

std::vector<Finding> Scheduler::findingsIn(Document &document, size_t line) {
  const Unit *unit = documents.unitAt(document, line);
  if (!unit || !traceOf(document, *unit))
    return {};
  return document.traces[unit->key]->findings().findings;
}

} // namespace memreflens::lsp
