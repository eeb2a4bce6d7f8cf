//===- core/graph/SvgPng.h - our own charts as bitmaps --------------------===//
//
// Takes the SVG that charts of ours are made of - rectangles, paths of straight
// lines, circles and words - and has Graphviz draw the same.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_SVGPNG_H
#define MEMREFLENS_GRAPH_SVGPNG_H

#include "core/graph/Draw.h"

namespace memreflens::graph {

Image pngOf(const std::string &svg);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_SVGPNG_H
