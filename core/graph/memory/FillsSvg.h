//===- core/graph/memory/FillsSvg.h - what fills buffers, as colours ------===//

#ifndef MEMREFLENS_GRAPH_MEMORY_FILLSSVG_H
#define MEMREFLENS_GRAPH_MEMORY_FILLSSVG_H

#include "core/graph/memory/Canvas.h"

namespace memreflens::memory {

/// Of some buffers, by the op that fills them first; the colour of each is the
/// theme's `ofFill`, in this picture as in every other one.
struct FillBytes {
  std::string name;
  size_t color = 0;
  uint64_t bytes = 0;
  size_t buffers = 0;
};
/// In the order of `MemoryUse::fills`; those that share the last colour are
/// one.
std::vector<FillBytes> fillsOf(const MemoryUse &use,
                               const std::vector<size_t> &buffers);

int heightOf(const std::vector<FillBytes> &fills);
/// A bar that is divided by their bytes, and a line for each, from `top` on;
/// nothing where one fills all.
void drawFills(const std::vector<FillBytes> &fills, std::string_view title,
               int top, Canvas &canvas, const graph::Theme &theme);

} // namespace memreflens::memory

#endif // MEMREFLENS_GRAPH_MEMORY_FILLSSVG_H
