//===- core/graph/RegionFlow.h --------------------------------------------===//
//
// How control moves through an op's regions.
//
//   scf.while: before the op -> region 0; region 0 -> region 1 if "true", to
//   behind the op if "false"; region 1 -> region 0, "next iteration"
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_REGIONFLOW_H
#define MEMREFLENS_GRAPH_REGIONFLOW_H

#include "core/graph/Picture.h"

namespace memreflens::graph {

/// An end of an edge: a region of the op, or the block around it, before or
/// behind the op.
struct FlowPoint {
  static constexpr int before = -1, behind = -2;
  int region = before;
};

struct FlowEdge {
  FlowPoint from, to;
  EdgeKind kind = EdgeKind::enter;
  std::string label;
};

/// What the flow depends on.
struct RegionShape {
  std::string opName;
  /// By region.
  std::vector<bool> isEmpty;
  /// "else", "case 1": how the way into each is labelled.
  std::vector<std::string> words;
};

/// By the op's name; for ops that are not known, each region may be entered
/// from before the op or left out, gone through again, and left to behind it.
/// Empty regions have no edges.
std::vector<FlowEdge> flowOf(const RegionShape &shape);

/// Whether the flow of such ops is known, not assumed.
bool hasKnownFlow(const std::string &opName);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_REGIONFLOW_H
