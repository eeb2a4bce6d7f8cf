//===- viewer/panels/RunPanel.cpp - arguments, and what was counted -------===//

#include "viewer/panels/RunPanel.h"
#include "viewer/panels/FactTable.h"

#include "viewer/canvas/Theme.h"
#include "viewer/panels/Rows.h"

namespace memreflens::viewer {

static void goTo(const Program &program, ViewState &state,
                 const execute::Site &site) {
  if (site.line == 0)
    return;
  const auto size = uint32_t(program.trace.source.text.size());
  const uint32_t begin = std::min(size, offsetOfLine(program.trace, site.line) +
                                            std::max(site.column, 1u) - 1);
  selectRange(state, program, {begin, std::min(size, begin + 1)});
}

static RunWish drawFields(const Program &program, const ViewState &state,
                          ProgramRun &run, bool canRun, double now) {
  RunWish wish = RunWish::nothing;
  const trace::Function *function =
      program.lookup.function(state.place.function);
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##arguments", "arguments: n=64 x=8x16xf32:iota",
                           run.fields.arguments, sizeof run.fields.arguments);
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("by name or number; a buffer by its sizes, and random, "
                      "zeros, iota or FILE.npy\nwhat is not given is small and "
                      "random");
  ImGui::SetNextItemWidth(110);
  ImGui::InputInt("seed", &run.fields.seed);
  run.fields.seed = std::max(run.fields.seed, 0);
  if (run.isRunning()) {
    ImGui::TextDisabled("running, %.0f s", std::max(0.0, now - run.since));
    ImGui::SameLine();
    if (ImGui::Button("stop"))
      run.stop();
    return wish;
  }
  ImGui::BeginDisabled(!canRun || !function);
  const std::string label = (run.last() ? "Run again: @" : "Run @") +
                            (function ? function->name : std::string()) +
                            "###run";
  if (ImGui::Button(label.c_str()))
    wish = RunWish::run;
  ImGui::EndDisabled();
  if (run.last() && ImGui::Button("counts on the graph"))
    wish = RunWish::graph;
  if (!canRun)
    showWrapped("A saved trace cannot be run; open the program");
  return wish;
}

/// What went wrong, each with its place.
static void drawFaults(const Program &program, ViewState &state,
                       const execute::Record &record) {
  const graph::Accent &accent =
      graph::themeOf(state.theme).of(graph::Meaning::freed);
  const bool isDark = state.theme == graph::ThemeName::dark;
  for (size_t i = 0; i < record.faults.size(); ++i) {
    const execute::Fault &fault = record.faults[i];
    const int64_t at = fault.site >= 0 ? fault.site : fault.allocation;
    ImGui::PushID(int(i));
    if (at >= 0 && record.sites[size_t(at)].line > 0) {
      const execute::Site &site = record.sites[size_t(at)];
      const std::string place =
          std::to_string(site.line) + ":" + std::to_string(site.column);
      if (ImGui::SmallButton(place.c_str()))
        goTo(program, state, site);
      ImGui::SameLine();
    }
    ImGui::PushStyleColor(ImGuiCol_Text,
                          colorOf(isDark ? accent.line : accent.text));
    showWrapped(textOf(record, fault));
    ImGui::PopStyleColor();
    ImGui::PopID();
  }
  for (const std::string &claim : record.contradictions)
    showWrapped(claim);
}

static void drawCounts(const Program &program, ViewState &state,
                       ProgramRun &run) {
  const execute::Record &record = run.last()->record;
  showWrapped(verdictOf(record));
  drawFaults(program, state, record);
  drawTools(run.rows(), run.view, /*hasValues=*/false);
  const int clicked =
      drawTable("counts", run.rows(), run.view, state.place.value,
                [](size_t) -> RowLook { return {}; });
  if (clicked >= 0)
    goTo(program, state, run.siteOf(size_t(clicked)));
}

RunWish drawRun(const Program &program, ViewState &state, ProgramRun &run,
                bool canRun, double now) {
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::BeginChild("fields", {width * 0.3f, 0});
  const RunWish wish = drawFields(program, state, run, canRun, now);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("counted");
  if (!run.problem().empty())
    showWrapped(run.problem());
  if (run.last())
    drawCounts(program, state, run);
  else if (run.problem().empty() && canRun)
    showWrapped("Runs the function, as the pipeline leaves it, in a process "
                "that can reach neither files nor network: how often each op "
                "ran, what was live, and what went wrong stand here, and on "
                "the graph of the last stage.");
  ImGui::EndChild();
  return wish;
}

} // namespace memreflens::viewer
