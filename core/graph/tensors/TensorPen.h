//===- core/graph/tensors/TensorPen.h - the strokes of the picture --------===//
//
// Only what the bitmap has, too (SvgPng.h): hatching is made of lines.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_TENSORS_TENSORPEN_H
#define MEMREFLENS_GRAPH_TENSORS_TENSORPEN_H

#include "core/graph/Theme.h"
#include "core/graph/tensors/TensorPlaces.h"

namespace memreflens::graph {

/// Writes SVG in the colours of a theme.
struct TensorPen {
  explicit TensorPen(ThemeName name) : theme(themeOf(name)) {}

  void rect(int left, int top, int wide, int high, std::string_view fill,
            std::string_view stroke, std::string_view more = "");
  void path(const std::string &steps, std::string_view stroke,
            std::string_view more);
  void text(int left, int base, std::string_view words, std::string_view color,
            std::string_view more = "");
  /// A tooltip; nothing for no words.
  void title(std::string_view words);
  void dot(int left, int top, std::string_view color);
  /// A filled triangle whose point is there, in the direction of (dx, dy).
  void arrowhead(int tipX, int tipY, int dx, int dy, std::string_view color);
  /// A vertical line in one colour, or in the colours of all buffers in turn.
  void laneLine(int at, int top, int low, const std::vector<int> &buffers,
                int wide);
  /// Stripes at both ends of the chip, in the colours of all that it may be.
  void hatch(const TensorChip &chip, int left, int top, int wide);

  static std::string move(int left, int top);
  static std::string line(int left, int top);
  /// Width and dashes of a link's line.
  static std::string styleOf(TensorLink link);
  const Accent &colorOf(const std::vector<int> &buffers) const;

  const Theme &theme;
  std::string out;
};

/// What the strokes mean, of those that the picture has.
int legendHeight(const TensorPlaces &places);
void drawLegend(const TensorPlaces &places, TensorPen &pen);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_TENSORS_TENSORPEN_H
