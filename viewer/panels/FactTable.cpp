//===- viewer/panels/FactTable.cpp - rows of words: to sort, filter and copy
//-----===//

#include "viewer/panels/FactTable.h"

#include "viewer/canvas/Theme.h"
#include "viewer/panels/Rows.h"
#include "viewer/state/TableView.h"

#include "core/explain/Words.h"

#include "imgui/imgui.h"

#include <algorithm>

namespace memreflens::viewer {

void drawFilter(TableView &view) {
  ImGui::SetNextItemWidth(
      std::min(180 * uiScale(), ImGui::GetContentRegionAvail().x));
  ImGui::InputTextWithHint("##facts", "filter: %a %b", view.filter,
                           sizeof view.filter);
}

void drawTools(const FactTable &table, TableView &view, bool hasValues) {
  drawFilter(view);
  ImGui::SameLine();
  if (hasValues) {
    ImGui::Checkbox("selected value", &view.onlySelected);
    ImGui::SameLine();
  }
  if (ImGui::Button("copy"))
    ImGui::SetClipboardText(tabbed(table, view.order).c_str());
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("the rows shown, with tabs between cells");
  ImGui::SameLine();
  ImGui::TextDisabled("%s", counted(view.order.size(), "row").c_str());
}

/// A cell that is cut off is told as a whole under the mouse.
static void showCell(const std::string &text) {
  show(text);
  float room = ImGui::GetContentRegionAvail().x;
  if (!ImGui::IsItemHovered() || ImGui::GetItemRectSize().x <= room)
    return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(440 * uiScale());
  show(text);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

static bool drawRow(const Fact &fact, size_t number, RowLook look) {
  ImGui::TableNextRow();
  if (look.isMarked)
    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0,
                           ImGui::GetColorU32(ImGuiCol_Header, 0.4f));
  bool isClicked = false;
  for (size_t i = 0; i < fact.cells.size(); ++i) {
    if (!ImGui::TableNextColumn() && i)
      continue;
    if (i == 0)
      isClicked = row(int(number), fact.cells[0], look.isSelected);
    else
      showCell(fact.cells[i]);
  }
  return isClicked;
}

static void takeSorting(TableView &view) {
  ImGuiTableSortSpecs *specs = ImGui::TableGetSortSpecs();
  if (!specs || !specs->SpecsDirty)
    return;
  view.sortColumn = specs->SpecsCount ? specs->Specs->ColumnIndex : -1;
  view.isDescending = specs->SpecsCount && specs->Specs->SortDirection ==
                                               ImGuiSortDirection_Descending;
  view.isStale = true;
  specs->SpecsDirty = false;
}

static void scrollToRow(const TableView &view, int number) {
  auto at = std::ranges::find(view.order, size_t(number));
  if (at == view.order.end())
    return;
  float height =
      ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  float top = float(at - view.order.begin()) * height;
  if (top < ImGui::GetScrollY() ||
      top > ImGui::GetScrollY() + ImGui::GetWindowHeight() - 3 * height)
    ImGui::SetScrollY(top);
}

int drawTable(const char *id, const FactTable &table, TableView &view, Id value,
              const std::function<RowLook(size_t)> &look, int scrollTo) {
  if (!ImGui::BeginTable(
          id, int(table.columns.size()),
          ImGuiTableFlags_Borders | ImGuiTableFlags_ScrollX |
              ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
              ImGuiTableFlags_Resizable | ImGuiTableFlags_Sortable |
              ImGuiTableFlags_SortTristate | ImGuiTableFlags_SizingFixedFit))
    return -1;
  ImGui::TableSetupScrollFreeze(0, 1);
  for (const char *column : table.columns)
    ImGui::TableSetupColumn(column, ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableHeadersRow();
  takeSorting(view);
  view.update(table, value);
  if (scrollTo >= 0)
    scrollToRow(view, scrollTo);
  int clicked = -1;
  ImGuiListClipper clipper;
  clipper.Begin(int(view.order.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      size_t number = view.order[size_t(i)];
      if (drawRow(table.rows[number], number, look(number)))
        clicked = int(number);
    }
  ImGui::EndTable();
  return clicked;
}

} // namespace memreflens::viewer
