//===- viewer/Texts.cpp - lists, sentences and tables ---------------------===//

#include "viewer/Texts.h"

#include "viewer/Canvas.h"

#include "core/explain/DecisionText.h"
#include "core/explain/FateText.h"
#include "core/explain/Words.h"
#include "core/graph/Escape.h"
#include "core/graph/Lifetimes.h"
#include "core/graph/LineDiff.h"
#include "core/graph/StageText.h"
#include "core/trace/Names.h"

#include <algorithm>
#include <map>
#include <set>

namespace memreflens::viewer {

static void show(std::string_view text) {
  std::string visible = graph::visibleText(text);
  ImGui::TextUnformatted(visible.data(), visible.data() + visible.size());
}

static void showWrapped(std::string_view text) {
  ImGui::PushTextWrapPos(0);
  show(text);
  ImGui::PopTextWrapPos();
}

/// A clickable line; its text is never read as an id or format.
static bool row(int id, std::string_view text, bool isSelected) {
  ImGui::PushID(id);
  bool clicked = ImGui::Selectable("##row", isSelected,
                                   ImGuiSelectableFlags_SpanAllColumns);
  ImGui::PopID();
  ImGui::SameLine(0, 0);
  show(text);
  return clicked;
}

void drawFunctions(const Program &program, ViewState &state) {
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##filter", "filter functions", state.functionFilter,
                           sizeof state.functionFilter);
  for (const trace::Function &function : program.trace.functions) {
    if (function.name.find(state.functionFilter) == std::string::npos)
      continue;
    std::string text = "@" + function.name;
    if (function.status != trace::FunctionStatus::traced)
      text += "  " + std::string(trace::nameOf(function.status));
    if (row(function.id, text, function.id == state.place.function))
      selectFunction(state, program, function.id);
  }
}

static std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == text.npos ? "" : text.substr(end + 1);
  }
  return lines;
}

void drawSource(const Program &program, ViewState &state) {
  const std::string &text = program.trace.source.text;
  std::vector<std::string_view> lines = linesOf(text);
  const trace::Event *event = program.lookup.event(state.place.event);
  trace::Range focus =
      event ? rangeOfEvent(program.lookup, *event) : trace::Range{};
  if (focus.empty())
    if (const auto *function = program.lookup.function(state.place.function))
      focus = function->nameRange;
  auto offsetOf = [&](size_t i) {
    return uint32_t(lines[i].data() - text.data());
  };
  size_t current = 0;
  while (current + 1 < lines.size() && offsetOf(current + 1) <= focus.begin)
    ++current;
  float height = ImGui::GetTextLineHeightWithSpacing();
  if (state.wantsScroll)
    ImGui::SetScrollY(std::max(0.f, (float(current) - 4) * height));
  ImGuiListClipper clipper;
  clipper.Begin(int(lines.size()), height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      std::string line = std::to_string(i + 1);
      line.insert(0, line.size() < 4 ? 4 - line.size() : 0, ' ');
      line += "  " + std::string(lines[size_t(i)]);
      if (row(i, line, size_t(i) == current && !focus.empty())) {
        float column = (ImGui::GetMousePos().x - ImGui::GetItemRectMin().x) /
                           ImGui::CalcTextSize("0").x -
                       6;
        selectOffset(state, program,
                     offsetOf(size_t(i)) +
                         uint32_t(std::clamp(column, 0.f,
                                             float(lines[size_t(i)].size()))));
      }
    }
}

static void goTo(ViewState &state, const Program &program,
                 const Evidence &evidence) {
  if (!evidence.range.empty())
    selectOffset(state, program, evidence.range.begin);
}

static void explain(const Program &program, ViewState &state,
                    const Explanation &explanation, int &id) {
  showWrapped(explanation.sentence);
  for (const Evidence &evidence : explanation.evidence) {
    ImGui::PushID(id++);
    std::string place = program.lookup.position(evidence.range);
    if (!place.empty()) {
      if (ImGui::SmallButton(place.c_str()))
        goTo(state, program, evidence);
      ImGui::SameLine();
    }
    showWrapped(evidence.text);
    ImGui::PopID();
  }
  for (const std::string &remedy : explanation.remedies)
    showWrapped("do: " + remedy);
  ImGui::Spacing();
}

void drawWhy(const Program &program, ViewState &state) {
  const Lookup &lookup = program.lookup;
  int id = 0;
  if (const trace::Event *event = lookup.event(state.place.event)) {
    ImGui::TextDisabled("decision %d: %s", event->id,
                        std::string(trace::kindOf(*event)).c_str());
    explain(program, state, explainEvent(lookup, event->id), id);
  }
  if (state.place.value == none) {
    ImGui::TextDisabled("Select a value: a chip, or a name in the source");
    return;
  }
  ImGui::Separator();
  ImGui::TextDisabled("value %s", lookup.name(state.place.value).c_str());
  Fate fate = explainFate(lookup, state.place.value);
  showWrapped(fate.headline.empty() ? "not a buffer: no fate to tell"
                                    : fate.headline);
  ImGui::Spacing();
  for (const Explanation &step : fate.steps)
    explain(program, state, step, id);
}

void drawEvents(const Program &program, ViewState &state) {
  auto events = program.lookup.eventsOfFunction(state.place.function);
  float height = ImGui::GetTextLineHeightWithSpacing();
  if (state.wantsScroll) {
    auto at = std::ranges::lower_bound(events, state.place.event);
    ImGui::SetScrollY(std::max(0.f, float(at - events.begin() - 3) * height));
  }
  ImGuiListClipper clipper;
  clipper.Begin(int(events.size()), height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const trace::Event &event = program.trace.events[events[size_t(i)]];
      std::string text = std::to_string(event.stage) + "  " +
                         explainEvent(program.lookup, event.id).sentence;
      if (row(event.id, text, event.id == state.place.event))
        selectEvent(state, program, event.id);
    }
}

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

static void column(const char *name, const std::vector<std::string_view> &lines,
                   const std::vector<bool> &marks, ImU32 color) {
  ImGui::BeginChild(name, {}, true, ImGuiWindowFlags_HorizontalScrollbar);
  ImGuiListClipper clipper;
  clipper.Begin(int(lines.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      ImVec2 at = ImGui::GetCursorScreenPos();
      if (marks[size_t(i)])
        ImGui::GetWindowDrawList()->AddRectFilled(
            at, {at.x + 4000, at.y + ImGui::GetTextLineHeight()}, color);
      show((marks[size_t(i)] ? "* " : "  ") + std::string(lines[size_t(i)]));
    }
  ImGui::EndChild();
}

void drawLowering(const Program &program, ViewState &state) {
  int after = std::max(1, state.place.stage), before = after - 1;
  auto first =
      graph::stageFunction(program.trace, state.place.function, before);
  auto second =
      graph::stageFunction(program.trace, state.place.function, after);
  graph::LineDiff diff = graph::diffLines(first.lines, second.lines);
  if (!ImGui::BeginTable("stages", 2))
    return;
  const graph::Theme &theme = graph::themeOf(state.theme);
  ImGui::TableNextColumn();
  ImGui::TextDisabled("stage %d%s", before, first.found ? "" : ": not there");
  column("before", first.lines, diff.removed,
         colorOf(theme.of(graph::Meaning::freed).line, 0.3f));
  ImGui::TableNextColumn();
  ImGui::TextDisabled("stage %d%s", after,
                      !second.found                 ? ": not there"
                      : first.lines == second.lines ? ": unchanged"
                                                    : "");
  column("after", second.lines, diff.added,
         colorOf(theme.of(graph::Meaning::allocated).line, 0.3f));
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

void drawProblems(const Program &program, ViewState &state) {
  if (program.trace.problems.empty())
    ImGui::TextDisabled("No problems");
  int id = 0;
  for (const trace::Problem &problem : program.trace.problems) {
    ImGui::PushID(id++);
    std::string place = program.lookup.position(problem.range);
    if (!place.empty() && ImGui::SmallButton(place.c_str()))
      selectOffset(state, program, problem.range.begin);
    if (!place.empty())
      ImGui::SameLine();
    showWrapped(std::string(trace::nameOf(problem.severity)) + ": " +
                problem.message);
    if (!problem.remedy.empty())
      showWrapped("do: " + problem.remedy);
    ImGui::PopID();
  }
}

} // namespace memreflens::viewer
