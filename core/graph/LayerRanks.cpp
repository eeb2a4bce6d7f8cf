//===- core/graph/LayerRanks.cpp - which layer each item is in ------------===//
//
// By longest paths, in one pass down and one up.
//
//===----------------------------------------------------------------------===//

#include "core/graph/Layers.h"

#include <algorithm>

namespace memreflens::graph {

namespace {

struct Adjacent {
  std::vector<std::vector<int>> in, out;
  explicit Adjacent(const LayerGraph &graph)
      : in(graph.items.size()), out(graph.items.size()) {
    for (size_t i = 0; i < graph.edges.size(); ++i) {
      out[size_t(graph.edges[i].from)].push_back(int(i));
      in[size_t(graph.edges[i].to)].push_back(int(i));
    }
  }
};

std::vector<int> topologicalOrder(const LayerGraph &graph,
                                  const Adjacent &adjacent) {
  std::vector<size_t> waiting(graph.items.size());
  std::vector<int> order;
  for (size_t i = 0; i < graph.items.size(); ++i) {
    waiting[i] = adjacent.in[i].size();
    if (waiting[i] == 0)
      order.push_back(int(i));
  }
  for (size_t i = 0; i < order.size(); ++i)
    for (int edge : adjacent.out[size_t(order[i])])
      if (--waiting[size_t(graph.edges[size_t(edge)].to)] == 0)
        order.push_back(graph.edges[size_t(edge)].to);
  return order;
}

bool isFirst(Pin pin) { return pin == Pin::first || pin == Pin::title; }

} // namespace

std::vector<int> ranksOf(const LayerGraph &graph) {
  Adjacent adjacent(graph);
  std::vector<int> order = topologicalOrder(graph, adjacent);
  bool hasFirst =
      std::any_of(graph.items.begin(), graph.items.end(),
                  [](const LayerItem &item) { return isFirst(item.pin); });
  std::vector<int> ranks(graph.items.size());
  int last = 0;
  for (int item : order) {
    int rank = hasFirst && !isFirst(graph.items[size_t(item)].pin) ? 1 : 0;
    for (int edge : adjacent.in[size_t(item)])
      rank = std::max(rank, ranks[size_t(graph.edges[size_t(edge)].from)] + 1);
    ranks[size_t(item)] = rank;
    last = std::max(last, rank);
  }
  // What leads to more than leads to it moves down to where it leads.
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    auto item = size_t(*it);
    Pin pin = graph.items[item].pin;
    if (pin == Pin::last)
      ranks[item] = last;
    if (pin != Pin::none ||
        adjacent.out[item].size() <= adjacent.in[item].size())
      continue;
    int least = last;
    for (int edge : adjacent.out[item])
      least = std::min(least, ranks[size_t(graph.edges[size_t(edge)].to)] - 1);
    ranks[item] = std::max(ranks[item], least);
  }
  return ranks;
}

} // namespace memreflens::graph
