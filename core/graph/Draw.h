//===- core/graph/Draw.h - a picture as an image --------------------------===//
//
//   Image image = draw(picture, {.theme = ThemeName::dark}, ImageFormat::svg);
//
// Never hangs: edges that make a layout slow become stubs, and places are
// computed here, in time that grows as the graph does. May be called from any
// thread; one image is drawn at a time.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_DRAW_H
#define MEMREFLENS_GRAPH_DRAW_H

#include "core/graph/Dot.h"
#include "core/graph/Layout.h"

namespace memreflens::graph {

enum class ImageFormat : uint8_t { dot, svg, png };

struct Image {
  std::string bytes;
  /// Empty if there are bytes.
  std::string error;
  /// "folded 4,000 blocks", "60 edges are drawn as stubs"; may be empty.
  std::string note;
};

Image draw(const Picture &picture, const DotOptions &options,
           ImageFormat format);

/// A picture with the place of everything in it, for a drawing of one's own.
struct Arranged {
  /// As it is drawn, with its stubs.
  Picture picture;
  LayoutRequest request;
  Layout layout;
  std::string error;
  std::string note;
};

Arranged arrange(const Picture &picture, const DotOptions &options);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_DRAW_H
