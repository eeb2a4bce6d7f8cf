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
constexpr double layerGap = 30, largestGap = 110, gapByTitle = 6;
constexpr double edgeStep = 22;

class Placer {
public:
  Placer(const LayerGraph &graph, LayerNet &net, const std::vector<int> &ranks)
      : graph(graph), net(net), ranks(ranks), left(net.slots.size()),
        upperX(net.links.size()), lowerX(net.links.size()) {}

  LayerPlaces place(const std::vector<bool> &isSplit) {
    weigh();
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
    double middle = middleOf(links, below ? pullOnUpper : pullOnLower);
    for (size_t i = 0; i < links.size(); ++i) {
      const Link &piece = net.links[size_t(links[i])];
      const LayerEdge &edge = graph.edges[size_t(piece.edge)];
      double fixed = below ? edge.fromX : edge.toX;
      x[size_t(links[i])] = item >= 0 && fixed >= 0
                                ? fixed
                                : width / 2 + (double(i) - middle) * step;
    }
  }

  /// Index of the link that goes on straight; else half way.
  static double middleOf(const std::vector<int> &links,
                         const std::vector<double> &pulls) {
    double middle = double(links.size() - 1) / 2;
    size_t strong = 0;
    for (size_t i = 0; i < links.size(); ++i)
      if (pulls[size_t(links[i])] >= 1) {
        middle = double(i);
        ++strong;
      }
    return strong == 1 ? middle : double(links.size() - 1) / 2;
  }

  //===--- How strongly links pull ---===//

  /// What goes on for many layers pulls its neighbours, not a side branch; else
  /// a long chain with a stub at each block would lean like a staircase.
  void weigh() {
    std::vector<int> down(net.slots.size()), up(net.slots.size());
    for (const std::vector<int> &layer : net.layers)
      for (int slot : layer)
        for (int link : net.above[size_t(slot)])
          up[size_t(slot)] = std::max(
              up[size_t(slot)], up[size_t(net.links[size_t(link)].upper)] + 1);
    for (auto it = net.layers.rbegin(); it != net.layers.rend(); ++it)
      for (int slot : *it)
        for (int link : net.below[size_t(slot)])
          down[size_t(slot)] =
              std::max(down[size_t(slot)],
                       down[size_t(net.links[size_t(link)].lower)] + 1);
    importance.assign(net.slots.size(), 1);
    for (const std::vector<int> &layer : net.layers) {
      int longest = 0;
      for (int slot : layer)
        longest = std::max(longest, up[size_t(slot)] + down[size_t(slot)]);
      for (int slot : layer)
        if (up[size_t(slot)] + down[size_t(slot)] + 3 < longest)
          importance[size_t(slot)] = 0.01;
    }
    for (const Link &link : net.links) {
      int below = down[size_t(link.lower)] + 1;
      int above = up[size_t(link.upper)] + 1;
      double pull = isBend(link.upper) || isBend(link.lower) ? 4 : 1;
      bool isSideBelow = 2 * below + 2 < down[size_t(link.upper)];
      bool isSideAbove = 2 * above + 2 < up[size_t(link.lower)];
      pullOnUpper.push_back(isSideBelow ? 0.01 : pull);
      pullOnLower.push_back(isSideAbove ? 0.01 : pull);
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
    std::vector<std::vector<int>> layers = net.layers;
    if (!layers.empty() && !layers[0].empty() && isTitle(layers[0][0]))
      layers[0].erase(layers[0].begin());
    size_t count = layers.size();
    int rounds = net.slots.size() > 20000 ? 8 : 24;
    for (int round = 0; round < rounds; ++round) {
      bool isLate = round >= rounds - 4;
      for (size_t i = 0; i < count; ++i)
        align(layers[round % 2 == 0 ? i : count - 1 - i],
              /*above=*/isLate || round % 2 == 0,
              /*below=*/isLate || round % 2 != 0);
    }
    double least = 0;
    bool isMet = false;
    for (size_t i = 0; i < left.size(); ++i) {
      if (isTitle(int(i)))
        continue;
      least = isMet ? std::min(least, left[i]) : left[i];
      isMet = true;
    }
    for (double &x : left)
      x -= least;
    placeTitle();
  }

  bool isTitle(int slot) const {
    int item = net.slots[size_t(slot)].item;
    return item >= 0 && graph.items[size_t(item)].pin == Pin::title;
  }

  /// Left of the edges that come in through the top, or right of them where
  /// there is more room.
  void placeTitle() {
    double right = 0, firstPort = 0, lastPort = 0;
    int title = -1;
    bool hasPort = false;
    for (size_t i = 0; i < left.size(); ++i) {
      if (isTitle(int(i))) {
        title = int(i);
        continue;
      }
      right = std::max(right, left[i] + widthOf(int(i)));
      int item = net.slots[i].item;
      if (item < 0 || graph.items[size_t(item)].pin != Pin::first)
        continue;
      firstPort = hasPort ? std::min(firstPort, left[i]) : left[i];
      lastPort = std::max(lastPort, left[i] + widthOf(int(i)));
      hasPort = true;
    }
    if (title < 0)
      return;
    double width = widthOf(title) + gapByTitle;
    double lacksLeft = std::max(0.0, width - firstPort);
    double lacksRight = std::max(0.0, lastPort + width - right);
    left[size_t(title)] = 0;
    if (!hasPort || lacksLeft == 0)
      return;
    if (lacksRight < lacksLeft) {
      left[size_t(title)] = lastPort + gapByTitle;
      return;
    }
    for (double &x : left)
      x += lacksLeft;
    left[size_t(title)] = 0;
  }

  struct Wish {
    double left = 0, weight = 0;
  };

  Wish wishOf(int slot, bool above, bool below) const {
    Wish wish;
    auto add = [&](int link, bool isAbove) {
      const Link &piece = net.links[size_t(link)];
      auto at = size_t(link);
      double weight = isAbove ? pullOnLower[at] : pullOnUpper[at];
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
    return {wish.left / wish.weight, wish.weight * importance[size_t(slot)]};
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
      bool isTight = net.layers[i].size() == 1 && isTitle(net.layers[i][0]);
      bool isBorder = i + 1 < net.layers.size() && hasOnlyPorts(i + 1);
      for (int slot : net.layers[i]) {
        int item = net.slots[size_t(slot)].item;
        if (item >= 0)
          height = std::max(height, graph.items[size_t(item)].size.height);
      }
      tops.push_back(y);
      bottoms.push_back(y + height);
      isTight |= isBorder && widest[i] < 1;
      y += height + (isTight
                         ? gapByTitle
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
  std::vector<double> left, upperX, lowerX, pullOnUpper, pullOnLower,
      importance, tops, bottoms;
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
