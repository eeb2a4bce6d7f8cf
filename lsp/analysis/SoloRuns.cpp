//===- lsp/analysis/SoloRuns.cpp - runs over one unit alone ---------------===//

#include "lsp/analysis/SoloRuns.h"
#include "core/explain/OpText.h"
#include "core/pipeline/opneeds/OpNeeds.h"
#include "core/source/Identity.h"

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
  return keep(document, unit, /*isInput=*/false)->batch;
}

std::shared_ptr<const UnitRun> SoloRuns::keptInput(const Document &document,
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

std::shared_ptr<const UnitRun> SoloRuns::keep(const Document &document,
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
  AnalysisOptions wanted = state.optionsFor({&unit});
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

trace::Trace SoloRuns::wholeTrace(const Document &document, const Unit &unit,
                                  const trace::RunOptions &run, int lastStage,
                                  StageText text) {
  AnalysisOptions wanted = state.optionsFor({&unit});
  wanted.run = run;
  wanted.text = text;
  wanted.lastStage = lastStage;
  return traceAlone(document, unit, wanted);
}

trace::Trace SoloRuns::traceAlone(const Document &document, const Unit &unit,
                                  const AnalysisOptions &wanted) {
  Progress::Piece piece(state.progress, document, {unit.key});
  return follow(piece, {document.uri, textOfUnits(document.text, {&unit})},
                state.registryOf(document.uri), wanted)
      .trace;
}

} // namespace memreflens::lsp
