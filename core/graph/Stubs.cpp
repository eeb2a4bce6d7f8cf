//===- core/graph/Stubs.cpp - edges that would clutter a picture ----------===//
//
// First it is decided which edges are cut, then all are cut at once. A node
// whose cut edges are many at one end gets one stub there that counts them.
//
//===----------------------------------------------------------------------===//

#include "core/graph/Stubs.h"

#include "core/explain/Words.h"
#include "core/graph/Nesting.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace memreflens::graph {

namespace {

constexpr size_t namesInStub = 6, foldedNodes = 300;

class Stubber {
public:
  Stubber(Picture picture, const StubOptions &options)
      : picture(std::move(picture)), options(options),
        isCut(this->picture.edges.size()) {}

  Stubbed run() {
    cutHubs();
    for (int round = 0; round < 3 && cutLongest(); ++round)
      ;
    auto cut = size_t(std::count(isCut.begin(), isCut.end(), true));
    if (cut == 0)
      return {std::move(picture), ""};
    apply();
    return {std::move(picture), counted(cut, "edge") +
                                    (cut == 1 ? " is" : " are") +
                                    " drawn as stubs, \"to …\" and \"from …\""};
  }

private:
  //===--- Which ---===//

  void cutHubs() {
    std::vector<size_t> in(picture.nodes.size()), out(picture.nodes.size());
    for (const Edge &edge : picture.edges) {
      ++out[size_t(edge.from)];
      ++in[size_t(edge.to)];
    }
    for (size_t i = 0; i < picture.edges.size(); ++i) {
      const Edge &edge = picture.edges[i];
      isCut[i] = in[size_t(edge.to)] > options.hubLimit ||
                 out[size_t(edge.from)] > options.hubLimit;
    }
  }

  /// Layers that each edge crosses beyond the first, in all levels.
  std::vector<size_t> spans() const {
    LayoutRequest request;
    for (const Node &node : picture.nodes)
      request.nodes.push_back({{1, 1}, node.cluster});
    for (const Cluster &cluster : picture.clusters)
      request.clusters.push_back({cluster.parent, {1, 1}});
    std::vector<size_t> edgeOf;
    for (size_t i = 0; i < picture.edges.size(); ++i) {
      const Edge &edge = picture.edges[i];
      bool hasLabel = !edge.label.empty() || !edge.chips.empty();
      if (isCut[i])
        continue;
      request.edges.push_back(
          {edge.from, edge.to, hasLabel ? Size{1, 1} : Size{}});
      edgeOf.push_back(i);
    }
    Nesting nest = nestingOf(request);
    std::vector<std::vector<int>> ranks;
    for (const LayerGraph &level : nest.levels)
      ranks.push_back(ranksOf(level));
    std::vector<size_t> out(picture.edges.size());
    for (size_t i = 0; i < nest.edges.size(); ++i)
      for (const Piece &piece : nest.edges[i].pieces) {
        auto level = size_t(piece.level);
        const LayerEdge &edge = nest.levels[level].edges[size_t(piece.edge)];
        out[edgeOf[i]] += size_t(ranks[level][size_t(edge.to)] -
                                 ranks[level][size_t(edge.from)]);
      }
    return out;
  }

  /// Cuts until the rest is in bounds; false if it is.
  bool cutLongest() {
    std::vector<size_t> span = spans();
    size_t budget = 200 + options.crossedPerElement *
                              (picture.nodes.size() + picture.edges.size());
    size_t sum = std::accumulate(span.begin(), span.end(), size_t(0));
    if (sum <= budget)
      return false;
    std::vector<size_t> longest(span.size());
    std::iota(longest.begin(), longest.end(), 0);
    std::stable_sort(longest.begin(), longest.end(),
                     [&](size_t a, size_t b) { return span[a] > span[b]; });
    for (size_t edge : longest) {
      // Half of what is allowed, since cutting moves other edges' ends apart.
      if (sum <= budget / 2 || span[edge] <= 3)
        break;
      sum -= span[edge];
      isCut[edge] = true;
    }
    return true;
  }

  //===--- Cutting ---===//

  void apply() {
    std::map<int, std::vector<size_t>> leaving, reaching;
    for (size_t i = 0; i < isCut.size(); ++i)
      if (isCut[i]) {
        leaving[picture.edges[i].from].push_back(i);
        reaching[picture.edges[i].to].push_back(i);
      }
    std::vector<Edge> edges;
    std::set<int> counting;
    for (size_t i = 0; i < isCut.size(); ++i) {
      Edge edge = picture.edges[i];
      if (!isCut[i]) {
        edges.push_back(std::move(edge));
        continue;
      }
      int from = edge.from, to = edge.to;
      if (leaving[from].size() > options.hubLimit) {
        if (counting.insert(from).second)
          edges.push_back(
              bare(edge, from,
                   addStub(from, ".to", listed("to ", leaving[from], false)),
                   ".to"));
        edge.from = addStub(to, ".from." + edge.key, "from " + nameOf(from));
        edges.push_back(std::move(edge));
        continue;
      }
      edge.to = addStub(from, ".to." + edge.key, "to " + nameOf(to));
      Edge end = bare(edge, -1, to, ".end");
      edges.push_back(std::move(edge));
      if (!reached.insert(to).second)
        continue;
      end.from = addStub(to, ".from", listed("from ", reaching[to], true));
      edges.push_back(std::move(end));
    }
    picture.edges = std::move(edges);
  }

  /// An edge without what its other half says.
  static Edge bare(const Edge &edge, int from, int to,
                   std::string_view suffix) {
    Edge out;
    out.key = edge.key + std::string(suffix);
    out.from = from;
    out.to = to;
    out.kind = edge.kind;
    return out;
  }

  std::string nameOf(int node) const {
    return picture.nodes[size_t(node)].title;
  }

  /// "from 98 blocks: ^bb1, ^bb2, … +96".
  std::string listed(std::string_view word, const std::vector<size_t> &edges,
                     bool ofSources) const {
    std::vector<std::string> names;
    std::set<int> met;
    for (size_t index : edges) {
      const Edge &edge = picture.edges[index];
      int node = ofSources ? edge.from : edge.to;
      if (met.insert(node).second)
        names.push_back(nameOf(node));
    }
    std::string out(word);
    if (names.size() > 1)
      out += counted(names.size(), "block") + ": ";
    for (size_t i = 0; i < std::min(names.size(), namesInStub); ++i)
      out += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > namesInStub)
      out += ", … +" + std::to_string(names.size() - namesInStub);
    return out;
  }

  /// Beside the node, in its cluster.
  int addStub(int beside, std::string_view suffix, std::string title) {
    const Node &node = picture.nodes[size_t(beside)];
    Node stub;
    stub.key = node.key + std::string(suffix);
    stub.kind = NodeKind::stub;
    stub.title = std::move(title);
    stub.reachable = node.reachable;
    stub.cluster = node.cluster;
    picture.nodes.push_back(std::move(stub));
    return int(picture.nodes.size()) - 1;
  }

  Picture picture;
  const StubOptions &options;
  std::vector<bool> isCut;
  std::set<int> reached;
};

/// An overview: neighbours in the program's order become one node.
Picture folded(const Picture &picture) {
  size_t count = picture.nodes.size();
  size_t step = (count + foldedNodes - 1) / foldedNodes;
  Picture out;
  out.title = picture.title;
  out.subtitle = picture.subtitle;
  out.function = picture.function;
  for (size_t begin = 0; begin < count; begin += step) {
    size_t end = std::min(count, begin + step);
    Node node;
    node.key = "fold" + std::to_string(out.nodes.size());
    node.kind = NodeKind::folded;
    node.block = picture.nodes[begin].block;
    node.title =
        picture.nodes[begin].title + " … " + picture.nodes[end - 1].title;
    node.note = counted(end - begin, "block");
    out.nodes.push_back(std::move(node));
  }
  std::map<std::pair<size_t, size_t>, size_t> joined;
  for (const Edge &edge : picture.edges)
    ++joined[{size_t(edge.from) / step, size_t(edge.to) / step}];
  for (const auto &[ends, edges] : joined) {
    if (ends.first == ends.second)
      continue;
    Edge edge;
    edge.key =
        "fold" + std::to_string(ends.first) + "." + std::to_string(ends.second);
    edge.from = int(ends.first);
    edge.to = int(ends.second);
    edge.kind = ends.second < ends.first ? EdgeKind::back : EdgeKind::branch;
    if (edges > 1)
      edge.label = counted(edges, "edge");
    out.edges.push_back(std::move(edge));
  }
  return out;
}

/// Takes away the boxes of clusters past the depth; true if there were any.
bool flatten(Picture &picture, int depthLimit) {
  std::vector<int> depth, standsFor;
  std::vector<Cluster> kept;
  for (size_t i = 0; i < picture.clusters.size(); ++i) {
    Cluster cluster = picture.clusters[i];
    bool isInner = cluster.parent >= 0;
    depth.push_back(isInner ? depth[size_t(cluster.parent)] + 1 : 1);
    int parent = isInner ? standsFor[size_t(cluster.parent)] : -1;
    if (depth[i] > depthLimit) {
      standsFor.push_back(parent);
      continue;
    }
    standsFor.push_back(int(kept.size()));
    cluster.parent = parent;
    kept.push_back(std::move(cluster));
  }
  if (kept.size() == picture.clusters.size())
    return false;
  picture.clusters = std::move(kept);
  for (Node &node : picture.nodes)
    if (node.cluster >= 0)
      node.cluster = standsFor[size_t(node.cluster)];
  return true;
}

void append(std::string &note, const std::string &more) {
  if (!note.empty() && !more.empty())
    note += "; ";
  note += more;
}

} // namespace

Stubbed withStubs(Picture picture, const StubOptions &options) {
  std::string note;
  size_t count = picture.nodes.size();
  if (count > options.nodeLimit ||
      count + picture.edges.size() > options.elementLimit) {
    picture = folded(picture);
    note = "folded " + counted(count, "block") +
           " into an overview: too many to be drawn";
  }
  if (flatten(picture, options.depthLimit))
    append(note, "regions nested more than " +
                     std::to_string(options.depthLimit) +
                     " deep have no box of their own");
  Stubbed out = Stubber(std::move(picture), options).run();
  append(note, out.note);
  out.note = note;
  return out;
}

} // namespace memreflens::graph
