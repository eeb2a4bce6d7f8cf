//===- viewer/canvas/Letters.cpp ------------------------------------------===//

#include "viewer/canvas/Letters.h"
#include "viewer/canvas/Theme.h"

#include <algorithm>
#include <cmath>

namespace memreflens::viewer {

Letters::Letters(float width, float height) : font(fontFor(height)) {
  // Hinting rounds widths; what was laid out must hold its text.
  float advance = font->GetCharAdvance('0') / font->FontSize;
  pixels = std::min(width / advance, height * 1.05f);
}

void Letters::draw(ImDrawList *list, ImVec2 corner, ImU32 color,
                   std::string_view words) const {
  list->AddText(font, pixels, corner, color, words.data(),
                words.data() + words.size());
  underline(list, corner, color, words);
}

/// A font that is made smaller loses its underscores, which are a pixel high.
void Letters::underline(ImDrawList *list, ImVec2 begin, ImU32 color,
                        std::string_view words) const {
  float share = pixels / font->FontSize;
  const ImFontGlyph *glyph = font->FindGlyph('_');
  if (share >= 1 || !glyph)
    return;
  float left = std::floor(begin.x) + glyph->X0 * share;
  float top = std::floor(std::floor(begin.y) + glyph->Y0 * share);
  float width = (glyph->X1 - glyph->X0) * share;
  int column = 0;
  for (char c : words) {
    if (c == '_') {
      float x = left + float(column) * glyph->AdvanceX * share;
      list->AddRectFilled({x, top}, {x + width, top + 1}, color);
    }
    // Bytes that continue a character take no room.
    column += (c & 0xC0) != 0x80;
  }
}

} // namespace memreflens::viewer
