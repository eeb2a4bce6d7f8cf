//===- viewer/canvas/CanvasPainter.h - draws what is in sight of a scene --===//

#ifndef MEMREFLENS_VIEWER_CANVAS_CANVASPAINTER_H
#define MEMREFLENS_VIEWER_CANVAS_CANVASPAINTER_H

#include "viewer/canvas/Letters.h"
#include "viewer/canvas/Scene.h"

#include "imgui/imgui.h"

namespace memreflens::viewer {

/// What the canvas remembers from frame to frame.
struct CanvasCache {
  uint64_t scene = 0;
  Id value = none;
  /// What one-shot-bufferize allocated for it, where it is a tensor.
  Id memref = none;
  /// Whether a node or edge has to do with the selected value.
  std::vector<bool> nodes, edges;
  /// By block: its last node.
  std::map<Id, size_t> nodeOfBlock;
  /// For the transition from one step to the next.
  Id moment = none, before = none;
  /// The selected block that was brought into sight.
  Id block = none;
  double changedAt = -10;
  bool glides = false;
  double glideBegan = -10;
  float fromX = 0, fromY = 0, toX = 0, toY = 0;
  /// What this frame drew.
  int drawnNodes = 0, drawnEdges = 0;

  void update(const Program &program, const Scene &scene,
              const ViewState &state);
};

/// What was clicked; all `none` or -1 if nothing was.
struct Hit {
  const Word *word = nullptr;
  int node = -1, edge = -1, cluster = -1;
};

inline bool isFullOf(const ImDrawList *list, int most) {
  return !(ImGui::GetIO().BackendFlags &
           ImGuiBackendFlags_RendererHasVtxOffset) &&
         list->VtxBuffer.Size > most;
}

class CanvasPainter {
public:
  CanvasPainter(const Program &program, const Scene &scene,
                const ViewState &state, CanvasCache &cache, ImVec2 origin,
                ImVec2 size);
  void paint();
  Hit hitAt(ImVec2 mouse) const;

private:
  ImVec2 at(double x, double y) const {
    return {origin.x + state.panX + float(x) * state.zoom,
            origin.y + state.panY + float(y) * state.zoom};
  }
  bool isVisible(const graph::Box &box) const;
  /// Whether no more than `most` vertices fit: old OpenGL numbers them with 16
  /// bits.
  bool isFull(int most) const { return isFullOf(list, most); }
  ImU32 faint(ImU32 color, float alpha) const;
  void text(double x, double y, ImU32 color, const std::string &words);
  void paintCluster(size_t i);
  void paintEdge(size_t i);
  void paintCurve(const graph::Layout::Edge &place, ImU32 color, float width);
  void paintNode(size_t i);
  void paintWords(const Words &words, graph::Point corner, float alpha);
  void paintWord(const Word &word, graph::Point corner, float alpha);
  void paintChip(const Word &word, ImVec2 a, ImVec2 b, float shown,
                 float alpha);
  /// 1: holds at this moment; 0: not yet; between: comes just now.
  float shareOf(const Word &word) const;
  const Moment *momentOf(const Word &word) const;
  bool touches(const std::vector<bool> &which, size_t i) const {
    return !state.focuses || which.empty() || which[i];
  }

  struct Colors {
    ImU32 line, fill, text;
  };
  const Program &program;
  const Scene &scene;
  const ViewState &state;
  CanvasCache &cache;
  ImDrawList *list;
  ImVec2 origin, size;
  Id block = none;
  double now;
  Letters fixed;
  bool hasText, hasChips;
  Colors accents[graph::meaningCount];
  ImU32 nodeFill, titleFill, clusterFill, clusterLine, line, words, dim;
};

/// A small picture of the whole in a corner; a drag in it moves the view. True
/// if the mouse is over it.
bool drawMinimap(const Scene &scene, ViewState &state, ImVec2 origin,
                 ImVec2 size, Id block);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_CANVAS_CANVASPAINTER_H
