//===- viewer/canvas/Minimap.cpp - the whole graph in a corner ------------===//

#include "viewer/canvas/CanvasPainter.h"
#include "viewer/canvas/Theme.h"

#include <algorithm>

namespace memreflens::viewer {

namespace {
struct Corner {
  ImVec2 begin, size;
  /// A very slim graph is drawn wider than it is.
  float scaleX = 1, scaleY = 1;
};
} // namespace

static Corner cornerFor(const Scene &scene, ImVec2 origin, ImVec2 size) {
  float width = std::max(1.f, float(scene.layout.size.width));
  float height = std::max(1.f, float(scene.layout.size.height));
  float room = std::min({150 * uiScale(), size.x * 0.2f, size.y * 0.3f});
  Corner corner;
  float scale = std::min({room / width, room / height, 1.f});
  corner.size = {std::max(24.f, width * scale), std::max(24.f, height * scale)};
  corner.scaleX = corner.size.x / width;
  corner.scaleY = corner.size.y / height;
  float gap = 8 * uiScale();
  corner.begin = {origin.x + size.x - corner.size.x - gap,
                  origin.y + size.y - corner.size.y - gap};
  return corner;
}

static bool isWhollyVisible(const Scene &scene, const ViewState &state,
                            ImVec2 size) {
  float right = state.panX + float(scene.layout.size.width) * state.zoom;
  float bottom = state.panY + float(scene.layout.size.height) * state.zoom;
  return state.panX > -4 && state.panY > -4 && right < size.x + 4 &&
         bottom < size.y + 4;
}

bool drawMinimap(const Scene &scene, ViewState &state, ImVec2 origin,
                 ImVec2 size, Id block) {
  float least = 200 * uiScale();
  if (size.x < least * 1.5f || size.y < least ||
      isWhollyVisible(scene, state, size))
    return false;
  Corner corner = cornerFor(scene, origin, size);
  ImVec2 end{corner.begin.x + corner.size.x, corner.begin.y + corner.size.y};
  const graph::Theme &theme = graph::themeOf(state.theme);
  ImDrawList *list = ImGui::GetWindowDrawList();
  list->AddRectFilled(corner.begin, end, colorOf(theme.title, 0.92f), 3);
  ImU32 plain = colorOf(theme.dimText, 0.6f);
  ImU32 current = colorOf(theme.of(graph::Meaning::ownedIf).line);
  for (size_t i = 0; i < scene.layout.nodes.size(); ++i) {
    if (isFullOf(list, 60000))
      break;
    const graph::Box &box = scene.layout.nodes[i];
    ImVec2 a{corner.begin.x + float(box.left) * corner.scaleX,
             corner.begin.y + float(box.top) * corner.scaleY};
    ImVec2 b{std::max(a.x + 1, a.x + float(box.width()) * corner.scaleX),
             std::max(a.y + 1, a.y + float(box.height()) * corner.scaleY)};
    bool isCurrent = block != none && scene.picture.nodes[i].block == block;
    list->AddRectFilled(a, b, isCurrent ? current : plain);
  }
  auto inCorner = [&](float x, float y) {
    return ImVec2{std::clamp(corner.begin.x +
                                 (x - state.panX) / state.zoom * corner.scaleX,
                             corner.begin.x, end.x),
                  std::clamp(corner.begin.y +
                                 (y - state.panY) / state.zoom * corner.scaleY,
                             corner.begin.y, end.y)};
  };
  list->AddRect(inCorner(0, 0), inCorner(size.x, size.y), current, 0, 0, 1.5f);
  list->AddRect(corner.begin, end, colorOf(theme.clusterLine), 3);
  ImVec2 mouse = ImGui::GetMousePos();
  bool isOver = mouse.x >= corner.begin.x && mouse.y >= corner.begin.y &&
                mouse.x < end.x && mouse.y < end.y;
  if (isOver && ImGui::IsItemActive()) {
    float x = (mouse.x - corner.begin.x) / corner.scaleX;
    float y = (mouse.y - corner.begin.y) / corner.scaleY;
    state.panX = size.x / 2 - x * state.zoom;
    state.panY = size.y / 2 - y * state.zoom;
  }
  return isOver;
}

} // namespace memreflens::viewer
