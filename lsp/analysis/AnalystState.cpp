//===- lsp/analysis/AnalystState.cpp - what the parts of the analyst share ===//

#include "lsp/analysis/AnalystState.h"

#include "mlir/IR/DialectRegistry.h"

#include <algorithm>

namespace memreflens::lsp {

const Fatal *AnalystState::fatalOf(uint64_t key) const {
  for (const Fatal &fatal : fatals)
    if (fatal.key == key)
      return &fatal;
  return nullptr;
}

AnalysisOptions
AnalystState::optionsFor(const std::vector<const Unit *> &units) const {
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

Analysis follow(Progress::Piece &piece, trace::Source source,
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

} // namespace memreflens::lsp
