//===- viewer/state/StageView.h - a stage's graph as it is shown ----------===//

#ifndef MEMREFLENS_VIEWER_STATE_STAGEVIEW_H
#define MEMREFLENS_VIEWER_STATE_STAGEVIEW_H

#include "viewer/state/State.h"

#include "core/graph/OwnershipPicture.h"

namespace memreflens::viewer {

/// The stage's graph, with the counts of the run if that is the stage that ran.
graph::Picture pictureOfStage(const Program &program, Id function, int stage,
                              const graph::PictureOptions &options,
                              const execute::KeptRun *run);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_STATE_STAGEVIEW_H
