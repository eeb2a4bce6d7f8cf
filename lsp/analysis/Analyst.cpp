//===- lsp/analysis/Analyst.cpp -------------------------------------------===//

#include "lsp/analysis/Analyst.h"
#include "core/check/explore/Calls.h"
#include "core/pipeline/OpNeeds.h"
#include "core/pipeline/Preflight.h"
#include "core/source/Identity.h"

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
  shelve(document, isGone);
  std::erase_if(document.told,
                [&](const auto &entry) { return isGone(entry.first); });
  std::erase_if(document.dropped, isGone);
  takeBack(document);
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

AnalysisOptions Analyst::optionsFor(const Document &document,
                                    const std::vector<const Unit *> &units,
                                    std::vector<uint64_t> keys) {
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
  made.onStage = [this, &document, keys](trace::Id, int stage) {
    watch(document, keys, stage);
  };
  watch(document, keys, -1);
  return made;
}

static std::vector<uint64_t> keysOf(const std::vector<const Unit *> &units) {
  std::vector<uint64_t> keys;
  for (const Unit *unit : units)
    keys.push_back(unit->key);
  return keys;
}

/// Every op that would stop the pass, not only the first of each function.
static std::vector<AlsoRefused> refusedIn(mlir::ModuleOp module,
                                          trace::UnregisteredOps unregistered) {
  std::vector<AlsoRefused> refused;
  module->walk([&](mlir::FunctionOpInterface function) {
    if (!function.isExternal())
      for (RefusedOp &entry : refusedOps(function, unregistered))
        refused.push_back({entry.op, entry.refusal.cause, entry.refusal.message,
                           std::move(entry.remedies)});
  });
  return refused;
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

void Analyst::analyseUnits(Document &document,
                           std::vector<const Unit *> units) {
  // The parser itself died on it: nothing can be learned.
  std::erase_if(units, [&](const Unit *unit) {
    const Fatal *fatal = fatalOf(*unit);
    return fatal && fatal->stage < 0;
  });
  if (units.empty())
    return;
  std::string text = textOfUnits(document.text, units);
  std::vector<Batch::Place> places = placesOf(units, text);
  AnalysisOptions wanted = optionsFor(document, units, keysOf(units));
  CheckInputs inputs;
  wanted.onModule = [&](trace::Id, mlir::ModuleOp module, bool isFinal,
                        const trace::Trace &trace) {
    if (isFinal)
      return;
    inputs.refused = refusedIn(module, trace.options.unregistered);
    inputs.calls = callsIn(module, trace);
  };
  Clock::time_point begin = Clock::now();
  double parsing = -1;
  wanted.onStage = [&, next = wanted.onStage](trace::Id chunk, int stage) {
    if (parsing < 0)
      parsing = secondsSince(begin);
    next(chunk, stage);
  };
  Analysis analysis = analyse({document.uri, std::move(text)},
                              registryOf(document.uri), wanted);
  double all = secondsSince(begin);
  tally.parsing += parsing < 0 ? all : parsing;
  tally.stages += parsing < 0 ? 0 : all - parsing;
  tally.analysed += units.size();
  std::shared_ptr<Batch> batch = hold(std::make_unique<Batch>(
      std::move(analysis.trace), places, std::move(inputs)));
  watch(document, {}, 0);
  if (!batch->isChunkParsed() && units.size() > 1) {
    for (const Unit *unit : units)
      analyseUnits(document, {unit});
    return;
  }
  for (const Unit *unit : units) {
    document.traces[unit->key] = batch;
    document.dropped.erase(unit->key);
  }
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

bool Analyst::joins(const std::vector<const Unit *> &batch,
                    const Unit &unit) const {
  auto goesAlone = [&](const Unit &one) {
    return one.isChunk || suspects.contains(one.key) || fatalOf(one) != nullptr;
  };
  return batch.empty() || (batch.size() < options.batchSize &&
                           batch.back()->chunk == unit.chunk &&
                           !goesAlone(unit) && !goesAlone(*batch.back()));
}

bool Analyst::ensure(Document &document, const std::vector<const Unit *> &units,
                     const std::function<bool()> &goesOn) {
  std::vector<const Unit *> batch;
  for (const Unit *unit : units) {
    if (document.traces.contains(unit->key))
      continue;
    if (!joins(batch, *unit)) {
      analyseUnits(document, std::move(batch));
      batch.clear();
      trim(&document);
      if (!goesOn())
        return false;
    }
    batch.push_back(unit);
  }
  if (!batch.empty())
    analyseUnits(document, std::move(batch));
  return true;
}

Document *Analyst::step() {
  for (auto &[uri, document] : documents) {
    if (document.isReported)
      continue;
    refresh(document);
    std::vector<const Unit *> waiting;
    for (; document.next < document.units.size(); ++document.next) {
      const Unit &unit = document.units[document.next];
      if (document.traces.contains(unit.key))
        continue;
      if (!joins(waiting, unit))
        break;
      waiting.push_back(&unit);
    }
    if (!waiting.empty())
      analyseUnits(document, waiting);
    trim(&document);
    return &document;
  }
  return nullptr;
}

bool Analyst::findMore(Document &document) {
  for (const Unit &unit : document.units) {
    auto at = document.traces.find(unit.key);
    if (at == document.traces.end())
      continue;
    at->second->move(document.lineOfKey);
    if (at->second->hasFindings())
      continue;
    (void)at->second->findings();
    return true;
  }
  return false;
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
  return keep(document, unit, /*isAliases=*/false);
}

std::shared_ptr<const Batch> Analyst::keptAliases(const Document &document,
                                                  const Unit &unit) {
  return keep(document, unit, /*isAliases=*/true);
}

std::shared_ptr<const Batch> Analyst::keep(const Document &document,
                                           const Unit &unit, bool isAliases) {
  constexpr size_t most = 8;
  // Ranges in it are those of the unit's line.
  auto at = std::find_if(kept.begin(), kept.end(), [&](const Kept &one) {
    return one.uri == document.uri && one.key == unit.key &&
           one.line == unit.line && one.isAliases == isAliases;
  });
  if (at != kept.end()) {
    std::rotate(kept.begin(), at, at + 1);
    return kept.front().batch;
  }
  trace::RunOptions run = options.run;
  run.aliases = isAliases;
  trace::Trace trace = isAliases
                           ? wholeTrace(document, unit, run, 0, StageText::none)
                           : wholeTrace(document, unit, run, allStages);
  std::vector<Batch::Place> places = {placeAlone(unit)};
  kept.push_front({document.uri, unit.key, unit.line, isAliases,
                   std::make_shared<Batch>(std::move(trace), places)});
  if (kept.size() > most)
    kept.pop_back();
  return kept.front().batch;
}

std::optional<trace::OpFacts> Analyst::factsAt(const Document &document,
                                               const Unit &unit,
                                               Position position) {
  std::string text = textOfUnits(document.text, {&unit});
  uint32_t offset =
      uint32_t(Lines(text).offsetOf(text, position, options.encoding));
  std::optional<trace::OpFacts> found;
  AnalysisOptions wanted = optionsFor(document, {&unit}, {unit.key});
  wanted.lastStage = 0;
  wanted.onModule = [&](trace::Id, mlir::ModuleOp module, bool isFinal,
                        const trace::Trace &trace) {
    if (isFinal)
      return;
    module->walk([&](mlir::Operation *op) {
      trace::Id id = taggedOp(op->getLoc());
      if (id != trace::none && trace.ops[size_t(id)].nameRange.contains(offset))
        found = factsOfOp(op);
    });
  };
  (void)analyse({document.uri, std::move(text)}, registryOf(document.uri),
                wanted);
  watch(document, {}, 0);
  return found;
}

trace::Trace Analyst::wholeTrace(const Document &document, const Unit &unit,
                                 const trace::RunOptions &run, int lastStage,
                                 StageText text) {
  AnalysisOptions wanted = optionsFor(document, {&unit}, {unit.key});
  wanted.run = run;
  wanted.text = text;
  wanted.lastStage = lastStage;
  Analysis analysis =
      analyse({document.uri, textOfUnits(document.text, {&unit})},
              registryOf(document.uri), wanted);
  watch(document, {}, 0);
  return std::move(analysis.trace);
}

} // namespace memreflens::lsp
