//===- tests/graph/GraphFamilies.h - graphs of many shapes ----------------===//
//
// The two families whose times are promised, and shapes that would break a
// layout: nests, switches, random and dense graphs, lonely nodes.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TESTS_GRAPH_GRAPHFAMILIES_H
#define MEMREFLENS_TESTS_GRAPH_GRAPHFAMILIES_H

#include "core/graph/Picture.h"

#include <random>

namespace memreflens::graph {

inline Node blockNode(int index, int cluster = -1) {
  Node node;
  node.key = "b" + std::to_string(index);
  node.title = "^bb" + std::to_string(index);
  node.block = index;
  node.cluster = cluster;
  node.lines.push_back(
      {"%a = memref.alloc() : memref<16xf32>", "", Meaning::allocated, index});
  node.bottom.push_back({RowKind::ownership,
                         "ownership",
                         {{Meaning::owned, "● %a", "owned", 1, 2},
                          {Meaning::borrowed, "○ %b", "not owned", 3, 4}}});
  return node;
}

inline void addEdge(Picture &picture, int from, int to,
                    std::string label = "") {
  Edge edge;
  edge.key = "e" + std::to_string(picture.edges.size());
  edge.from = from;
  edge.to = to;
  edge.label = std::move(label);
  picture.edges.push_back(std::move(edge));
}

inline Picture blocks(int count) {
  Picture picture;
  picture.title = "@function";
  picture.subtitle = "public";
  for (int i = 0; i < count; ++i)
    picture.nodes.push_back(blockNode(i));
  return picture;
}

/// Each block goes on or to one common exit.
inline Picture ladder(int count) {
  Picture picture = blocks(count);
  for (int i = 0; i + 1 < count; ++i) {
    if (i + 2 < count)
      addEdge(picture, i, i + 1, "true");
    addEdge(picture, i, count - 1, "false");
  }
  return picture;
}

/// if, then, else, join; and again.
inline Picture diamonds(int count) {
  Picture picture = blocks(count);
  for (int i = 0; i + 3 < count; i += 4) {
    addEdge(picture, i, i + 1, "true");
    addEdge(picture, i, i + 2, "false");
    addEdge(picture, i + 1, i + 3);
    addEdge(picture, i + 2, i + 3);
    if (i + 4 < count)
      addEdge(picture, i + 3, i + 4);
  }
  return picture;
}

inline Picture randomGraph(int count, int edges, unsigned seed) {
  Picture picture = blocks(count);
  std::mt19937 random(seed);
  for (int i = 0; i < edges; ++i) {
    int from = int(random() % unsigned(count));
    int to = int(random() % unsigned(count));
    addEdge(picture, from, to, i % 2 ? "true" : "");
  }
  return picture;
}

/// Loops in loops, each with a block before and after.
inline Picture nest(int depth) {
  Picture picture = blocks(0);
  int cluster = -1;
  for (int i = 0; i < depth; ++i) {
    picture.nodes.push_back(blockNode(2 * i, cluster));
    picture.nodes.push_back(blockNode(2 * i + 1, cluster));
    picture.clusters.push_back({"c" + std::to_string(i), cluster, i,
                                "scf.for %i = %low to %high", "a loop"});
    cluster = i;
  }
  picture.nodes.push_back(blockNode(2 * depth, cluster));
  for (int i = 0; i < depth; ++i) {
    int first = 2 * i + 2, last = i + 1 < depth ? 2 * i + 3 : 2 * depth;
    addEdge(picture, 2 * i, first, "enter");
    addEdge(picture, last, 2 * i + 1, "leave");
    addEdge(picture, last, first, "next");
    addEdge(picture, 2 * i, 2 * i + 1, "skip");
  }
  return picture;
}

inline Picture fan(int targets) {
  Picture picture = blocks(targets + 1);
  for (int i = 1; i <= targets; ++i)
    addEdge(picture, 0, i, "case");
  return picture;
}

/// Clusters with random parents, random nodes in them, random edges.
inline Picture randomNest(unsigned seed) {
  std::mt19937 random(seed);
  Picture picture = blocks(0);
  int clusters = int(random() % 12), nodes = 2 + int(random() % 40);
  for (int i = 0; i < clusters; ++i)
    picture.clusters.push_back({"c" + std::to_string(i),
                                int(random() % unsigned(i + 1)) - 1, i,
                                std::string(random() % 50, 'x'), ""});
  for (int i = 0; i < nodes; ++i)
    picture.nodes.push_back(
        blockNode(i, int(random() % unsigned(clusters + 1)) - 1));
  for (int i = 0; i < nodes * 2; ++i)
    addEdge(picture, int(random() % unsigned(nodes)),
            int(random() % unsigned(nodes)), i % 3 ? "" : "label");
  return picture;
}

} // namespace memreflens::graph

#endif // MEMREFLENS_TESTS_GRAPH_GRAPHFAMILIES_H
