//===- viewer/Timeline.cpp - the decisions of a function as ticks ---------===//

#include "viewer/Timeline.h"

#include "viewer/Canvas.h"
#include "viewer/Theme.h"

#include "core/explain/DecisionText.h"
#include "core/graph/Escape.h"
#include "core/trace/Names.h"

#include <algorithm>

namespace memreflens::viewer {

graph::Meaning meaningOf(const trace::Event &event) {
  using graph::Meaning;
  // In the order of the alternatives of `Event::detail`.
  constexpr Meaning meanings[] = {
      Meaning::plain,    Meaning::live,  Meaning::owned,  Meaning::candidate,
      Meaning::retained, Meaning::freed, Meaning::cloned, Meaning::indicator,
      Meaning::rejected, Meaning::plain, Meaning::freed};
  return meanings[std::min(event.detail.index(), std::size(meanings) - 1)];
}

namespace {
class Timeline {
public:
  Timeline(const Program &program, ViewState &state)
      : program(program), state(state),
        events(program.lookup.eventsOfFunction(state.place.function)),
        theme(graph::themeOf(state.theme)), list(ImGui::GetWindowDrawList()),
        begin(ImGui::GetCursorScreenPos()),
        size{std::max(20.f, ImGui::GetContentRegionAvail().x), 20 * uiScale()} {
  }

  void draw() {
    ImGui::InvisibleButton("timeline", size);
    list->AddRectFilled(begin, {begin.x + size.x, begin.y + size.y},
                        ImGui::GetColorU32(ImGuiCol_FrameBg), 3);
    drawStage();
    drawTicks();
    drawValue();
    drawCursor();
    answer();
  }

private:
  float xOf(size_t i) const {
    return begin.x + size.x * (float(i) + 0.5f) / float(events.size());
  }
  size_t indexAt(float x) const {
    float share = std::clamp((x - begin.x) / size.x, 0.f, 0.9999f);
    return size_t(share * float(events.size()));
  }

  void drawStage() {
    auto isOf = [&](Id id) {
      return program.trace.events[size_t(id)].stage == state.place.stage;
    };
    auto first = std::ranges::find_if(events, isOf);
    if (first == events.end())
      return;
    auto last = std::find_if_not(first, events.end(), isOf);
    float step = size.x / float(events.size());
    float left = begin.x + step * float(first - events.begin());
    float right = begin.x + step * float(last - events.begin());
    list->AddRectFilled({left, begin.y}, {right, begin.y + size.y},
                        ImGui::GetColorU32(ImGuiCol_FrameBgHovered), 3);
  }

  /// At most one a pixel.
  void drawTicks() {
    float last = -10,
          width = std::clamp(size.x / float(events.size()) * 0.6f, 1.f, 4.f);
    for (size_t i = 0; i < events.size(); ++i) {
      float x = xOf(i);
      if (x - last < 1)
        continue;
      last = x;
      auto meaning = meaningOf(program.trace.events[size_t(events[i])]);
      ImU32 color = meaning == graph::Meaning::plain
                        ? colorOf(theme.dimText, 0.7f)
                        : colorOf(theme.of(meaning).line);
      list->AddRectFilled({x - width / 2, begin.y + 3},
                          {x + width / 2, begin.y + size.y * 0.68f}, color);
    }
  }

  void drawValue() {
    float last = -10;
    for (Id id :
         program.lookup.getIndex().eventsNamingValue(state.place.value)) {
      auto at = std::ranges::lower_bound(events, id);
      if (at == events.end() || *at != id)
        continue;
      float x = xOf(size_t(at - events.begin()));
      if (x - last < 1)
        continue;
      last = x;
      list->AddRectFilled({x - 1.5f, begin.y + size.y * 0.76f},
                          {x + 1.5f, begin.y + size.y - 2},
                          colorOf(theme.text));
    }
  }

  void drawCursor() {
    auto at = std::ranges::lower_bound(events, momentOf(state, program));
    if (at == events.end())
      return;
    float x = xOf(size_t(at - events.begin()));
    ImU32 color = colorOf(theme.of(graph::Meaning::ownedIf).line);
    list->AddLine({x, begin.y}, {x, begin.y + size.y}, color, 2);
    float half = 4 * uiScale();
    list->AddTriangleFilled({x - half, begin.y}, {x + half, begin.y},
                            {x, begin.y + half}, color);
  }

  void answer() {
    if (!ImGui::IsItemHovered() && !ImGui::IsItemActive())
      return;
    Id id = events[indexAt(ImGui::GetMousePos().x)];
    if (!ImGui::IsItemActive()) {
      const trace::Event &event = program.trace.events[size_t(id)];
      std::string tip = std::string(trace::kindOf(event)) + ": " +
                        explainEvent(program.lookup, id).sentence;
      tip = graph::visibleText(tip);
      ImGui::BeginTooltip();
      ImGui::PushTextWrapPos(440 * uiScale());
      ImGui::TextUnformatted(tip.c_str());
      ImGui::PopTextWrapPos();
      ImGui::EndTooltip();
      return;
    }
    if (id == state.place.event)
      return;
    // One drag is one way to go back.
    bool isDrag = !ImGui::IsItemActivated() && !state.back.empty();
    selectEvent(state, program, id);
    if (isDrag)
      state.back.pop_back();
  }

  const Program &program;
  ViewState &state;
  std::span<const Id> events;
  const graph::Theme &theme;
  ImDrawList *list;
  ImVec2 begin, size;
};
} // namespace

void drawTimeline(const Program &program, ViewState &state) {
  if (program.lookup.eventsOfFunction(state.place.function).empty()) {
    ImGui::TextDisabled("no decisions in this function");
    return;
  }
  Timeline(program, state).draw();
}

} // namespace memreflens::viewer
