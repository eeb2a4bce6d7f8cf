//===- viewer/Panels.cpp - arranges the panels, answers the keyboard ------===//

#include "viewer/Panels.h"

#include "viewer/Canvas.h"
#include "viewer/Lowering.h"
#include "viewer/Stepper.h"
#include "viewer/Tables.h"
#include "viewer/Texts.h"
#include "viewer/Why.h"

#include "core/graph/StagePicture.h"

#include <algorithm>

namespace memreflens::viewer {

bool poll(Tab &tab) {
  if (!tab.loader || !tab.loader->isDone())
    return false;
  LoadResult result = tab.loader->take();
  tab.loader.reset();
  tab.error = std::move(result.error);
  tab.program = std::move(result.program);
  if (tab.program)
    start(tab.state, *tab.program);
  return bool(tab.program);
}

void applyTheme(graph::ThemeName theme) {
  bool isDark = theme == graph::ThemeName::dark;
  isDark ? ImGui::StyleColorsDark() : ImGui::StyleColorsLight();
  ImGuiStyle &style = ImGui::GetStyle();
  style.WindowRounding = 0;
  style.FrameRounding = style.ChildRounding = 3;
  style.ItemSpacing = {6, 3};
  const graph::Theme &colors = graph::themeOf(theme);
  auto set = [&](int which, std::string_view hex, float alpha = 1) {
    style.Colors[which] = ImGui::ColorConvertU32ToFloat4(colorOf(hex, alpha));
  };
  set(ImGuiCol_WindowBg, colors.title);
  set(ImGuiCol_ChildBg, colors.ground);
  set(ImGuiCol_Text, colors.text);
  set(ImGuiCol_TextDisabled, colors.dimText);
  set(ImGuiCol_Border, colors.clusterLine, 0.5f);
  std::string_view blue = colors.of(graph::Meaning::owned).line;
  set(ImGuiCol_Header, blue, 0.35f);
  set(ImGuiCol_HeaderHovered, blue, 0.25f);
  set(ImGuiCol_HeaderActive, blue, 0.5f);
  set(ImGuiCol_Button, blue, 0.2f);
  set(ImGuiCol_ButtonHovered, blue, 0.4f);
  set(ImGuiCol_ButtonActive, blue, 0.6f);
}

static void updateScene(Tab &tab, bool wait) {
  SceneKey wanted{tab.state.place.function,
                  tab.state.showsStageGraph ? tab.state.place.stage : -1};
  if (!tab.pending.valid() && !(tab.scene && tab.sceneKey == wanted)) {
    tab.pendingKey = wanted;
    const Program *program = tab.program.get();
    tab.pending = std::async(wait ? std::launch::deferred : std::launch::async,
                             [=] { return makeScene(*program, wanted); });
  }
  if (!tab.pending.valid() ||
      (!wait && tab.pending.wait_for(std::chrono::seconds(0)) !=
                    std::future_status::ready))
    return;
  tab.scene = std::make_shared<Scene>(tab.pending.get());
  tab.sceneKey = tab.pendingKey;
  tab.state.wantsFit = true;
}

static void onKeys(const Program &program, ViewState &state) {
  ImGuiIO &io = ImGui::GetIO();
  auto pressed = [](int key) { return ImGui::IsKeyPressed(key); };
  if (pressed(Key::f1))
    state.showsHelp = !state.showsHelp;
  if (io.KeyCtrl && pressed('P'))
    state.showsSearch = !state.showsSearch;
  if (pressed(Key::escape))
    state.showsHelp = state.showsSearch = false;
  if (io.WantTextInput)
    return;
  if (pressed(Key::space))
    state.isPlaying = !state.isPlaying;
  if (pressed(Key::right) || pressed(Key::left)) {
    int direction = pressed(Key::right) ? 1 : -1;
    if (io.KeyAlt)
      direction > 0 ? goForward(state) : goBack(state);
    else if (io.KeyShift)
      stepValue(state, program, direction);
    else
      step(state, program, direction);
  }
  if (pressed(Key::up) || pressed(Key::down))
    selectStage(state, program,
                state.place.stage + (pressed(Key::down) ? 1 : -1));
  if (pressed('='))
    zoomBy(state, 1.2f, 300, 200);
  if (pressed('-'))
    zoomBy(state, 1 / 1.2f, 300, 200);
  if (pressed('F'))
    state.wantsFit = true;
  if (pressed('G'))
    state.showsStageGraph = !state.showsStageGraph;
  if (pressed('T'))
    state.theme = state.theme == graph::ThemeName::dark
                      ? graph::ThemeName::light
                      : graph::ThemeName::dark;
}

static void drawHelp(ViewState &state) {
  ImGui::Begin("Keys", &state.showsHelp, ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::TextUnformatted("Left, Right        previous, next decision\n"
                         "Shift+Left, Right  the same, of the selected value\n"
                         "Up, Down           stage before, stage after\n"
                         "Alt+Left, Right    back, forward\n"
                         "Space              play, pause\n"
                         "G                  decisions, or the stage's IR\n"
                         "F                  fit the graph\n"
                         "+ -                zoom; so does the wheel\n"
                         "T                  light, dark\n"
                         "Ctrl+P             go to a function or value\n"
                         "F1, Escape         open and close this list");
  ImGui::End();
}

static void drawSearch(const Program &program, ViewState &state) {
  ImGui::SetNextWindowSize({420, 320}, ImGuiCond_Appearing);
  ImGui::Begin("Go to", &state.showsSearch);
  if (ImGui::IsWindowAppearing())
    ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  ImGui::InputText("##search", state.search, sizeof state.search);
  std::string_view wanted = state.search;
  int shown = 0;
  auto item = [&](const char *kind, const std::string &name, int id) {
    if (shown >= 200 || name.find(wanted) == name.npos)
      return false;
    ++shown;
    ImGui::PushID(kind);
    ImGui::PushID(id);
    bool clicked = ImGui::Selectable("##hit");
    ImGui::PopID();
    ImGui::PopID();
    ImGui::SameLine(0, 0);
    ImGui::TextUnformatted(name.c_str());
    return clicked;
  };
  for (const trace::Function &function : program.trace.functions)
    if (item("function", "@" + function.name, function.id))
      selectFunction(state, program, function.id);
  for (const trace::Value &value : program.trace.values)
    if (value.isMemref && item("value", "%" + value.name, value.id)) {
      Id function = program.lookup.getIndex().functionOfValue(value.id);
      if (function != state.place.function)
        selectFunction(state, program, function);
      selectValue(state, program, value.id);
    }
  ImGui::End();
}

template <class Panel>
static void child(const char *name, ImVec2 size, Panel panel) {
  ImGui::BeginChild(name, size, true, ImGuiWindowFlags_HorizontalScrollbar);
  panel();
  ImGui::EndChild();
}

template <class Panel> static void tabItem(const char *name, Panel panel) {
  if (!ImGui::BeginTabItem(name))
    return;
  child(name, {}, panel);
  ImGui::EndTabItem();
}

static void drawProgram(Tab &tab) {
  const Program &program = *tab.program;
  ViewState &state = tab.state;
  ImVec2 all = ImGui::GetContentRegionAvail();
  float side = std::clamp(all.x * 0.24f, 60.f, 460.f), gap = 6;
  float middle = std::max(40.f, all.x - 2 * side - 2 * gap);
  ImGui::BeginGroup();
  child("functions", {side, all.y * 0.25f},
        [&] { drawFunctions(program, state); });
  child("source", {side, 0}, [&] { drawSource(program, state); });
  ImGui::EndGroup();
  ImGui::SameLine(0, gap);
  ImGui::BeginChild("middle", {middle, 0});
  drawStages(program, state);
  drawStepper(program, state);
  child("graph", {0, ImGui::GetContentRegionAvail().y * 0.64f}, [&] {
    if (tab.scene)
      ImGui::TextDisabled("%d blocks, laid out in %.1f ms  %s",
                          int(tab.scene->picture.nodes.size()),
                          tab.scene->milliseconds, tab.scene->note.c_str());
    if (tab.scene)
      drawCanvas(program, *tab.scene, state);
    else
      ImGui::TextDisabled("laying out ...");
  });
  if (ImGui::BeginTabBar("tables")) {
    tabItem("Ownership", [&] { drawMatrix(program, state); });
    tabItem("Before and after", [&] { drawLowering(program, state); });
    tabItem("Lifetimes", [&] { drawLifetimes(program, state); });
    tabItem("Problems", [&] { drawProblems(program, state); });
    ImGui::EndTabBar();
  }
  ImGui::EndChild();
  ImGui::SameLine(0, gap);
  ImGui::BeginGroup();
  child("why", {0, all.y * 0.5f}, [&] { drawWhy(program, state); });
  child("events", {0, 0}, [&] { drawEvents(program, state); });
  ImGui::EndGroup();
}

void drawFrame(Tab &tab, double seconds, bool wait) {
  poll(tab);
  ImGuiIO &io = ImGui::GetIO();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(io.DisplaySize);
  ImGui::Begin("memref-lens", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  if (tab.program) {
    onKeys(*tab.program, tab.state);
    tab.state.sinceStep += seconds;
    if (tab.state.isPlaying && tab.state.sinceStep > tab.state.secondsPerStep) {
      tab.state.sinceStep = 0;
      tab.state.isPlaying = step(tab.state, *tab.program, 1);
    }
    updateScene(tab, wait);
    bool scrolls = tab.state.wantsScroll;
    drawProgram(tab);
    if (scrolls)
      tab.state.wantsScroll = false;
  } else if (tab.loader) {
    ImGui::Text("memref-lens trace %s ...", tab.path.c_str());
    if (ImGui::Button("Cancel"))
      tab.loader->cancel();
  } else {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(tab.error.c_str());
    ImGui::PopTextWrapPos();
  }
  ImGui::End();
  if (tab.program && tab.state.showsHelp)
    drawHelp(tab.state);
  if (tab.program && tab.state.showsSearch)
    drawSearch(*tab.program, tab.state);
}

} // namespace memreflens::viewer
