//===- core/graph/Stubs.h - edges that would clutter a picture ------------===//
//
// Where one block has very many edges, or an edge is very long, its two ends
// get a small node each: "to ^exit" and "from 98 blocks: ^bb1, ^bb2, …".
// Nothing is lost: each edge still has its label and chips, at the end where it
// starts. Past a limit of nodes the picture is folded.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_STUBS_H
#define MEMREFLENS_GRAPH_STUBS_H

#include "core/graph/Picture.h"

namespace memreflens::graph {

struct StubOptions {
  /// Edges at one end of a node past which they become stubs.
  size_t hubLimit = 8;
  /// Layers that all edges may cross in sum, for each node and edge.
  size_t crossedPerElement = 12;
  /// Nodes, and nodes and edges in sum, past which a picture is folded.
  size_t nodeLimit = 20000;
  size_t elementLimit = 60000;
  /// Regions nested deeper have no box; Graphviz's parser has a limit.
  int depthLimit = 400;
};

struct Stubbed {
  Picture picture;
  /// "60 edges to ^exit are drawn as stubs"; empty if nothing changed.
  std::string note;
};

Stubbed withStubs(Picture picture, const StubOptions &options = {});

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_STUBS_H
