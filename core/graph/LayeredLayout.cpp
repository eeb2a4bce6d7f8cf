//===- core/graph/LayeredLayout.cpp - where everything lies ---------------===//
//
// Lays out the levels from the innermost outward, each cluster being one item
// of the level around it, then sums up the places from the outermost inward
// and joins the pieces of each edge to one curve.
//
//===----------------------------------------------------------------------===//

#include "core/graph/Nesting.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace memreflens::graph {

namespace {

constexpr double padding = 10, arrowLength = 7, margin = 4, componentGap = 36;
constexpr double titleGap = 14;
/// Bends of all edges of a level; a net of this size takes about a second.
constexpr size_t bendBudget = 200000;

class Arranger {
public:
  explicit Arranger(const LayoutRequest &request)
      : request(request), nest(nestingOf(request)), places(nest.levels.size()),
        origins(nest.levels.size()) {}

  Layout run() {
    for (int level : nest.innermostFirst)
      layOutLevel(size_t(level));
    for (auto it = nest.innermostFirst.rbegin();
         it != nest.innermostFirst.rend(); ++it)
      if (*it != 0)
        placeLevel(size_t(*it));
    Layout out;
    placeTitle(out);
    placeNodes(out);
    placeClusters(out);
    for (size_t i = 0; i < request.edges.size(); ++i)
      out.edges.push_back(nest.edges[i].isLoop ? loopOf(i, out) : curveOf(i));
    return out;
  }

private:
  //===--- Levels ---===//

  void layOutLevel(size_t level) {
    LayerGraph &graph = nest.levels[level];
    places[level] =
        level == 0 ? layOutComponents(graph) : layOutLayers(graph, bendBudget);
    if (level == 0)
      return;
    // Now the size of the cluster and the places of its ports are known.
    auto parent = size_t(nest.parentLevel[level]);
    int item = nest.itemOfLevel[level];
    Size size{places[level].size.width + 2 * padding,
              places[level].size.height + 2 * padding};
    LayerItem &box = nest.levels[parent].items[size_t(item)];
    box.size = size;
    box.edgeWidth = size.width;
    for (const PortLink &link : nest.ports[level]) {
      const Box &port = places[level].items[size_t(link.port)];
      LayerEdge &edge = nest.levels[parent].edges[size_t(link.outerEdge)];
      (link.leaves ? edge.fromX : edge.toX) = port.center().x + padding;
    }
  }

  /// Parts of the function that no edge joins stand side by side, in rows.
  LayerPlaces layOutComponents(const LayerGraph &graph) {
    std::vector<int> component = componentsOf(graph);
    int count = 0;
    for (int index : component)
      count = std::max(count, index + 1);
    if (count <= 1)
      return layOutLayers(graph, bendBudget);
    std::vector<LayerGraph> parts(static_cast<size_t>(count));
    std::vector<int> itemIn(graph.items.size());
    std::vector<int> edgeIn(graph.edges.size());
    for (size_t i = 0; i < graph.items.size(); ++i) {
      LayerGraph &part = parts[size_t(component[i])];
      itemIn[i] = int(part.items.size());
      part.items.push_back(graph.items[i]);
    }
    for (size_t i = 0; i < graph.edges.size(); ++i) {
      LayerEdge edge = graph.edges[i];
      LayerGraph &part = parts[size_t(component[size_t(edge.from)])];
      edge.from = itemIn[size_t(edge.from)];
      edge.to = itemIn[size_t(edge.to)];
      edgeIn[i] = int(part.edges.size());
      part.edges.push_back(edge);
    }
    std::vector<LayerPlaces> laid;
    for (const LayerGraph &part : parts)
      laid.push_back(layOutLayers(part, bendBudget));
    LayerPlaces all;
    std::vector<Point> corners = pack(laid, all.size);
    for (size_t i = 0; i < graph.items.size(); ++i) {
      auto part = size_t(component[i]);
      Box box = laid[part].items[size_t(itemIn[i])];
      all.items.push_back(
          {box.left + corners[part].x, box.top + corners[part].y,
           box.right + corners[part].x, box.bottom + corners[part].y});
    }
    for (size_t i = 0; i < graph.edges.size(); ++i) {
      auto part = size_t(component[size_t(graph.edges[i].from)]);
      std::vector<Run> runs = laid[part].runs[size_t(edgeIn[i])];
      for (Run &run : runs)
        run = {run.x + corners[part].x, run.top + corners[part].y,
               run.bottom + corners[part].y};
      all.runs.push_back(std::move(runs));
    }
    return all;
  }

  static std::vector<int> componentsOf(const LayerGraph &graph) {
    std::vector<int> parent(graph.items.size());
    std::iota(parent.begin(), parent.end(), 0);
    auto rootOf = [&](int item) {
      while (parent[size_t(item)] != item)
        item = parent[size_t(item)] = parent[size_t(parent[size_t(item)])];
      return item;
    };
    for (const LayerEdge &edge : graph.edges) {
      int a = rootOf(edge.from), b = rootOf(edge.to);
      parent[size_t(std::max(a, b))] = std::min(a, b);
    }
    std::vector<int> number(parent.size(), -1), out;
    int count = 0;
    for (size_t i = 0; i < parent.size(); ++i) {
      auto root = size_t(rootOf(int(i)));
      if (number[root] < 0)
        number[root] = count++;
      out.push_back(number[root]);
    }
    return out;
  }

  static std::vector<Point> pack(const std::vector<LayerPlaces> &parts,
                                 Size &size) {
    double widest = 0, area = 0;
    for (const LayerPlaces &part : parts) {
      widest = std::max(widest, part.size.width);
      area +=
          (part.size.width + componentGap) * (part.size.height + componentGap);
    }
    double limit = std::max(widest, std::sqrt(area) * 1.3);
    std::vector<Point> corners;
    double x = 0, y = 0, height = 0;
    for (const LayerPlaces &part : parts) {
      if (x > 0 && x + part.size.width > limit) {
        x = 0;
        y += height + componentGap;
        height = 0;
      }
      corners.push_back({x, y});
      x += part.size.width + componentGap;
      height = std::max(height, part.size.height);
      size.width = std::max(size.width, x - componentGap);
      size.height = std::max(size.height, y + height);
    }
    return corners;
  }

  /// Where the level's own corner lies in the picture.
  void placeLevel(size_t level) {
    auto parent = size_t(nest.parentLevel[level]);
    const Box &box = places[parent].items[size_t(nest.itemOfLevel[level])];
    origins[level] = {origins[parent].x + box.left + padding,
                      origins[parent].y + box.top + padding};
  }

  //===--- Nodes and clusters ---===//

  void placeTitle(Layout &out) {
    const Size &body = places[0].size;
    double top = request.title.height > 0 ? request.title.height + titleGap : 0;
    // A narrow picture stands in the middle below its title.
    double inset = std::max(0.0, request.title.width - body.width) / 2;
    for (Point &origin : origins) {
      origin.x += margin + std::min(inset, 60.0);
      origin.y += margin + top;
    }
    out.title = {margin + request.title.width / 2,
                 margin + request.title.height / 2};
    out.size = {
        std::max(request.title.width, body.width + std::min(inset, 60.0)) +
            2 * margin,
        body.height + top + 2 * margin};
  }

  Box placed(size_t level, int item) const {
    const Box &box = places[level].items[size_t(item)];
    const Point &origin = origins[level];
    return {box.left + origin.x, box.top + origin.y, box.right + origin.x,
            box.bottom + origin.y};
  }

  void placeNodes(Layout &out) const {
    for (size_t i = 0; i < request.nodes.size(); ++i) {
      const LayoutRequest::Node &node = request.nodes[i];
      Box box = placed(size_t(node.cluster + 1), nest.itemOfNode[i]);
      // Loops stand to the right of it, within the item.
      box.right = box.left + node.size.width;
      box.bottom = box.top + node.size.height;
      out.nodes.push_back(box);
    }
  }

  void placeClusters(Layout &out) const {
    for (size_t i = 0; i < request.clusters.size(); ++i) {
      Box box =
          placed(size_t(nest.parentLevel[i + 1]), nest.itemOfLevel[i + 1]);
      Box title = placed(i + 1, nest.titleItem[i + 1]);
      out.clusters.push_back({box, title.center()});
    }
  }

  //===--- Edges ---===//

  /// The runs of all pieces, one below the other.
  std::vector<Run> runsOf(const NestedEdge &edge) const {
    std::vector<Run> out;
    for (const Piece &piece : edge.pieces) {
      auto level = size_t(piece.level);
      const Point &origin = origins[level];
      for (const Run &run : places[level].runs[size_t(piece.edge)]) {
        Run next{run.x + origin.x, run.top + origin.y, run.bottom + origin.y};
        if (!out.empty() && std::abs(out.back().x - next.x) < 0.5)
          out.back().bottom = std::max(out.back().bottom, next.bottom);
        else
          out.push_back(next);
      }
    }
    return out;
  }

  Layout::Edge curveOf(size_t index) const {
    const NestedEdge &edge = nest.edges[index];
    std::vector<Run> runs = runsOf(edge);
    Layout::Edge out;
    Point tip = edge.isReversed ? Point{runs.front().x, runs.front().top}
                                : Point{runs.back().x, runs.back().bottom};
    out.tip = tip;
    if (edge.isReversed) {
      runs.front().top += arrowLength;
      runs.front().bottom = std::max(runs.front().bottom, runs.front().top);
    } else {
      runs.back().bottom -= arrowLength;
      runs.back().top = std::min(runs.back().top, runs.back().bottom);
    }
    out.curve = joinedCurve(runs);
    if (edge.isReversed)
      std::reverse(out.curve.begin(), out.curve.end());
    if (edge.labelItem >= 0) {
      Box label = placed(size_t(edge.labelLevel), edge.labelItem);
      out.label = {(label.left + labelGap + label.right) / 2, label.center().y};
    }
    return out;
  }

  static std::vector<Point> joinedCurve(const std::vector<Run> &runs) {
    std::vector<Point> curve{{runs.front().x, runs.front().top}};
    auto lineTo = [&](Point to) {
      Point from = curve.back();
      if (std::abs(from.y - to.y) < 0.01)
        return;
      curve.push_back({from.x, from.y + (to.y - from.y) / 3});
      curve.push_back({to.x, from.y + (to.y - from.y) * 2 / 3});
      curve.push_back(to);
    };
    for (size_t i = 0; i < runs.size(); ++i) {
      const Run &run = runs[i];
      if (i > 0) {
        // Leaves and arrives straight down.
        Point from = curve.back();
        double middle = (from.y + run.top) / 2;
        curve.push_back({from.x, middle});
        curve.push_back({run.x, middle});
        curve.push_back({run.x, run.top});
      }
      lineTo({run.x, run.bottom});
    }
    if (curve.size() == 1)
      curve.insert(curve.end(), 3, curve[0]);
    return curve;
  }

  /// Beside the node; further ones of the same node go further out.
  Layout::Edge loopOf(size_t index, const Layout &out) {
    const LayoutRequest::Edge &asked = request.edges[index];
    const Box &node = out.nodes[size_t(asked.from)];
    loops.resize(request.nodes.size());
    double &used = loops[size_t(asked.from)];
    double x = node.right + used + loopStep, y = node.center().y;
    double half = std::min(10.0, node.height() / 3);
    Layout::Edge edge;
    edge.tip = {node.right, y - half};
    edge.curve = {{node.right, y + half},
                  {x, y + half + 4},
                  {x, y - half - 2},
                  {node.right + arrowLength, y - half}};
    double label = asked.label.width > 0 ? asked.label.width + loopLabelGap : 0;
    edge.label = {x + loopLabelGap / 2 + asked.label.width / 2, y};
    used += loopStep + label;
    return edge;
  }

  const LayoutRequest &request;
  Nesting nest;
  std::vector<LayerPlaces> places;
  std::vector<Point> origins;
  std::vector<double> loops;
};

} // namespace

Layout layOut(const LayoutRequest &request) { return Arranger(request).run(); }

} // namespace memreflens::graph
