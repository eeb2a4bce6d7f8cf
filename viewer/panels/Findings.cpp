//===- viewer/panels/Findings.cpp - what is wrong, and the way that leads there
//--===//

#include "viewer/panels/Findings.h"

#include "viewer/canvas/Theme.h"
#include "viewer/panels/FactTable.h"
#include "viewer/panels/Rows.h"

#include "core/explain/Words.h"
#include "core/text/Escape.h"
#include "core/trace/Names.h"

#include <algorithm>

namespace memreflens::viewer {

std::string textOf(const memreflens::Place &place) {
  return place.line
             ? std::to_string(place.line) + ":" + std::to_string(place.column)
             : "";
}

trace::Range rangeOf(const Program &program, const memreflens::Place &place) {
  if (place.line == 0)
    return {};
  uint32_t size = uint32_t(program.trace.source.text.size());
  auto at = [&](uint32_t line, uint32_t column) {
    uint32_t begin = offsetOfLine(program.trace, line);
    return std::min(size, begin + (column ? column - 1 : 0));
  };
  uint32_t begin = at(place.line, place.column);
  uint32_t end = place.endLine ? at(place.endLine, place.endColumn) : begin;
  // An empty range marks nothing.
  return {begin, std::min(size, std::max(end, begin + 1))};
}

//===--- The run ----------------------------------------------------------===//

void Findings::start(RunRequest request, const std::string &tool) {
  forget();
  asked = true;
  run.start(std::move(request), tool);
}

void Findings::start(std::shared_ptr<const Program> saved) {
  forget();
  asked = true;
  run.start(std::move(saved));
}

void Findings::forget() {
  run.cancel();
  result = {};
  summary = {};
  entry = -1;
  step = -1;
  table = {};
  view.isStale = true;
  chosen = -1;
  asked = false;
}

void Findings::poll() {
  std::optional<CheckResult> done = run.take();
  if (!done || !asked)
    return;
  result = std::move(*done);
  summary = result.error.empty() ? overviewOf(result.report) : Overview();
  table.columns = {"severity", "at", "rule", "function", "what", "do"};
  table.rows.clear();
  for (const Finding &finding : all()) {
    std::string remedies;
    for (const Advice &remedy : finding.remedies)
      remedies += (remedies.empty() ? "" : "; ") + remedy.words;
    Fact row;
    row.cells = {std::string(trace::nameOf(finding.severity)),
                 textOf(finding.place),
                 finding.rule,
                 finding.function.empty() ? "" : "@" + finding.function,
                 finding.message,
                 remedies};
    for (std::string &cell : row.cells)
      cell = visibleText(cell);
    table.rows.push_back(std::move(row));
  }
  view.isStale = true;
  // The first one is told of, and nobody is taken anywhere.
  chosen = all().empty() ? -1 : 0;
  step = -1;
}

//===--- From step to step ------------------------------------------------===//

/// The steps of the path; last the finding's own place, if no step is there.
static std::vector<FindingNote> stopsOf(const Finding &finding) {
  std::vector<FindingNote> stops = finding.path;
  if (stops.empty() || textOf(stops.back().place) != textOf(finding.place))
    stops.push_back({finding.place, finding.message});
  return stops;
}

static int lastStopOf(const Finding &finding) {
  return int(stopsOf(finding).size()) - 1;
}

void Findings::choose(const Program &program, ViewState &state, int number,
                      int to) {
  if (number < 0 || size_t(number) >= all().size())
    return;
  std::vector<FindingNote> stops = stopsOf(all()[size_t(number)]);
  chosen = number;
  step = std::clamp(to, 0, int(stops.size()) - 1);
  wantsScroll = true;
  trace::Range range = rangeOf(program, stops[size_t(step)].place);
  if (!range.empty())
    selectRange(state, program, range);
}

void Findings::walk(const Program &program, ViewState &state, int direction) {
  if (all().empty())
    return;
  int count = int(all().size());
  int to = step + direction;
  if (to >= 0 && to <= lastStopOf(all()[size_t(chosen)]))
    return choose(program, state, chosen, to);
  int other = step < 0 ? (direction > 0 ? 0 : count - 1)
                       : (chosen + direction + count) % count;
  choose(program, state, other,
         direction > 0 ? 0 : lastStopOf(all()[size_t(other)]));
}

void Findings::next(const Program &program, ViewState &state, int direction) {
  int count = int(all().size());
  if (count == 0)
    return;
  int to = step < 0 ? (direction > 0 ? 0 : count - 1)
                    : (chosen + direction + count) % count;
  choose(program, state, to, lastStopOf(all()[size_t(to)]));
}

//===--- The panel --------------------------------------------------------===//

static void drawNote(const Program &program, ViewState &state,
                     const FindingNote &note) {
  std::string place = textOf(note.place);
  if (!place.empty()) {
    if (ImGui::SmallButton(place.c_str()))
      selectRange(state, program, rangeOf(program, note.place));
    ImGui::SameLine();
  }
  showWrapped(note.text);
}

/// The way there: the step that is looked at stands out.
static void drawPath(const Program &program, ViewState &state,
                     Findings &findings, const Finding &finding) {
  std::vector<FindingNote> stops = stopsOf(finding);
  for (size_t i = 0; i < stops.size(); ++i) {
    const memreflens::Place &place = stops[i].place;
    const std::string &text = stops[i].text;
    std::string number = stops.size() > 1 ? std::to_string(i + 1) + ". " : "";
    std::string head = number + textOf(place) + "  ";
    ImGui::PushID(int(i));
    bool isCurrent = findings.step == int(i);
    // As high as its words are when they are wrapped.
    float left = ImGui::CalcTextSize(head.c_str()).x;
    float room = std::max(60.f, ImGui::GetContentRegionAvail().x - left);
    float height = wrappedHeight(text, room);
    ImVec2 at = ImGui::GetCursorPos();
    if (ImGui::Selectable("##step", isCurrent, 0, {0, height}))
      findings.choose(program, state, findings.chosen, int(i));
    if (isCurrent && findings.wantsScroll)
      ImGui::SetScrollHereY();
    ImVec2 after = ImGui::GetCursorPos();
    ImGui::SetCursorPos(at);
    ImGui::TextDisabled("%s", head.c_str());
    ImGui::SetCursorPos({at.x + left, at.y});
    showWrapped(text);
    ImGui::SetCursorPos(after);
    ImGui::PopID();
  }
}

static void drawDetails(const Program &program, ViewState &state,
                        Findings &findings) {
  const Finding &finding = findings.all()[size_t(findings.chosen)];
  const graph::Theme &theme = graph::themeOf(state.theme);
  bool isError = finding.severity == trace::Severity::error;
  const graph::Accent &accent =
      theme.of(isError ? graph::Meaning::freed : graph::Meaning::candidate);
  bool isDark = state.theme == graph::ThemeName::dark;
  ImGui::PushStyleColor(ImGuiCol_Text,
                        colorOf(isDark ? accent.line : accent.text));
  show(std::string(trace::nameOf(finding.severity)) + "  " + finding.rule);
  ImGui::PopStyleColor();
  showWrapped(finding.message);
  if (!finding.path.empty())
    ImGui::TextDisabled("the way there (F8: next step)");
  drawPath(program, state, findings, finding);
  for (const Advice &remedy : finding.remedies)
    showWrapped("do: " + remedy.words);
  for (const SharedRemedy &tried : finding.tried)
    showWrapped((tried->helps ? "tested, helps: " : "tested, does not help: ") +
                tried->remedy + ": " + tried->outcome);
  for (size_t i = 0; i < finding.related.size(); ++i) {
    ImGui::PushID(int(1000 + i));
    drawNote(program, state, finding.related[i]);
    ImGui::PopID();
  }
}

/// How far paths were tried, where not all were.
static std::string boundsOf(const FileReport &report) {
  size_t cut = 0;
  for (const Exploration &exploration : report.explorations)
    cut += !exploration.complete;
  return cut ? "; not all paths of " + counted(cut, "function") + " were tried"
             : "";
}

static bool drawTop(Findings &findings, bool isWhole) {
  if (findings.isRunning() && findings.wasAsked()) {
    ImGui::TextDisabled("checking ...");
    ImGui::SameLine();
    if (ImGui::Button("stop"))
      findings.stop();
    return false;
  }
  if (!findings.problem().empty())
    showWrapped(findings.problem());
  if (!isWhole) {
    ImGui::TextDisabled("of a saved trace: no path is tried%s",
                        findings.all().empty() ? "; nothing found" : "");
    return false;
  }
  bool asks = ImGui::Button("check again");
  ImGui::SameLine();
  if (findings.problem().empty() && findings.wasAsked())
    ImGui::TextDisabled("%s%s", findings.all().empty() ? "nothing found" : "",
                        (boundsOf(findings.report())).c_str());
  return asks;
}

bool drawFindings(const Program &program, ViewState &state, Findings &findings,
                  bool isWhole) {
  bool asks = drawTop(findings, isWhole);
  if (findings.all().empty())
    return asks;
  ImGui::SameLine();
  drawTools(findings.rows(), findings.view, /*hasValues=*/false);
  bool hasChosen = findings.chosen >= 0;
  float width = ImGui::GetContentRegionAvail().x;
  ImGui::BeginChild("list", {hasChosen ? width * 0.52f : 0, 0});
  int clicked = drawTable(
      "findings", findings.rows(), findings.view, state.place.value,
      [&](size_t number) -> RowLook {
        return {int(number) == findings.chosen, false};
      },
      findings.wantsScroll ? findings.chosen : -1);
  ImGui::EndChild();
  if (hasChosen) {
    ImGui::SameLine();
    ImGui::BeginChild("details");
    drawDetails(program, state, findings);
    ImGui::EndChild();
  }
  findings.wantsScroll = false;
  if (clicked >= 0)
    findings.choose(program, state, clicked,
                    int(findings.all()[size_t(clicked)].path.size()));
  return asks;
}

} // namespace memreflens::viewer
