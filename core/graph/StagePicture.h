//===- core/graph/StagePicture.h - the CFG as a stage left it -------------===//
//
// The blocks, ops and regions of a function after any stage, with allocations,
// copies and deallocations accented; and two stages side by side, with the
// lines that only one of them has marked `-` and `+`.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_STAGEPICTURE_H
#define MEMREFLENS_GRAPH_STAGEPICTURE_H

#include "core/graph/OwnershipPicture.h"
#include "core/graph/StageText.h"
#include "core/query/RunCounts.h"

namespace memreflens::graph {

/// `stage` is 0 (the input) to the last. A function that a stage set aside is
/// shown as the last good stage left it; the subtitle says so. With `counts`,
/// how often each block and op of that stage ran.
Picture stagePicture(const Lookup &lookup, Id function, int stage,
                     const PictureOptions &options,
                     const RunCounts *counts = nullptr);

/// `from` on the left, `to` on the right.
Picture comparisonPicture(const Lookup &lookup, Id function, int from, int to,
                          const PictureOptions &options);

/// "stage 3, ownership-based-buffer-deallocation"; "stage 0, the input".
std::string stageTitle(const trace::Trace &trace, Id function, int stage);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_STAGEPICTURE_H
