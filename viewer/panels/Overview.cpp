//===- viewer/panels/Overview.cpp - what to do about this file, first -----===//

#include "viewer/panels/Overview.h"

#include "viewer/canvas/Theme.h"
#include "viewer/panels/Rows.h"

#include "core/explain/Words.h"
#include "core/text/Escape.h"

#include <algorithm>

namespace memreflens::viewer {

static std::string placeOrDash(const memreflens::Place &place) {
  std::string text = textOf(place);
  return text.empty() ? "-" : text;
}

/// A word that says what follows, and the text beside it.
static void labelled(const char *label, const std::string &text,
                     const graph::Accent *accent, bool isDark) {
  float left = ImGui::GetCursorPosX();
  ImGui::TextDisabled("%s", label);
  ImGui::SameLine();
  ImGui::SetCursorPosX(left + 44 * uiScale());
  if (accent)
    ImGui::PushStyleColor(ImGuiCol_Text,
                          colorOf(isDark ? accent->line : accent->text));
  ImGui::BeginGroup();
  showWrapped(text);
  ImGui::EndGroup();
  if (accent)
    ImGui::PopStyleColor();
}

//===--- The places behind a cause ----------------------------------------===//

/// Of the report, by their numbers.
static std::vector<size_t> findingsOf(const FileReport &report,
                                      const OverviewEntry &entry) {
  std::vector<size_t> behind;
  for (size_t i = 0; i < report.findings.size(); ++i)
    if (std::ranges::find(entry.causes, size_t(report.findings[i].cause)) !=
        entry.causes.end())
      behind.push_back(i);
  return behind;
}

static void drawPlaces(const Program &program, ViewState &state,
                       Findings &findings, const OverviewEntry &entry) {
  const FileReport &report = findings.report();
  std::vector<size_t> behind = findingsOf(report, entry);
  if (behind.empty())
    for (size_t cause : entry.causes)
      for (const FindingNote &note : report.causes[cause].evidence) {
        ImGui::PushID(&note);
        if (row(0, "  " + placeOrDash(note.place) + "  " + note.text, false))
          selectRange(state, program, rangeOf(program, note.place));
        ImGui::PopID();
      }
  float height = ImGui::GetTextLineHeightWithSpacing();
  ImGuiListClipper clipper;
  clipper.Begin(int(behind.size()), height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      size_t number = behind[size_t(i)];
      const Finding &finding = report.findings[number];
      if (row(int(number),
              "  " + placeOrDash(finding.place) + "  " + finding.message,
              findings.step >= 0 && findings.chosen == int(number)))
        findings.choose(program, state, int(number), int(finding.path.size()));
    }
}

static void drawToCopy(const std::string &text) {
  ImGui::PushID(text.c_str());
  if (ImGui::SmallButton("copy"))
    ImGui::SetClipboardText(text.c_str());
  ImGui::PopID();
  ImGui::SameLine();
  show(text);
}

static void drawCommands(const OverviewEntry &entry) {
  // A command is pasted as it is: one line, however long.
  for (const OverviewFix &fix : entry.fixes) {
    for (const std::string &command : fix.commands)
      drawToCopy(command);
    std::string code;
    for (const std::string &line : fix.code)
      code += (code.empty() ? "" : "\n") + line;
    if (!code.empty())
      drawToCopy(code);
  }
}

//===--- The list ---------------------------------------------------------===//

/// The entry at which the fix is told with its gain.
static size_t firstWith(const Overview &overview, const OverviewFix &fix) {
  auto isSame = [&](const OverviewFix &other) {
    return other.remedy == fix.remedy && other.gain == fix.gain;
  };
  size_t at = 0;
  while (at < overview.entries.size() &&
         std::ranges::none_of(overview.entries[at].fixes, isSame))
    ++at;
  return at;
}

static void drawEntry(const Program &program, ViewState &state,
                      Findings &findings, size_t number) {
  const OverviewEntry &entry = findings.overview().entries[number];
  const graph::Theme &theme = graph::themeOf(state.theme);
  const bool isDark = state.theme == graph::ThemeName::dark;
  const bool isOpen = findings.entry == int(number);
  ImGui::PushID(int(number));
  std::string head = std::to_string(number + 1) + "  " + entry.sentence;
  // As high as its words are when they are wrapped.
  float room = ImGui::GetContentRegionAvail().x;
  ImVec2 at = ImGui::GetCursorPos();
  float height = wrappedHeight(head, room);
  if (ImGui::Selectable("##entry", isOpen, 0, {0, height})) {
    findings.entry = isOpen ? -1 : int(number);
    trace::Range range = rangeOf(program, entry.place);
    if (!isOpen && !range.empty())
      selectRange(state, program, range);
  }
  ImVec2 after = ImGui::GetCursorPos();
  ImGui::SetCursorPos(at);
  showWrapped(head);
  ImGui::SetCursorPos(after);
  ImGui::Indent();
  if (!entry.costs.empty())
    labelled("costs", entry.costs, &theme.of(graph::Meaning::candidate),
             isDark);
  for (const OverviewFix &fix : entry.fixes) {
    const size_t told = firstWith(findings.overview(), fix);
    labelled("fix",
             fix.remedy + (told < number
                               ? " (as for " + std::to_string(told + 1) + ")"
                               : ": " + fix.gain),
             &theme.of(graph::Meaning::owned), isDark);
  }
  if (!entry.advice.empty())
    labelled("help", entry.advice, nullptr, isDark);
  if (isOpen) {
    drawCommands(entry);
    drawPlaces(program, state, findings, entry);
  }
  ImGui::Unindent();
  ImGui::PopID();
}

static bool drawSummary(Findings &findings, bool isWhole) {
  const Overview &overview = findings.overview();
  for (const std::string &line : {overview.tensors, overview.counts})
    if (!line.empty())
      showWrapped(line);
  for (const std::string &line :
       {overview.peak, overview.slow, overview.bounded})
    if (!line.empty())
      showWrapped(line);
  if (findings.isRunning() && findings.wasAsked()) {
    ImGui::TextDisabled("%s", isWhole ? "looks for causes, and tests remedies "
                                        "on copies of the program ..."
                                      : "looks for causes ...");
    ImGui::SameLine();
    if (ImGui::SmallButton("stop"))
      findings.stop();
    return false;
  }
  if (!findings.problem().empty()) {
    showWrapped(findings.problem());
    return ImGui::SmallButton("check again");
  }
  if (!isWhole)
    ImGui::TextDisabled("of a saved trace: no remedy is tested, and no path "
                        "tried; open the program for that");
  if (findings.wasAsked() && overview.entries.empty())
    ImGui::TextDisabled("no findings");
  return false;
}

bool drawOverview(const Program &program, ViewState &state, Findings &findings,
                  bool isWhole) {
  bool asks = drawSummary(findings, isWhole);
  const size_t count = findings.overview().entries.size();
  for (size_t i = 0; i < count; ++i) {
    ImGui::Spacing();
    drawEntry(program, state, findings, i);
  }
  return asks;
}

} // namespace memreflens::viewer
