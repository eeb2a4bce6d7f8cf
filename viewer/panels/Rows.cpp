//===- viewer/panels/Rows.cpp - lines of text in a panel ------------------===//

#include "viewer/panels/Rows.h"

#include "viewer/canvas/Theme.h"

#include "core/text/Escape.h"

#include "imgui/imgui.h"

#include <algorithm>

namespace memreflens::viewer {

void show(std::string_view text) {
  std::string visible = visibleText(text);
  ImGui::TextUnformatted(visible.data(), visible.data() + visible.size());
}

namespace {
/// Words in lines: prose in letters of their own widths, code in the fixed
/// font.
class Lines {
public:
  explicit Lines(float room) : room(room) {
    height = ImGui::GetTextLineHeight();
    space = width(proseFont(), " ");
  }

  /// Sets the words; draws them from `corner` on unless that is null.
  ImVec2 set(std::string_view text, const ImVec2 *corner) {
    x = y = widest = 0;
    for (size_t at = 0; at < text.size();) {
      if (text[at] == '\n' || text[at] == ' ') {
        text[at] == ' ' ? void(x += x > 0 ? space : 0) : breakLine();
        ++at;
        continue;
      }
      size_t end = std::min(text.find_first_of(" \n", at), text.size());
      place(text.substr(at, end - at), corner);
      at = end;
    }
    return {widest, y + height};
  }

private:
  static float width(ImFont *font, std::string_view word) {
    return font
        ->CalcTextSizeA(ImGui::GetFontSize(), 1e9f, 0, word.data(),
                        word.data() + word.size())
        .x;
  }
  static bool isCode(std::string_view word) {
    return word.find_first_of("%@^#{}=<>_") != std::string_view::npos ||
           word.find("::") != std::string_view::npos ||
           (word.find('.') < word.size() - 1 &&
            word.find_first_not_of("0123456789.,;:()") !=
                std::string_view::npos);
  }
  void breakLine() {
    x = 0;
    y += height;
  }
  void place(std::string_view word, const ImVec2 *corner) {
    ImFont *font = isCode(word) ? ImGui::GetFont() : proseFont();
    float wide = width(font, word);
    if (x > 0 && x + wide > room)
      breakLine();
    // What is wider than the panel goes on below, letter by letter.
    while (wide > room && word.size() > 1) {
      size_t fits =
          std::max<size_t>(1, size_t(float(word.size()) * room / wide));
      while (fits > 1 && (word[fits] & 0xc0) == 0x80)
        --fits;
      draw(font, word.substr(0, fits), corner);
      word.remove_prefix(fits);
      breakLine();
      wide = width(font, word);
    }
    draw(font, word, corner);
    x += wide;
    widest = std::max(widest, x);
  }
  void draw(ImFont *font, std::string_view word, const ImVec2 *corner) const {
    if (!corner)
      return;
    ImDrawList *list = ImGui::GetWindowDrawList();
    // A text may be longer than the panel by far.
    const ImVec2 at = {corner->x + x, corner->y + y};
    if (at.y + height >= list->GetClipRectMin().y &&
        at.y <= list->GetClipRectMax().y)
      list->AddText(font, ImGui::GetFontSize(), at,
                    ImGui::GetColorU32(ImGuiCol_Text), word.data(),
                    word.data() + word.size());
  }

  float room, height, space, x = 0, y = 0, widest = 0;
};
} // namespace

void showWrapped(std::string_view text) {
  std::string visible = visibleText(text);
  Lines lines(std::max(1.f, ImGui::GetContentRegionAvail().x));
  ImVec2 corner = ImGui::GetCursorScreenPos();
  ImVec2 size = lines.set(visible, nullptr);
  // Of what is scrolled away only the height counts.
  if (ImGui::IsRectVisible(size))
    lines.set(visible, &corner);
  ImGui::Dummy(size);
}

float wrappedHeight(std::string_view text, float room) {
  return Lines(std::max(1.f, room)).set(visibleText(text), nullptr).y;
}

bool row(int id, std::string_view text, bool isSelected) {
  ImGui::PushID(id);
  bool clicked = ImGui::Selectable("##row", isSelected,
                                   ImGuiSelectableFlags_SpanAllColumns);
  ImGui::PopID();
  bool isHovered = ImGui::IsItemHovered();
  ImGui::SameLine(0, 0);
  float room = ImGui::GetContentRegionAvail().x + ImGui::GetScrollX();
  show(text);
  // What is cut off is told as a whole.
  if (isHovered && ImGui::GetItemRectSize().x > room) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(40 * ImGui::GetFontSize());
    show(text.substr(std::min(text.find_first_not_of(' '), text.size())));
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  return clicked;
}

} // namespace memreflens::viewer
