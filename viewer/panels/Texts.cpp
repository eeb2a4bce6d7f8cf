//===- viewer/panels/Texts.cpp - functions, source, problems --------------===//

#include "viewer/panels/Texts.h"

#include "viewer/panels/Rows.h"

#include "core/explain/DecisionText.h"
#include "core/trace/Names.h"

#include "imgui/imgui.h"

#include <algorithm>

namespace memreflens::viewer {

namespace {
/// The functions that the filter lets through.
struct FunctionsCache {
  uint64_t program = 0;
  std::string filter;
  std::vector<Id> shown;
  /// The one that was scrolled to.
  Id current = none;

  void update(const Program &read, const ViewState &state) {
    if (program == read.serial && filter == state.functionFilter)
      return;
    program = read.serial;
    filter = state.functionFilter;
    current = none;
    shown.clear();
    for (const trace::Function &function : read.trace.functions)
      if (function.name.find(filter) != std::string::npos)
        shown.push_back(function.id);
  }
};
} // namespace

static void scrollToCurrent(const ViewState &state, FunctionsCache &cache,
                            float height) {
  if (cache.current == state.place.function)
    return;
  cache.current = state.place.function;
  auto at = std::ranges::lower_bound(cache.shown, cache.current);
  float top = float(at - cache.shown.begin()) * height;
  float seen = ImGui::GetScrollY(), room = ImGui::GetWindowHeight();
  if (top < seen || top > seen + room - 2 * height)
    ImGui::SetScrollY(std::max(0.f, top - room / 3));
}

void drawFunctions(const Program &program, ViewState &state, bool isPart) {
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##filter", "filter functions", state.functionFilter,
                           sizeof state.functionFilter);
  if (isPart)
    ImGui::TextDisabled("the others are being analysed ...");
  FunctionsCache &cache = cacheOf<FunctionsCache>(state);
  cache.update(program, state);
  ImGui::BeginChild("rows");
  float height = ImGui::GetTextLineHeightWithSpacing();
  scrollToCurrent(state, cache, height);
  ImGuiListClipper clipper;
  clipper.Begin(int(cache.shown.size()), height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const trace::Function &function =
          program.trace.functions[size_t(cache.shown[size_t(i)])];
      std::string text = "@" + function.title();
      if (function.status != trace::FunctionStatus::traced)
        text += "  " + std::string(trace::nameOf(function.status));
      if (row(function.id, text, function.id == state.place.function))
        selectFunction(state, program, function.id);
    }
  ImGui::EndChild();
}

/// What is marked, else where the decision is taken; without one, where the
/// function begins.
static trace::Range focusOf(const Program &program, const ViewState &state) {
  const Lookup &lookup = program.lookup;
  trace::Range focus = state.place.mark;
  if (const trace::Event *event = lookup.event(state.place.event);
      event && focus.empty())
    focus = rangeOfEvent(lookup, *event);
  if (focus.empty())
    if (const auto *function = lookup.function(state.place.function))
      focus = function->nameRange;
  // A program that did not parse: where it stopped to.
  if (program.trace.functions.empty() && !program.trace.problems.empty())
    focus = program.trace.problems.front().range;
  return focus;
}

static constexpr int digits = 5;

static std::string numbered(size_t line, std::string_view text) {
  std::string number = std::to_string(line);
  number.insert(0, number.size() < digits ? digits - number.size() : 0, ' ');
  return number + "  " + std::string(text);
}

/// Goes to what stands under the mouse on the line that was just drawn.
static void selectAtMouse(const Program &program, ViewState &state,
                          uint32_t begin, size_t length) {
  float column = (ImGui::GetMousePos().x - ImGui::GetItemRectMin().x) /
                     ImGui::CalcTextSize("0").x -
                 float(digits + 2);
  selectOffset(state, program,
               begin + uint32_t(std::clamp(column, 0.f, float(length))));
}

void drawSource(const Program &program, ViewState &state) {
  std::string_view text = program.trace.source.text;
  trace::Range focus = focusOf(program, state);
  const LineIndex &lines = program.lookup.getLines();
  // What ends with a line break has no empty line behind it.
  int count = int(lines.lineCount()) - text.ends_with('\n');
  int current = std::min(int(lines.lineColumn(focus.begin).line), count) - 1;
  float height = ImGui::GetTextLineHeightWithSpacing();
  if (state.wantsScroll)
    ImGui::SetScrollY(std::max(0.f, (float(current) - 4) * height));
  ImGuiListClipper clipper;
  clipper.Begin(count, height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      uint32_t begin = lines.startOf(uint32_t(i) + 1);
      std::string_view line = text.substr(begin);
      line = line.substr(0, line.find('\n'));
      bool isCurrent = i == current && !focus.empty();
      if (row(i, numbered(size_t(i) + 1, line), isCurrent))
        selectAtMouse(program, state, begin, line.size());
    }
}

namespace {
/// Decisions that reject a function; looked for once.
struct RejectionsCache {
  uint64_t program = 0;
  std::vector<Id> events;

  void update(const Program &read) {
    if (program == read.serial)
      return;
    program = read.serial;
    events.clear();
    for (const trace::Event &event : read.trace.events)
      if (std::holds_alternative<trace::RejectionEvent>(event.detail))
        events.push_back(event.id);
  }
};
} // namespace

static const std::vector<Id> &rejectionsOf(const Program &program,
                                           ViewState &state) {
  RejectionsCache &cache = cacheOf<RejectionsCache>(state);
  cache.update(program);
  return cache.events;
}

size_t countProblems(const Program &program, ViewState &state) {
  return program.trace.problems.size() + rejectionsOf(program, state).size();
}

static void drawRejection(const Program &program, ViewState &state, Id id) {
  const trace::Event &event = program.trace.events[size_t(id)];
  Explanation words = explainEvent(program.lookup, id);
  std::string place =
      program.lookup.position(rangeOfEvent(program.lookup, event));
  if (ImGui::SmallButton(place.empty() ? "go" : place.c_str()))
    selectEvent(state, program, id);
  ImGui::SameLine();
  showWrapped(words.sentence);
  for (const Advice &remedy : words.remedies)
    showWrapped("do: " + remedy.words);
}

void drawProblems(const Program &program, ViewState &state) {
  const std::vector<Id> &rejections = rejectionsOf(program, state);
  if (program.trace.problems.empty() && rejections.empty())
    ImGui::TextDisabled("No problems, and no function is rejected");
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
  for (Id rejection : rejections) {
    ImGui::PushID(id++);
    drawRejection(program, state, rejection);
    ImGui::PopID();
  }
}

} // namespace memreflens::viewer
