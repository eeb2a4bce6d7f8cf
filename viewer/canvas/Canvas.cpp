//===- viewer/canvas/Canvas.cpp - the control-flow graph answers the mouse ===//

#include "viewer/canvas/Canvas.h"

#include "viewer/canvas/CanvasPainter.h"
#include "viewer/canvas/Theme.h"
#include "viewer/state/Sentences.h"

#include "core/text/Escape.h"

#include <algorithm>
#include <cmath>

namespace memreflens::viewer {

void zoomBy(ViewState &state, float factor, float x, float y) {
  float zoom = std::clamp(state.zoom * factor, 0.005f, 6.0f);
  state.panX = x - (x - state.panX) * zoom / state.zoom;
  state.panY = y - (y - state.panY) * zoom / state.zoom;
  state.zoom = zoom;
}

/// The node that shows an op of a block; else the block's first one.
static int nodeWith(const Scene &scene, Id block, Id op) {
  int first = -1;
  for (size_t i = 0; i < scene.nodes.size(); ++i) {
    if (scene.picture.nodes[i].block != block)
      continue;
    if (first < 0)
      first = int(i);
    if (std::ranges::any_of(scene.nodes[i].words,
                            [&](const Word &word) { return word.op == op; }))
      return int(i);
  }
  return first;
}

/// The node of a block; of one that is not drawn, that of the op around it. -1
/// if there is none.
static int nodeOf(const Program &program, const Scene &scene,
                  const CanvasCache &cache, Id block) {
  auto found = cache.nodeOfBlock.find(block);
  if (found != cache.nodeOfBlock.end())
    return int(found->second);
  while (const trace::Block *inside = program.lookup.block(block)) {
    const trace::Op *around = program.lookup.op(inside->parentOp);
    block = around ? around->block : none;
    if (cache.nodeOfBlock.contains(block))
      return nodeWith(scene, block, around->id);
  }
  return -1;
}

/// A graph that is too large to be read as a whole is shown from its top, or
/// where the decision is; the whole of it only if that is asked for.
static void fit(const Program &program, const Scene &scene, ViewState &state,
                const CanvasCache &cache, ImVec2 size, Id block) {
  float scale = uiScale();
  float width = std::max(1.f, float(scene.layout.size.width));
  float height = std::max(1.f, float(scene.layout.size.height));
  float whole = std::min(size.x / width, size.y / height);
  state.zoom = std::clamp(whole, 0.005f, 1.3f * scale);
  bool isCut = state.zoom < 0.6f * scale && !state.wantsWhole;
  if (isCut)
    state.zoom = std::clamp(size.x / width, 0.6f * scale, 0.8f * scale);
  state.panX = (size.x - width * state.zoom) / 2;
  state.panY = std::max(0.f, (size.y - height * state.zoom) / 2);
  state.wantsFit = state.wantsWhole = false;
  if (!isCut || scene.layout.nodes.empty())
    return;
  bool isLarge = whole < 0.15f * scale;
  int node = isLarge ? nodeOf(program, scene, cache, block) : 0;
  const graph::Box &box = scene.layout.nodes[size_t(std::max(0, node))];
  if (width * state.zoom > size.x)
    state.panX = std::clamp(size.x / 2 - float(box.center().x) * state.zoom,
                            size.x - width * state.zoom, 0.f);
  if (isLarge)
    state.panY = std::min(0.f, size.y * 0.3f - float(box.top) * state.zoom);
}

//===--- From step to step ------------------------------------------------===//

/// Brings the block of the decision into sight, if it is not.
static void glideTo(const Program &program, const Scene &scene,
                    ViewState &state, CanvasCache &cache, Id block,
                    ImVec2 size) {
  int node = nodeOf(program, scene, cache, block);
  if (node < 0)
    return;
  const graph::Box &box = scene.layout.nodes[size_t(node)];
  float left = state.panX + float(box.left) * state.zoom;
  float top = state.panY + float(box.top) * state.zoom;
  float width = float(box.width()) * state.zoom;
  float height = float(box.height()) * state.zoom;
  float seenX = std::min(left + width, size.x) - std::max(left, 0.f);
  float seenY = std::min(top + height, size.y) - std::max(top, 0.f);
  if (seenX >= 0.5f * std::min(width, size.x) &&
      seenY >= 0.5f * std::min(height, size.y))
    return;
  cache.glides = true;
  cache.fromX = state.panX;
  cache.fromY = state.panY;
  cache.toX = state.panX + (size.x - width) / 2 - left;
  cache.toY = state.panY + (size.y - height) / 2 - top;
  cache.glideBegan = ImGui::GetTime();
}

static void follow(const Program &program, const Scene &scene, ViewState &state,
                   CanvasCache &cache, ImVec2 size) {
  double now = ImGui::GetTime();
  Id moment = momentOf(state, program);
  if (moment != cache.moment) {
    cache.before = moment > cache.moment ? cache.moment : moment;
    bool isFirst = cache.moment == none;
    cache.moment = moment;
    cache.changedAt = isFirst ? -10 : now;
    const trace::Event *event = program.lookup.event(moment);
    if (event && !isFirst)
      glideTo(program, scene, state, cache, event->block, size);
  }
  if (state.place.block != cache.block) {
    cache.block = state.place.block;
    glideTo(program, scene, state, cache, cache.block, size);
  }
  if (!cache.glides)
    return;
  double share = std::clamp((now - cache.glideBegan) / 0.25, 0.0, 1.0);
  if (state.reducesMotion)
    share = 1;
  float eased = float(share * share * (3 - 2 * share));
  state.panX = cache.fromX + (cache.toX - cache.fromX) * eased;
  state.panY = cache.fromY + (cache.toY - cache.fromY) * eased;
  cache.glides = share < 1;
}

//===--- The mouse --------------------------------------------------------===//

static void showTip(const std::string &text) {
  if (text.empty())
    return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(480 * uiScale());
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

static void hover(const Program &program, const Scene &scene, ViewState &state,
                  const Hit &hit) {
  if (hit.word && !hit.word->tooltip.empty())
    showTip(hit.word->tooltip);
  else if (hit.word && hit.word->event != none)
    showTip(visibleText(sentenceOf(program, state, hit.word->event)));
  else if (hit.edge >= 0)
    showTip(scene.picture.edges[size_t(hit.edge)].tooltip);
  else if (hit.cluster >= 0)
    showTip("click: fold\n" +
            scene.picture.clusters[size_t(hit.cluster)].tooltip);
  else if (hit.node >= 0 && scene.picture.nodes[size_t(hit.node)].kind ==
                                graph::NodeKind::folded)
    showTip("click: unfold");
}

static void clickWord(const Program &program, ViewState &state,
                      const Word &word) {
  Id value = word.value;
  if (const trace::Op *op = program.lookup.op(word.op))
    value = op->results.empty() ? none : op->results.front();
  if (word.event != none)
    selectEvent(state, program, word.event);
  if (value != none)
    selectValue(state, program, value);
}

static void click(const Program &program, const Scene &scene, ViewState &state,
                  const Hit &hit) {
  if (hit.cluster >= 0 && hit.edge < 0) {
    state.folded.insert(scene.picture.clusters[size_t(hit.cluster)].key);
    return;
  }
  if (hit.node >= 0) {
    const graph::Node &node = scene.picture.nodes[size_t(hit.node)];
    if (node.kind == graph::NodeKind::folded && state.folded.erase(node.key))
      return;
    bool isTitle = !hit.word || hit.word->kind == WordKind::title;
    if (isTitle)
      selectBlock(state, program, node.block);
  }
  if (hit.edge >= 0) {
    std::vector<Id> events;
    for (const graph::Chip &chip : scene.picture.edges[size_t(hit.edge)].chips)
      if (chip.event != none)
        events.push_back(chip.event);
    selectEdge(state, scene.picture.edges[size_t(hit.edge)].key,
               std::move(events));
  }
  if (hit.word)
    clickWord(program, state, *hit.word);
}

static void answerMouse(ViewState &state, CanvasCache &cache, ImVec2 origin,
                        bool isOverMinimap) {
  const ImGuiIO &io = ImGui::GetIO();
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0) && !isOverMinimap) {
    state.panX += io.MouseDelta.x;
    state.panY += io.MouseDelta.y;
    cache.glides = false;
  }
  if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
    cache.glides = false;
    zoomBy(state, std::pow(1.15f, io.MouseWheel), io.MousePos.x - origin.x,
           io.MousePos.y - origin.y);
  }
}

void drawCanvas(const Program &program, const Scene &scene, ViewState &state) {
  ImVec2 origin = ImGui::GetCursorScreenPos();
  ImVec2 size = ImGui::GetContentRegionAvail();
  size = {std::max(size.x, 20.f), std::max(size.y, 20.f)};
  CanvasCache &cache = cacheOf<CanvasCache>(state);
  cache.update(program, scene, state);
  const trace::Event *event = program.lookup.event(state.place.event);
  Id block = event ? event->block : none;
  if (state.wantsFit)
    fit(program, scene, state, cache, size, block);
  follow(program, scene, state, cache, size);
  ImGui::InvisibleButton("canvas", size);
  bool isHovered = ImGui::IsItemHovered();
  ImVec2 end{origin.x + size.x, origin.y + size.y};
  ImDrawList *list = ImGui::GetWindowDrawList();
  list->PushClipRect(origin, end, true);
  // The window was cleared to the theme's ground.
  CanvasPainter painter(program, scene, state, cache, origin, size);
  painter.paint();
  bool isOverMinimap = drawMinimap(scene, state, origin, size, block);
  list->PopClipRect();
  answerMouse(state, cache, origin, isOverMinimap);
  if (!isHovered || isOverMinimap || ImGui::IsMouseDragging(0))
    return;
  Hit hit = painter.hitAt(ImGui::GetMousePos());
  hover(program, scene, state, hit);
  ImVec2 dragged = ImGui::GetMouseDragDelta(0, 0);
  if (ImGui::IsMouseReleased(0) && dragged.x == 0 && dragged.y == 0)
    click(program, scene, state, hit);
}

} // namespace memreflens::viewer
