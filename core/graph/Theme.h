//===- core/graph/Theme.h - colours with one meaning each -----------------===//
//
// The palette of Okabe and Ito, which colour-blind readers can tell apart, for
// a light and a dark ground.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_THEME_H
#define MEMREFLENS_GRAPH_THEME_H

#include "core/graph/Picture.h"

namespace memreflens::graph {

enum class ThemeName : uint8_t { light, dark };

/// Colours as "#rrggbb".
struct Accent {
  std::string_view line; ///< frame of a chip, line of an edge
  std::string_view fill; ///< ground of a chip
  std::string_view text; ///< on `fill`; contrast at least 4.5 to 1
};

/// Colours of buffers in a picture of tensors; of more buffers they repeat.
inline constexpr int bufferColors = 8;

struct Theme {
  std::string_view ground, node, title, clusterLine, clusterFill;
  std::string_view line, text, dimText;
  Accent accents[meaningCount];
  Accent buffers[bufferColors];
  /// Why something is not in place.
  Accent reason;

  const Accent &of(Meaning meaning) const { return accents[int(meaning)]; }
  const Accent &ofBuffer(int number) const {
    return buffers[number % bufferColors];
  }
  /// Of buffers by what fills them (memory::MemoryUse::fills): the last colour
  /// is that of all others.
  const Accent &ofFill(size_t number) const {
    return buffers[number < bufferColors ? number : bufferColors - 1];
  }
};

const Theme &themeOf(ThemeName name);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_THEME_H
