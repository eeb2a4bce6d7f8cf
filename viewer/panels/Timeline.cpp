//===- viewer/panels/Timeline.cpp - the decisions of a function as ticks --===//

#include "viewer/panels/Timeline.h"

#include "viewer/canvas/Theme.h"

#include "core/explain/DecisionText.h"
#include "core/text/Escape.h"
#include "core/trace/Names.h"

#include <algorithm>
#include <cmath>

namespace memreflens::viewer {

graph::Meaning meaningOf(const trace::Event &event) {
  using graph::Meaning;
  // It is about who owns what.
  if (std::holds_alternative<trace::InterfaceEvent>(event.detail))
    return Meaning::owned;
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
  /// The first decision that is drawn there, or further right.
  size_t indexFrom(float x) const {
    float index = (x - begin.x) / size.x * float(events.size()) - 0.5f;
    return size_t(std::max(0.f, std::ceil(index)));
  }
  size_t indexAt(float x) const {
    float share = std::clamp((x - begin.x) / size.x, 0.f, 0.9999f);
    return size_t(share * float(events.size()));
  }

  void drawStage() {
    auto stageOf = [&](Id id) {
      return program.trace.events[size_t(id)].stage;
    };
    auto of = std::ranges::equal_range(events, state.place.stage, {}, stageOf);
    if (of.empty())
      return;
    float step = size.x / float(events.size());
    float left = begin.x + step * float(of.begin() - events.begin());
    float right = begin.x + step * float(of.end() - events.begin());
    list->AddRectFilled({left, begin.y}, {right, begin.y + size.y},
                        ImGui::GetColorU32(ImGuiCol_FrameBgHovered), 3);
  }

  /// At most one a pixel, however many there are.
  void drawTicks() {
    float width = std::clamp(size.x / float(events.size()) * 0.6f, 1.f, 4.f);
    for (size_t i = 0; i < events.size();) {
      float x = xOf(i);
      auto meaning = meaningOf(program.trace.events[size_t(events[i])]);
      ImU32 color = meaning == graph::Meaning::plain
                        ? colorOf(theme.dimText, 0.7f)
                        : colorOf(theme.of(meaning).line);
      list->AddRectFilled({x - width / 2, begin.y + 3},
                          {x + width / 2, begin.y + size.y * 0.68f}, color);
      i = std::max(i + 1, indexFrom(x + 1));
    }
  }

  void drawValue() {
    auto naming =
        program.lookup.getIndex().eventsNamingValue(state.place.value);
    for (auto at = naming.begin(); at != naming.end();) {
      auto found = std::ranges::lower_bound(events, *at);
      size_t i = size_t(found - events.begin());
      if (found == events.end())
        return;
      if (*found != *at) {
        at = std::ranges::lower_bound(at, naming.end(), *found);
        continue;
      }
      float x = xOf(i);
      list->AddRectFilled({x - 1.5f, begin.y + size.y * 0.76f},
                          {x + 1.5f, begin.y + size.y - 2},
                          colorOf(theme.text));
      i = std::max(i + 1, indexFrom(x + 1));
      if (i >= events.size())
        return;
      at = std::ranges::lower_bound(at, naming.end(), events[i]);
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
      tip = visibleText(tip);
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
