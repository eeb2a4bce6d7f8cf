//===- viewer/panels/Lowering.cpp - IR of two stages side by side ---------===//

#include "viewer/panels/Lowering.h"

#include "viewer/canvas/Theme.h"
#include "viewer/panels/Comparison.h"
#include "viewer/panels/Rows.h"

#include "core/text/Escape.h"
#include "core/trace/Plan.h"

#include <algorithm>

namespace memreflens::viewer {

namespace {
struct LoweringCache {
  ComparisonCache comparisons;
  /// Row to scroll to; -1 for none.
  int wantedRow = -1;
  /// The change that was gone to last.
  size_t change = 0;
};

class Pane {
public:
  Pane(const Program &program, ViewState &state, const Comparison &comparison,
       LoweringCache &cache)
      : program(program), state(state), comparison(comparison), cache(cache),
        theme(graph::themeOf(state.theme)), list(ImGui::GetWindowDrawList()),
        letter(ImGui::CalcTextSize("0").x),
        lineHeight(ImGui::GetTextLineHeightWithSpacing()) {
    if (state.place.value != none)
      selected = program.lookup.name(state.place.value);
    bool isDark = state.theme == graph::ThemeName::dark;
    auto shade = [&](graph::Meaning meaning) {
      const graph::Accent &accent = theme.of(meaning);
      return colorOf(isDark ? accent.line : accent.text);
    };
    using graph::Meaning;
    ImU32 text = colorOf(theme.text), dim = colorOf(theme.dimText);
    ImU32 all[] = {dim,
                   shade(Meaning::owned),
                   shade(Meaning::ownedIf),
                   shade(Meaning::unknown),
                   shade(Meaning::allocated),
                   shade(Meaning::ownedIf),
                   text,
                   shade(Meaning::freed),
                   shade(Meaning::cloned)};
    std::ranges::copy(all, colors);
  }

  void draw() {
    begin = ImGui::GetWindowPos();
    width = ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize;
    if (state.wantsScroll && !selected.empty() && cache.wantedRow < 0)
      cache.wantedRow = rowOf(selected);
    if (cache.wantedRow >= 0) {
      float top = float(cache.wantedRow) * lineHeight;
      float seen = ImGui::GetScrollY(), height = ImGui::GetWindowHeight();
      if (top < seen || top > seen + height - 3 * lineHeight)
        ImGui::SetScrollY(std::max(0.f, top - height / 3));
      cache.wantedRow = -1;
    }
    ImGuiListClipper clipper;
    clipper.Begin(int(comparison.rows.size()), lineHeight);
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        drawRow(i);
  }

private:
  /// First row that names the value.
  int rowOf(const std::string &name) const {
    for (size_t i = 0; i < comparison.rows.size(); ++i)
      for (int side : {0, 1}) {
        std::string_view line = lineOf(comparison.rows[i], side);
        if (line.find(name) == line.npos)
          continue;
        for (const Token &token : tokensOf(line))
          if (line.substr(token.begin, token.end - token.begin) == name)
            return int(i);
      }
    return -1;
  }
  std::string_view lineOf(const ComparedRow &row, int side) const {
    int number = side ? row.right : row.left;
    return number < 0
               ? std::string_view()
               : (side ? comparison.right : comparison.left)[size_t(number)];
  }

  void drawRow(int i) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    at.x = begin.x;
    const ComparedRow &row = comparison.rows[size_t(i)];
    ImGui::PushID(i);
    // As wide as both columns, wherever they are scrolled to.
    ImGui::SetCursorScreenPos(at);
    bool isClicked =
        ImGui::InvisibleButton("line", {width, ImGui::GetTextLineHeight()});
    bool isHovered = ImGui::IsItemHovered();
    ImGui::PopID();
    if (isHovered)
      list->AddRectFilled(at, {at.x + width, at.y + lineHeight},
                          ImGui::GetColorU32(ImGuiCol_HeaderHovered));
    for (int side : {0, 1}) {
      float left = at.x + (side ? width / 2 : 0) + 4;
      float right = at.x + (side ? width : width / 2) - 4;
      drawSide(row, side, {left, at.y}, right);
    }
    list->AddLine({at.x + width / 2, at.y},
                  {at.x + width / 2, at.y + lineHeight},
                  ImGui::GetColorU32(ImGuiCol_Border));
    if (isClicked)
      click(row, ImGui::GetMousePos().x - at.x);
  }

  void drawSide(const ComparedRow &row, int side, ImVec2 at, float right) {
    int number = side ? row.right : row.left;
    list->PushClipRect({at.x - 4, at.y}, {right + 4, at.y + lineHeight}, true);
    if (row.isChanged)
      drawGround(row, side, at, right);
    if (number >= 0) {
      std::string shown = std::to_string(number + 1);
      list->AddText({at.x + letter * (4 - float(shown.size())), at.y},
                    colorOf(theme.dimText, 0.7f), shown.c_str());
      // A sign beside the colour.
      if (row.isChanged)
        list->AddText({at.x + letter * 4.5f, at.y}, colorOf(theme.text),
                      side ? "+" : "-");
      list->PushClipRect({at.x + letter * gutter, at.y},
                         {right + 4, at.y + lineHeight}, true);
      drawText(row, side, {at.x + letter * gutter - ImGui::GetScrollX(), at.y});
      list->PopClipRect();
    }
    list->PopClipRect();
  }

  void drawGround(const ComparedRow &row, int side, ImVec2 at, float right) {
    int number = side ? row.right : row.left;
    auto meaning = side ? graph::Meaning::allocated : graph::Meaning::freed;
    ImU32 color = number < 0 ? colorOf(theme.dimText, 0.08f)
                             : colorOf(theme.of(meaning).line, 0.16f);
    list->AddRectFilled({at.x - 4, at.y}, {right + 4, at.y + lineHeight},
                        color);
  }

  void drawText(const ComparedRow &row, int side, ImVec2 at) {
    std::string line = visibleText(lineOf(row, side));
    Span span = side ? row.rightSpan : row.leftSpan;
    if (row.isChanged && span.begin < span.end) {
      auto meaning = side ? graph::Meaning::allocated : graph::Meaning::freed;
      list->AddRectFilled({at.x + letter * float(span.begin), at.y},
                          {at.x + letter * float(span.end), at.y + lineHeight},
                          colorOf(theme.of(meaning).line, 0.34f), 2);
    }
    for (const Token &token : tokensOf(line)) {
      const char *text = line.data() + token.begin;
      ImVec2 place{at.x + letter * float(token.begin), at.y};
      if (token.kind == TokenKind::value && !selected.empty() &&
          std::string_view(text, token.end - token.begin) == selected)
        list->AddRect(
            {place.x - 1, at.y},
            {at.x + letter * float(token.end) + 1, at.y + lineHeight - 1},
            colorOf(theme.of(graph::Meaning::ownedIf).line), 2, 0, 1.5f);
      list->AddText(place, colors[int(token.kind)], text,
                    line.data() + token.end);
    }
  }

  /// The value under the mouse, else the first one of the line.
  void click(const ComparedRow &row, float x) {
    int side = x > width / 2;
    std::string line = visibleText(lineOf(row, side));
    float column =
        (x - (side ? width / 2 : 0) - 4 + ImGui::GetScrollX()) / letter -
        gutter;
    Id value = none;
    for (const Token &token : tokensOf(line)) {
      if (token.kind != TokenKind::value)
        continue;
      bool isUnder = column >= float(token.begin) && column < float(token.end);
      auto found = comparison.values.find(
          line.substr(token.begin + 1, token.end - token.begin - 1));
      if (found != comparison.values.end() && (value == none || isUnder))
        value = found->second;
    }
    if (value == none)
      return;
    // The decision about it in the later stage, if there is one.
    for (Id id : program.lookup.getIndex().eventsNamingValue(value))
      if (program.trace.events[size_t(id)].stage == comparison.key.after &&
          program.trace.events[size_t(id)].function == state.place.function) {
        selectEvent(state, program, id);
        break;
      }
    selectValue(state, program, value);
  }

  static constexpr float gutter = 6;
  const Program &program;
  ViewState &state;
  const Comparison &comparison;
  LoweringCache &cache;
  const graph::Theme &theme;
  ImDrawList *list;
  ImVec2 begin;
  float letter, lineHeight, width = 0;
  std::string selected;
  ImU32 colors[9] = {};
};
} // namespace

static std::string stageName(const Program &program, Id function, int number) {
  const trace::Function *of = program.lookup.function(function);
  if (of && of->chunk != none)
    for (const trace::Stage &stage :
         program.trace.chunks[size_t(of->chunk)].stages)
      if (stage.number == number && number > 0)
        return std::to_string(number) + " " + stage.name +
               (stage.changed ? "" : " (unchanged)");
  if (number < 0)
    return stageTitle(program, number);
  return std::to_string(number) + (number ? "" : " input");
}

static void chooseStage(const char *id, const Program &program,
                        ViewState &state, int shown, int &chosen) {
  ImGui::SetNextItemWidth(
      std::max(60.f, ImGui::GetContentRegionAvail().x * 0.3f));
  std::string name = stageName(program, state.place.function, shown);
  if (!ImGui::BeginCombo(id, name.c_str()))
    return;
  for (int stage = trace::tensorCopiesStage;
       stage <= trace::lastStage(program.trace.options); ++stage)
    if (hasStage(program, state.place.function, stage) &&
        ImGui::Selectable(
            stageName(program, state.place.function, stage).c_str(),
            stage == shown))
      chosen = stage;
  ImGui::EndCombo();
}

static void drawHead(const Program &program, ViewState &state,
                     const ComparisonKey &key, const Comparison *comparison,
                     LoweringCache &cache) {
  chooseStage("##before", program, state, key.before, state.compareBefore);
  ImGui::SameLine();
  chooseStage("##after", program, state, key.after, state.compareAfter);
  if (state.compareBefore != -1 || state.compareAfter != -1) {
    ImGui::SameLine();
    if (ImGui::SmallButton("follow"))
      state.compareBefore = state.compareAfter = -1;
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("the current stage, and the one before it");
  }
  if (!comparison)
    return;
  ImGui::SameLine();
  size_t count = comparison->changes.size();
  if (count) {
    int way = 0;
    if (ImGui::SmallButton("<##change"))
      way = -1;
    ImGui::SameLine(0, 2);
    if (ImGui::SmallButton(">##change"))
      way = 1;
    if (way) {
      cache.change = (cache.change + count + size_t(way + int(count))) % count;
      cache.wantedRow = int(comparison->changes[cache.change]);
    }
    ImGui::SameLine();
  }
  std::string text = !comparison->isLeftThere || !comparison->isRightThere
                         ? "not there at one of these stages"
                     : count ? "-" + std::to_string(comparison->removed) +
                                   " +" + std::to_string(comparison->added)
                             : "unchanged";
  ImGui::TextDisabled("%s", text.c_str());
}

void drawLowering(const Program &program, ViewState &state) {
  LoweringCache &cache = cacheOf<LoweringCache>(state);
  // What bufferization makes of the copies on tensors is the input of stage 1.
  const bool isTensors = state.place.stage == trace::tensorCopiesStage;
  const int first = isTensors ? 0 : 1;
  int after = state.compareAfter != -1 ? state.compareAfter
                                       : std::max(first, state.place.stage);
  int before = state.compareBefore != -1 ? state.compareBefore
               : isTensors               ? trace::tensorCopiesStage
                                         : std::max(0, after - 1);
  ComparisonKey key{program.serial, state.place.function, before, after};
  const Comparison *comparison =
      cache.comparisons.get(program, key, state.reducesMotion);
  drawHead(program, state, key, comparison, cache);
  if (!comparison) {
    ImGui::TextDisabled("comparing ...");
    return;
  }
  float letter = ImGui::CalcTextSize("0").x;
  float width = ImGui::GetContentRegionAvail().x;
  float longest = letter * float(comparison->longest + 7);
  // Both sides scroll as far as the longest line needs.
  ImGui::SetNextWindowContentSize(
      {width - 20 + std::max(0.f, longest - width / 2), 0});
  ImGui::BeginChild("lines", {}, false, ImGuiWindowFlags_HorizontalScrollbar);
  Pane(program, state, *comparison, cache).draw();
  ImGui::EndChild();
}

} // namespace memreflens::viewer
