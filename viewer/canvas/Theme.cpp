//===- viewer/canvas/Theme.cpp - colours and fonts of the window ----------===//

#include "viewer/canvas/Theme.h"

#include "core/files/Shipped.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace memreflens::viewer {

ImU32 colorOf(std::string_view hex, float alpha) {
  unsigned value = 0;
  for (char c : hex.substr(1))
    value = value * 16 + unsigned(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  return IM_COL32(value >> 16 & 255, value >> 8 & 255, value & 255,
                  int(alpha * 255));
}

static constexpr float textHeight = 14;

static void applySizes(ImGuiStyle &style, float scale) {
  style = ImGuiStyle();
  style.WindowPadding = {6, 5};
  style.FramePadding = {5, 2};
  style.ItemSpacing = {6, 3};
  style.CellPadding = {5, 2};
  style.ScrollbarSize = 11;
  style.WindowRounding = 4;
  style.FrameRounding = style.ChildRounding = style.TabRounding = 3;
  style.PopupRounding = style.GrabRounding = style.ScrollbarRounding = 3;
  style.WindowBorderSize = style.ChildBorderSize = 1;
  style.IndentSpacing = 14;
  style.ScaleAllSizes(scale);
}

void applyTheme(graph::ThemeName name, float scale) {
  bool isDark = name == graph::ThemeName::dark;
  ImGuiStyle &style = ImGui::GetStyle();
  applySizes(style, scale);
  isDark ? ImGui::StyleColorsDark(&style) : ImGui::StyleColorsLight(&style);
  const graph::Theme &theme = graph::themeOf(name);
  auto set = [&](std::string_view hex, float alpha,
                 std::initializer_list<int> which) {
    for (int color : which)
      style.Colors[color] = ImGui::ColorConvertU32ToFloat4(colorOf(hex, alpha));
  };
  std::string_view accent = theme.of(graph::Meaning::owned).line;
  // Panels have no ground of their own: the cleared window is theirs, since
  // each layer costs a software renderer as much as all the letters.
  set(theme.ground, 0, {ImGuiCol_ChildBg});
  set(theme.title, 1,
      {ImGuiCol_WindowBg, ImGuiCol_MenuBarBg, ImGuiCol_TableHeaderBg,
       ImGuiCol_TitleBg, ImGuiCol_TitleBgActive, ImGuiCol_TitleBgCollapsed});
  set(theme.node, 1, {ImGuiCol_PopupBg});
  // A field must be seen on any ground.
  set(theme.clusterLine, isDark ? 0.3f : 0.22f, {ImGuiCol_FrameBg});
  set(theme.text, 1, {ImGuiCol_Text});
  set(theme.dimText, 1, {ImGuiCol_TextDisabled});
  set(theme.clusterLine, 0.5f,
      {ImGuiCol_Border, ImGuiCol_Separator, ImGuiCol_TableBorderStrong});
  set(theme.clusterLine, 0.25f, {ImGuiCol_TableBorderLight});
  set(theme.text, 0.03f, {ImGuiCol_TableRowBgAlt});
  set(theme.ground, 0, {ImGuiCol_ScrollbarBg, ImGuiCol_TableRowBg});
  set(theme.dimText, 0.35f, {ImGuiCol_ScrollbarGrab});
  set(theme.dimText, 0.6f,
      {ImGuiCol_ScrollbarGrabHovered, ImGuiCol_ScrollbarGrabActive});
  set(accent, 0.12f,
      {ImGuiCol_FrameBgHovered, ImGuiCol_Tab, ImGuiCol_TabUnfocused});
  set(accent, 0.16f, {ImGuiCol_Button});
  set(accent, 0.22f, {ImGuiCol_HeaderHovered, ImGuiCol_FrameBgActive});
  set(accent, 0.35f,
      {ImGuiCol_Header, ImGuiCol_ButtonHovered, ImGuiCol_TabHovered,
       ImGuiCol_TextSelectedBg});
  set(accent, 0.5f,
      {ImGuiCol_HeaderActive, ImGuiCol_TabActive, ImGuiCol_TabUnfocusedActive,
       ImGuiCol_SeparatorHovered});
  set(accent, 0.6f,
      {ImGuiCol_ButtonActive, ImGuiCol_SliderGrab, ImGuiCol_SeparatorActive});
  set(accent, 1,
      {ImGuiCol_CheckMark, ImGuiCol_SliderGrabActive, ImGuiCol_NavHighlight});
}

std::string monospaceFont() {
  if (const char *named = std::getenv("MEMREF_LENS_FONT"))
    return named;
  if (std::string file = shippedFile("fonts/DejaVuSansMono.ttf"); !file.empty())
    return file;
  // Where the distributions put them; the first has all signs of the chips.
  for (const char *file :
       {"/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
        "/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono.ttf",
        "/usr/share/fonts/TTF/DejaVuSansMono.ttf",
        "/usr/share/fonts/dejavu/DejaVuSansMono.ttf",
        "/usr/local/share/fonts/dejavu/DejaVuSansMono.ttf",
        "/usr/share/fonts/truetype/noto/NotoSansMono-Regular.ttf",
        "/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf"}) {
    std::error_code error;
    if (std::filesystem::exists(file, error))
      return file;
  }
  return "";
}

/// The font for prose that stands beside the fixed-width one; empty if none
/// does.
static std::string proseFileBeside(std::string file) {
  for (auto [fixed, prose] :
       {std::pair{"DejaVuSansMono", "DejaVuSans"},
        {"NotoSansMono-Regular", "NotoSans-Regular"},
        {"LiberationMono-Regular", "LiberationSans-Regular"}}) {
    size_t at = file.rfind(fixed);
    if (at != std::string::npos)
      return file.replace(at, std::string_view(fixed).size(), prose);
  }
  return "";
}

/// It is the last one, where there is one.
static bool hasProseFont = false;

void loadFonts(const std::string &file, float scale) {
  hasProseFont = false;
  ImFontAtlas *fonts = ImGui::GetIO().Fonts;
  // Latin, Greek, punctuation, sub- and superscripts, arrows, mathematics,
  // pictures of control characters, shapes, marks of chips.
  static const ImWchar ranges[] = {
      0x20,   0x17f,  0x370,  0x3ff,  0x2010, 0x209f, 0x2190, 0x22ff, 0x2400,
      0x2426, 0x2500, 0x25ff, 0x2700, 0x27ef, 0xfffd, 0xfffd, 0};
  std::error_code error;
  if (file.empty() || !std::filesystem::is_regular_file(file, error)) {
    ImFontConfig plain;
    plain.SizePixels = std::floor(13 * scale);
    fonts->AddFontDefault(&plain);
    return;
  }
  // The window's text first; the others keep a zoomed graph sharp.
  for (float height : {textHeight, 9.f, 11.5f, 18.f, 26.f}) {
    ImFontConfig config;
    config.OversampleH = height <= textHeight ? 2 : 1;
    config.PixelSnapH = true;
    fonts->AddFontFromFileTTF(file.c_str(), std::round(height * scale), &config,
                              ranges);
  }
  std::string prose = proseFileBeside(file);
  if (prose.empty() || !std::filesystem::is_regular_file(prose, error))
    return;
  ImFontConfig config;
  config.OversampleH = 2;
  config.PixelSnapH = true;
  fonts->AddFontFromFileTTF(prose.c_str(), std::round(textHeight * scale),
                            &config, ranges);
  hasProseFont = true;
}

ImFont *proseFont() {
  return hasProseFont ? ImGui::GetIO().Fonts->Fonts.back() : ImGui::GetFont();
}

ImFont *fontFor(float pixels) {
  ImFont *best = ImGui::GetFont();
  // Scaling down keeps letters sharper than scaling up.
  auto distance = [&](const ImFont *font) {
    return font->FontSize >= pixels - 0.5f ? font->FontSize - pixels
                                           : 2 * (pixels - font->FontSize);
  };
  for (ImFont *font : ImGui::GetIO().Fonts->Fonts)
    if (font != (hasProseFont ? proseFont() : nullptr) &&
        distance(font) < distance(best))
      best = font;
  return best;
}

float uiScale() { return ImGui::GetFontSize() / textHeight; }

} // namespace memreflens::viewer
