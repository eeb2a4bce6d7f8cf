//===- viewer/window/Splitter.cpp - lines between panels, to be dragged ---===//

#include "viewer/window/Splitter.h"

#include "viewer/canvas/Theme.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace memreflens::viewer {

float splitterSize() { return 6 * uiScale(); }

float sharedHeight(float share, float room) {
  return std::max(20.f, room * share - splitterSize());
}

static void drag(const char *name, ImVec2 size, float &share, float room,
                 bool isColumns) {
  ImGui::InvisibleButton((std::string("split ") + name).c_str(),
                         {std::max(1.f, size.x), std::max(1.f, size.y)});
  bool isHeld = ImGui::IsItemActive();
  if (isHeld || ImGui::IsItemHovered())
    ImGui::SetMouseCursor(isColumns ? ImGuiMouseCursor_ResizeEW
                                    : ImGuiMouseCursor_ResizeNS);
  if (isHeld && std::abs(room) > 1) {
    ImVec2 moved = ImGui::GetIO().MouseDelta;
    share =
        std::clamp(share + (isColumns ? moved.x : moved.y) / room, 0.1f, 0.85f);
  }
}

void splitRows(const char *name, float &share, float room) {
  // Takes the place of the gap that would stand between two items.
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() -
                       ImGui::GetStyle().ItemSpacing.y);
  ImVec2 size{ImGui::GetContentRegionAvail().x, splitterSize()};
  drag(name, size, share, room, /*isColumns=*/false);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() -
                       ImGui::GetStyle().ItemSpacing.y);
}

void splitColumns(const char *name, float &share, float room) {
  ImGui::SameLine(0, 0);
  ImVec2 size{splitterSize(), ImGui::GetContentRegionAvail().y};
  drag(name, size, share, room, /*isColumns=*/true);
  ImGui::SameLine(0, 0);
}

} // namespace memreflens::viewer
