//===- lsp/analysis/SoloRuns.cpp - runs over one unit alone ---------------===//

#include "lsp/analysis/SoloRuns.h"
#include "core/explain/OpText.h"
#include "core/pipeline/opneeds/OpNeeds.h"
#include "core/source/Identity.h"
#include "core/symexec/HeapPeak.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

#include <algorithm>

namespace memreflens::lsp {

Batch::Place SoloRuns::placeAlone(const Unit &unit) {
  size_t at = headOfUnits({&unit}).size() + unit.line;
  return {unit.key,
          unit.line,
          {uint32_t(at), uint32_t(at + unit.end - unit.begin)}};
}

std::shared_ptr<const Batch> SoloRuns::keptTrace(const Document &document,
                                                 const Unit &unit) {
  return keep(document, unit, Kind::trace)->batch;
}

std::shared_ptr<const UnitRun> SoloRuns::keptInput(const Document &document,
                                                   const Unit &unit) {
  return keep(document, unit, Kind::input);
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

std::shared_ptr<const Batch> SoloRuns::keptMeasured(const Document &document,
                                                    const Unit &unit) {
  return keep(document, unit, Kind::measured)->batch;
}

/// The unit and all functions that it may call, in the order of the text; the
/// unit alone where that is more than is measured while a reader waits.
static std::vector<const Unit *> withCallees(const Document &document,
                                             const Unit &unit) {
  constexpr size_t mostBytes = size_t(256) << 10;
  if (unit.isChunk)
    return {&unit};
  UnitsByName unitOfName;
  size_t own = 0;
  for (size_t i = 0; i < document.units.size(); ++i) {
    const Unit &one = document.units[i];
    if (&one == &unit)
      own = i;
    if (!one.isChunk)
      unitOfName[{one.chunk, one.name}] = i;
  }
  std::vector<const Unit *> units;
  size_t bytes = 0;
  for (size_t body : bodiesOf(document.units, own, unitOfName)) {
    units.push_back(&document.units[body]);
    bytes += units.back()->end - units.back()->begin;
  }
  return bytes > mostBytes ? std::vector{&unit} : units;
}

std::shared_ptr<const UnitRun> SoloRuns::keep(const Document &document,
                                              const Unit &unit, Kind kind) {
  constexpr size_t most = 8;
  const std::vector<const Unit *> units =
      kind == Kind::measured ? withCallees(document, unit) : std::vector{&unit};
  uint64_t key = unit.key;
  for (const Unit *one : units)
    key = one == &unit ? key : mixInto(key, one->key);
  // Ranges in it are those of the unit's line.
  auto at = std::find_if(kept.begin(), kept.end(), [&](const Kept &one) {
    return one.uri == document.uri && one.key == key && one.line == unit.line &&
           one.kind == kind;
  });
  if (at != kept.end()) {
    std::rotate(kept.begin(), at, at + 1);
    return kept.front().run;
  }
  auto run = std::make_shared<UnitRun>();
  AnalysisOptions wanted = state.optionsFor(units);
  wanted.run.aliases = kind == Kind::input;
  if (kind == Kind::input) {
    wanted.lastStage = 0;
    wanted.onModule = [&](trace::Id, mlir::ModuleOp module, bool isFinal,
                          const trace::Trace &trace) {
      if (!isFinal)
        run->facts = factsIn(module, trace);
    };
  } else if (kind == Kind::trace) {
    wanted.text = StageText::sourceNames;
  } else {
    wanted.measure = symexec::addHeapUse;
  }
  std::vector<Batch::Place> places;
  if (units.size() == 1)
    places.push_back(placeAlone(unit));
  run->batch = std::make_shared<Batch>(traceOf(document, units, wanted),
                                       std::move(places));
  kept.push_front({document.uri, key, unit.line, kind, std::move(run)});
  if (kept.size() > most)
    kept.pop_back();
  return kept.front().run;
}

trace::Trace SoloRuns::wholeTrace(const Document &document, const Unit &unit,
                                  const trace::RunOptions &run, int lastStage,
                                  StageText text) {
  AnalysisOptions wanted = state.optionsFor({&unit});
  wanted.run = run;
  wanted.text = text;
  wanted.lastStage = lastStage;
  return traceOf(document, {&unit}, wanted);
}

trace::Trace SoloRuns::traceOf(const Document &document,
                               const std::vector<const Unit *> &units,
                               const AnalysisOptions &wanted) {
  std::vector<uint64_t> keys;
  for (const Unit *unit : units)
    keys.push_back(unit->key);
  Progress::Piece piece(state.progress, document, std::move(keys));
  return follow(piece, {document.uri, textOfUnits(document.text, units)},
                state.registryOf(document.uri), wanted)
      .trace;
}

} // namespace memreflens::lsp
