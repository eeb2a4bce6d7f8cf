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

struct DotOptions {
  ThemeName theme = ThemeName::light;
  /// Value to emphasise; all that does not name it is dimmed. `none` for none.
  Id highlight = none;
  /// Its name, `%a`, by which lines of IR are found.
  std::string highlightName;
  bool legend = true;
};

std::string toDot(const Picture &picture, const DotOptions &options);

/// Class of a chip in the SVG: "allocated", "owned-if", ...
std::string_view classOf(Meaning meaning);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_DOT_H
