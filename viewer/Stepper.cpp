//===- viewer/Stepper.cpp - stages, and decisions in order ----------------===//

#include "viewer/Stepper.h"

#include "viewer/Rows.h"

#include "core/explain/DecisionText.h"

#include "imgui/imgui.h"

#include <algorithm>

namespace memreflens::viewer {

void drawStages(const Program &program, ViewState &state) {
  const trace::Function *function =
      program.lookup.function(state.place.function);
  if (!function || function->chunk == none)
    return;
  for (const trace::Stage &stage :
       program.trace.chunks[function->chunk].stages) {
    bool isCurrent = stage.number == state.place.stage;
    if (isCurrent)
      ImGui::PushStyleColor(ImGuiCol_Button,
                            ImGui::GetColorU32(ImGuiCol_ButtonActive));
    std::string text = std::to_string(stage.number);
    if (isCurrent || stage.changed || stage.number == 0)
      text += " " + (stage.number ? stage.name.substr(0, 14) : "input");
    float width = ImGui::CalcTextSize(text.c_str()).x + 14;
    if (stage.number && ImGui::GetItemRectMax().x + width <
                            ImGui::GetWindowPos().x + ImGui::GetWindowWidth())
      ImGui::SameLine();
    if (ImGui::Button(
            (text + "##stage" + std::to_string(stage.number)).c_str()))
      selectStage(state, program, stage.number);
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("%s%s", stage.name.c_str(),
                        stage.changed ? "" : " (unchanged)");
    if (isCurrent)
      ImGui::PopStyleColor();
  }
}

void drawStepper(const Program &program, ViewState &state) {
  if (ImGui::Button(state.isPlaying ? "pause" : "play"))
    state.isPlaying = !state.isPlaying;
  ImGui::SameLine();
  if (ImGui::Button("<"))
    step(state, program, -1);
  ImGui::SameLine();
  if (ImGui::Button(">"))
    step(state, program, 1);
  ImGui::SameLine();
  if (ImGui::Button(state.showsStageGraph ? "graph: stage"
                                          : "graph: decisions"))
    state.showsStageGraph = !state.showsStageGraph;
  ImGui::SameLine();
  auto events = program.lookup.eventsOfFunction(state.place.function);
  if (events.empty()) {
    ImGui::TextDisabled("no decisions in this function");
    return;
  }
  int at =
      int(std::ranges::lower_bound(events, state.place.event) - events.begin());
  ImGui::SetNextItemWidth(-1);
  if (ImGui::SliderInt("##time", &at, 0, int(events.size()) - 1,
                       "decision %d of this function"))
    selectEvent(state, program,
                events[size_t(std::clamp(at, 0, int(events.size()) - 1))]);
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

} // namespace memreflens::viewer
