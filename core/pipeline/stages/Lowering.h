//===- core/pipeline/stages/Lowering.h ------------------------------------===//
//
// What each dealloc became at run time.
//
// Stage 6 has no listener: the ops that it made are found afterwards by the
// location of the bufferization.dealloc that they came from.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_LOWERING_H
#define MEMREFLENS_PIPELINE_STAGES_LOWERING_H

#include "core/pipeline/stages/Rewrites.h"

namespace memreflens {

/// One bufferization.dealloc just before it is lowered.
struct DeallocBefore {
  trace::Id op = trace::none;
  trace::Id function = trace::none;
  trace::Id block = trace::none;
  trace::LoweringEvent event;
};

std::vector<DeallocBefore> collectDeallocs(mlir::Operation *root,
                                           Recorder &recorder,
                                           const DeallocNumbers &numbers);

/// Records a LoweringEvent for each, once the new ops below `root` are adopted.
void recordLowering(mlir::Operation *root, std::vector<DeallocBefore> deallocs,
                    Recorder &recorder);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_LOWERING_H
