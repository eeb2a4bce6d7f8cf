//===- core/memory/Columns.h - a function's memory in so many columns -----===//
//
// For pictures of any width: of the steps that share a column, the one with
// most bytes stands for it, so that no peak is hidden.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_MEMORY_COLUMNS_H
#define MEMREFLENS_MEMORY_COLUMNS_H

#include "core/memory/Memory.h"

namespace memreflens::memory {

/// From below: what is used later, what is allocated and not used yet, and what
/// is held behind its last use, by why.
inline constexpr size_t layerCount = 2 + holds.size();
using Layers = std::array<uint64_t, layerCount>;
/// By step; their sum is `MemoryUse::live`.
std::vector<Layers> layersOf(const MemoryUse &use);
/// "used later", "not used yet", or the words of a hold.
std::string_view wordsOfLayer(size_t layer);

struct Column {
  /// Half-open.
  uint32_t begin = 0, end = 0;
  Layers layers = {};
  /// Most of each curve.
  uint64_t asIs = 0, afterLastUse = 0, needed = 0;
};

/// At most `count`, and no more than there are steps.
std::vector<Column> columnsOf(const MemoryUse &use, size_t count);

} // namespace memreflens::memory

#endif // MEMREFLENS_MEMORY_COLUMNS_H
