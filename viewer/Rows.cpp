//===- viewer/Rows.cpp - lines of text in a panel -------------------------===//

#include "viewer/Rows.h"

#include "core/graph/Escape.h"

#include "imgui/imgui.h"

#include <algorithm>

namespace memreflens::viewer {

void show(std::string_view text) {
  std::string visible = graph::visibleText(text);
  ImGui::TextUnformatted(visible.data(), visible.data() + visible.size());
}

void showWrapped(std::string_view text) {
  ImGui::PushTextWrapPos(0);
  show(text);
  ImGui::PopTextWrapPos();
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
