//===- core/graph/Graphviz.h - Graphviz's library, kept in one place ------===//
//
// DOT text goes in, bytes or sizes come out; nothing is printed, no graph
// is kept. Graphviz has global state: a mutex lets one call in at a time.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_GRAPHVIZ_H
#define MEMREFLENS_GRAPH_GRAPHVIZ_H

#include "core/graph/Layout.h"

#include <map>
#include <string>

namespace memreflens::graph {

struct Rendering {
  std::string bytes;
  /// Empty if there are bytes.
  std::string error;
  /// What Graphviz warned of; "the picture was scaled to 40 dots an inch".
  std::string note;
};

struct RenderRequest {
  const std::string &dot;
  /// "dot", or "nop2" where the text holds all places.
  std::string engine;
  /// "svg", "png:cairo".
  std::string format;
};

Rendering render(const RenderRequest &request);

struct Measured {
  std::map<std::string, Size> sizes;
  std::string error;
};

/// Sizes of the nodes of a graph without edges, in which all have a place.
Measured measure(const std::string &dot);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_GRAPHVIZ_H
