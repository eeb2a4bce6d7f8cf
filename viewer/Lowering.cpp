//===- viewer/Lowering.cpp - IR of two stages side by side ----------------===//

#include "viewer/Lowering.h"

#include "viewer/Canvas.h"
#include "viewer/Rows.h"

#include "core/graph/LineDiff.h"
#include "core/graph/StageText.h"

#include <algorithm>

namespace memreflens::viewer {

static void column(const char *name, const std::vector<std::string_view> &lines,
                   const std::vector<bool> &marks, ImU32 color) {
  ImGui::BeginChild(name, {}, true, ImGuiWindowFlags_HorizontalScrollbar);
  ImGuiListClipper clipper;
  clipper.Begin(int(lines.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      ImVec2 at = ImGui::GetCursorScreenPos();
      if (marks[size_t(i)])
        ImGui::GetWindowDrawList()->AddRectFilled(
            at, {at.x + 4000, at.y + ImGui::GetTextLineHeight()}, color);
      show((marks[size_t(i)] ? "* " : "  ") + std::string(lines[size_t(i)]));
    }
  ImGui::EndChild();
}

void drawLowering(const Program &program, ViewState &state) {
  int after = std::max(1, state.place.stage), before = after - 1;
  auto first =
      graph::stageFunction(program.trace, state.place.function, before);
  auto second =
      graph::stageFunction(program.trace, state.place.function, after);
  graph::LineDiff diff = graph::diffLines(first.lines, second.lines);
  if (!ImGui::BeginTable("stages", 2))
    return;
  const graph::Theme &theme = graph::themeOf(state.theme);
  ImGui::TableNextColumn();
  ImGui::TextDisabled("stage %d%s", before, first.found ? "" : ": not there");
  column("before", first.lines, diff.removed,
         colorOf(theme.of(graph::Meaning::freed).line, 0.3f));
  ImGui::TableNextColumn();
  ImGui::TextDisabled("stage %d%s", after,
                      !second.found                 ? ": not there"
                      : first.lines == second.lines ? ": unchanged"
                                                    : "");
  column("after", second.lines, diff.added,
         colorOf(theme.of(graph::Meaning::allocated).line, 0.3f));
  ImGui::EndTable();
}

} // namespace memreflens::viewer
