//===- core/memory/MeasuredSvg.h - live bytes of one run, drawn -----------===//

#ifndef MEMREFLENS_MEMORY_MEASUREDSVG_H
#define MEMREFLENS_MEMORY_MEASUREDSVG_H

#include "core/memory/Canvas.h"
#include "core/memory/Measured.h"

namespace memreflens::memory {

inline constexpr int measuredHeight = 210;

/// Live bytes over time, from `top` on, on the scale of `most`.
void drawMeasured(const MeasuredUse &run, int top, uint64_t most,
                  Canvas &canvas, const graph::Theme &theme);
/// Steps of a function's text that allocate, with the most bytes that were live
/// behind them.
std::vector<std::pair<uint32_t, uint64_t>>
mostByStep(const MeasuredUse &run, const std::vector<trace::Id> &steps);

} // namespace memreflens::memory

#endif // MEMREFLENS_MEMORY_MEASUREDSVG_H
