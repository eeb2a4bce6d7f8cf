//===- viewer/memory/MemoryPanel.cpp - what is alive when, how little would do
//---===//

#include "viewer/memory/MemoryPanel.h"

#include "viewer/canvas/Theme.h"
#include "viewer/memory/MemoryView.h"
#include "viewer/panels/Rows.h"

#include "core/explain/CostText.h"
#include "core/explain/Words.h"
#include "core/query/Lifetimes.h"
#include "core/query/Spaces.h"
#include "core/text/Escape.h"

#include <algorithm>
#include <array>

namespace memreflens::viewer {

using graph::Meaning;

/// The plot does not scroll under the wheel that zooms it.
static constexpr int fixedPart =
    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

/// On this line, where there is room for it.
static void sameLineIfFits(float wide) {
  const float right = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  if (right + 14 * uiScale() + wide < ImGui::GetWindowContentRegionMax().x)
    ImGui::SameLine(0, 14 * uiScale());
}

/// A curve's colour, and what it is.
static void legend(const std::string &text, std::string_view color) {
  const float line = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + line / 2 - 1},
                                            {at.x + line, at.y + line / 2 + 1},
                                            colorOf(color));
  ImGui::Dummy({line, line});
  ImGui::SameLine(0, 4 * uiScale());
  show(text);
}

static float legendWidth(const std::string &text) {
  return ImGui::CalcTextSize(text.c_str()).x +
         1.5f * ImGui::GetTextLineHeight();
}

/// What the figures leave open.
static std::vector<std::string> doubtsOf(const memory::MemoryUse &use) {
  std::vector<std::string> doubts = memory::fitLines(use);
  for (const memory::NeedlessPair &pair : use.needless)
    doubts.push_back("needless overlap, " + bytesText(pair.bytes) + ": " +
                     memory::textOf(use, pair));
  for (const std::string &gap : use.gaps)
    doubts.push_back("may be more: " + gap);
  for (const memory::UnknownBuffer &one : use.unknown)
    doubts.push_back("size not known: " + memory::textOf(one));
  if (use.hasBranches)
    doubts.push_back("lives are in the order of the text: the function has "
                     "branches");
  return doubts;
}

static void drawDoubts(const memory::MemoryUse &use) {
  const std::vector<std::string> doubts = doubtsOf(use);
  if (doubts.empty())
    return;
  std::string text = doubts[0];
  if (doubts.size() > 1)
    text += "; " + counted(doubts.size() - 1, "other limit");
  const std::string visible = visibleText(text);
  ImGui::TextDisabled("%s", visible.c_str());
  if (!ImGui::IsItemHovered())
    return;
  std::string all;
  for (size_t i = 0; i < std::min<size_t>(doubts.size(), 30); ++i)
    all += (i ? "\n" : "") + doubts[i];
  if (doubts.size() > 30)
    all += "\nand " + counted(doubts.size() - 30, "other");
  all = visibleText(all);
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(480 * uiScale());
  ImGui::TextUnformatted(all.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

static void drawLegend(const Program &program, ViewState &state,
                       MemoryView &view) {
  const memory::MemoryUse &use = view.model->use;
  const graph::Theme &theme = graph::themeOf(state.theme);
  const std::string peak = "peak " +
                           peakText(use.peakBytes, !use.gaps.empty()) + " at " +
                           placeOfStep(use, use.peakStep) + capacityText(use);
  legend(peak, theme.text);
  const std::string early =
      bytesText(use.afterLastUse.peakBytes) + " after last use";
  sameLineIfFits(legendWidth(early));
  legend(early, theme.of(Meaning::freed).line);
  const std::string least = bytesText(use.needed.peakBytes) + " lower bound";
  sameLineIfFits(legendWidth(least));
  legend(least, theme.of(Meaning::allocated).line);
  sameLineIfFits(ImGui::CalcTextSize("peak all steps").x + 24 * uiScale());
  if (ImGui::SmallButton("peak"))
    goToPeak(program, state, view);
  ImGui::SameLine();
  if (ImGui::SmallButton("all steps"))
    view.showAll();
}

//===--- Who is alive -----------------------------------------------------===//

static void cell(const std::string &text) {
  if (ImGui::TableNextColumn())
    show(text);
}

static void drawAliveRows(const Program &program, ViewState &state,
                          MemoryView &view, const Alive &alive) {
  const MemoryModel &model = *view.model;
  const graph::Theme &theme = graph::themeOf(state.theme);
  const int selected = view.selectedBuffer(state);
  ImGuiListClipper clipper;
  clipper.Begin(int(alive.buffers.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const int number = int(alive.buffers[size_t(i)]);
      const memory::Buffer &buffer = model.use.buffers[size_t(number)];
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      if (number == view.hoveredBuffer)
        ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0,
                               ImGui::GetColorU32(ImGuiCol_Header, 0.5f));
      if (row(number, bytesText(buffer.bytes), number == selected))
        selectInMemory(program, state, view, int(alive.step), number);
      cell(buffer.name);
      cell(buffer.begin < model.use.places.size()
               ? model.use.places[buffer.begin]
               : "");
      const bool isIdle = model.isIdle(size_t(number), alive.step);
      if (isIdle)
        ImGui::PushStyleColor(ImGuiCol_Text,
                              colorOf(state.theme == graph::ThemeName::dark
                                          ? theme.of(Meaning::freed).line
                                          : theme.of(Meaning::freed).text));
      cell(memory::useText(buffer, alive.step));
      if (isIdle)
        ImGui::PopStyleColor();
      cell(buffer.ended);
      cell(buffer.why);
    }
}

static void dimWrapped(const std::string &text) {
  ImGui::PushStyleColor(ImGuiCol_Text,
                        ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  showWrapped(text);
  ImGui::PopStyleColor();
}

/// A colour for each op that fills some of them first, as in the pictures.
static void drawFills(const memory::MemoryUse &use, const Alive &alive,
                      const graph::Theme &theme) {
  constexpr size_t last = graph::bufferColors - 1;
  std::array<uint64_t, last + 1> bytes = {};
  for (uint32_t number : alive.buffers)
    bytes[std::min(use.buffers[number].fill, last)] +=
        use.buffers[number].bytes;
  bool isFirst = true;
  for (size_t color = 0; color <= last; ++color) {
    if (bytes[color] == 0)
      continue;
    const bool isRest = color == last && use.fills.size() > last + 1;
    const std::string text =
        (isRest ? "others" : use.fills[color]) + " " + bytesText(bytes[color]);
    if (!isFirst)
      sameLineIfFits(legendWidth(text));
    isFirst = false;
    legend(text, theme.ofFill(color).line);
  }
}

static void drawAliveHead(const memory::MemoryUse &use, const Alive &alive,
                          const graph::Theme &theme) {
  const bool isPeak = alive.step == use.peakStep;
  std::string head =
      (isPeak ? "at the peak, " : "at ") + placeOfStep(use, alive.step) + ": " +
      counted(alive.buffers.size(), "buffer") + ", " + bytesText(alive.bytes);
  if (alive.idleBytes)
    head += ", " + bytesText(alive.idleBytes) + " idle";
  showWrapped(head);
  for (const memory::HeldBytes &held : alive.held) {
    const std::string text = bytesText(held.bytes) + " idle: " +
                             std::string(memory::wordsOf(held.hold));
    dimWrapped(text);
  }
  drawFills(use, alive, theme);
  if (!isPeak)
    return;
  for (const memory::ElsewhereBytes &other : use.elsewhere) {
    const std::string text =
        visibleText(bytesText(other.bytes) + " " + other.in +
                    (other.call.empty() ? "" : ", called by " + other.call));
    dimWrapped(text);
  }
}

static void drawAlive(const Program &program, ViewState &state,
                      MemoryView &view) {
  const Alive &alive = view.aliveFor(view.stepLookedAt(state));
  drawAliveHead(view.model->use, alive, graph::themeOf(state.theme));
  // Where the panel is low, the list scrolls as a whole.
  const float least = 5 * ImGui::GetTextLineHeightWithSpacing();
  if (!ImGui::BeginTable(
          "alive", 6,
          ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_ScrollX |
              ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
              ImGuiTableFlags_Resizable | ImGuiTableFlags_SizingFixedFit,
          {0, std::max(least, ImGui::GetContentRegionAvail().y)}))
    return;
  ImGui::TableSetupScrollFreeze(0, 1);
  for (const char *column :
       {"bytes", "buffer", "at", "use", "end", "why not earlier"})
    ImGui::TableSetupColumn(column, ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableHeadersRow();
  drawAliveRows(program, state, view, alive);
  ImGui::EndTable();
}

/// The picture, and beside or below it the list.
template <class Draw>
static void drawBoth(const Program &program, ViewState &state, MemoryView &view,
                     Draw draw) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool isWide = room.x > 640 * uiScale();
  const ImVec2 size{isWide ? room.x * 0.55f : room.x,
                    std::max(60.f, isWide ? room.y : room.y * 0.5f)};
  view.hoveredStep = view.hoveredBuffer = -1;
  ImGui::BeginChild("picture", size, false, fixedPart);
  draw(ImGui::GetContentRegionAvail());
  ImGui::EndChild();
  if (isWide)
    ImGui::SameLine();
  ImGui::BeginChild("list");
  drawAlive(program, state, view);
  ImGui::EndChild();
}

//===--- One arena --------------------------------------------------------===//

static void choosePlan(MemoryView &view) {
  const memory::MemoryUse &use = view.model->use;
  view.plan = std::min(view.plan, use.plans.size() - 1);
  for (size_t i = 0; i < use.plans.size(); ++i) {
    const memory::ArenaPlan &plan = use.plans[i];
    const std::string text =
        std::string(nameOf(plan.planner)) + " " + bytesText(plan.bytes);
    if (i)
      sameLineIfFits(ImGui::CalcTextSize(text.c_str()).x + 30 * uiScale());
    if (ImGui::RadioButton(text.c_str(), view.plan == i))
      view.plan = i;
  }
  const memory::ArenaPlan &plan = use.plans[view.plan];
  const uint64_t lost = plan.bytes - std::min(plan.bytes, use.leastArenaBytes);
  std::string text =
      "no arena is smaller than " + bytesText(use.leastArenaBytes);
  if (lost)
    text += "; fragmentation adds " + bytesText(lost);
  text = lost ? text : text + ", which this one has";
  sameLineIfFits(ImGui::CalcTextSize(text.c_str()).x);
  ImGui::TextDisabled("%s", text.c_str());
}

/// Where the function has memory in several spaces.
static void chooseSpace(const Program &program, MemoryView &view) {
  if (view.spaces.size() < 2)
    return;
  std::vector<std::string> names;
  for (const Space &one : view.spaces)
    names.push_back(visibleText(
        spaceWords(one, nameOfSpace(program.lookup.getTrace(), one))));
  ImGui::SetNextItemWidth(260 * uiScale());
  if (!ImGui::BeginCombo("##space", names[view.space].c_str()))
    return;
  for (size_t i = 0; i < names.size(); ++i)
    if (ImGui::Selectable(names[i].c_str(), i == view.space))
      view.space = i;
  ImGui::EndCombo();
}

//===--- The panel --------------------------------------------------------===//

void drawMemory(const Program &program, ViewState &state, bool waits) {
  if (!program.lookup.function(state.place.function)) {
    ImGui::TextDisabled("no function");
    return;
  }
  MemoryView &view = cacheOf<MemoryView>(state);
  view.update(program, state.place.function, waits);
  if (!view.model) {
    ImGui::TextDisabled("working out what is alive ...");
    return;
  }
  const memory::MemoryUse &use = view.model->use;
  chooseSpace(program, view);
  if (use.buffers.empty()) {
    const bool isKnown = use.unknown.empty() && use.gaps.empty();
    ImGui::TextDisabled(isKnown ? "This function allocates nothing on the heap"
                                : "No buffer of a known size");
    drawDoubts(use);
    return;
  }
  if (!ImGui::BeginTabBar("memory"))
    return;
  if (ImGui::BeginTabItem("Over time")) {
    drawLegend(program, state, view);
    drawDoubts(use);
    drawBoth(program, state, view,
             [&](ImVec2 size) { drawMemoryPlot(program, state, view, size); });
    ImGui::EndTabItem();
  }
  if (ImGui::BeginTabItem("In one arena")) {
    if (!use.several.empty()) {
      ImGui::TextDisabled("%s", ("no arena: " + severalText(use)).c_str());
    } else if (use.plans.empty()) {
      ImGui::TextDisabled("%s are not planned; no arena is smaller than %s",
                          counted(use.buffers.size(), "buffer").c_str(),
                          bytesText(use.leastArenaBytes).c_str());
    } else {
      choosePlan(view);
      drawBoth(program, state, view,
               [&](ImVec2 size) { drawArena(program, state, view, size); });
    }
    ImGui::EndTabItem();
  }
  ImGui::EndTabBar();
}

} // namespace memreflens::viewer
