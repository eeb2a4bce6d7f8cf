//===- core/graph/LayerOrder.cpp - order within layers --------------------===//
//
// Crossings are counted with a Fenwick tree, so that a sweep costs
// O(links log slots) whatever the graph.
//
//===----------------------------------------------------------------------===//

#include "core/graph/LayerOrder.h"

#include <algorithm>
#include <numeric>

namespace memreflens::graph {

LayerNet netOf(const LayerGraph &graph, const std::vector<int> &ranks,
               const std::vector<bool> &isSplit) {
  LayerNet net;
  int last = 0;
  for (size_t i = 0; i < graph.items.size(); ++i) {
    net.slots.push_back({int(i), ranks[i]});
    last = std::max(last, ranks[i]);
  }
  net.linksOf.resize(graph.edges.size());
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    if (!isSplit[i])
      continue;
    const LayerEdge &edge = graph.edges[i];
    int upper = edge.from;
    for (int rank = ranks[size_t(edge.from)] + 1;
         rank <= ranks[size_t(edge.to)]; ++rank) {
      int lower = edge.to;
      if (rank < ranks[size_t(edge.to)]) {
        lower = int(net.slots.size());
        net.slots.push_back({-1, rank});
      }
      net.linksOf[i].push_back(int(net.links.size()));
      net.links.push_back({upper, lower, int(i)});
      upper = lower;
    }
  }
  net.above.resize(net.slots.size());
  net.below.resize(net.slots.size());
  for (size_t i = 0; i < net.links.size(); ++i) {
    net.below[size_t(net.links[i].upper)].push_back(int(i));
    net.above[size_t(net.links[i].lower)].push_back(int(i));
  }
  net.layers.resize(graph.items.empty() ? 0 : size_t(last) + 1);
  return net;
}

namespace {

/// Sweeps are cut where a level is large; a structured graph needs few.
constexpr size_t largeNet = 20000;

class Orderer {
public:
  Orderer(const LayerGraph &graph, LayerNet &net)
      : graph(graph), net(net), position(net.slots.size()) {}

  void run() {
    start();
    auto best = net.layers;
    size_t fewest = crossings();
    int sweeps = net.slots.size() > largeNet ? 4 : 12;
    for (int sweep = 0; sweep < sweeps && fewest > 0; ++sweep) {
      bool isDown = sweep % 2 == 0;
      for (size_t i = 0; i < net.layers.size(); ++i)
        orderLayer(isDown ? i : net.layers.size() - 1 - i, isDown);
      size_t count = crossings();
      if (count >= fewest)
        continue;
      fewest = count;
      best = net.layers;
    }
    net.layers = std::move(best);
  }

private:
  /// In the order in which a walk from the first items meets the slots.
  void start() {
    std::vector<bool> met(net.slots.size());
    std::vector<int> stack;
    for (size_t root = 0; root < net.slots.size(); ++root) {
      if (met[root] || !net.above[root].empty())
        continue;
      stack.push_back(int(root));
      while (!stack.empty()) {
        auto slot = size_t(stack.back());
        stack.pop_back();
        if (met[slot])
          continue;
        met[slot] = true;
        net.layers[size_t(net.slots[slot].rank)].push_back(int(slot));
        for (auto it = net.below[slot].rbegin(); it != net.below[slot].rend();
             ++it)
          stack.push_back(net.links[size_t(*it)].lower);
      }
    }
    for (size_t layer = 0; layer < net.layers.size(); ++layer)
      keepTitleLeft(net.layers[layer]);
    for (const std::vector<int> &layer : net.layers)
      number(layer);
  }

  void keepTitleLeft(std::vector<int> &layer) const {
    std::stable_partition(layer.begin(), layer.end(), [&](int slot) {
      int item = net.slots[size_t(slot)].item;
      return item >= 0 && graph.items[size_t(item)].pin == Pin::title;
    });
  }

  void number(const std::vector<int> &layer) {
    for (size_t i = 0; i < layer.size(); ++i)
      position[size_t(layer[i])] = double(i);
  }

  /// Mean place of the neighbours; the slot's own where it has none.
  double wish(int slot, bool fromAbove) const {
    const auto &links =
        fromAbove ? net.above[size_t(slot)] : net.below[size_t(slot)];
    if (links.empty())
      return position[size_t(slot)];
    double sum = 0;
    for (int link : links) {
      const Link &piece = net.links[size_t(link)];
      sum += position[size_t(fromAbove ? piece.upper : piece.lower)];
    }
    return sum / double(links.size());
  }

  void orderLayer(size_t index, bool fromAbove) {
    std::vector<int> &layer = net.layers[index];
    std::vector<std::pair<double, int>> wishes;
    wishes.reserve(layer.size());
    for (int slot : layer)
      wishes.push_back({wish(slot, fromAbove), slot});
    std::stable_sort(
        wishes.begin(), wishes.end(),
        [](const auto &a, const auto &b) { return a.first < b.first; });
    for (size_t i = 0; i < layer.size(); ++i)
      layer[i] = wishes[i].second;
    keepTitleLeft(layer);
    number(layer);
  }

  size_t crossings() const {
    size_t sum = 0;
    std::vector<size_t> tree;
    std::vector<size_t> ends;
    for (size_t i = 0; i + 1 < net.layers.size(); ++i) {
      tree.assign(net.layers[i + 1].size() + 1, 0);
      size_t seen = 0;
      for (int slot : net.layers[i]) {
        ends.clear();
        for (int link : net.below[size_t(slot)])
          ends.push_back(
              size_t(position[size_t(net.links[size_t(link)].lower)]));
        for (size_t end : ends)
          sum += seen - countUpTo(tree, end);
        for (size_t end : ends)
          add(tree, end);
        seen += ends.size();
      }
    }
    return sum;
  }

  static size_t countUpTo(const std::vector<size_t> &tree, size_t index) {
    size_t sum = 0;
    for (size_t i = index + 1; i > 0; i &= i - 1)
      sum += tree[i];
    return sum;
  }
  static void add(std::vector<size_t> &tree, size_t index) {
    for (size_t i = index + 1; i < tree.size(); i += i & (~i + 1))
      ++tree[i];
  }

  const LayerGraph &graph;
  LayerNet &net;
  std::vector<double> position;
};

} // namespace

void orderLayers(const LayerGraph &graph, LayerNet &net) {
  Orderer(graph, net).run();
}

} // namespace memreflens::graph
