//===- viewer/panels/Aliases.cpp ------------------------------------------===//

#include "viewer/panels/Aliases.h"
#include "viewer/canvas/Theme.h"
#include "viewer/panels/Rows.h"

#include "core/explain/AliasText.h"
#include "core/graph/Theme.h"
#include "core/text/Escape.h"

#include <algorithm>
#include <chrono>
#include <imgui.h>

namespace memreflens::viewer {

void Aliases::ask(const std::shared_ptr<const Program> &program,
                  const ViewState &state, const RunRequest &request,
                  const std::string &tool) {
  const trace::Function *at = program->lookup.function(state.place.function);
  if (!at || (serial == program->serial && function == at->name))
    return;
  loader.reset();
  known.reset();
  error.clear();
  row = column = -1;
  serial = program->serial;
  function = at->name;
  if (!program->trace.aliases.empty()) {
    known = program;
    return;
  }
  if (isSavedFile(request.path)) {
    error = "this trace was saved without --aliases";
    return;
  }
  RunRequest question = request;
  question.options.aliases = true;
  question.options.function = function;
  loader = std::make_unique<Loader>(std::move(question), tool);
}

void Aliases::poll() {
  if (!loader || !loader->isDone())
    return;
  LoadResult result = loader->take();
  loader.reset();
  error = std::move(result.error);
  known = std::move(result.program);
}

void Aliases::wait() {
  while (loader && !loader->isDone())
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  poll();
}

const trace::FunctionAliases *Aliases::view() const {
  if (!known)
    return nullptr;
  for (const trace::FunctionAliases &one : known->trace.aliases)
    if (const trace::Function *of = known->lookup.function(one.function);
        of && of->name == function)
      return &one;
  return nullptr;
}

static graph::Meaning meaningOf(char cell) {
  return cell == '='   ? graph::Meaning::retained
         : cell == '?' ? graph::Meaning::unknown
                       : graph::Meaning::freed;
}

/// The value of that name in the program on the screen.
static Id sameNamed(const Program &program, Id inFunction,
                    const std::string &name) {
  for (Id id : program.lookup.memrefsOf(inFunction))
    if (program.lookup.name(id) == name)
      return id;
  return none;
}

void Aliases::drawMatrix(const Program &program, ViewState &state) {
  const trace::FunctionAliases &aliases = *view();
  const AliasMatrix matrix = aliasMatrix(aliases);
  const graph::Theme &theme = graph::themeOf(state.theme);
  const bool isDark = state.theme == graph::ThemeName::dark;
  // Dear ImGui's tables end at 64 columns.
  const int count = std::min(int(matrix.memrefs.size()), 62);
  if (!ImGui::BeginTable("aliases", count + 1,
                         ImGuiTableFlags_Borders | ImGuiTableFlags_ScrollX |
                             ImGuiTableFlags_ScrollY |
                             ImGuiTableFlags_SizingFixedFit,
                         {ImGui::GetContentRegionAvail().x * 0.55f, 0}))
    return;
  ImGui::TableSetupScrollFreeze(1, 1);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextDisabled("memref");
  for (int i = 0; i < count; ++i)
    if (ImGui::TableNextColumn())
      ImGui::TextDisabled("%d", i + 1);
  for (int y = 0; y < count; ++y) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(y);
    std::string name = known->lookup.name(matrix.memrefs[size_t(y)]);
    std::string label = std::to_string(y + 1) + " " + visibleText(name);
    if (ImGui::Selectable("##name", row == y && column < 0, 0,
                          {ImGui::CalcTextSize(label.c_str()).x, 0})) {
      row = y;
      column = -1;
      if (Id id = sameNamed(program, state.place.function, name); id != none)
        selectValue(state, program, id);
    }
    ImGui::GetWindowDrawList()->AddText(ImGui::GetItemRectMin(),
                                        ImGui::GetColorU32(ImGuiCol_Text),
                                        label.c_str());
    // The other half is the same.
    for (int x = 0; x < y; ++x) {
      if (!ImGui::TableNextColumn())
        continue;
      const char cell = matrix.cells[size_t(y)][size_t(x)];
      ImGui::PushID(x);
      if (ImGui::Selectable("##cell", row == y && column == x)) {
        row = y;
        column = x;
      }
      ImGui::PopID();
      if (cell != '.') {
        const graph::Accent &accent = theme.of(meaningOf(cell));
        ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg,
                               colorOf(accent.fill, isDark ? 0.6f : 1));
      }
      const char text[] = {cell, '\0'};
      ImGui::SameLine(0, 0);
      ImGui::TextUnformatted(text);
    }
    ImGui::PopID();
  }
  ImGui::EndTable();
}

static void show(const Explanation &words) {
  showWrapped(words.sentence);
  for (const Evidence &fact : words.evidence) {
    ImGui::Bullet();
    showWrapped(fact.text);
  }
}

void Aliases::drawWords() {
  const trace::FunctionAliases &aliases = *view();
  ImGui::PushTextWrapPos(0);
  ImGui::TextDisabled("= must alias   ? may alias   . no alias   ! the "
                      "analyses contradict each other");
  ImGui::PopTextWrapPos();
  if (aliases.leftOut > 0)
    ImGui::TextDisabled("the first %d memrefs; %u more are not looked at",
                        int(aliases.memrefs.size()), aliases.leftOut);
  if (row < 0)
    return ImGui::TextDisabled("click a memref or a cell");
  if (column < 0)
    return show(explainAliases(known->lookup, aliases,
                               aliases.memrefs[size_t(row)].value));
  if (const trace::AliasPair *pair =
          pairOf(aliases, uint32_t(row), uint32_t(column)))
    show(explainPair(known->lookup, aliases, *pair));
}

void Aliases::draw(const Program &program, ViewState &state) {
  if (loader) {
    ImGui::TextDisabled("asking memref-lens ...");
    return;
  }
  if (!error.empty())
    showWrapped(error);
  if (!view()) {
    if (error.empty())
      ImGui::TextDisabled("the function has no memref");
    return;
  }
  drawMatrix(program, state);
  ImGui::SameLine();
  ImGui::BeginChild("alias words");
  drawWords();
  ImGui::EndChild();
}

} // namespace memreflens::viewer
