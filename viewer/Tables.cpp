//===- viewer/Tables.cpp - who owns what, and for how long ----------------===//

#include "viewer/Tables.h"

#include "viewer/Canvas.h"
#include "viewer/Rows.h"

#include "core/explain/Words.h"
#include "core/graph/Lifetimes.h"

#include <algorithm>
#include <map>
#include <set>

namespace memreflens::viewer {

void drawMatrix(const Program &program, ViewState &state) {
  const Lookup &lookup = program.lookup;
  std::map<std::pair<Id, Id>, std::pair<trace::Ownership, Id>> cells;
  std::set<Id> values, blocks;
  for (Id id : lookup.eventsOfFunction(state.place.function)) {
    const trace::Event &event = program.trace.events[id];
    const auto *detail = std::get_if<trace::OwnershipEvent>(&event.detail);
    if (!detail || !lookup.value(event.value) || !lookup.block(event.block))
      continue;
    values.insert(event.value);
    blocks.insert(event.block);
    if (id <= state.place.event)
      cells[{event.value, event.block}] = {detail->after, id};
  }
  if (values.empty()) {
    ImGui::TextDisabled("No ownership was decided in this function");
    return;
  }
  // Dear ImGui's tables end at 64 columns.
  std::vector<Id> columns(blocks.begin(), blocks.end());
  size_t hidden = columns.size() > 60 ? columns.size() - 60 : 0;
  columns.resize(columns.size() - hidden);
  if (hidden)
    ImGui::TextDisabled("%d further blocks are not shown", int(hidden));
  if (!ImGui::BeginTable("matrix", int(columns.size()) + 1,
                         ImGuiTableFlags_Borders | ImGuiTableFlags_ScrollX |
                             ImGuiTableFlags_ScrollY |
                             ImGuiTableFlags_SizingFixedFit))
    return;
  ImGui::TableSetupScrollFreeze(1, 1);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextDisabled("value");
  for (Id block : columns) {
    ImGui::TableNextColumn();
    show(lookup.blockName(block));
  }
  std::vector<Id> rows(values.begin(), values.end());
  ImGuiListClipper clipper;
  clipper.Begin(int(rows.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      Id value = rows[size_t(i)];
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      if (row(value, lookup.name(value), value == state.place.value))
        selectValue(state, program, value);
      for (Id block : columns) {
        ImGui::TableNextColumn();
        auto cell = cells.find({value, block});
        if (cell == cells.end())
          continue;
        if (cell->second.second == state.place.event)
          ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg,
                                 ImGui::GetColorU32(ImGuiCol_HeaderActive));
        show(ownershipWords(lookup, cell->second.first));
      }
    }
  ImGui::EndTable();
}

void drawLifetimes(const Program &program, ViewState &state) {
  graph::Lifetimes lives =
      graph::lifetimesOf(program.lookup, state.place.function);
  ImGui::TextDisabled("at most %s live at once",
                      graph::bytesText(lives.peakBytes).c_str());
  const graph::Theme &theme = graph::themeOf(state.theme);
  float names = 180, width = ImGui::GetContentRegionAvail().x - names - 12;
  float steps = float(std::max<size_t>(1, lives.steps.size()));
  ImGuiListClipper clipper;
  clipper.Begin(int(lives.buffers.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const graph::Lifetime &life = lives.buffers[size_t(i)];
      ImVec2 at = ImGui::GetCursorScreenPos();
      if (row(life.value, life.name, life.value == state.place.value))
        selectValue(state, program, life.value);
      float left = at.x + names + width * float(life.begin) / steps;
      float used = at.x + names + width * float(life.lastUse + 1) / steps;
      float right = at.x + names + width * float(life.end() + 1) / steps;
      float top = at.y + 2, bottom = at.y + ImGui::GetTextLineHeight() - 2;
      ImDrawList *list = ImGui::GetWindowDrawList();
      auto meaning =
          life.mayBeOwned ? graph::Meaning::owned : graph::Meaning::borrowed;
      list->AddRectFilled({left, top}, {right, bottom},
                          colorOf(theme.of(meaning).line, 0.35f), 2);
      list->AddRectFilled({left, top}, {used, bottom},
                          colorOf(theme.of(meaning).line), 2);
    }
}

} // namespace memreflens::viewer
