//===- viewer/Why.cpp - why a decision was taken --------------------------===//

#include "viewer/Why.h"

#include "viewer/Rows.h"

#include "core/explain/DecisionText.h"
#include "core/explain/FateText.h"
#include "core/trace/Names.h"

#include "imgui/imgui.h"

namespace memreflens::viewer {

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

} // namespace memreflens::viewer
