//===- viewer/panels/Tables.cpp - facts in rows: to sort, filter and copy -===//

#include "viewer/panels/Tables.h"

#include "viewer/panels/FactTable.h"
#include "viewer/panels/Rows.h"
#include "viewer/state/TableView.h"

#include "core/explain/TotalsText.h"

#include <algorithm>

namespace memreflens::viewer {

namespace {
struct TablesCache {
  TableView view;
  /// Of `table`.
  uint64_t program = 0;
  Id function = none, moment = none, value = none;
  int kind = -1;
  FactTable table;
  std::string totals;
};
} // namespace

static void update(const Program &program, const ViewState &state,
                   TablesCache &cache, FactKind kind) {
  Id moment = momentOf(state, program);
  // Only the pairs are about one value.
  Id value = kind == FactKind::pairs ? state.place.value : none;
  if (cache.program != program.serial || cache.value != value ||
      cache.function != state.place.function || cache.moment != moment ||
      cache.kind != int(kind)) {
    cache.program = program.serial;
    cache.function = state.place.function;
    cache.moment = moment;
    cache.kind = int(kind);
    cache.value = value;
    cache.table = factsOf(program, cache.function, kind, moment, value);
    cache.totals = totalsLine(totalsOf(program.lookup, cache.function));
    cache.view.isStale = true;
  }
  cache.view.update(cache.table, state.place.value);
}

static void go(const Program &program, ViewState &state, const Fact &fact) {
  if (fact.event == none && fact.value == none)
    return selectOffset(state, program, fact.offset);
  selectEvent(state, program, fact.event);
  if (fact.value != none)
    selectValue(state, program, fact.value);
}

static void drawFacts(const Program &program, ViewState &state,
                      TablesCache &cache, FactKind kind) {
  update(program, state, cache, kind);
  drawTools(cache.table, cache.view, /*hasValues=*/true);
  if (kind == FactKind::findings)
    ImGui::TextDisabled("%s", cache.totals.c_str());
  if (cache.table.rows.empty()) {
    ImGui::TextDisabled(kind != FactKind::pairs ? "None up to this decision"
                        : cache.value == none
                            ? "Select a value: here stands what is known of it "
                              "and each other one"
                            : "There is no other memref");
    return;
  }
  int clicked = drawTable(
      nameOf(kind), cache.table, cache.view, state.place.value,
      [&](size_t number) -> RowLook {
        const Fact &fact = cache.table.rows[number];
        return {fact.event != none && fact.event == state.place.event,
                state.place.value != none &&
                    std::ranges::count(fact.about, state.place.value) > 0};
      });
  if (clicked >= 0)
    go(program, state, cache.table.rows[size_t(clicked)]);
}

void drawMatrix(const Program &program, ViewState &state) {
  TablesCache &cache = cacheOf<TablesCache>(state);
  if (!ImGui::BeginTabBar("facts", ImGuiTabBarFlags_FittingPolicyScroll))
    return;
  if (ImGui::BeginTabItem("Matrix")) {
    drawFilter(cache.view);
    drawOwnership(program, state, cache.view.filter);
    ImGui::EndTabItem();
  }
  for (int i = 0; i < factKindCount; ++i) {
    bool isWanted = state.wantedFacts == i;
    if (!ImGui::BeginTabItem(nameOf(FactKind(i)), nullptr,
                             isWanted ? ImGuiTabItemFlags_SetSelected : 0))
      continue;
    drawFacts(program, state, cache, FactKind(i));
    ImGui::EndTabItem();
  }
  state.wantedFacts = -1;
  ImGui::EndTabBar();
}

} // namespace memreflens::viewer
