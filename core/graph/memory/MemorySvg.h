//===- core/graph/memory/MemorySvg.h - live bytes and the arena, drawn ----===//
//
// SVG documents of their own, of a size that does not grow with the buffers:
// what is narrower than a pixel is merged, and no peak is hidden.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_MEMORY_MEMORYSVG_H
#define MEMREFLENS_GRAPH_MEMORY_MEMORYSVG_H

#include "core/graph/Theme.h"
#include "core/memory/Memory.h"

namespace memreflens::memory {

/// Live bytes over the program: what is used later, and above it what is held
/// and why; with three curves and the peak.
std::string plotSvg(const MemoryUse &use, graph::ThemeName theme);
/// Live bytes of the run over time, alone and without its headline; empty where
/// there is no run.
std::string measuredSvg(const MemoryUse &use, graph::ThemeName theme);
/// The smallest arena found: time across, address up, a rectangle a buffer.
std::string arenaSvg(const MemoryUse &use, graph::ThemeName theme);

/// Such pictures one below the other, in one document.
std::string stackedSvg(const std::vector<std::string> &pictures);

} // namespace memreflens::memory

#endif // MEMREFLENS_GRAPH_MEMORY_MEMORYSVG_H
