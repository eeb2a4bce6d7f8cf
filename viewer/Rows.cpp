//===- viewer/Rows.cpp - lines of text in a panel -------------------------===//

#include "viewer/Rows.h"

#include "core/graph/Escape.h"

#include "imgui/imgui.h"

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
  ImGui::SameLine(0, 0);
  show(text);
  return clicked;
}

} // namespace memreflens::viewer
