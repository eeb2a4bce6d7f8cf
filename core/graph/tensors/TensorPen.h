//===- core/graph/tensors/TensorPen.h - the strokes of the picture --------===//
//
// Only what the bitmap has, too (SvgPng.h): hatching is made of lines.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_TENSORS_TENSORPEN_H
#define MEMREFLENS_GRAPH_TENSORS_TENSORPEN_H

#include "core/graph/tensors/TensorPainting.h"
#include "core/graph/tensors/TensorPlaces.h"

namespace memreflens::graph {

/// A path, which begins with a move.
class TensorSteps {
public:
  TensorSteps() = default;
  TensorSteps(int x, int y) { move(x, y); }
  TensorSteps &move(int x, int y) { return add('M', x, y); }
  TensorSteps &line(int x, int y) { return add('L', x, y); }
  TensorSteps &across(int x) { return add('H', x, steps.back().y); }
  TensorSteps &down(int y) { return add('V', steps.back().x, y); }
  TensorSteps &close() { return add('Z', steps.back().x, steps.back().y); }

  std::vector<TensorStep> steps;

private:
  TensorSteps &add(char letter, int x, int y) {
    steps.push_back({letter, x, y});
    return *this;
  }
};

/// How a line is drawn.
struct TensorLine {
  int width = 0, dash = 0, gap = 0, dashOffset = 0;
};

/// Draws in the colours of a theme.
struct TensorPen {
  explicit TensorPen(ThemeName name) : theme(themeOf(name)) {}

  /// Strokes belong to it until it is closed.
  void open(TensorGroup group);
  void close();
  void rect(int left, int top, int wide, int high, std::string_view fill,
            std::string_view line, int radius = 0, int width = 0);
  void path(const TensorSteps &steps, std::string_view color, TensorLine line);
  void text(int left, int base, std::string_view words, std::string_view color,
            int size = 0, bool isBold = false);
  void dot(int left, int top, std::string_view color);
  /// A filled triangle whose point is there, in the direction of (dx, dy).
  void arrowhead(int tipX, int tipY, int dx, int dy, std::string_view color);
  /// A vertical line in one colour, or in the colours of all buffers in turn.
  void laneLine(int at, int top, int low, const std::vector<int> &buffers,
                int wide);
  /// Stripes at both ends of the chip, in the colours of all that it may be.
  void hatch(const TensorChip &chip, int left, int top, int wide);

  /// Width and dashes of a link's line.
  static TensorLine styleOf(TensorLink link);
  const Accent &colorOf(const std::vector<int> &buffers) const;

  const Theme &theme;
  TensorPainting painting;

private:
  TensorStroke &add(TensorStrokeKind kind);

  int current = -1;
};

/// What the strokes mean, of those that the picture has.
int legendHeight(const TensorFlow &flow, int width);
void drawLegend(const TensorFlow &flow, int top, int width, TensorPen &pen);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_TENSORS_TENSORPEN_H
