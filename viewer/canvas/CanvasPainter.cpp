//===- viewer/canvas/CanvasPainter.cpp - draws what is in sight of a scene ===//
//
// Nothing outside the window is drawn; of what is too small to be read, only
// the coloured places of its chips, and smaller still, only the boxes.
//
//===----------------------------------------------------------------------===//

#include "viewer/canvas/CanvasPainter.h"
#include "viewer/canvas/Theme.h"

#include <algorithm>
#include <cmath>

namespace memreflens::viewer {

/// Seconds of the transition between two steps.
static constexpr double transition = 0.22;
static constexpr float fadedAlpha = 0.18f;

void CanvasCache::update(const Program &program, const Scene &drawn,
                         const ViewState &state) {
  if (scene != drawn.serial) {
    nodeOfBlock.clear();
    for (size_t i = 0; i < drawn.picture.nodes.size(); ++i)
      if (drawn.picture.nodes[i].block != none)
        nodeOfBlock[drawn.picture.nodes[i].block] = i;
  } else if (value == state.place.value) {
    return;
  }
  scene = drawn.serial;
  value = state.place.value;
  memref = memrefOf(program, value);
  nodes.clear();
  edges.clear();
  if (value == none)
    return;
  std::vector<Id> asked = {value};
  if (memref != none)
    asked.push_back(memref);
  auto isAbout = [&](const Word &word) {
    const trace::Op *op = program.lookup.op(word.op);
    return std::ranges::any_of(asked, [&](Id one) {
      return word.value == one ||
             std::ranges::binary_search(
                 program.lookup.getIndex().eventsNamingValue(one),
                 word.event) ||
             (op && (std::ranges::count(op->operands, one) ||
                     std::ranges::count(op->results, one)));
    });
  };
  for (const Words &words : drawn.nodes)
    nodes.push_back(std::ranges::any_of(words.words, isAbout));
  for (const Words &words : drawn.edges)
    edges.push_back(std::ranges::any_of(words.words, isAbout));
}

CanvasPainter::CanvasPainter(const Program &program, const Scene &scene,
                             const ViewState &state, CanvasCache &cache,
                             ImVec2 origin, ImVec2 size)
    : program(program), scene(scene), state(state), cache(cache),
      list(ImGui::GetWindowDrawList()), origin(origin), size(size),
      now(ImGui::GetTime()),
      fixed(float(charWidth) * state.zoom, float(fontSize) * state.zoom),
      hasText(state.zoom * fontSize >= 4), hasChips(state.zoom >= 0.1f) {
  const graph::Theme &theme = graph::themeOf(state.theme);
  for (int i = 0; i < graph::meaningCount; ++i)
    accents[i] = {colorOf(theme.accents[i].line),
                  colorOf(theme.accents[i].fill),
                  colorOf(theme.accents[i].text)};
  nodeFill = colorOf(theme.node);
  titleFill = colorOf(theme.title);
  clusterFill = colorOf(theme.clusterFill);
  clusterLine = colorOf(theme.clusterLine);
  line = colorOf(theme.line);
  words = colorOf(theme.text);
  dim = colorOf(theme.dimText);
  if (const trace::Event *event = program.lookup.event(state.place.event))
    block = event->block;
}

void CanvasPainter::paint() {
  cache.drawnNodes = cache.drawnEdges = 0;
  for (size_t i = 0; i < scene.picture.clusters.size(); ++i)
    paintCluster(i);
  for (size_t i = 0; i < scene.picture.edges.size(); ++i)
    paintEdge(i);
  for (size_t i = 0; i < scene.picture.nodes.size(); ++i)
    paintNode(i);
}

bool CanvasPainter::isVisible(const graph::Box &box) const {
  ImVec2 a = at(box.left, box.top), b = at(box.right, box.bottom);
  return b.x >= origin.x && b.y >= origin.y && a.x <= origin.x + size.x &&
         a.y <= origin.y + size.y;
}

ImU32 CanvasPainter::faint(ImU32 color, float alpha) const {
  if (alpha >= 1)
    return color;
  ImU32 old = color >> IM_COL32_A_SHIFT & 255;
  return (color & ~IM_COL32_A_MASK) | ImU32(float(old) * std::max(0.f, alpha))
                                          << IM_COL32_A_SHIFT;
}

void CanvasPainter::text(double x, double y, ImU32 color,
                         const std::string &letters) {
  // Below some size, letters are noise.
  if (!hasText)
    return;
  fixed.draw(list, at(x, y), color, letters);
}

void CanvasPainter::paintCluster(size_t i) {
  const graph::Layout::Cluster &place = scene.layout.clusters[i];
  if (!isVisible(place.box))
    return;
  ImVec2 a = at(place.box.left, place.box.top),
         b = at(place.box.right, place.box.bottom);
  list->AddRectFilled(a, b, clusterFill, 5);
  list->AddRect(a, b, clusterLine, 5);
  const std::string &title = scene.clusterTitles[i];
  double width = double(title.size()) * charWidth;
  text(place.title.x - width / 2, place.title.y - lineHeight / 2, dim, title);
}

void CanvasPainter::paintCurve(const graph::Layout::Edge &place, ImU32 color,
                               float width) {
  const std::vector<graph::Point> &curve = place.curve;
  // A bend that is too small to be seen needs no pieces.
  bool isSmall = state.zoom < 0.25f;
  for (size_t k = 0; k + 3 < curve.size(); k += 3)
    if (isSmall)
      list->AddLine(at(curve[k].x, curve[k].y),
                    at(curve[k + 3].x, curve[k + 3].y), color, width);
    else
      list->AddBezierCubic(at(curve[k].x, curve[k].y),
                           at(curve[k + 1].x, curve[k + 1].y),
                           at(curve[k + 2].x, curve[k + 2].y),
                           at(curve[k + 3].x, curve[k + 3].y), color, width,
                           state.zoom < 0.6f ? 8 : 0);
  if (isSmall)
    return;
  graph::Point from = curve.back();
  double dx = place.tip.x - from.x, dy = place.tip.y - from.y;
  double length = std::max(0.1, std::hypot(dx, dy));
  double nx = -dy / length * 4, ny = dx / length * 4;
  list->AddTriangleFilled(at(place.tip.x, place.tip.y),
                          at(from.x + nx, from.y + ny),
                          at(from.x - nx, from.y - ny), color);
}

void CanvasPainter::paintEdge(size_t i) {
  const graph::Layout::Edge &place = scene.layout.edges[i];
  const graph::Edge &edge = scene.picture.edges[i];
  if (place.curve.empty() || !isVisible(scene.edgeBoxes[i]) || isFull(22000))
    return;
  ++cache.drawnEdges;
  float alpha = touches(cache.edges, i) ? 1 : fadedAlpha;
  bool isBack = edge.kind == graph::EdgeKind::back ||
                edge.kind == graph::EdgeKind::repeat;
  bool isSelected = !state.place.edge.empty() && edge.key == state.place.edge;
  ImU32 color = isSelected ? accents[int(graph::Meaning::ownedIf)].line
                : isBack   ? accents[int(graph::Meaning::cloned)].line
                           : line;
  float width = std::clamp(state.zoom * (isSelected ? 2.6f : 1.3f), 1.f, 4.f);
  paintCurve(place, faint(color, alpha), width);
  const Words &label = scene.edges[i];
  paintWords(label,
             {place.label.x - label.size.width / 2,
              place.label.y - label.size.height / 2},
             alpha);
}

void CanvasPainter::paintNode(size_t i) {
  const graph::Box &box = scene.layout.nodes[i];
  const graph::Node &node = scene.picture.nodes[i];
  if (!isVisible(box) || isFull(48000))
    return;
  ++cache.drawnNodes;
  float alpha = touches(cache.nodes, i) ? 1 : fadedAlpha;
  ImVec2 a = at(box.left, box.top), b = at(box.right, box.bottom);
  bool isRound = hasChips;
  bool isCurrent = node.block != none && node.block == block;
  bool isSelected = node.block != none && node.block == state.place.block;
  list->AddRectFilled(a, b, faint(nodeFill, alpha), isRound ? 4.f : 0.f);
  if (isRound) {
    float bottom = at(0, box.top + lineHeight + 7).y;
    list->AddRectFilled(a, {b.x, std::min(bottom, b.y)},
                        faint(titleFill, alpha), 4,
                        ImDrawFlags_RoundCornersTop);
  }
  ImU32 frame = isCurrent    ? accents[int(graph::Meaning::ownedIf)].line
                : isSelected ? accents[int(graph::Meaning::owned)].line
                             : line;
  list->AddRect(a, b, faint(frame, alpha), isRound ? 4.f : 0.f, 0,
                isCurrent || isSelected ? 2.5f : 1.f);
  paintWords(scene.nodes[i], {box.left, box.top}, alpha);
}

void CanvasPainter::paintWords(const Words &some, graph::Point corner,
                               float alpha) {
  if (some.words.empty() || !hasChips || isFull(40000) ||
      !isVisible({corner.x, corner.y, corner.x + some.size.width,
                  corner.y + some.size.height}))
    return;
  // A label on a line is read on the ground, not on the line.
  for (const Word &word : some.words)
    paintWord(word, corner, alpha);
}

float CanvasPainter::shareOf(const Word &word) const {
  Id moment = cache.moment;
  if (state.showsOutcome || moment == none || word.since == none)
    return 1;
  if (word.since > moment)
    return 0;
  if (word.since <= cache.before || state.reducesMotion)
    return 1;
  double share = (now - cache.changedAt) / transition;
  return float(std::clamp(share, 0.0, 1.0));
}

const Moment *CanvasPainter::momentOf(const Word &word) const {
  if (state.showsOutcome || cache.moment == none)
    return nullptr;
  const Moment *last = nullptr;
  for (const Moment &moment : word.history)
    if (moment.event <= cache.moment)
      last = &moment;
  return last;
}

void CanvasPainter::paintChip(const Word &word, ImVec2 a, ImVec2 b, float shown,
                              float alpha) {
  const Moment *moment = momentOf(word);
  graph::Meaning meaning = moment ? moment->meaning : word.meaning;
  const Colors &accent = accents[int(meaning)];
  bool isSelected = word.value != none && (word.value == state.place.value ||
                                           word.value == cache.memref);
  Id told = moment ? moment->event : word.event;
  bool isNow = told != none && told == state.place.event;
  float rounding = hasText ? 3.f : 0.f;
  // What is not decided yet keeps its place, as an outline.
  list->AddRectFilled(a, b, faint(accent.fill, alpha * shown), rounding);
  if (hasText || isSelected || isNow)
    list->AddRect(a, b, faint(accent.line, alpha * (0.25f + 0.75f * shown)),
                  rounding, 0, isSelected ? 2.5f : 1.f);
  else if (shown > 0)
    list->AddRectFilled(a, {a.x + std::max(1.f, 3 * state.zoom), b.y},
                        faint(accent.line, alpha * shown));
  if (isNow) {
    float gap = 2 * std::max(0.5f, state.zoom);
    list->AddRect({a.x - gap, a.y - gap}, {b.x + gap, b.y + gap},
                  faint(words, alpha), rounding + 2, 0, 1.5f);
  }
}

void CanvasPainter::paintWord(const Word &word, graph::Point corner,
                              float alpha) {
  double x = corner.x + word.box.left, y = corner.y + word.box.top;
  ImVec2 a = at(x, y), b = at(x + word.box.width(), y + word.box.height());
  const std::string *letters = &word.text;
  ImU32 color = words;
  if (word.kind == WordKind::chip) {
    float shown = shareOf(word);
    float dimmed = word.faded ? alpha * 0.5f : alpha;
    paintChip(word, a, b, shown, dimmed);
    const Moment *moment = momentOf(word);
    if (moment)
      letters = &moment->text;
    const Colors &accent =
        accents[int(moment ? moment->meaning : word.meaning)];
    color =
        shown > 0.5f ? faint(accent.text, dimmed) : faint(dim, dimmed * 0.6f);
  } else if (word.kind == WordKind::label || word.kind == WordKind::note) {
    color = faint(dim, alpha);
  } else {
    if (word.meaning != graph::Meaning::plain)
      list->AddRectFilled(a, {a.x + 2 * state.zoom, b.y},
                          faint(accents[int(word.meaning)].line, alpha));
    if (word.op != none && word.op == state.place.op)
      list->AddRect(a, b, accents[int(graph::Meaning::ownedIf)].line, 3, 0,
                    1.5f);
    color = faint(words, alpha);
  }
  text(x + 4, y + 1.5, color, *letters);
}

//===--- What is under the mouse ------------------------------------------===//

static bool isIn(ImVec2 a, ImVec2 b, ImVec2 point) {
  return point.x >= a.x && point.y >= a.y && point.x < b.x && point.y < b.y;
}

/// Square of the distance to a piece of a curve, taken as short lines.
static float distanceTo(const ImVec2 (&p)[4], ImVec2 mouse) {
  float best = 1e9f;
  for (int k = 0; k <= 16; ++k) {
    float t = float(k) / 16, u = 1 - t;
    float w[4] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
    float x = 0, y = 0;
    for (int i = 0; i < 4; ++i) {
      x += w[i] * p[i].x;
      y += w[i] * p[i].y;
    }
    best = std::min(best, std::hypot(x - mouse.x, y - mouse.y));
  }
  return best;
}

Hit CanvasPainter::hitAt(ImVec2 mouse) const {
  Hit hit;
  auto look = [&](const Words &some, double x, double y) {
    for (const Word &word : some.words)
      if (hasChips && isIn(at(x + word.box.left, y + word.box.top),
                           at(x + word.box.right, y + word.box.bottom), mouse))
        hit.word = &word;
  };
  for (size_t i = 0; i < scene.layout.nodes.size(); ++i) {
    const graph::Box &box = scene.layout.nodes[i];
    if (!isIn(at(box.left, box.top), at(box.right, box.bottom), mouse))
      continue;
    hit.node = int(i);
    look(scene.nodes[i], box.left, box.top);
    return hit;
  }
  float nearest = 7;
  for (size_t i = 0; i < scene.layout.edges.size(); ++i) {
    const graph::Layout::Edge &place = scene.layout.edges[i];
    graph::Box box = scene.edgeBoxes[i];
    double slack = 8 / double(state.zoom);
    if (!isIn(at(box.left - slack, box.top - slack),
              at(box.right + slack, box.bottom + slack), mouse))
      continue;
    const Words &label = scene.edges[i];
    look(label, place.label.x - label.size.width / 2,
         place.label.y - label.size.height / 2);
    if (hit.word) {
      hit.edge = int(i);
      return hit;
    }
    for (size_t k = 0; k + 3 < place.curve.size(); k += 3) {
      ImVec2 points[4];
      for (size_t n = 0; n < 4; ++n)
        points[n] = at(place.curve[k + n].x, place.curve[k + n].y);
      float distance = distanceTo(points, mouse);
      if (distance < nearest) {
        nearest = distance;
        hit.edge = int(i);
      }
    }
  }
  for (size_t i = 0; i < scene.layout.clusters.size(); ++i) {
    graph::Point title = scene.layout.clusters[i].title;
    double half = double(scene.clusterTitles[i].size()) * charWidth / 2;
    if (isIn(at(title.x - half, title.y - lineHeight / 2),
             at(title.x + half, title.y + lineHeight / 2), mouse))
      hit.cluster = int(i);
  }
  return hit;
}

} // namespace memreflens::viewer
