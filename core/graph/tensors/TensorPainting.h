//===- core/graph/tensors/TensorPainting.h - the picture, stroke by stroke ===//
//
// What a picture of tensors is made of, for any surface: TensorSvg.h writes it
// as SVG, the viewer draws it in its window. Groups say what a stroke is about.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_TENSORS_TENSORPAINTING_H
#define MEMREFLENS_GRAPH_TENSORS_TENSORPAINTING_H

#include "core/graph/Theme.h"
#include "core/graph/tensors/TensorFlow.h"

namespace memreflens::graph {

enum class TensorPart : uint8_t {
  frame,
  lane,
  row,
  use,
  chip,
  allocation, ///< the caption that names a chip's memref
  reason,
  legend,
};

/// What strokes are about.
struct TensorGroup {
  TensorPart part = TensorPart::row;
  /// The group around it; -1 for none.
  int around = -1;
  Id op = none;
  /// Of a chip or a use its tensor, of an allocation the memref, of a lane the
  /// tensor that its buffer was first.
  Id value = none;
  int32_t operand = -1;
  TensorLink link = TensorLink::read;
  trace::TensorPlacement placement = trace::TensorPlacement::undecided;
  std::vector<int> buffers = {};
  /// "3:10"; of a row.
  std::string place = {};
  /// As it is shown; empty for none.
  std::string tooltip = {};
};

/// One step of a path; `x` and `y` are where it ends.
struct TensorStep {
  /// As in SVG: M moves, L, H and V draw, Z closes.
  char letter = 'M';
  int x = 0, y = 0;
};

enum class TensorStrokeKind : uint8_t { open, close, rect, path, dot, text };

/// In points; colours are the theme's.
struct TensorStroke {
  TensorStrokeKind kind = TensorStrokeKind::path;
  /// The group that is opened, or that it belongs to; -1 for none.
  int group = -1;
  /// Corner of a rectangle, middle of a dot, begin of a text's base line.
  int x = 0, y = 0, wide = 0, high = 0;
  std::vector<TensorStep> steps = {};
  /// Empty for none.
  std::string_view fill = {}, line = {};
  /// Of the line; 0 where it is as thin as lines are.
  int width = 0;
  int radius = 0;
  /// Lengths of a dash and of the gap behind it, and where the first begins; 0
  /// for a solid line.
  int dash = 0, gap = 0, dashOffset = 0;
  /// Around a chip that a reason is about.
  bool isRing = false;
  std::string words = {};
  /// Height of the letters; 0 for that of most.
  int size = 0;
  bool isBold = false;
};

/// Height of most letters, and the radius of a dot.
inline constexpr int tensorTextSize = 11, tensorDotRadius = 4;

struct TensorPainting {
  int width = 0, height = 0;
  /// The legend is below it.
  int legendTop = 0;
  std::string title;
  std::vector<TensorGroup> groups;
  /// In the order in which they are drawn; groups are closed as they nest.
  std::vector<TensorStroke> strokes;
};

TensorPainting paintTensors(const TensorFlow &flow, ThemeName theme);
/// What the strokes mean, of those that the picture has, for a surface that
/// shows it apart from the picture.
TensorPainting paintTensorLegend(const TensorFlow &flow, ThemeName theme,
                                 int width);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_TENSORS_TENSORPAINTING_H
