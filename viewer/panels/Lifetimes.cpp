//===- viewer/panels/Lifetimes.cpp - buffers from allocation to deallocation
//-----===//

#include "viewer/canvas/Theme.h"
#include "viewer/panels/Rows.h"
#include "viewer/panels/Tables.h"

#include "core/explain/CostText.h"
#include "core/query/Lifetimes.h"

#include <algorithm>

namespace memreflens::viewer {

namespace {
struct LifetimesCache {
  uint64_t program = 0;
  Id function = none;
  Lifetimes lives;
  std::vector<size_t> order;
  bool largestFirst = false, isStale = true;
  char filter[64] = "";
  std::string usedFilter;

  void update(const Program &read, Id of) {
    if (program != read.serial || function != of) {
      program = read.serial;
      function = of;
      lives = lifetimesOf(read.lookup, of);
      // More than a screen: those that matter come first.
      constexpr size_t many = 30;
      largestFirst = lives.buffers.size() > many;
      isStale = true;
    }
    if (!isStale && usedFilter == filter)
      return;
    isStale = false;
    usedFilter = filter;
    order.clear();
    for (size_t i = 0; i < lives.buffers.size(); ++i)
      if (lives.buffers[i].name.find(filter) != std::string::npos)
        order.push_back(i);
    if (largestFirst)
      std::ranges::stable_sort(order, [&](size_t a, size_t b) {
        return lives.buffers[a].bytes.value_or(0) >
               lives.buffers[b].bytes.value_or(0);
      });
  }
};

class Chart {
public:
  Chart(const Program &program, ViewState &state, const LifetimesCache &cache)
      : program(program), state(state), cache(cache), lives(cache.lives),
        theme(graph::themeOf(state.theme)) {
    names = std::min(220 * uiScale(), ImGui::GetContentRegionAvail().x * 0.4f);
    width = std::max(10.f, ImGui::GetContentRegionAvail().x - names - 12);
    steps = float(std::max<size_t>(1, lives.steps.size()));
  }

  /// How many bytes are live, over the steps.
  void drawBytes() {
    if (!lives.peakBytes)
      return;
    ImVec2 at = ImGui::GetCursorScreenPos();
    float height = 26 * uiScale();
    ImGui::InvisibleButton("bytes", {names + width, height});
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImU32 color = colorOf(theme.of(graph::Meaning::owned).line, 0.6f);
    // Steps that share a pixel are as high as the highest: no peak is hidden.
    const size_t count = lives.liveBytes.size();
    const size_t columns = std::min(count, size_t(width));
    for (size_t column = 0; column < columns; ++column) {
      const size_t first = column * count / columns,
                   behind = (column + 1) * count / columns;
      const uint64_t most =
          *std::max_element(lives.liveBytes.begin() + ptrdiff_t(first),
                            lives.liveBytes.begin() + ptrdiff_t(behind));
      float share = float(double(most) / double(lives.peakBytes));
      list->AddRectFilled(
          {at.x + names + width * float(first) / steps,
           at.y + height * (1 - share)},
          {at.x + names + width * float(behind) / steps, at.y + height}, color);
    }
    list->AddText(at, colorOf(theme.dimText), "live bytes");
    float x = (ImGui::GetMousePos().x - at.x - names) / width * steps;
    if (ImGui::IsItemHovered() && x >= 0 && size_t(x) < lives.liveBytes.size())
      ImGui::SetTooltip("line %u: %s", lives.lines[size_t(x)],
                        bytesText(lives.liveBytes[size_t(x)]).c_str());
  }

  void drawBuffers() {
    ImGuiListClipper clipper;
    clipper.Begin(int(cache.order.size()));
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        drawBuffer(lives.buffers[cache.order[size_t(i)]]);
  }

private:
  void drawBuffer(const Lifetime &life) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    std::string text = life.name;
    if (life.bytes)
      text += "  " + bytesText(*life.bytes);
    if (life.onStack)
      text += "  stack";
    if (row(life.value, text, life.value == state.place.value)) {
      Id event = life.ends.empty() ? none : life.ends.back().event;
      selectEvent(state, program, event);
      selectValue(state, program, life.value);
    }
    auto xOf = [&](float step) { return at.x + names + width * step / steps; };
    float left = xOf(float(life.begin)),
          used = xOf(float(life.inUseUntil() + 1));
    float right = xOf(float(life.end() + 1));
    float top = at.y + 2, bottom = at.y + ImGui::GetTextLineHeight() - 2;
    ImDrawList *list = ImGui::GetWindowDrawList();
    auto meaning =
        life.mayBeOwned ? graph::Meaning::owned : graph::Meaning::borrowed;
    list->AddRectFilled({at.x + names - 4, at.y}, {xOf(steps), bottom + 2},
                        ImGui::GetColorU32(ImGuiCol_ChildBg));
    list->AddRectFilled({left, top}, {right, bottom},
                        colorOf(theme.of(meaning).line, 0.35f), 2);
    list->AddRectFilled({left, top}, {used, bottom},
                        colorOf(theme.of(meaning).line), 2);
    for (const LifetimeEnd &end : life.ends)
      drawEnd(end, xOf(float(end.step + 1)), top, bottom);
  }

  void drawEnd(const LifetimeEnd &end, float x, float top, float bottom) {
    if (end.kind != EndKind::freed)
      return;
    ImU32 color = colorOf(theme.of(graph::Meaning::freed).line);
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImVec2 a{x - 2, top - 1}, b{x + 2, bottom + 1};
    end.conditional ? list->AddRect(a, b, color)
                    : list->AddRectFilled(a, b, color);
  }

  const Program &program;
  ViewState &state;
  const LifetimesCache &cache;
  const Lifetimes &lives;
  const graph::Theme &theme;
  float names, width, steps;
};
} // namespace

size_t countLifetimes(const Program &program, ViewState &state) {
  LifetimesCache &cache = cacheOf<LifetimesCache>(state);
  cache.update(program, state.place.function);
  return cache.lives.buffers.size();
}

void drawLifetimes(const Program &program, ViewState &state) {
  LifetimesCache &cache = cacheOf<LifetimesCache>(state);
  cache.update(program, state.place.function);
  if (cache.lives.buffers.empty()) {
    ImGui::TextDisabled("No buffers in this function");
    return;
  }
  ImGui::SetNextItemWidth(
      std::min(160 * uiScale(), ImGui::GetContentRegionAvail().x));
  ImGui::InputTextWithHint("##lives", "filter", cache.filter,
                           sizeof cache.filter);
  ImGui::SameLine();
  if (ImGui::Checkbox("largest first", &cache.largestFirst))
    cache.isStale = true;
  ImGui::SameLine();
  if (cache.lives.isMeasured)
    ImGui::TextDisabled(
        "peak %s",
        peakText(cache.lives.peakBytes, !cache.lives.gaps.empty()).c_str());
  Chart chart(program, state, cache);
  chart.drawBytes();
  ImGui::BeginChild("buffers");
  chart.drawBuffers();
  ImGui::EndChild();
}

} // namespace memreflens::viewer
