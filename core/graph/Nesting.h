//===- core/graph/Nesting.h - a nested graph as one flat graph a level ----===//
//
// Each cluster is a level with a flat graph of its own: its nodes, its inner
// clusters as single items, the labels of its edges, and a port for each edge
// that crosses its border. So no box can overlap what is not inside it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_NESTING_H
#define MEMREFLENS_GRAPH_NESTING_H

#include "core/graph/Layers.h"

namespace memreflens::graph {

/// From an edge to its label, from a node to its loop, and from that to its
/// own.
inline constexpr double labelGap = 9, loopStep = 16, loopLabelGap = 6;

/// A piece of an edge: an edge of a level's flat graph.
struct Piece {
  int level = 0;
  int edge = 0;
};

/// Where an edge goes on past the border: in the level around, that edge leaves
/// or reaches the cluster at the port.
struct PortLink {
  int port = -1;
  int outerEdge = -1;
  bool leaves = false;
};

struct NestedEdge {
  /// From top to bottom.
  std::vector<Piece> pieces;
  /// Which level's item is its label; -1 if it has none.
  int labelLevel = -1, labelItem = -1;
  /// Runs upward: what is at its top is its end.
  bool isReversed = false;
  /// From a node to itself; drawn beside it.
  bool isLoop = false;
};

struct Nesting {
  /// Level 0 holds what is in no cluster, level i + 1 what is in cluster i.
  /// Sizes of clusters are still to be filled in.
  std::vector<LayerGraph> levels;
  /// Levels from the innermost to the outermost.
  std::vector<int> innermostFirst;
  std::vector<int> itemOfNode;
  /// In the level around the cluster; itemOfLevel[0] is unused.
  std::vector<int> itemOfLevel, parentLevel;
  /// Title of the level; -1 for level 0.
  std::vector<int> titleItem;
  std::vector<NestedEdge> edges;
  /// Of each level.
  std::vector<std::vector<PortLink>> ports;
};

Nesting nestingOf(const LayoutRequest &request);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_NESTING_H
