//===- viewer/canvas/Letters.h - fixed-width words at any zoom ------------===//

#ifndef MEMREFLENS_VIEWER_CANVAS_LETTERS_H
#define MEMREFLENS_VIEWER_CANVAS_LETTERS_H

#include "imgui/imgui.h"

#include <string_view>

namespace memreflens::viewer {

/// The font for words that were laid out with characters of one width.
class Letters {
public:
  /// In pixels: what a character may take, and the height for which Dear ImGui
  /// gives characters of that width.
  Letters(float width, float height);

  /// `corner` is the upper left one.
  void draw(ImDrawList *list, ImVec2 corner, ImU32 color,
            std::string_view words) const;
  /// From the upper edge to the line that letters stand on.
  float ascent() const { return font->Ascent * pixels / font->FontSize; }
  float height() const { return pixels; }

private:
  void underline(ImDrawList *list, ImVec2 begin, ImU32 color,
                 std::string_view words) const;

  ImFont *font;
  float pixels;
};

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_CANVAS_LETTERS_H
