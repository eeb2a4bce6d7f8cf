//===- core/graph/tensors/TensorPen.cpp -----------------------------------===//

#include "core/graph/tensors/TensorPen.h"

namespace memreflens::graph {

TensorStroke &TensorPen::add(TensorStrokeKind kind) {
  TensorStroke stroke;
  stroke.kind = kind;
  stroke.group = current;
  painting.strokes.push_back(std::move(stroke));
  return painting.strokes.back();
}

void TensorPen::open(TensorGroup group) {
  group.around = current;
  current = int(painting.groups.size());
  painting.groups.push_back(std::move(group));
  add(TensorStrokeKind::open);
}

void TensorPen::close() {
  add(TensorStrokeKind::close);
  current = painting.groups[size_t(current)].around;
}

void TensorPen::rect(int left, int top, int wide, int high,
                     std::string_view fill, std::string_view line, int radius,
                     int width) {
  TensorStroke &stroke = add(TensorStrokeKind::rect);
  stroke.x = left;
  stroke.y = top;
  stroke.wide = wide;
  stroke.high = high;
  stroke.fill = fill;
  stroke.line = line;
  stroke.radius = radius;
  stroke.width = width;
}

void TensorPen::path(const TensorSteps &steps, std::string_view color,
                     TensorLine line) {
  TensorStroke &stroke = add(TensorStrokeKind::path);
  stroke.steps = steps.steps;
  stroke.line = color;
  stroke.width = line.width;
  stroke.dash = line.dash;
  stroke.gap = line.gap;
  stroke.dashOffset = line.dashOffset;
}

void TensorPen::text(int left, int base, std::string_view words,
                     std::string_view color, int size, bool isBold) {
  TensorStroke &stroke = add(TensorStrokeKind::text);
  stroke.x = left;
  stroke.y = base;
  stroke.words = words;
  stroke.fill = color;
  stroke.size = size;
  stroke.isBold = isBold;
}

void TensorPen::arrowhead(int tipX, int tipY, int dx, int dy,
                          std::string_view color) {
  const int backX = tipX - dx * 7, backY = tipY - dy * 7;
  path(TensorSteps(tipX, tipY)
           .line(backX + dy * 4, backY + dx * 4)
           .line(backX - dy * 4, backY - dx * 4)
           .close(),
       color, {.width = 1});
  painting.strokes.back().fill = color;
}

const Accent &TensorPen::colorOf(const std::vector<int> &buffers) const {
  return theme.ofBuffer(buffers.empty() ? 0 : buffers.front());
}

void TensorPen::dot(int left, int top, std::string_view color) {
  TensorStroke &stroke = add(TensorStrokeKind::dot);
  stroke.x = left;
  stroke.y = top;
  stroke.fill = color;
}

void TensorPen::laneLine(int at, int top, int low,
                         const std::vector<int> &buffers, int wide) {
  if (top >= low)
    return;
  const TensorSteps steps = TensorSteps(at, top).down(low);
  path(steps, colorOf(buffers).line, {.width = wide});
  for (size_t i = 1; i < buffers.size(); ++i)
    path(steps, theme.ofBuffer(buffers[i]).line,
         {.width = wide,
          .dash = 5,
          .gap = int(buffers.size() - 1) * 5,
          .dashOffset = int(i) * 5});
}

void TensorPen::hatch(const TensorChip &chip, int left, int top, int wide) {
  const int ends[] = {left + 1, left + wide - TensorPlaces::hatchWidth - 1};
  for (size_t i = 0; i < chip.buffers.size(); ++i) {
    TensorSteps stripes;
    for (int end : ends)
      for (int at = int(i) * 4; at + 5 <= TensorPlaces::hatchWidth;
           at += int(chip.buffers.size()) * 4)
        stripes.move(end + at, top + TensorPlaces::chipHeight - 2)
            .line(end + at + 5, top + 2);
    path(stripes, theme.ofBuffer(chip.buffers[i]).line, {.width = 2});
  }
}

TensorLine TensorPen::styleOf(TensorLink link) {
  switch (link) {
  case TensorLink::copy:
    return {.width = 3, .dash = 7, .gap = 4};
  case TensorLink::newBuffer:
  case TensorLink::nothing:
    return {.width = 2, .dash = 2, .gap = 4};
  default:
    return {.width = 3};
  }
}

} // namespace memreflens::graph
