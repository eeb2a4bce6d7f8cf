//===- viewer/canvas/Theme.h - colours and fonts of the window ------------===//
//
// The accents are those of the exports (core/graph/Theme.h).
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_CANVAS_THEME_H
#define MEMREFLENS_VIEWER_CANVAS_THEME_H

#include "core/graph/Theme.h"

#include "imgui/imgui.h"

#include <string>

namespace memreflens::viewer {

/// `scale`: pixels per point of the display.
void applyTheme(graph::ThemeName theme, float scale = 1);

/// A fixed-width font of the system; $MEMREF_LENS_FONT names another one.
/// Empty if there is none: Dear ImGui's own is then used.
std::string monospaceFont();
/// Before the first frame.
void loadFonts(const std::string &file, float scale);
/// For sentences; the fixed-width one where no other was found beside it.
ImFont *proseFont();
/// The loaded fixed-width font whose letters are sharpest at this height.
ImFont *fontFor(float pixels);
/// "#rrggbb" as a colour.
ImU32 colorOf(std::string_view hex, float alpha = 1);
/// Pixels per point, from the height of the text.
float uiScale();

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_CANVAS_THEME_H
