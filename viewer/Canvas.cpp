//===- viewer/Canvas.cpp - the control-flow graph on the screen -----------===//

#include "viewer/Canvas.h"

#include <algorithm>
#include <cmath>

namespace memreflens::viewer {

ImU32 colorOf(std::string_view hex, float alpha) {
  unsigned value = 0;
  for (char c : hex.substr(1))
    value = value * 16 + unsigned(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  return IM_COL32(value >> 16 & 255, value >> 8 & 255, value & 255,
                  int(alpha * 255));
}

void zoomBy(ViewState &state, float factor, float x, float y) {
  float zoom = std::clamp(state.zoom * factor, 0.02f, 4.0f);
  state.panX = x - (x - state.panX) * zoom / state.zoom;
  state.panY = y - (y - state.panY) * zoom / state.zoom;
  state.zoom = zoom;
}

namespace {
class Painter {
public:
  Painter(const Program &program, const Scene &scene, ViewState &state,
          ImVec2 origin, ImVec2 size)
      : program(program), scene(scene), state(state),
        theme(graph::themeOf(state.theme)), list(ImGui::GetWindowDrawList()),
        origin(origin), size(size), hovered(ImGui::IsItemHovered()) {}

  void paint() {
    if (const trace::Event *event = program.lookup.event(state.place.event))
      block = event->block;
    for (const graph::Cluster &cluster : scene.picture.clusters)
      paintCluster(cluster, size_t(&cluster - scene.picture.clusters.data()));
    for (size_t i = 0; i < scene.picture.edges.size(); ++i)
      paintEdge(i);
    for (size_t i = 0; i < scene.picture.nodes.size(); ++i)
      paintNode(i);
  }

private:
  ImVec2 at(double x, double y) const {
    return {origin.x + state.panX + float(x) * state.zoom,
            origin.y + state.panY + float(y) * state.zoom};
  }
  bool isVisible(const graph::Box &box) const {
    ImVec2 a = at(box.left, box.top), b = at(box.right, box.bottom);
    return b.x >= origin.x && b.y >= origin.y && a.x <= origin.x + size.x &&
           a.y <= origin.y + size.y;
  }
  void text(double x, double y, ImU32 color, const std::string &words) {
    // Below this size, letters are noise.
    if (state.zoom * fontSize < 4)
      return;
    list->AddText(ImGui::GetFont(), float(fontSize) * state.zoom, at(x, y),
                  color, words.data(), words.data() + words.size());
  }

  void paintCluster(const graph::Cluster &cluster, size_t i) {
    const auto &place = scene.layout.clusters[i];
    if (!isVisible(place.box))
      return;
    ImVec2 a = at(place.box.left, place.box.top),
           b = at(place.box.right, place.box.bottom);
    list->AddRectFilled(a, b, colorOf(theme.clusterFill), 5);
    list->AddRect(a, b, colorOf(theme.clusterLine), 5);
    double width = double(cluster.title.size()) * charWidth;
    text(place.title.x - width / 2, place.title.y - lineHeight / 2,
         colorOf(theme.dimText), cluster.title);
  }

  void paintEdge(size_t i) {
    const auto &place = scene.layout.edges[i];
    const graph::Edge &edge = scene.picture.edges[i];
    if (place.curve.empty())
      return;
    graph::Box box{place.tip.x, place.tip.y, place.tip.x, place.tip.y};
    for (graph::Point point : place.curve)
      box = {std::min(box.left, point.x), std::min(box.top, point.y),
             std::max(box.right, point.x), std::max(box.bottom, point.y)};
    bool isBack = edge.kind == graph::EdgeKind::back ||
                  edge.kind == graph::EdgeKind::repeat;
    ImU32 color =
        colorOf(isBack ? theme.of(graph::Meaning::cloned).line : theme.line);
    if (isVisible(box)) {
      for (size_t k = 0; k + 3 < place.curve.size(); k += 3)
        list->AddBezierCubic(at(place.curve[k].x, place.curve[k].y),
                             at(place.curve[k + 1].x, place.curve[k + 1].y),
                             at(place.curve[k + 2].x, place.curve[k + 2].y),
                             at(place.curve[k + 3].x, place.curve[k + 3].y),
                             color, std::clamp(state.zoom * 1.3f, 1.f, 3.f));
      graph::Point from = place.curve.back();
      double dx = place.tip.x - from.x, dy = place.tip.y - from.y;
      double length = std::max(0.1, std::hypot(dx, dy));
      double nx = -dy / length * 4, ny = dx / length * 4;
      list->AddTriangleFilled(at(place.tip.x, place.tip.y),
                              at(from.x + nx, from.y + ny),
                              at(from.x - nx, from.y - ny), color);
    }
    const Words &words = scene.edges[i];
    paintWords(words, {place.label.x - words.size.width / 2,
                       place.label.y - words.size.height / 2});
  }

  void paintNode(size_t i) {
    const graph::Box &box = scene.layout.nodes[i];
    const graph::Node &node = scene.picture.nodes[i];
    if (!isVisible(box))
      return;
    ImVec2 a = at(box.left, box.top), b = at(box.right, box.bottom);
    list->AddRectFilled(a, b, colorOf(theme.node), 4);
    ImVec2 title{b.x, at(0, box.top + lineHeight + 7).y};
    list->AddRectFilled(a, {title.x, std::min(title.y, b.y)},
                        colorOf(theme.title), 4, ImDrawFlags_RoundCornersTop);
    bool isCurrent = node.block != none && node.block == block;
    list->AddRect(a, b,
                  colorOf(isCurrent ? theme.of(graph::Meaning::ownedIf).line
                                    : theme.line),
                  4, 0, isCurrent ? 3.f : 1.f);
    paintWords(scene.nodes[i], {box.left, box.top});
  }

  void paintWords(const Words &words, graph::Point corner) {
    if (words.words.empty() ||
        !isVisible({corner.x, corner.y, corner.x + words.size.width,
                    corner.y + words.size.height}))
      return;
    for (const Word &word : words.words)
      paintWord(word, corner);
  }

  void paintWord(const Word &word, graph::Point corner) {
    const graph::Accent &accent = theme.of(word.meaning);
    double x = corner.x + word.box.left, y = corner.y + word.box.top;
    ImVec2 a = at(x, y), b = at(x + word.box.width(), y + word.box.height());
    bool isSelected = word.value != none && word.value == state.place.value;
    float alpha = word.faded ? 0.5f : 1;
    ImU32 color = colorOf(theme.text, alpha);
    if (word.kind == WordKind::chip) {
      list->AddRectFilled(a, b, colorOf(accent.fill, alpha), 3);
      list->AddRect(a, b, colorOf(accent.line, alpha), 3, 0,
                    isSelected ? 3.f : 1.f);
      color = colorOf(accent.text, alpha);
    } else if (word.kind == WordKind::label || word.kind == WordKind::note) {
      color = colorOf(theme.dimText);
    } else if (word.meaning != graph::Meaning::plain) {
      list->AddRectFilled(a, {a.x + 2 * state.zoom, b.y}, colorOf(accent.line));
    }
    text(x + 4, y + 1.5, color, word.text);
    if (hovered && ImGui::IsMouseHoveringRect(a, b))
      answer(word);
  }

  void answer(const Word &word) {
    if (!word.tooltip.empty()) {
      ImGui::BeginTooltip();
      ImGui::PushTextWrapPos(480);
      ImGui::TextUnformatted(word.tooltip.c_str());
      ImGui::PopTextWrapPos();
      ImGui::EndTooltip();
    }
    if (!ImGui::IsMouseReleased(0) || ImGui::GetMouseDragDelta(0, 0).x != 0)
      return;
    Id value = word.value;
    if (const trace::Op *op = program.lookup.op(word.op))
      value = op->results.empty() ? none : op->results.front();
    if (word.event != none)
      selectEvent(state, program, word.event);
    if (value != none)
      selectValue(state, program, value);
  }

  const Program &program;
  const Scene &scene;
  ViewState &state;
  const graph::Theme &theme;
  ImDrawList *list;
  ImVec2 origin, size;
  bool hovered;
  Id block = none;
};
} // namespace

static void fit(const Scene &scene, ViewState &state, ImVec2 size) {
  double width = std::max(1.0, scene.layout.size.width);
  double height = std::max(1.0, scene.layout.size.height);
  float zoom = float(std::min(size.x / width, size.y / height));
  // A graph too tall to be read as a whole starts at its top.
  state.zoom = std::clamp(zoom, 0.02f, 1.3f);
  if (state.zoom < 0.6f && scene.picture.nodes.size() < 200)
    state.zoom = std::min(0.8f, std::max(0.6f, float(size.x / width)));
  state.panX = (size.x - float(width) * state.zoom) / 2;
  state.panY = std::max(0.f, (size.y - float(height) * state.zoom) / 2);
  state.wantsFit = false;
}

void drawCanvas(const Program &program, const Scene &scene, ViewState &state) {
  ImVec2 origin = ImGui::GetCursorScreenPos();
  ImVec2 size = ImGui::GetContentRegionAvail();
  size = {std::max(size.x, 20.f), std::max(size.y, 20.f)};
  if (state.wantsFit)
    fit(scene, state, size);
  ImGui::InvisibleButton("canvas", size);
  ImGuiIO &io = ImGui::GetIO();
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0)) {
    state.panX += io.MouseDelta.x;
    state.panY += io.MouseDelta.y;
  }
  if (ImGui::IsItemHovered() && io.MouseWheel != 0)
    zoomBy(state, std::pow(1.15f, io.MouseWheel), io.MousePos.x - origin.x,
           io.MousePos.y - origin.y);
  ImVec2 end{origin.x + size.x, origin.y + size.y};
  ImDrawList *list = ImGui::GetWindowDrawList();
  list->PushClipRect(origin, end, true);
  list->AddRectFilled(origin, end, colorOf(graph::themeOf(state.theme).ground));
  Painter(program, scene, state, origin, size).paint();
  list->PopClipRect();
}

} // namespace memreflens::viewer
