//===- viewer/Tables.cpp - facts in rows: to sort, filter and copy --------===//

#include "viewer/Tables.h"

#include "viewer/Facts.h"
#include "viewer/Rows.h"
#include "viewer/Theme.h"

#include "core/explain/Totals.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace memreflens::viewer {

namespace {
struct TablesCache {
  char filter[96] = "";
  bool onlySelected = false;
  /// Of `table`.
  uint64_t program = 0;
  Id function = none, moment = none;
  int kind = -1;
  FactTable table;
  /// Rows shown, in order, and what they were chosen by.
  std::vector<size_t> order;
  std::string usedFilter;
  Id usedValue = none;
  int sortColumn = -1;
  bool isDescending = false, isStale = true;
  std::string totals;
};
} // namespace

static void update(const Program &program, const ViewState &state,
                   TablesCache &cache, FactKind kind) {
  Id moment = momentOf(state, program);
  if (cache.program != program.serial ||
      cache.function != state.place.function || cache.moment != moment ||
      cache.kind != int(kind)) {
    cache.program = program.serial;
    cache.function = state.place.function;
    cache.moment = moment;
    cache.kind = int(kind);
    cache.table = factsOf(program, cache.function, kind, moment);
    cache.totals = totalsLine(totalsOf(program.lookup, cache.function));
    cache.isStale = true;
  }
  Id value = cache.onlySelected ? state.place.value : none;
  if (!cache.isStale && cache.usedFilter == cache.filter &&
      cache.usedValue == value)
    return;
  cache.usedFilter = cache.filter;
  cache.usedValue = value;
  cache.isStale = false;
  cache.order.clear();
  for (size_t i = 0; i < cache.table.rows.size(); ++i) {
    const Fact &fact = cache.table.rows[i];
    if (matches(fact, cache.filter) &&
        (value == none || std::ranges::count(fact.about, value)))
      cache.order.push_back(i);
  }
  size_t column = size_t(cache.sortColumn);
  if (cache.sortColumn < 0 || column >= cache.table.columns.size())
    return;
  std::ranges::stable_sort(cache.order, [&](size_t a, size_t b) {
    if (cache.isDescending)
      std::swap(a, b);
    return cache.table.rows[a].cells[column] <
           cache.table.rows[b].cells[column];
  });
}

static void go(const Program &program, ViewState &state, const Fact &fact) {
  if (fact.event == none && fact.value == none)
    return selectOffset(state, program, fact.offset);
  selectEvent(state, program, fact.event);
  if (fact.value != none)
    selectValue(state, program, fact.value);
}

static void drawRow(const Program &program, ViewState &state,
                    const TablesCache &cache, size_t number) {
  const Fact &fact = cache.table.rows[number];
  ImGui::TableNextRow();
  bool isSelected = fact.event != none && fact.event == state.place.event;
  if (state.place.value != none &&
      std::ranges::count(fact.about, state.place.value))
    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0,
                           ImGui::GetColorU32(ImGuiCol_Header, 0.4f));
  for (size_t i = 0; i < fact.cells.size(); ++i) {
    if (!ImGui::TableNextColumn() && i)
      continue;
    if (i == 0) {
      if (row(int(number), fact.cells[0], isSelected))
        go(program, state, fact);
      continue;
    }
    show(fact.cells[i]);
    float room = ImGui::GetContentRegionAvail().x;
    if (ImGui::IsItemHovered() && ImGui::GetItemRectSize().x > room) {
      ImGui::BeginTooltip();
      ImGui::PushTextWrapPos(440 * uiScale());
      show(fact.cells[i]);
      ImGui::PopTextWrapPos();
      ImGui::EndTooltip();
    }
  }
}

static void drawFacts(const Program &program, ViewState &state,
                      TablesCache &cache, FactKind kind) {
  update(program, state, cache, kind);
  if (kind == FactKind::findings)
    ImGui::TextDisabled("%s", cache.totals.c_str());
  if (cache.table.rows.empty()) {
    ImGui::TextDisabled("None up to this decision");
    return;
  }
  if (!ImGui::BeginTable(
          nameOf(kind), int(cache.table.columns.size()),
          ImGuiTableFlags_Borders | ImGuiTableFlags_ScrollX |
              ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
              ImGuiTableFlags_Resizable | ImGuiTableFlags_Sortable |
              ImGuiTableFlags_SortTristate | ImGuiTableFlags_SizingFixedFit))
    return;
  ImGui::TableSetupScrollFreeze(0, 1);
  for (const char *column : cache.table.columns)
    ImGui::TableSetupColumn(column, ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableHeadersRow();
  if (ImGuiTableSortSpecs *specs = ImGui::TableGetSortSpecs();
      specs && specs->SpecsDirty) {
    cache.sortColumn = specs->SpecsCount ? specs->Specs->ColumnIndex : -1;
    cache.isDescending = specs->SpecsCount && specs->Specs->SortDirection ==
                                                  ImGuiSortDirection_Descending;
    cache.isStale = true;
    specs->SpecsDirty = false;
    update(program, state, cache, kind);
  }
  ImGuiListClipper clipper;
  clipper.Begin(int(cache.order.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      drawRow(program, state, cache, cache.order[size_t(i)]);
  ImGui::EndTable();
}

static void drawTools(TablesCache &cache, bool canCopy) {
  float scale = uiScale();
  ImGui::SetNextItemWidth(
      std::min(180 * scale, ImGui::GetContentRegionAvail().x));
  ImGui::InputTextWithHint("##facts", "filter: %a %b", cache.filter,
                           sizeof cache.filter);
  ImGui::SameLine();
  if (!canCopy)
    return ImGui::NewLine();
  ImGui::Checkbox("selected value", &cache.onlySelected);
  ImGui::SameLine();
  if (ImGui::Button("copy"))
    ImGui::SetClipboardText(tabbed(cache.table, cache.order).c_str());
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("the rows shown, with tabs between cells");
  ImGui::SameLine();
  ImGui::TextDisabled("%zu rows", cache.order.size());
}

void drawMatrix(const Program &program, ViewState &state) {
  TablesCache &cache = cacheOf<TablesCache>(state);
  if (!ImGui::BeginTabBar("facts", ImGuiTabBarFlags_FittingPolicyScroll))
    return;
  if (ImGui::BeginTabItem("Matrix")) {
    drawTools(cache, false);
    drawOwnership(program, state, cache.filter);
    ImGui::EndTabItem();
  }
  for (int i = 0; i < factKindCount; ++i) {
    bool isWanted = state.wantedFacts == i;
    if (!ImGui::BeginTabItem(nameOf(FactKind(i)), nullptr,
                             isWanted ? ImGuiTabItemFlags_SetSelected : 0))
      continue;
    update(program, state, cache, FactKind(i));
    drawTools(cache, true);
    drawFacts(program, state, cache, FactKind(i));
    ImGui::EndTabItem();
  }
  state.wantedFacts = -1;
  ImGui::EndTabBar();
}

} // namespace memreflens::viewer
