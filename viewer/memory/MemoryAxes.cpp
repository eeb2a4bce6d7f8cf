//===- viewer/memory/MemoryAxes.cpp - bytes up, places of the program across
//-----===//

#include "viewer/memory/MemoryAxes.h"

#include "viewer/canvas/Theme.h"

#include "core/query/Lifetimes.h"
#include "core/text/Bytes.h"

#include <algorithm>
#include <cmath>

namespace memreflens::viewer {

using graph::Meaning;

MemoryAxes::MemoryAxes(const MemoryView &view, const ViewState &state,
                       ImVec2 size)
    : view(view), theme(graph::themeOf(state.theme)),
      corner(ImGui::GetCursorScreenPos()) {
  const float axis =
      std::min(ImGui::CalcTextSize("1023.9 MiB").x + 8, size.x * 0.3f);
  const float head = ImGui::GetTextLineHeight() + 2;
  foot = head;
  origin = {std::floor(corner.x + axis), std::floor(corner.y + head)};
  room = {std::max(20.f, std::floor(size.x - axis) - 1),
          std::max(20.f, std::floor(size.y - foot - head))};
  columns = int(room.x);
}

float MemoryAxes::xOf(double step) const {
  return origin.x +
         room.x * float((step - view.window.from) / view.window.width());
}

int MemoryAxes::columnAt(float x) const {
  return std::clamp(int(x - origin.x), 0, columns - 1);
}

double MemoryAxes::bytesAt(float y) const {
  return std::clamp(1 - double(y - origin.y) / double(room.y), 0.0, 1.0) * top;
}

bool MemoryAxes::isInSight(size_t step) const {
  return double(step) + 1 > view.window.from && double(step) < view.window.to;
}

void MemoryAxes::setTop(uint64_t bytes) {
  top = double(std::max<uint64_t>(bytes, 1));
}

void MemoryAxes::drawBytes() const {
  const float line = ImGui::GetTextLineHeight();
  const double ticks = std::max(1.f, std::floor(room.y / (2.5f * line)));
  double tick = 1;
  while (top / tick > ticks)
    tick *= 2;
  ImDrawList *list = ImGui::GetWindowDrawList();
  for (double bytes = 0; bytes <= top; bytes += tick) {
    const float y = std::floor(yOf(bytes));
    list->AddLine({origin.x, y}, {origin.x + room.x, y},
                  colorOf(theme.clusterLine, 0.35f));
    const std::string text = bytesText(uint64_t(bytes));
    const float wide = ImGui::CalcTextSize(text.c_str()).x;
    list->AddText({origin.x - wide - 5, y - line / 2}, colorOf(theme.dimText),
                  text.c_str());
  }
}

void MemoryAxes::drawPlaces() const {
  ImDrawList *list = ImGui::GetWindowDrawList();
  const float y = origin.y + room.y, right = origin.x + room.x;
  list->AddLine({origin.x, y}, {right, y}, colorOf(theme.clusterLine));
  for (int column = 0; column < columns;) {
    const MemoryModel &model = *view.model;
    const size_t step =
        stepsOf(view.window, column, columns, model.steps()).begin;
    const std::string &text = model.use.places[step];
    const float wide = ImGui::CalcTextSize(text.c_str()).x;
    const float x = origin.x + float(column);
    if (x + wide + 3 > right)
      return;
    if (!text.empty())
      list->AddLine({x, y}, {x, y + 5}, colorOf(theme.dimText));
    list->AddText({x + 3, y + 2}, colorOf(theme.dimText), text.c_str());
    column += std::max(int(wide * 2), int(90 * uiScale()));
  }
}

void MemoryAxes::drawLineAt(size_t step, ImU32 color) const {
  const float x = std::clamp(std::floor(xOf(double(step) + 0.5)), origin.x,
                             origin.x + room.x);
  ImGui::GetWindowDrawList()->AddLine({x, origin.y}, {x, origin.y + room.y},
                                      color);
}

void MemoryAxes::drawCursor(const ViewState &state, bool isHovered) const {
  if (isHovered)
    drawLineAt(size_t(view.hoveredStep), colorOf(theme.text, 0.5f));
  const size_t step = view.cursor(state);
  if (isInSight(step))
    drawLineAt(step, colorOf(theme.of(Meaning::ownedIf).line));
}

void MemoryAxes::clip() const {
  ImGui::GetWindowDrawList()->PushClipRect(
      corner, {origin.x + room.x + 1, origin.y + room.y + foot}, true);
}

} // namespace memreflens::viewer
