//===- core/graph/memory/MeasuredSvg.h - live bytes of one run, drawn -----===//

#ifndef MEMREFLENS_GRAPH_MEMORY_MEASUREDSVG_H
#define MEMREFLENS_GRAPH_MEMORY_MEASUREDSVG_H

#include "core/graph/memory/Canvas.h"
#include "core/memory/Measured.h"

namespace memreflens::memory {

inline constexpr int measuredHeight = 210;

/// Live bytes over time, from `top` on, on the scale of `most`.
void drawMeasured(const MeasuredUse &run, int top, uint64_t most,
                  Canvas &canvas, const graph::Theme &theme);

} // namespace memreflens::memory

#endif // MEMREFLENS_GRAPH_MEMORY_MEASUREDSVG_H
