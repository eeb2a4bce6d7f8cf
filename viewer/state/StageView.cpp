//===- viewer/state/StageView.cpp - a stage's graph as it is shown --------===//

#include "viewer/state/StageView.h"

#include "core/graph/StagePicture.h"

namespace memreflens::viewer {

graph::Picture pictureOfStage(const Program &program, Id function, int stage,
                              const graph::PictureOptions &options,
                              const execute::KeptRun *run) {
  const trace::Function *of = program.lookup.function(function);
  const std::optional<RunCounts> counts =
      of && run && run->stage == stage ? run->countsOf(*of) : std::nullopt;
  return graph::stagePicture(program.lookup, function, stage, options,
                             counts ? &*counts : nullptr);
}

} // namespace memreflens::viewer
