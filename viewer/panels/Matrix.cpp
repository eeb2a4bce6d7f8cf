//===- viewer/panels/Matrix.cpp - who owns what in which block, at this step
//-----===//

#include "viewer/canvas/Theme.h"
#include "viewer/panels/Rows.h"
#include "viewer/panels/Tables.h"
#include "viewer/state/Sentences.h"

#include "core/explain/Words.h"
#include "core/graph/Overlay.h"
#include "core/text/Escape.h"

#include <algorithm>

namespace memreflens::viewer {

namespace {
/// Decisions about the ownership of each value in each block, in order.
struct MatrixCache {
  uint64_t program = 0;
  Id function = none;
  std::map<std::pair<Id, Id>, std::vector<Id>> history;
  std::vector<Id> values, blocks;
  /// First block shown where not all are, and the one that was followed.
  int first = 0;
  Id followed = none;
  struct Cell {
    std::string text;
    graph::Meaning meaning;
  };
  std::map<Id, Cell> cells;

  void update(const Program &read, Id of) {
    if (program == read.serial && function == of)
      return;
    *this = {};
    program = read.serial;
    function = of;
    std::set<Id> allValues, allBlocks;
    for (Id id : read.lookup.eventsOfFunction(of)) {
      const trace::Event &event = read.trace.events[size_t(id)];
      if (!std::holds_alternative<trace::OwnershipEvent>(event.detail) ||
          !read.lookup.value(event.value) || !read.lookup.block(event.block))
        continue;
      history[{event.value, event.block}].push_back(id);
      allValues.insert(event.value);
      allBlocks.insert(event.block);
    }
    values.assign(allValues.begin(), allValues.end());
    blocks.assign(allBlocks.begin(), allBlocks.end());
  }

  const Cell &cellOf(const Lookup &lookup, Id event) {
    auto [at, isNew] = cells.try_emplace(event);
    if (isNew) {
      const auto &detail =
          std::get<trace::OwnershipEvent>(lookup.event(event)->detail);
      graph::Meaning meaning = graph::ownershipChip(lookup, event).meaning;
      at->second = {std::string(graph::signOf(meaning)) + " " +
                        ownershipWords(lookup, detail.after),
                    meaning};
    }
    return at->second;
  }
};

class Matrix {
public:
  Matrix(const Program &program, ViewState &state, MatrixCache &cache)
      : program(program), lookup(program.lookup), state(state), cache(cache),
        theme(graph::themeOf(state.theme)), moment(momentOf(state, program)) {}

  void draw(std::string_view filter) {
    std::vector<Id> rows;
    for (Id value : cache.values)
      if (lookup.name(value).find(filter) != std::string::npos)
        rows.push_back(value);
    chooseColumns();
    if (!ImGui::BeginTable("matrix", int(columns.size()) + 1,
                           ImGuiTableFlags_Borders | ImGuiTableFlags_ScrollX |
                               ImGuiTableFlags_ScrollY |
                               ImGuiTableFlags_SizingFixedFit))
      return;
    drawHead();
    if (state.wantsScroll && state.place.value != none)
      scrollTo(rows);
    ImGuiListClipper clipper;
    clipper.Begin(int(rows.size()));
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        drawRow(rows[size_t(i)]);
    ImGui::EndTable();
  }

private:
  /// Dear ImGui's tables end at 64 columns: a window over all, which goes to
  /// the block of the decision and can be moved over the others.
  void chooseColumns() {
    constexpr int most = 60;
    const trace::Event *event = lookup.event(state.place.event);
    current = event ? event->block : none;
    columns = cache.blocks;
    int count = int(columns.size());
    if (count <= most)
      return;
    if (cache.followed != current) {
      cache.followed = current;
      int at =
          int(std::ranges::lower_bound(columns, current) - columns.begin());
      if (at < cache.first || at >= cache.first + most)
        cache.first = std::clamp(at - most / 2, 0, count - most);
    }
    std::string text = "blocks %d to " + std::to_string(cache.first + most) +
                       " of " + std::to_string(count);
    int shown = cache.first + 1;
    ImGui::SetNextItemWidth(
        std::min(420 * uiScale(), ImGui::GetContentRegionAvail().x));
    if (ImGui::SliderInt("##first block", &shown, 1, count - most + 1,
                         text.c_str(), ImGuiSliderFlags_AlwaysClamp))
      cache.first = shown - 1;
    columns.assign(cache.blocks.begin() + cache.first,
                   cache.blocks.begin() + cache.first + most);
  }

  /// A click on the words alone: the cells beside them answer for themselves.
  static bool button(Id id, const std::string &text, bool isSelected) {
    std::string name = visibleText(text);
    ImGui::PushID(id);
    bool isClicked = ImGui::Selectable(
        "##name", isSelected, 0, {ImGui::CalcTextSize(name.c_str()).x, 0});
    ImGui::PopID();
    ImGui::GetWindowDrawList()->AddText(ImGui::GetItemRectMin(),
                                        ImGui::GetColorU32(ImGuiCol_Text),
                                        name.c_str());
    return isClicked;
  }

  void drawHead() {
    ImGui::TableSetupScrollFreeze(1, 1);
    ImGui::TableNextRow();
    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0,
                           ImGui::GetColorU32(ImGuiCol_TableHeaderBg));
    ImGui::TableNextColumn();
    ImGui::TextDisabled("value");
    for (Id block : columns) {
      if (!ImGui::TableNextColumn())
        continue;
      if (button(block, lookup.blockName(block), block == current))
        selectBlock(state, program, block);
    }
  }

  void scrollTo(const std::vector<Id> &rows) {
    auto at = std::ranges::find(rows, state.place.value);
    if (at == rows.end())
      return;
    float height =
        ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
    float top = float(at - rows.begin()) * height;
    if (top < ImGui::GetScrollY() ||
        top > ImGui::GetScrollY() + ImGui::GetWindowHeight() - 3 * height)
      ImGui::SetScrollY(top);
  }

  void drawRow(Id value) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(value);
    if (button(value, lookup.name(value), value == state.place.value))
      selectValue(state, program, value);
    for (Id block : columns)
      if (ImGui::TableNextColumn())
        drawCell(value, block);
    ImGui::PopID();
  }

  void drawCell(Id value, Id block) {
    auto found = cache.history.find({value, block});
    if (found == cache.history.end())
      return;
    const std::vector<Id> &all = found->second;
    auto next = std::ranges::upper_bound(all, moment);
    if (next == all.begin())
      return;
    Id event = *std::prev(next);
    const MatrixCache::Cell &cell = cache.cellOf(lookup, event);
    if (event == state.place.event)
      ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg,
                             ImGui::GetColorU32(ImGuiCol_HeaderActive));
    ImGui::PushID(block);
    bool isClicked = ImGui::Selectable("##cell");
    ImGui::PopID();
    if (ImGui::IsItemHovered())
      showHistory(all, event);
    ImGui::SameLine(0, 0);
    bool isDark = state.theme == graph::ThemeName::dark;
    const graph::Accent &accent = theme.of(cell.meaning);
    ImGui::PushStyleColor(ImGuiCol_Text,
                          colorOf(isDark ? accent.line : accent.text));
    show(cell.text);
    ImGui::PopStyleColor();
    if (!isClicked)
      return;
    selectEvent(state, program, event);
    selectValue(state, program, value);
  }

  void showHistory(const std::vector<Id> &all, Id current) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(440 * uiScale());
    for (Id id : all)
      show((id == current  ? "> "
            : id <= moment ? "  "
                           : "  later: ") +
           sentenceOf(program, state, id));
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }

  const Program &program;
  const Lookup &lookup;
  ViewState &state;
  MatrixCache &cache;
  const graph::Theme &theme;
  Id moment, current = none;
  std::vector<Id> columns;
};
} // namespace

void drawOwnership(const Program &program, ViewState &state,
                   std::string_view filter) {
  MatrixCache &cache = cacheOf<MatrixCache>(state);
  cache.update(program, state.place.function);
  if (cache.values.empty()) {
    ImGui::TextDisabled("No ownership was decided in this function");
    return;
  }
  Matrix(program, state, cache).draw(filter);
}

} // namespace memreflens::viewer
