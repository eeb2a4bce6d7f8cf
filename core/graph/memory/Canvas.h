//===- core/graph/memory/Canvas.h - the frame of both pictures ------------===//

#ifndef MEMREFLENS_GRAPH_MEMORY_CANVAS_H
#define MEMREFLENS_GRAPH_MEMORY_CANVAS_H

#include "core/graph/Theme.h"
#include "core/memory/Memory.h"

namespace memreflens::memory {

/// An SVG with steps across and bytes up.
class Canvas {
public:
  static constexpr int width = 1000, left = 84, top = 74, plotWidth = 880,
                       plotHeight = 320;
  Canvas(const MemoryUse &use, const graph::Theme &theme, uint64_t most,
         int height);

  /// `title` is the picture's own, `headline` its verdict.
  void begin(std::string_view kind, std::string_view title,
             const std::vector<std::string> &headlines);
  std::string finish();
  void axes();
  /// Whole coordinates keep the text stable.
  int x(uint64_t step) const;
  int y(uint64_t bytes) const;
  int bottom() const { return top + plotHeight; }
  void raw(const std::string &text) { out += text; }
  void text(int at, int height, std::string_view words, std::string_view color,
            std::string_view more = "");
  void rect(int at, int height, std::string_view more, std::string_view fill);

private:
  std::string placeOf(uint64_t step) const;

  const MemoryUse &use;
  const graph::Theme &theme;
  const uint64_t most, steps;
  const int height;
  std::string out;
};

} // namespace memreflens::memory

#endif // MEMREFLENS_GRAPH_MEMORY_CANVAS_H
