//===- core/graph/Layers.h - one flat graph in layers ---------------------===//
//
// Items in horizontal layers, edges downward between them. Nested graphs are
// made of these, one for each cluster (LayeredLayout.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_LAYERS_H
#define MEMREFLENS_GRAPH_LAYERS_H

#include "core/graph/Layout.h"

#include <cstddef>
#include <cstdint>

namespace memreflens::graph {

enum class Pin : uint8_t {
  none,
  title, ///< first layer, leftmost
  first, ///< first layer: an edge comes in through the top of the cluster
  last,  ///< last layer: an edge goes out through its bottom
};

struct LayerItem {
  Size size;
  Pin pin = Pin::none;
  /// Width along which edges may touch it, from its left.
  double edgeWidth = 0;
};

/// `x` of an end counts from the item's left; negative: anywhere along it.
struct LayerEdge {
  int from = -1, to = -1;
  double fromX = -1, toX = -1;
};

struct LayerGraph {
  std::vector<LayerItem> items;
  /// Acyclic.
  std::vector<LayerEdge> edges;
};

/// A straight piece downward.
struct Run {
  double x = 0, top = 0, bottom = 0;
};

struct LayerPlaces {
  Size size;
  std::vector<Box> items;
  /// Of each edge, from its upper to its lower item.
  std::vector<std::vector<Run>> runs;
};

/// Layers of the items; each edge leads at least one layer down.
std::vector<int> ranksOf(const LayerGraph &graph);

/// Edges past `bendBudget` layers in sum are drawn straight, over others.
LayerPlaces layOutLayers(const LayerGraph &graph, size_t bendBudget);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_LAYERS_H
