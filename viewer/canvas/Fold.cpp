//===- viewer/canvas/Fold.cpp - ops with regions as one node --------------===//

#include "viewer/canvas/Fold.h"

#include <map>

namespace memreflens::viewer {

namespace {
class Folder {
public:
  Folder(graph::Picture whole, const std::set<std::string> &keys)
      : whole(std::move(whole)), keys(keys) {}

  graph::Picture run() {
    made.title = whole.title;
    made.subtitle = whole.subtitle;
    made.function = whole.function;
    placeClusters();
    for (graph::Node &node : whole.nodes)
      placeNode(node);
    for (auto [cluster, node] : standIns) {
      size_t blocks = hidden[cluster];
      made.nodes[size_t(node)].note =
          std::to_string(blocks) + (blocks == 1 ? " block" : " blocks");
    }
    placeEdges();
    return std::move(made);
  }

private:
  /// Parents come first.
  void placeClusters() {
    for (size_t i = 0; i < whole.clusters.size(); ++i) {
      graph::Cluster cluster = whole.clusters[i];
      int parent = cluster.parent;
      int outer = parent < 0 ? -1 : foldedAt[size_t(parent)];
      bool isFolded = outer >= 0 || keys.contains(cluster.key);
      foldedAt.push_back(outer >= 0 ? outer : isFolded ? int(i) : -1);
      kept.push_back(-1);
      cluster.parent = parent < 0 ? -1 : kept[size_t(parent)];
      if (isFolded)
        continue;
      kept.back() = int(made.clusters.size());
      made.clusters.push_back(std::move(cluster));
    }
  }

  void placeNode(graph::Node &node) {
    int cluster = node.cluster;
    int inside = cluster < 0 ? -1 : foldedAt[size_t(cluster)];
    if (inside < 0) {
      node.cluster = cluster < 0 ? -1 : kept[size_t(cluster)];
      newNode.push_back(int(made.nodes.size()));
      made.nodes.push_back(std::move(node));
      return;
    }
    auto [at, isNew] = standIns.try_emplace(inside, int(made.nodes.size()));
    ++hidden[inside];
    newNode.push_back(at->second);
    if (!isNew)
      return;
    const graph::Cluster &of = whole.clusters[size_t(inside)];
    graph::Node standIn;
    standIn.key = of.key;
    standIn.kind = graph::NodeKind::folded;
    standIn.title = of.title;
    standIn.tooltip = of.tooltip;
    standIn.cluster = of.parent < 0 ? -1 : kept[size_t(of.parent)];
    made.nodes.push_back(std::move(standIn));
  }

  void placeEdges() {
    for (graph::Edge &edge : whole.edges) {
      edge.from = newNode[size_t(edge.from)];
      edge.to = newNode[size_t(edge.to)];
      bool isInside =
          edge.from == edge.to &&
          made.nodes[size_t(edge.from)].kind == graph::NodeKind::folded;
      if (!isInside)
        made.edges.push_back(std::move(edge));
    }
  }

  graph::Picture whole, made;
  const std::set<std::string> &keys;
  /// By cluster: the outermost folded one around it, and its new number.
  std::vector<int> foldedAt, kept;
  std::vector<int> newNode;
  std::map<int, int> standIns;
  std::map<int, size_t> hidden;
};
} // namespace

graph::Picture folded(graph::Picture picture,
                      const std::set<std::string> &clusters) {
  if (clusters.empty())
    return picture;
  return Folder(std::move(picture), clusters).run();
}

} // namespace memreflens::viewer
