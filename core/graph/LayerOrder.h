//===- core/graph/LayerOrder.h - order within layers, with few crossings --===//
//
// Items and the bends of long edges, layer by layer from left to right.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_LAYERORDER_H
#define MEMREFLENS_GRAPH_LAYERORDER_H

#include "core/graph/Layers.h"

namespace memreflens::graph {

/// What takes a place in a layer: an item, or the bend of a long edge.
struct Slot {
  int item = -1;
  int rank = 0;
};

/// A piece of an edge between two neighbouring layers.
struct Link {
  int upper = -1, lower = -1;
  int edge = -1;
};

struct LayerNet {
  std::vector<Slot> slots;
  std::vector<Link> links;
  /// Slots of each layer, from left to right.
  std::vector<std::vector<int>> layers;
  /// Links of each slot to the layer above and below it.
  std::vector<std::vector<int>> above, below;
  /// Links of each edge, from top to bottom.
  std::vector<std::vector<int>> linksOf;
};

/// Edges that take part are split; `isSplit` tells which.
LayerNet netOf(const LayerGraph &graph, const std::vector<int> &ranks,
               const std::vector<bool> &isSplit);

/// A bounded number of sweeps by barycenters; the best order is kept.
void orderLayers(const LayerGraph &graph, LayerNet &net);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_LAYERORDER_H
