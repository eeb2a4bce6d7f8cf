//===- viewer/Texts.cpp - functions, source, problems ---------------------===//

#include "viewer/Texts.h"

#include "viewer/Rows.h"

#include "core/explain/DecisionText.h"
#include "core/trace/Names.h"

#include "imgui/imgui.h"

#include <algorithm>

namespace memreflens::viewer {

void drawFunctions(const Program &program, ViewState &state) {
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##filter", "filter functions", state.functionFilter,
                           sizeof state.functionFilter);
  for (const trace::Function &function : program.trace.functions) {
    if (function.name.find(state.functionFilter) == std::string::npos)
      continue;
    std::string text = "@" + function.name;
    if (function.status != trace::FunctionStatus::traced)
      text += "  " + std::string(trace::nameOf(function.status));
    if (row(function.id, text, function.id == state.place.function))
      selectFunction(state, program, function.id);
  }
}

static std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == text.npos ? "" : text.substr(end + 1);
  }
  return lines;
}

void drawSource(const Program &program, ViewState &state) {
  const std::string &text = program.trace.source.text;
  std::vector<std::string_view> lines = linesOf(text);
  const trace::Event *event = program.lookup.event(state.place.event);
  trace::Range focus =
      event ? rangeOfEvent(program.lookup, *event) : trace::Range{};
  if (focus.empty())
    if (const auto *function = program.lookup.function(state.place.function))
      focus = function->nameRange;
  auto offsetOf = [&](size_t i) {
    return uint32_t(lines[i].data() - text.data());
  };
  size_t current = 0;
  while (current + 1 < lines.size() && offsetOf(current + 1) <= focus.begin)
    ++current;
  float height = ImGui::GetTextLineHeightWithSpacing();
  if (state.wantsScroll)
    ImGui::SetScrollY(std::max(0.f, (float(current) - 4) * height));
  ImGuiListClipper clipper;
  clipper.Begin(int(lines.size()), height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      std::string line = std::to_string(i + 1);
      line.insert(0, line.size() < 4 ? 4 - line.size() : 0, ' ');
      line += "  " + std::string(lines[size_t(i)]);
      if (row(i, line, size_t(i) == current && !focus.empty())) {
        float column = (ImGui::GetMousePos().x - ImGui::GetItemRectMin().x) /
                           ImGui::CalcTextSize("0").x -
                       6;
        selectOffset(state, program,
                     offsetOf(size_t(i)) +
                         uint32_t(std::clamp(column, 0.f,
                                             float(lines[size_t(i)].size()))));
      }
    }
}

void drawProblems(const Program &program, ViewState &state) {
  if (program.trace.problems.empty())
    ImGui::TextDisabled("No problems");
  int id = 0;
  for (const trace::Problem &problem : program.trace.problems) {
    ImGui::PushID(id++);
    std::string place = program.lookup.position(problem.range);
    if (!place.empty() && ImGui::SmallButton(place.c_str()))
      selectOffset(state, program, problem.range.begin);
    if (!place.empty())
      ImGui::SameLine();
    showWrapped(std::string(trace::nameOf(problem.severity)) + ": " +
                problem.message);
    if (!problem.remedy.empty())
      showWrapped("do: " + problem.remedy);
    ImGui::PopID();
  }
}

} // namespace memreflens::viewer
