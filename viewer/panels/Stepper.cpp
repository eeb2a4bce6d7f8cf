//===- viewer/panels/Stepper.cpp - stages, and decisions in order ---------===//

#include "viewer/panels/Stepper.h"
#include "viewer/state/Sentences.h"

#include "viewer/canvas/Theme.h"
#include "viewer/panels/Rows.h"
#include "viewer/panels/Timeline.h"

#include "core/explain/DecisionText.h"
#include "core/explain/Words.h"
#include "core/trace/Names.h"

#include "imgui/imgui.h"

#include <algorithm>
#include <cstdio>

namespace memreflens::viewer {

/// Beside the last item, if it fits there.
static void flow(float width, bool isFirst) {
  float end = ImGui::GetWindowPos().x + ImGui::GetWindowWidth();
  if (!isFirst &&
      ImGui::GetItemRectMax().x + width + ImGui::GetStyle().ItemSpacing.x < end)
    ImGui::SameLine();
}

/// The part of a stage's name that tells it from the others.
static std::string_view shortName(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"ownership-based-buffer-deallocation", "ownership"},
      {"buffer-deallocation-simplification", "simplification"},
      {"bufferization-lower-deallocations", "lower-deallocations"}};
  for (auto [whole, part] : known)
    if (name == whole)
      return part;
  return name;
}

/// How much of the names is shown: all, the parts that tell them apart, or so
/// many letters of these.
constexpr size_t wholeNames = 1000, shortNames = 999;

/// What changed nothing is a number only.
static std::string labelOf(const trace::Stage &stage, bool isCurrent,
                           size_t letters) {
  if (stage.number < 0)
    return letters == wholeNames ? stage.name : "copies";
  std::string text = std::to_string(stage.number);
  if (stage.agreement == trace::Agreement::different)
    text += "!";
  if (!isCurrent && !stage.changed && stage.number != 0)
    return text;
  std::string_view name = stage.name;
  if (stage.number == 0)
    name = "input";
  if (letters != wholeNames)
    name = shortName(name);
  if (name.size() <= letters || (isCurrent && name.size() < 20))
    return text + " " + std::string(name);
  return text + " " + std::string(name.substr(0, letters - 1)) + "\u2026";
}

/// As much as fits on one line; at least four letters.
static size_t lettersFor(const std::vector<trace::Stage> &stages, int current) {
  float room = ImGui::GetContentRegionAvail().x;
  const ImGuiStyle &style = ImGui::GetStyle();
  auto fits = [&](size_t letters) {
    float width = 0;
    for (const trace::Stage &stage : stages)
      width += ImGui::CalcTextSize(
                   labelOf(stage, stage.number == current, letters).c_str())
                   .x +
               2 * style.FramePadding.x + style.ItemSpacing.x;
    return width <= room;
  };
  for (size_t letters : {wholeNames, shortNames})
    if (fits(letters))
      return letters;
  size_t letters = 18;
  while (letters > 4 && !fits(letters))
    --letters;
  return letters;
}

/// What is in front of the stages has no decisions to show.
static void selectShown(ViewState &state, const Program &program, int stage) {
  state.showsStageGraph |= stage < 0;
  selectStage(state, program, stage);
}

void drawStages(const Program &program, ViewState &state) {
  const trace::Function *function =
      program.lookup.function(state.place.function);
  if (!function || function->chunk == none)
    return;
  std::vector<trace::Stage> stages;
  if (hasStage(program, function->id, trace::tensorCopiesStage)) {
    trace::Stage &copies = stages.emplace_back();
    copies.number = trace::tensorCopiesStage;
    copies.name = trace::tensorCopies;
    copies.changed = true;
  }
  for (const trace::Stage &stage :
       program.trace.chunks[size_t(function->chunk)].stages) {
    trace::Stage &shown = stages.emplace_back();
    shown.number = stage.number;
    shown.name = stage.name;
    shown.changed = stage.changed;
    shown.agreement = stage.agreement;
    shown.difference = stage.difference;
  }
  size_t letters = lettersFor(stages, state.place.stage);
  for (const trace::Stage &stage : stages) {
    bool isCurrent = stage.number == state.place.stage;
    if (isCurrent)
      ImGui::PushStyleColor(ImGuiCol_Button,
                            ImGui::GetColorU32(ImGuiCol_ButtonActive));
    std::string text = labelOf(stage, isCurrent, letters);
    flow(ImGui::CalcTextSize(text.c_str()).x +
             2 * ImGui::GetStyle().FramePadding.x,
         &stage == &stages.front());
    if (ImGui::Button(
            (text + "##stage" + std::to_string(stage.number)).c_str()))
      selectShown(state, program, stage.number);
    if (ImGui::IsItemHovered() && stage.number < 0)
      ImGui::SetTooltip("between the steps of one-shot-bufferize: with the "
                        "copies on tensors");
    else if (ImGui::IsItemHovered()) {
      std::string agreement = agreementWords(stage);
      ImGui::SetTooltip("stage %d, %s%s%s%s", stage.number, stage.name.c_str(),
                        stage.changed || !stage.number ? "" : ": unchanged",
                        agreement.empty() ? "" : "\n", agreement.c_str());
    }
    if (isCurrent)
      ImGui::PopStyleColor();
  }
}

namespace {
/// Buttons in a row, as many lines as it takes.
class Bar {
public:
  bool button(const char *name, const char *tip, bool isOn = false) {
    flow(ImGui::CalcTextSize(name, nullptr, true).x + 12 * uiScale(), isFirst);
    isFirst = false;
    if (isOn)
      ImGui::PushStyleColor(ImGuiCol_Button,
                            ImGui::GetColorU32(ImGuiCol_ButtonActive));
    bool isPressed = ImGui::Button(name);
    if (isOn)
      ImGui::PopStyleColor();
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("%s", tip);
    return isPressed;
  }
  /// "value < >": to the decision before, or behind.
  template <class Step>
  void pair(const char *name, const char *tip, Step step) {
    std::string id = name;
    flow(ImGui::CalcTextSize((id + "< >").c_str()).x + 34 * uiScale(), false);
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", name);
    ImGui::SameLine(0, 3);
    if (ImGui::Button(("<##" + id).c_str()))
      step(-1);
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("the decision before %s", tip);
    ImGui::SameLine(0, 2);
    if (ImGui::Button((">##" + id).c_str()))
      step(1);
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("the next decision %s", tip);
  }

private:
  bool isFirst = true;
};
} // namespace

void changeSpeed(ViewState &state, double factor) {
  state.secondsPerStep = std::clamp(state.secondsPerStep * factor, 0.05, 4.8);
}

static void drawSpeed(Bar &bar, ViewState &state) {
  if (bar.button("-##slower", "slower"))
    changeSpeed(state, 2);
  char text[32];
  std::snprintf(text, sizeof text, "%.3gx", 0.6 / state.secondsPerStep);
  ImGui::SameLine(0, 3);
  ImGui::TextDisabled("%s", text);
  ImGui::SameLine(0, 3);
  if (ImGui::Button("+##faster"))
    changeSpeed(state, 0.5);
}

void drawStepper(const Program &program, ViewState &state) {
  Bar bar;
  if (bar.button(state.isPlaying ? "pause" : "play ", "Space"))
    state.isPlaying = !state.isPlaying;
  if (bar.button("<##step", "the decision before (Left)"))
    step(state, program, -1);
  if (bar.button(">##step", "the next decision (Right)"))
    step(state, program, 1);
  drawSpeed(bar, state);
  bar.pair("value", "about the selected value (Shift+Left, Shift+Right)",
           [&](int way) { stepValue(state, program, way); });
  bar.pair("block", "in this block (Ctrl+Left, Ctrl+Right)",
           [&](int way) { stepBlock(state, program, way); });
  bar.pair("kind", "of this kind (Ctrl+Shift+Left, Ctrl+Shift+Right)",
           [&](int way) { stepKind(state, program, way); });
  if (bar.button("stage's IR", "the graph as the stage left it (G)",
                 state.showsStageGraph))
    state.showsStageGraph = !state.showsStageGraph;
  if (bar.button("outcome", "all decisions, not only those so far (M)",
                 state.showsOutcome))
    state.showsOutcome = !state.showsOutcome;
  if (bar.button("focus", "fade what does not touch the value (X)",
                 state.focuses))
    state.focuses = !state.focuses;
  drawTimeline(program, state);
}

namespace {
/// The decisions of a function in which something happens.
struct EventsCache {
  uint64_t program = 0;
  Id function = none, current = none;
  bool showsAll = false;
  std::vector<Id> shown;
  /// Those in which nothing does.
  size_t silent = 0;

  void update(const Program &read, const ViewState &state) {
    const Place &place = state.place;
    if (program == read.serial && function == place.function &&
        current == place.event && showsAll == state.showsSilent)
      return;
    program = read.serial;
    function = place.function;
    current = place.event;
    showsAll = state.showsSilent;
    shown.clear();
    silent = 0;
    for (Id id : read.lookup.eventsOfFunction(function)) {
      const bool isSilent = isSilentEvent(read.trace.events[size_t(id)]);
      silent += isSilent;
      if (!isSilent || showsAll || id == current)
        shown.push_back(id);
    }
  }

private:
  /// No memref is live into a block or out of it.
  static bool isSilentEvent(const trace::Event &event) {
    const auto *live = std::get_if<trace::LivenessEvent>(&event.detail);
    return live && live->liveIn.empty() && live->liveOut.empty();
  }
};
} // namespace

void drawEvents(const Program &program, ViewState &state) {
  EventsCache &cache = cacheOf<EventsCache>(state);
  cache.update(program, state);
  const std::vector<Id> &events = cache.shown;
  if (events.empty() && cache.silent == 0) {
    ImGui::TextDisabled("no decisions in this function");
    return;
  }
  if (cache.silent > 0) {
    std::string text = counted(cache.silent, "block") + " without live memrefs";
    ImGui::Checkbox(text.c_str(), &state.showsSilent);
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip(
          "also list blocks without live-in and live-out memrefs");
  }
  ImGui::BeginChild("rows");
  float height = ImGui::GetTextLineHeightWithSpacing();
  if (state.wantsScroll) {
    auto at = std::ranges::lower_bound(events, state.place.event);
    ImGui::SetScrollY(std::max(0.f, float(at - events.begin() - 3) * height));
  }
  const graph::Theme &theme = graph::themeOf(state.theme);
  ImGuiListClipper clipper;
  clipper.Begin(int(events.size()), height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const trace::Event &event =
          program.trace.events[size_t(events[size_t(i)])];
      ImVec2 at = ImGui::GetCursorScreenPos();
      std::string text = " " + std::to_string(event.stage) + "  " +
                         sentenceOf(program, state, event.id);
      if (row(event.id, text, event.id == state.place.event))
        selectEvent(state, program, event.id);
      auto meaning = meaningOf(event);
      if (meaning != graph::Meaning::plain)
        ImGui::GetWindowDrawList()->AddRectFilled(
            at, {at.x + 3, at.y + ImGui::GetTextLineHeight()},
            colorOf(theme.of(meaning).line));
    }
  ImGui::EndChild();
}

} // namespace memreflens::viewer
