//===- core/graph/Layers.cpp - one flat graph in layers -------------------===//
//
// Ranks by longest paths, order by barycenters, places by least squares: each
// slot wishes to lie straight below its neighbours, and a layer's wishes are
// met as well as its order and distances allow.
//
//===----------------------------------------------------------------------===//

#include "core/graph/Layers.h"

#include "core/graph/LayerOrder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace memreflens::graph {

namespace {

constexpr double itemGap = 28, bendGap = 12, bendWidth = 4;
constexpr double layerGap = 30, largestGap = 110, titleGap = 6;
constexpr double edgeStep = 22;

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

namespace {

class Placer {
public:
  Placer(const LayerGraph &graph, LayerNet &net, const std::vector<int> &ranks)
      : graph(graph), net(net), ranks(ranks), left(net.slots.size()),
        upperX(net.links.size()), lowerX(net.links.size()) {}

  LayerPlaces place(const std::vector<bool> &isSplit) {
    spreadEnds();
    placeAcross();
    placeDown();
    LayerPlaces out;
    out.items.resize(graph.items.size());
    double width = 0;
    for (size_t i = 0; i < graph.items.size(); ++i) {
      const Size &size = graph.items[i].size;
      double top = tops[size_t(ranks[i])];
      out.items[i] = {left[i], top, left[i] + size.width, top + size.height};
    }
    for (size_t i = 0; i < net.slots.size(); ++i)
      width = std::max(width, left[i] + widthOf(int(i)));
    out.size = {width, bottoms.empty() ? 0 : bottoms.back()};
    out.runs.resize(graph.edges.size());
    for (size_t i = 0; i < graph.edges.size(); ++i)
      out.runs[i] = isSplit[i] ? runsOf(i) : straightRuns(i, out);
    return out;
  }

private:
  double widthOf(int slot) const {
    int item = net.slots[size_t(slot)].item;
    return item < 0 ? bendWidth : graph.items[size_t(item)].size.width;
  }
  bool isBend(int slot) const { return net.slots[size_t(slot)].item < 0; }

  //===--- Where edges touch items ---===//

  void spreadEnds() {
    std::vector<int> position(net.slots.size());
    for (const std::vector<int> &layer : net.layers)
      for (size_t i = 0; i < layer.size(); ++i)
        position[size_t(layer[i])] = int(i);
    for (size_t slot = 0; slot < net.slots.size(); ++slot) {
      spread(int(slot), net.below[slot], position, /*below=*/true);
      spread(int(slot), net.above[slot], position, /*below=*/false);
    }
  }

  void spread(int slot, std::vector<int> links,
              const std::vector<int> &position, bool below) {
    std::vector<double> &x = below ? upperX : lowerX;
    auto other = [&](int link) {
      const Link &piece = net.links[size_t(link)];
      return position[size_t(below ? piece.lower : piece.upper)];
    };
    std::stable_sort(links.begin(), links.end(),
                     [&](int a, int b) { return other(a) < other(b); });
    int item = net.slots[size_t(slot)].item;
    double width = item < 0 ? bendWidth : graph.items[size_t(item)].edgeWidth;
    double step = std::min(edgeStep, std::max(0.0, width - 16) /
                                         double(links.size() + 1));
    for (size_t i = 0; i < links.size(); ++i) {
      const Link &piece = net.links[size_t(links[i])];
      const LayerEdge &edge = graph.edges[size_t(piece.edge)];
      double fixed = below ? edge.fromX : edge.toX;
      x[size_t(links[i])] =
          item >= 0 && fixed >= 0
              ? fixed
              : width / 2 + (double(i) - double(links.size() - 1) / 2) * step;
    }
  }

  //===--- Across ---===//

  double gap(int a, int b) const {
    if (isBend(a) && isBend(b))
      return bendGap;
    return isBend(a) || isBend(b) ? (itemGap + bendGap) / 2 : itemGap;
  }

  void placeAcross() {
    for (const std::vector<int> &layer : net.layers) {
      double x = 0;
      for (size_t i = 0; i < layer.size(); ++i) {
        left[size_t(layer[i])] = x;
        x += widthOf(layer[i]) +
             (i + 1 < layer.size() ? gap(layer[i], layer[i + 1]) : 0);
      }
    }
    size_t count = net.layers.size();
    int rounds = net.slots.size() > 20000 ? 8 : 24;
    for (int round = 0; round < rounds; ++round) {
      bool isLate = round >= rounds - 4;
      for (size_t i = 0; i < count; ++i)
        align(net.layers[round % 2 == 0 ? i : count - 1 - i],
              /*above=*/isLate || round % 2 == 0,
              /*below=*/isLate || round % 2 != 0);
    }
    double least = 0;
    for (size_t i = 0; i < left.size(); ++i)
      least = i == 0 ? left[i] : std::min(least, left[i]);
    for (double &x : left)
      x -= least;
    for (size_t i = 0; i < graph.items.size(); ++i)
      if (graph.items[i].pin == Pin::title)
        left[i] = 0;
  }

  struct Wish {
    double left = 0, weight = 0;
  };

  Wish wishOf(int slot, bool above, bool below) const {
    Wish wish;
    auto add = [&](int link, bool isAbove) {
      const Link &piece = net.links[size_t(link)];
      auto at = size_t(link);
      bool isStraight = isBend(piece.upper) || isBend(piece.lower);
      double weight = isStraight ? 4 : 1;
      double x = isAbove ? left[size_t(piece.upper)] + upperX[at] - lowerX[at]
                         : left[size_t(piece.lower)] + lowerX[at] - upperX[at];
      wish.left += weight * x;
      wish.weight += weight;
    };
    if (above)
      for (int link : net.above[size_t(slot)])
        add(link, true);
    if (below)
      for (int link : net.below[size_t(slot)])
        add(link, false);
    if (wish.weight == 0)
      return {left[size_t(slot)], 0.01};
    return {wish.left / wish.weight, wish.weight};
  }

  /// The nearest places to the wishes that keep order and distances, by
  /// pooling neighbours that would overlap.
  void align(const std::vector<int> &layer, bool above, bool below) {
    struct Pool {
      double sum, weight;
      size_t end;
      double value() const { return sum / weight; }
    };
    std::vector<Pool> pools;
    std::vector<double> shift(layer.size());
    for (size_t i = 0; i < layer.size(); ++i) {
      if (i > 0)
        shift[i] =
            shift[i - 1] + widthOf(layer[i - 1]) + gap(layer[i - 1], layer[i]);
      Wish wish = wishOf(layer[i], above, below);
      pools.push_back(
          {(wish.left - shift[i]) * wish.weight, wish.weight, i + 1});
      while (pools.size() > 1 &&
             pools[pools.size() - 2].value() > pools.back().value()) {
        Pool last = pools.back();
        pools.pop_back();
        pools.back().sum += last.sum;
        pools.back().weight += last.weight;
        pools.back().end = last.end;
      }
    }
    size_t i = 0;
    for (const Pool &pool : pools)
      for (; i < pool.end; ++i)
        left[size_t(layer[i])] = pool.value() + shift[i];
  }

  //===--- Down ---===//

  void placeDown() {
    std::vector<double> widest(net.layers.size());
    for (size_t i = 0; i < net.links.size(); ++i) {
      const Link &link = net.links[i];
      double across = left[size_t(link.upper)] + upperX[i] -
                      left[size_t(link.lower)] - lowerX[i];
      double &least = widest[size_t(net.slots[size_t(link.upper)].rank)];
      least = std::max(least, std::abs(across));
    }
    double y = 0;
    for (size_t i = 0; i < net.layers.size(); ++i) {
      double height = 0;
      bool isTitle = net.layers[i].size() == 1;
      bool isBorder = i + 1 < net.layers.size() && hasOnlyPorts(i + 1);
      for (int slot : net.layers[i]) {
        int item = net.slots[size_t(slot)].item;
        if (item >= 0)
          height = std::max(height, graph.items[size_t(item)].size.height);
        isTitle &= item >= 0 && graph.items[size_t(item)].pin == Pin::title;
      }
      tops.push_back(y);
      bottoms.push_back(y + height);
      bool isTight = isTitle || (isBorder && widest[i] < 1);
      y += height + (isTight
                         ? titleGap
                         : std::min(largestGap, layerGap + widest[i] * 0.05));
    }
  }

  bool hasOnlyPorts(size_t layer) const {
    return std::all_of(
        net.layers[layer].begin(), net.layers[layer].end(), [&](int slot) {
          int item = net.slots[size_t(slot)].item;
          return item >= 0 && graph.items[size_t(item)].pin == Pin::last;
        });
  }

  std::vector<Run> runsOf(size_t edge) const {
    std::vector<Run> runs;
    const std::vector<int> &links = net.linksOf[edge];
    for (size_t i = 0; i <= links.size(); ++i) {
      bool isStart = i == 0, isEnd = i == links.size();
      auto link = size_t(links[isEnd ? i - 1 : i]);
      int slot = isEnd ? net.links[link].lower : net.links[link].upper;
      auto rank = size_t(net.slots[size_t(slot)].rank);
      double x = left[size_t(slot)] + (isEnd ? lowerX[link] : upperX[link]);
      int item = net.slots[size_t(slot)].item;
      double top = tops[rank], bottom = bottoms[rank];
      if (isStart)
        top += graph.items[size_t(item)].size.height;
      if (isEnd)
        bottom = top;
      runs.push_back({x, top, bottom});
    }
    return runs;
  }

  std::vector<Run> straightRuns(size_t index, const LayerPlaces &out) const {
    const LayerEdge &edge = graph.edges[index];
    const Box &from = out.items[size_t(edge.from)];
    const Box &to = out.items[size_t(edge.to)];
    double fromX = edge.fromX >= 0 ? edge.fromX : from.width() / 2;
    double toX = edge.toX >= 0 ? edge.toX : to.width() / 2;
    return {{from.left + fromX, from.bottom, from.bottom},
            {to.left + toX, to.top, to.top}};
  }

  const LayerGraph &graph;
  LayerNet &net;
  const std::vector<int> &ranks;
  std::vector<double> left, upperX, lowerX, tops, bottoms;
};

} // namespace

LayerPlaces layOutLayers(const LayerGraph &graph, size_t bendBudget) {
  std::vector<int> ranks = ranksOf(graph);
  auto spanOf = [&](size_t edge) {
    return size_t(ranks[size_t(graph.edges[edge].to)] -
                  ranks[size_t(graph.edges[edge].from)]);
  };
  std::vector<size_t> shortest(graph.edges.size());
  std::iota(shortest.begin(), shortest.end(), 0);
  std::stable_sort(shortest.begin(), shortest.end(),
                   [&](size_t a, size_t b) { return spanOf(a) < spanOf(b); });
  std::vector<bool> isSplit(graph.edges.size());
  size_t bends = 0;
  for (size_t edge : shortest) {
    bends += spanOf(edge) - 1;
    isSplit[edge] = bends <= bendBudget;
  }
  LayerNet net = netOf(graph, ranks, isSplit);
  orderLayers(graph, net);
  return Placer(graph, net, ranks).place(isSplit);
}

} // namespace memreflens::graph
