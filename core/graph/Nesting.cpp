//===- core/graph/Nesting.cpp - a nested graph as one flat graph a level --===//
//
// An edge is lifted to the innermost level that holds both its ends. There it
// is turned if it closes a cycle; then its pieces through the borders follow.
//
//===----------------------------------------------------------------------===//

#include "core/graph/Nesting.h"

#include <algorithm>
#include <numeric>

namespace memreflens::graph {

namespace {

constexpr double portWidth = 6;

class Nester {
public:
  explicit Nester(const LayoutRequest &request) : request(request) {}

  Nesting run() {
    addLevels();
    addItems();
    lift();
    turnBackEdges();
    for (size_t i = 0; i < request.edges.size(); ++i)
      if (!nest.edges[i].isLoop)
        addPieces(i);
    return std::move(nest);
  }

private:
  size_t levelOf(int node) const {
    return size_t(request.nodes[size_t(node)].cluster + 1);
  }

  void addLevels() {
    size_t count = request.clusters.size() + 1;
    nest.levels.resize(count);
    nest.parentLevel.assign(count, -1);
    nest.itemOfLevel.assign(count, -1);
    nest.titleItem.assign(count, -1);
    nest.ports.resize(count);
    depth.assign(count, 0);
    for (size_t i = 1; i < count; ++i) {
      nest.parentLevel[i] = request.clusters[i - 1].parent + 1;
      depth[i] = depth[size_t(nest.parentLevel[i])] + 1;
      nest.titleItem[i] = addItem(i, request.clusters[i - 1].title, Pin::title);
    }
    nest.innermostFirst.resize(count);
    std::iota(nest.innermostFirst.begin(), nest.innermostFirst.end(), 0);
    std::stable_sort(
        nest.innermostFirst.begin(), nest.innermostFirst.end(),
        [&](int a, int b) { return depth[size_t(a)] > depth[size_t(b)]; });
  }

  int addItem(size_t level, Size size, Pin pin = Pin::none) {
    std::vector<LayerItem> &items = nest.levels[level].items;
    items.push_back({size, pin, size.width});
    return int(items.size()) - 1;
  }

  int addEdge(size_t level, int from, int to) {
    std::vector<LayerEdge> &edges = nest.levels[level].edges;
    edges.push_back({from, to, -1, -1});
    return int(edges.size()) - 1;
  }

  /// Items in the order of the program: a cluster comes with its first node.
  void addItems() {
    for (size_t i = 0; i < request.nodes.size(); ++i) {
      size_t level = levelOf(int(i));
      addCluster(level);
      nest.itemOfNode.push_back(addItem(level, request.nodes[i].size));
    }
    for (size_t i = 1; i < nest.levels.size(); ++i)
      addCluster(i);
  }

  void addCluster(size_t level) {
    while (level > 0 && nest.itemOfLevel[level] < 0) {
      auto parent = size_t(nest.parentLevel[level]);
      nest.itemOfLevel[level] = addItem(parent, {});
      level = parent;
    }
  }

  struct Lifted {
    size_t level = 0;
    int from = -1, to = -1;
  };

  void lift() {
    nest.edges.resize(request.edges.size());
    lifted.resize(request.edges.size());
    for (size_t i = 0; i < request.edges.size(); ++i) {
      const LayoutRequest::Edge &edge = request.edges[i];
      if (edge.from == edge.to) {
        nest.edges[i].isLoop = true;
        addLoop(edge);
        continue;
      }
      size_t a = levelOf(edge.from), b = levelOf(edge.to);
      int from = nest.itemOfNode[size_t(edge.from)];
      int to = nest.itemOfNode[size_t(edge.to)];
      auto climb = [&](size_t &level, int &item) {
        item = nest.itemOfLevel[level];
        level = size_t(nest.parentLevel[level]);
      };
      while (depth[a] > depth[b])
        climb(a, from);
      while (depth[b] > depth[a])
        climb(b, to);
      while (a != b) {
        climb(a, from);
        climb(b, to);
      }
      lifted[i] = {a, from, to};
    }
  }

  void addLoop(const LayoutRequest::Edge &edge) {
    size_t level = levelOf(edge.from);
    LayerItem &item =
        nest.levels[level].items[size_t(nest.itemOfNode[size_t(edge.from)])];
    double label = edge.label.width > 0 ? edge.label.width + loopLabelGap : 0;
    item.size.width += loopStep + label;
    item.size.height = std::max(item.size.height, edge.label.height);
  }

  //===--- Cycles ---===//

  /// An edge to an item that the walk is still below of closes a cycle.
  void turnBackEdges() {
    std::vector<std::vector<std::vector<int>>> out(nest.levels.size());
    for (size_t i = 0; i < nest.levels.size(); ++i)
      out[i].resize(nest.levels[i].items.size());
    for (size_t i = 0; i < lifted.size(); ++i)
      if (!nest.edges[i].isLoop)
        out[lifted[i].level][size_t(lifted[i].from)].push_back(int(i));
    for (const auto &level : out)
      walk(level);
  }

  void walk(const std::vector<std::vector<int>> &out) {
    enum : uint8_t { unseen, open, done };
    std::vector<uint8_t> state(out.size(), unseen);
    struct Step {
      size_t item, next;
    };
    std::vector<Step> stack;
    for (size_t root = 0; root < out.size(); ++root) {
      if (state[root] != unseen)
        continue;
      state[root] = open;
      stack.push_back({root, 0});
      while (!stack.empty()) {
        Step &step = stack.back();
        if (step.next == out[step.item].size()) {
          state[step.item] = done;
          stack.pop_back();
          continue;
        }
        auto edge = size_t(out[step.item][step.next++]);
        auto to = size_t(lifted[edge].to);
        if (state[to] == open) {
          nest.edges[edge].isReversed = true;
        } else if (state[to] == unseen) {
          state[to] = open;
          stack.push_back({to, 0});
        }
      }
    }
  }

  //===--- Pieces ---===//

  void addPieces(size_t index) {
    NestedEdge &edge = nest.edges[index];
    const LayoutRequest::Edge &asked = request.edges[index];
    int upper = edge.isReversed ? asked.to : asked.from;
    int lower = edge.isReversed ? asked.from : asked.to;
    const Lifted &top = lifted[index];
    int from = addPorts(upper, top.level, Pin::last, edge.pieces);
    std::vector<Piece> down;
    int to = addPorts(lower, top.level, Pin::first, down);
    addMiddle(edge, top.level, from, to, asked.label);
    edge.pieces.insert(edge.pieces.end(), down.rbegin(), down.rend());
    linkPorts(edge.pieces);
  }

  void linkPorts(const std::vector<Piece> &pieces) {
    for (size_t i = 0; i + 1 < pieces.size(); ++i) {
      auto level = size_t(pieces[i].level), next = size_t(pieces[i + 1].level);
      if (depth[level] > depth[next]) {
        int port = nest.levels[level].edges[size_t(pieces[i].edge)].to;
        nest.ports[level].push_back({port, pieces[i + 1].edge, true});
      } else if (depth[level] < depth[next]) {
        int port = nest.levels[next].edges[size_t(pieces[i + 1].edge)].from;
        nest.ports[next].push_back({port, pieces[i].edge, false});
      }
    }
  }

  /// From a node out to `level`; returns the item there.
  int addPorts(int node, size_t level, Pin pin, std::vector<Piece> &pieces) {
    int item = nest.itemOfNode[size_t(node)];
    for (size_t at = levelOf(node); at != level;
         at = size_t(nest.parentLevel[at])) {
      int port = addItem(at, {portWidth, 0}, pin);
      int piece =
          pin == Pin::last ? addEdge(at, item, port) : addEdge(at, port, item);
      pieces.push_back({int(at), piece});
      item = nest.itemOfLevel[at];
    }
    return item;
  }

  void addMiddle(NestedEdge &edge, size_t level, int from, int to, Size label) {
    if (label.width <= 0) {
      edge.pieces.push_back({int(level), addEdge(level, from, to)});
      return;
    }
    // The line runs along the label's left side.
    int item = addItem(level, {label.width + labelGap, label.height});
    edge.labelLevel = int(level);
    edge.labelItem = item;
    int above = addEdge(level, from, item), below = addEdge(level, item, to);
    nest.levels[level].edges[size_t(above)].toX = 0;
    nest.levels[level].edges[size_t(below)].fromX = 0;
    edge.pieces.push_back({int(level), above});
    edge.pieces.push_back({int(level), below});
  }

  const LayoutRequest &request;
  Nesting nest;
  std::vector<int> depth;
  std::vector<Lifted> lifted;
};

} // namespace

Nesting nestingOf(const LayoutRequest &request) {
  return Nester(request).run();
}

} // namespace memreflens::graph
