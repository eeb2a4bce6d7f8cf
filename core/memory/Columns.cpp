//===- core/memory/Columns.cpp --------------------------------------------===//

#include "core/memory/Columns.h"

#include <algorithm>

namespace memreflens::memory {

std::vector<Layers> layersOf(const MemoryUse &use) {
  const size_t steps = use.live.size();
  std::vector<Layers> layers(steps + 1, Layers{});
  // Changes first, and sums of them then; unsigned numbers wrap.
  auto add = [&](size_t layer, uint64_t begin, uint64_t end, uint64_t bytes) {
    layers[std::min<uint64_t>(begin, steps)][layer] += bytes;
    layers[std::min<uint64_t>(end, steps)][layer] -= bytes;
  };
  for (const Buffer &buffer : use.buffers) {
    const uint64_t behindUse = uint64_t(buffer.lastUse) + 1;
    add(1, buffer.begin, buffer.firstUse, buffer.bytes);
    add(0, buffer.firstUse, behindUse, buffer.bytes);
    add(2 + size_t(buffer.hold), behindUse,
        std::max(behindUse, uint64_t(buffer.end) + 1), buffer.bytes);
  }
  for (size_t step = 1; step < layers.size(); ++step)
    for (size_t layer = 0; layer < layerCount; ++layer)
      layers[step][layer] += layers[step - 1][layer];
  layers.pop_back();
  return layers;
}

std::string_view wordsOfLayer(size_t layer) {
  if (layer < 2)
    return layer == 0 ? "used later" : "allocated, not used yet";
  return wordsOf(holds[layer - 2]);
}

std::vector<Column> columnsOf(const MemoryUse &use, size_t count) {
  const size_t steps = use.live.size();
  const std::vector<Layers> layers = layersOf(use);
  auto most = [](const std::vector<uint64_t> &bytes, const Column &column) {
    uint64_t found = 0;
    for (size_t step = column.begin; step < column.end; ++step)
      found = std::max(found, step < bytes.size() ? bytes[step] : 0);
    return found;
  };
  std::vector<Column> columns(std::min(count, steps));
  for (size_t i = 0; i < columns.size(); ++i) {
    Column &column = columns[i];
    column.begin = uint32_t(i * steps / columns.size());
    column.end = uint32_t((i + 1) * steps / columns.size());
    const auto broadest = std::max_element(use.live.begin() + column.begin,
                                           use.live.begin() + column.end);
    column.layers = layers[size_t(broadest - use.live.begin())];
    column.asIs = most(use.asIs.bytes, column);
    column.afterLastUse = most(use.afterLastUse.bytes, column);
    column.needed = most(use.needed.bytes, column);
  }
  return columns;
}

} // namespace memreflens::memory
