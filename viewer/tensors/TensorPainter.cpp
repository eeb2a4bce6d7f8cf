//===- viewer/tensors/TensorPainter.cpp - strokes in the window -----------===//
//
// Only what is in sight is drawn, and no letters that are too small to be read.
//
//===----------------------------------------------------------------------===//

#include "viewer/canvas/CanvasPainter.h"
#include "viewer/canvas/Theme.h"
#include "viewer/tensors/TensorView.h"

#include <algorithm>
#include <cmath>

namespace memreflens::viewer {

using graph::TensorPart;
using graph::TensorStroke;
using graph::TensorStrokeKind;

namespace {
/// Draws strokes at a zoom; the corner is where the point (0, 0) is.
class StrokePainter {
public:
  StrokePainter(ImVec2 corner, float zoom, ImVec2 begin, ImVec2 end)
      : list(ImGui::GetWindowDrawList()), corner(corner), begin(begin),
        end(end), zoom(zoom) {}

  bool isVisible(const graph::Box &box) const {
    const ImVec2 a = at(box.left, box.top), b = at(box.right, box.bottom);
    return b.x >= begin.x && b.y >= begin.y && a.x <= end.x && a.y <= end.y;
  }
  bool isFull() const { return isFullOf(list, 58000); }

  void paint(const TensorStroke &stroke, float alpha) {
    switch (stroke.kind) {
    case TensorStrokeKind::open:
    case TensorStrokeKind::close:
      return;
    case TensorStrokeKind::rect:
      return paintRect(stroke, alpha);
    case TensorStrokeKind::path:
      return paintPath(stroke, alpha);
    case TensorStrokeKind::dot:
      return list->AddCircleFilled(
          at(stroke.x, stroke.y),
          std::max(1.f, float(graph::tensorDotRadius) * zoom),
          colorOf(stroke.fill, alpha));
    case TensorStrokeKind::text:
      return paintText(stroke, alpha);
    }
  }

  void paintFrame(const graph::Box &box, ImU32 color, float gap, float width) {
    list->AddRect(at(box.left - gap, box.top - gap),
                  at(box.right + gap, box.bottom + gap), color, 5 * zoom, 0,
                  width);
  }

private:
  ImVec2 at(double x, double y) const {
    return {corner.x + float(x) * zoom, corner.y + float(y) * zoom};
  }

  void paintRect(const TensorStroke &stroke, float alpha) {
    const ImVec2 a = at(stroke.x, stroke.y),
                 b = at(stroke.x + stroke.wide, stroke.y + stroke.high);
    const float radius = float(stroke.radius) * zoom;
    list->AddRectFilled(a, b, colorOf(stroke.fill, alpha), radius);
    list->AddRect(a, b, colorOf(stroke.line, alpha), radius, 0,
                  std::max(1.f, float(stroke.width) * zoom));
  }

  void paintPath(const TensorStroke &stroke, float alpha) {
    if (!stroke.fill.empty()) {
      for (const graph::TensorStep &step : stroke.steps)
        if (step.letter != 'Z')
          list->PathLineTo(at(step.x, step.y));
      return list->PathFillConvex(colorOf(stroke.fill, alpha));
    }
    const ImU32 color = colorOf(stroke.line, alpha);
    float along = float(stroke.dashOffset) * zoom;
    for (size_t i = 1; i < stroke.steps.size(); ++i) {
      const graph::TensorStep &step = stroke.steps[i],
                              &before = stroke.steps[i - 1];
      if (step.letter != 'M')
        paintLine(stroke, at(before.x, before.y), at(step.x, step.y), color,
                  along);
    }
  }

  /// `along`: how much of the pattern of dashes lies behind; goes on.
  void paintLine(const TensorStroke &stroke, ImVec2 a, ImVec2 b, ImU32 color,
                 float &along) {
    const float width = std::max(1.f, float(stroke.width) * zoom);
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    if (length <= 0)
      return;
    const float dash = float(stroke.dash) * zoom,
                period = dash + float(stroke.gap) * zoom;
    // Dashes that run into each other are a line.
    if (dash <= 0 || period < 3) {
      piece(a, b, color, width);
      return;
    }
    const float first = along;
    along += length;
    auto point = [&](float way) {
      const float share = std::clamp(way / length, 0.f, 1.f);
      return ImVec2{a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
    };
    const auto [from, to] = inSight(a, b, length);
    for (float way = std::floor((first + from) / period) * period - first;
         way < to; way += period)
      if (way + dash > 0)
        piece(point(way), point(way + dash), color, width);
  }

  /// From where to where of a line something is seen; no less.
  std::pair<float, float> inSight(ImVec2 a, ImVec2 b, float length) const {
    if (a.x == b.x && a.y < b.y)
      return {std::max(0.f, begin.y - a.y), std::min(length, end.y - a.y)};
    if (a.y == b.y && a.x < b.x)
      return {std::max(0.f, begin.x - a.x), std::min(length, end.x - a.x)};
    return {0, length};
  }

  /// Straight lines have sharp edges.
  void piece(ImVec2 a, ImVec2 b, ImU32 color, float width) {
    const float half = width / 2;
    if (a.x == b.x) {
      const float left = std::round(a.x - half),
                  right = std::max(left + 1, std::round(a.x + half));
      return list->AddRectFilled({left, std::min(a.y, b.y)},
                                 {right, std::max(a.y, b.y)}, color);
    }
    if (a.y == b.y) {
      const float top = std::round(a.y - half),
                  low = std::max(top + 1, std::round(a.y + half));
      return list->AddRectFilled({std::min(a.x, b.x), top},
                                 {std::max(a.x, b.x), low}, color);
    }
    list->AddLine(a, b, color, width);
  }

  void paintText(const TensorStroke &stroke, float alpha) {
    const int size = stroke.size ? stroke.size : graph::tensorTextSize;
    // As in the picture's own layout: a character is so wide (Scene.h).
    const float wide = float(charWidth) / graph::tensorTextSize * float(size),
                high = float(fontSize) / graph::tensorTextSize * float(size);
    if (high * zoom < 4)
      return;
    const Letters letters(wide * zoom, high * zoom);
    const ImVec2 base = at(stroke.x, stroke.y);
    const ImVec2 top{base.x, base.y - letters.ascent()};
    const ImU32 color = colorOf(stroke.fill, alpha);
    letters.draw(list, top, color, stroke.words);
    if (stroke.isBold)
      letters.draw(list, {top.x + std::max(0.5f, 0.4f * zoom), top.y}, color,
                   stroke.words);
  }

  ImDrawList *list;
  ImVec2 corner, begin, end;
  float zoom;
};
} // namespace

/// The ground of the row that is selected.
static void paintBand(const TensorView &view, const ViewState &state, int row) {
  const graph::Box &box = view.model->groupBoxes[size_t(row)];
  const graph::Theme &theme = graph::themeOf(state.theme);
  const float top = view.onScreen(0, box.top - 4).y,
              low = view.onScreen(0, box.bottom + 4).y;
  ImGui::GetWindowDrawList()->AddRectFilled(
      {view.corner.x, top}, {view.corner.x + view.size.x, low},
      colorOf(theme.of(graph::Meaning::owned).line, 0.14f));
}

void paintTensorView(const ViewState &state, const TensorView &view,
                     const TensorSelection &selection) {
  const TensorModel &model = *view.model;
  const graph::TensorPainting &painting = model.in(state.theme);
  const ImVec2 end{view.corner.x + view.size.x, view.corner.y + view.size.y};
  StrokePainter painter(view.onScreen(0, 0), view.zoom, view.corner, end);
  if (selection.row >= 0)
    paintBand(view, state, selection.row);
  for (size_t i = 0; i < painting.strokes.size() && !painter.isFull(); ++i) {
    const TensorStroke &stroke = painting.strokes[i];
    if (!painter.isVisible(model.strokeBoxes[i]) ||
        (stroke.group >= 0 &&
         model.group(stroke.group).part == TensorPart::legend))
      continue;
    const bool isFaded =
        state.focuses && !selection.touches(model, stroke.group);
    painter.paint(stroke, isFaded ? 0.25f : 1);
  }
  const graph::Theme &theme = graph::themeOf(state.theme);
  for (size_t i = 0; i < painting.groups.size(); ++i) {
    const bool isOne = int(i) == selection.chip;
    const bool isOther = !isOne && selection.chip >= 0 &&
                         painting.groups[i].part == TensorPart::chip &&
                         selection.touches(model, int(i));
    const graph::Box &box = model.groupBoxes[i];
    if ((isOne || isOther) && painter.isVisible(box))
      painter.paintFrame(box, colorOf(theme.text, isOne ? 1 : 0.45f), 2,
                         isOne ? 2.5f : 1.f);
  }
}

void paintTensorLegendAt(const graph::TensorPainting &legend, ImVec2 corner,
                         float scale) {
  const ImVec2 end{corner.x + float(legend.width) * scale,
                   corner.y + float(legend.height) * scale};
  StrokePainter painter(corner, scale, corner, end);
  for (const TensorStroke &stroke : legend.strokes)
    painter.paint(stroke, 1);
}

} // namespace memreflens::viewer
