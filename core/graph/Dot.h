//===- core/graph/Dot.h - a picture as DOT --------------------------------===//
//
// Text for Graphviz 2.42 and later: one line an element, in the picture's
// order, so that two versions can be compared line by line. Ids and classes are
// those that the SVG bears.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_DOT_H
#define MEMREFLENS_GRAPH_DOT_H

#include "core/graph/Picture.h"
#include "core/graph/Theme.h"

namespace memreflens::graph {

struct Layout;

struct DotOptions {
  ThemeName theme = ThemeName::light;
  /// Value to emphasise; all that does not name it is dimmed. `none` for none.
  Id highlight = none;
  /// Its name, `%a`, by which lines of IR are found.
  std::string highlightName;
  bool legend = true;
};

/// With a layout, each element bears its place (for Graphviz's `nop2`).
std::string toDot(const Picture &picture, const DotOptions &options,
                  const Layout *layout = nullptr);

/// All labels as nodes without edges, to be measured: "n0" for a node, "e0" for
/// an edge's label, "c0" for a cluster's title, "title".
std::string toMeasuringDot(const Picture &picture, const DotOptions &options);

/// Class of a chip in the SVG: "allocated", "owned-if", ...
std::string_view classOf(Meaning meaning);
/// "boundary entry".
std::string_view classOf(NodeKind kind);
/// "branch".
std::string_view classOf(EdgeKind kind);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_DOT_H
