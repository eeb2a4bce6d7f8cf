//===- viewer/panels/Why.cpp - why a decision was taken -------------------===//

#include "viewer/panels/Why.h"

#include "viewer/panels/Rows.h"

#include "core/explain/DecisionText.h"
#include "core/explain/FateText.h"
#include "core/explain/IndicatorText.h"
#include "core/explain/PositionText.h"
#include "core/explain/TensorText.h"
#include "core/trace/Names.h"

#include "imgui/imgui.h"

namespace memreflens::viewer {

namespace {
struct Section {
  std::string title;
  /// Plain words above the explanations; may be empty.
  std::string headline;
  std::vector<Explanation> explanations;
  /// The decision that each of them is about; `none` if no single one.
  std::vector<Id> events;
};

/// Sentences are worked out when the selection changes, not in each frame.
struct WhyCache {
  uint64_t program = 0;
  Place place;
  std::vector<Section> sections;

  void update(const Program &read, const Place &now);

private:
  void addEvent(const Lookup &lookup, Id event);
  void addEdge(const Lookup &lookup, const Place &now);
  void addBlock(const Lookup &lookup, Id block);
  void addOp(const Lookup &lookup, Id op);
  void addValue(const Lookup &lookup, Id value);
};
} // namespace

static bool isSelected(const Place &now) {
  return now.value != none || now.block != none || now.op != none ||
         !now.edge.empty();
}

void WhyCache::update(const Program &read, const Place &now) {
  if (program == read.serial && place == now)
    return;
  program = read.serial;
  place = now;
  sections.clear();
  addEvent(read.lookup, now.event);
  addEdge(read.lookup, now);
  addOp(read.lookup, now.op);
  // The block of an op is where it is; the question was the op.
  if (now.op == none)
    addBlock(read.lookup, now.block);
  addValue(read.lookup, now.value);
  // Who looks at a decision about a buffer wants to know what becomes of that.
  const trace::Event *event = read.lookup.event(now.event);
  if (event && !isSelected(now))
    addValue(read.lookup, event->value);
}

void WhyCache::addEvent(const Lookup &lookup, Id id) {
  const trace::Event *event = lookup.event(id);
  if (!event)
    return;
  sections.push_back({"decision " + std::to_string(id) + ": " +
                          std::string(trace::kindOf(*event)) + ", stage " +
                          std::to_string(event->stage),
                      "",
                      {explainEvent(lookup, id)},
                      {none}});
}

void WhyCache::addEdge(const Lookup &lookup, const Place &now) {
  if (now.edge.empty())
    return;
  Section section{"edge", "", {}, now.edgeEvents};
  for (Id event : now.edgeEvents)
    section.explanations.push_back(explainEvent(lookup, event));
  if (section.explanations.empty())
    section.headline = "nothing was decided about this edge";
  sections.push_back(std::move(section));
}

void WhyCache::addBlock(const Lookup &lookup, Id id) {
  const trace::Block *block = lookup.block(id);
  if (!block)
    return;
  Section section{"block " + lookup.blockName(id), "", {}, {}};
  if (!block->nameRange.empty())
    section.explanations = explainAt(lookup, block->nameRange);
  section.events.assign(section.explanations.size(), none);
  if (section.explanations.empty())
    for (Id event : lookup.eventsOfBlock(id)) {
      const auto &detail = lookup.event(event)->detail;
      // What each value's ownership is stands in the matrix.
      if (std::holds_alternative<trace::OwnershipEvent>(detail) ||
          std::holds_alternative<trace::CandidateEvent>(detail) ||
          std::holds_alternative<trace::RewriteEvent>(detail))
        continue;
      section.explanations.push_back(explainEvent(lookup, event));
      section.events.push_back(event);
    }
  if (section.explanations.empty())
    section.headline = "nothing was decided in this block";
  sections.push_back(std::move(section));
}

void WhyCache::addOp(const Lookup &lookup, Id id) {
  const trace::Op *op = lookup.op(id);
  if (!op)
    return;
  Section section{
      "op " + lookup.opAt(id), "", explainAt(lookup, op->nameRange), {}};
  section.events.assign(section.explanations.size(), none);
  if (section.explanations.empty())
    section.headline = "nothing was decided about this op";
  sections.push_back(std::move(section));
}

void WhyCache::addValue(const Lookup &lookup, Id id) {
  const trace::Value *value = lookup.value(id);
  if (!value)
    return;
  Section section{"value " + lookup.name(id), "", {}, {}};
  FateText fate = explainFate(lookup, id);
  section.headline = fate.headline;
  section.explanations = std::move(fate.steps);
  if (section.headline.empty() && value->type == "i1") {
    Explanation words = explainIndicator(lookup, id);
    if (!words.empty())
      section.explanations.push_back(std::move(words));
  }
  if (section.headline.empty() && section.explanations.empty())
    section.explanations = TensorText(lookup).aboutValue(id);
  if (section.headline.empty() && section.explanations.empty())
    section.headline = "not a buffer: no fate to tell";
  section.events.assign(section.explanations.size(), none);
  sections.push_back(std::move(section));
}

static void goTo(ViewState &state, const Program &program,
                 const Evidence &evidence) {
  if (evidence.event != none)
    selectEvent(state, program, evidence.event);
  if (!evidence.range.empty())
    selectOffset(state, program, evidence.range.begin);
}

static void drawEvidence(const Program &program, ViewState &state,
                         const Evidence &evidence) {
  std::string place = program.lookup.position(evidence.range);
  // A fact without a place still leads to the decision that holds it.
  if (place.empty() && evidence.event != none)
    place = "#" + std::to_string(evidence.event);
  if (!place.empty()) {
    if (ImGui::SmallButton(place.c_str()))
      goTo(state, program, evidence);
    ImGui::SameLine();
  }
  showWrapped(evidence.text);
}

static void draw(const Program &program, ViewState &state,
                 const Section &section) {
  ImGui::TextDisabled("%s", section.title.c_str());
  if (!section.headline.empty())
    showWrapped(section.headline);
  for (size_t i = 0; i < section.explanations.size(); ++i) {
    const Explanation &explanation = section.explanations[i];
    ImGui::PushID(int(i));
    ImGui::Spacing();
    if (section.events[i] != none) {
      if (ImGui::SmallButton("go"))
        selectEvent(state, program, section.events[i]);
      ImGui::SameLine();
    }
    showWrapped(explanation.sentence);
    for (size_t k = 0; k < explanation.evidence.size(); ++k) {
      ImGui::PushID(int(k));
      drawEvidence(program, state, explanation.evidence[k]);
      ImGui::PopID();
    }
    for (const Advice &remedy : explanation.remedies)
      showWrapped("do: " + remedy.words);
    ImGui::PopID();
  }
}

void drawWhy(const Program &program, ViewState &state) {
  WhyCache &cache = cacheOf<WhyCache>(state);
  cache.update(program, state.place);
  bool isFirst = true;
  for (const Section &section : cache.sections) {
    ImGui::PushID(section.title.c_str());
    if (!isFirst) {
      ImGui::Spacing();
      ImGui::Separator();
    }
    isFirst = false;
    draw(program, state, section);
    ImGui::PopID();
  }
  if (state.place.value == none && state.place.block == none &&
      state.place.edge.empty()) {
    ImGui::Spacing();
    ImGui::PushStyleColor(ImGuiCol_Text,
                          ImGui::GetStyle().Colors[ImGuiCol_TextDisabled]);
    showWrapped("Select a value, block or edge: a chip in the graph, or a name "
                "in the source");
    ImGui::PopStyleColor();
  }
}

} // namespace memreflens::viewer
