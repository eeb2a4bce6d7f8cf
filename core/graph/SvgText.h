//===- core/graph/SvgText.h - Graphviz's SVG, made fit for a page ---------===//
//
// Chips, lines and nodes get ids, classes and `data-` attributes that a page
// can style and script; tooltips become `<title>` elements; fonts get
// fallbacks; nothing links to anywhere.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_SVGTEXT_H
#define MEMREFLENS_GRAPH_SVGTEXT_H

#include "core/graph/Dot.h"

namespace memreflens::graph {

/// One pass over the text.
std::string finishedSvg(const std::string &svg, const Picture &picture,
                        const DotOptions &options);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_SVGTEXT_H
