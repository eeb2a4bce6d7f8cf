//===- core/graph/Layout.h - where everything lies, as plain data ---------===//
//
// Positions of nodes, curves of edges and boxes of clusters, for any drawing.
// Points are of 1/72 inch; x goes right, y goes down, (0, 0) is the corner.
//
//   Layout layout = layOut(request);   // only again if the request changed
//
// Takes O(E log E) for what is laid out at one level, whatever the graph.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_LAYOUT_H
#define MEMREFLENS_GRAPH_LAYOUT_H

#include <compare>
#include <vector>

namespace memreflens::graph {

struct Size {
  double width = 0, height = 0;
  auto operator<=>(const Size &) const = default;
};

struct Point {
  double x = 0, y = 0;
  auto operator<=>(const Point &) const = default;
};

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
  Point center() const { return {(left + right) / 2, (top + bottom) / 2}; }
  auto operator<=>(const Box &) const = default;
};

struct LayoutRequest {
  struct Node {
    Size size;
    /// Index into `clusters`; -1 outside all.
    int cluster = -1;
    auto operator<=>(const Node &) const = default;
  };
  struct Edge {
    int from = -1, to = -1;
    Size label;
    auto operator<=>(const Edge &) const = default;
  };
  struct Cluster {
    /// Comes earlier in `clusters`; -1 outside all.
    int parent = -1;
    Size title;
    auto operator<=>(const Cluster &) const = default;
  };
  Size title;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Cluster> clusters;
  auto operator<=>(const LayoutRequest &) const = default;
};

struct Layout {
  struct Edge {
    /// A curve of cubic pieces: 3n + 1 points, from its tail to its arrow.
    std::vector<Point> curve;
    /// Where the arrow's point touches the node.
    Point tip;
    Point label;
  };
  struct Cluster {
    Box box;
    Point title;
  };
  Size size;
  Point title;
  std::vector<Box> nodes;
  std::vector<Edge> edges;
  std::vector<Cluster> clusters;
};

Layout layOut(const LayoutRequest &request);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_LAYOUT_H
