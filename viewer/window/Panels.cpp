//===- viewer/window/Panels.cpp - the panels of one file, arranged --------===//

#include "viewer/window/Panels.h"

#include "viewer/canvas/Canvas.h"
#include "viewer/canvas/Theme.h"
#include "viewer/memory/MemoryPanel.h"
#include "viewer/panels/BookmarkList.h"
#include "viewer/panels/Lowering.h"
#include "viewer/panels/Overview.h"
#include "viewer/panels/Rows.h"
#include "viewer/panels/RunPanel.h"
#include "viewer/panels/Stepper.h"
#include "viewer/panels/Tables.h"
#include "viewer/panels/Texts.h"
#include "viewer/panels/Why.h"
#include "viewer/tensors/TensorPanel.h"
#include "viewer/window/Splitter.h"

#include <algorithm>

namespace memreflens::viewer {

const char *nameOf(BottomPanel panel) {
  constexpr const char *names[] = {"Overview",  "Ownership", "Before and after",
                                   "Lifetimes", "Bookmarks", "What if",
                                   "Problems",  "Findings",  "Aliases",
                                   "Memory",    "Run",       "Tensors"};
  return names[panel];
}

template <class Panel>
static void child(const char *name, ImVec2 size, Panel panel, int flags = 0) {
  ImGui::BeginChild(name, size, true, flags);
  panel();
  ImGui::EndChild();
}

/// "12 blocks, laid out in 1.2 ms"; in a picture, which must not change from
/// run to run, without the time.
static std::string describe(const SceneCache &scenes, bool hasTime) {
  const Scene &scene = *scenes.current();
  std::string text = std::to_string(scene.picture.nodes.size()) + " blocks";
  char time[48];
  std::snprintf(time, sizeof time, ", laid out in %.1f ms", scene.milliseconds);
  if (hasTime)
    text += time;
  if (!scene.note.empty())
    text += "  " + scene.note;
  return scenes.isWorking() ? text + "  laying out ..." : text;
}

static void drawGraph(const Program &program, SceneCache &scenes,
                      ViewState &state, const std::string &title,
                      bool hasTime) {
  const Scene *scene = scenes.current();
  if (!title.empty()) {
    ImGui::TextUnformatted(title.c_str());
    ImGui::SameLine(0, 14);
  }
  if (!program.lookup.function(state.place.function)) {
    ImGui::TextDisabled("no function to draw");
    return;
  }
  if (!scene) {
    ImGui::TextDisabled("laying out ...");
    return;
  }
  ImGui::TextDisabled("%s", describe(scenes, hasTime).c_str());
  drawCanvas(program, *scene, state);
}

/// Whether nothing branches in what is drawn.
static bool isOneBlock(const Scene &scene) {
  return scene.picture.clusters.empty() &&
         std::ranges::count(scene.picture.nodes, graph::NodeKind::block,
                            &graph::Node::kind) == 1;
}

/// What says most of the function at a glance: its graph, or, where that is one
/// node, when its buffers live.
static void drawPicture(const Program &program, SceneCache &scenes,
                        ViewState &state, bool hasTime) {
  const Scene *scene = scenes.current();
  const trace::Function *function =
      program.lookup.function(state.place.function);
  // A function that is rejected has a program, and no lives.
  const bool isTraced =
      function && function->status == trace::FunctionStatus::traced;
  const bool hasChoice = scene && isTraced && !state.showsStageGraph &&
                         isOneBlock(*scene) &&
                         countLifetimes(program, state) > 1;
  if (hasChoice) {
    if (ImGui::SmallButton(state.prefersGraph ? "lifetimes" : "graph"))
      state.prefersGraph = !state.prefersGraph;
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip(state.prefersGraph ? "when each buffer lives"
                                           : "its one block, with chips");
    ImGui::SameLine();
  }
  if (hasChoice && !state.prefersGraph)
    return drawLifetimes(program, state);
  drawGraph(program, scenes, state, "", hasTime);
}

/// The graph, and that of the second run where there is one.
static void drawGraphs(Workspace &workspace, Tab &tab, float height) {
  WhatIf &whatIf = tab.whatIf;
  tab.scenes.update(tab.program, tab.state, workspace.waits);
  bool isBeside = whatIf.second() && whatIf.isBeside;
  // The graph gets, or gives up, half of the room.
  if (isBeside != tab.wasBeside)
    tab.state.wantsFit = whatIf.view().wantsFit = true;
  tab.wasBeside = isBeside;
  float width = ImGui::GetContentRegionAvail().x;
  float half = (width - ImGui::GetStyle().ItemSpacing.x) / 2;
  child("graph", {isBeside ? half : width, height}, [&] {
    if (isBeside)
      drawGraph(*tab.program, tab.scenes, tab.state,
                "first: " + describe(tab.program->trace.options),
                !workspace.waits);
    else
      drawPicture(*tab.program, tab.scenes, tab.state, !workspace.waits);
  });
  if (!isBeside)
    return;
  whatIf.follow(*tab.program, tab.state);
  const Program &second = *whatIf.second();
  whatIf.sceneCache().update(whatIf.second(), whatIf.view(), workspace.waits);
  ImGui::SameLine();
  child("second graph", {half, height}, [&] {
    drawGraph(second, whatIf.sceneCache(), whatIf.view(),
              "second: " + describe(second.trace.options), !workspace.waits);
  });
}

/// The first look asks for them, when all of the program is there.
static void askForFindings(Workspace &workspace, Tab &tab) {
  if (!tab.findings.wasAsked() && !tab.loader)
    checkNow(workspace, tab);
}

static void drawBottomPanel(Workspace &workspace, Tab &tab, BottomPanel panel) {
  const Program &program = *tab.program;
  ViewState &state = tab.state;
  switch (panel) {
  case overviewPanel:
    askForFindings(workspace, tab);
    if (drawOverview(program, state, tab.findings, canCheck(tab)))
      checkNow(workspace, tab);
    return;
  case ownershipPanel:
    return drawMatrix(program, state);
  case loweringPanel:
    return drawLowering(program, state);
  case lifetimesPanel:
    return drawLifetimes(program, state);
  case bookmarksPanel:
    if (drawBookmarks(program, state, tab.bookmarks) &&
        !writeBookmarks(tab.bookmarks, tab.savedBookmarks,
                        bookmarksPath(tab.request.path)))
      workspace.notice = "cannot write " + bookmarksPath(tab.request.path);
    return;
  case whatIfPanel:
    if (drawWhatIf(program, state, tab.whatIf, !isSavedFile(tab.request.path)))
      tab.whatIf.run(
          {tab.request.path, tab.whatIf.options(tab.request.options)},
          workspace.tool);
    return;
  case findingsPanel:
    askForFindings(workspace, tab);
    if (drawFindings(program, state, tab.findings, canCheck(tab)))
      checkNow(workspace, tab);
    return;
  case aliasesPanel:
    tab.aliases.ask(tab.program, state, tab.request, workspace.tool);
    if (workspace.waits)
      tab.aliases.wait();
    return tab.aliases.draw(program, state);
  case memoryPanel:
    return drawMemory(program, state, workspace.waits);
  case tensorsPanel:
    return drawTensors(program, state, workspace.waits);
  case runPanel:
    switch (drawRun(program, state, tab.run, canCheck(tab) && !tab.loader,
                    workspace.now)) {
    case RunWish::run:
      return runNow(workspace, tab);
    case RunWish::graph:
      return showRun(tab);
    case RunWish::nothing:
      return;
    }
    return;
  default:
    return drawProblems(program, state);
  }
}

static std::string titleOf(Tab &tab, BottomPanel panel) {
  std::string title = nameOf(panel);
  size_t count = panel == problemsPanel ? countProblems(*tab.program, tab.state)
                 : panel == bookmarksPanel ? tab.bookmarks.size()
                 : panel == findingsPanel  ? tab.findings.all().size()
                                           : 0;
  if (count)
    title += " (" + std::to_string(count) + ")";
  return title + "###" + nameOf(panel);
}

/// Lives and memory stand side by side; the keys are older than that.
static constexpr BottomPanel tabOrder[bottomPanelCount] = {
    overviewPanel, ownershipPanel, loweringPanel, lifetimesPanel,
    memoryPanel,   tensorsPanel,   runPanel,      bookmarksPanel,
    whatIfPanel,   problemsPanel,  findingsPanel, aliasesPanel};

static void drawBottom(Workspace &workspace, Tab &tab) {
  if (!ImGui::BeginTabBar("tables", ImGuiTabBarFlags_FittingPolicyScroll))
    return;
  for (BottomPanel panel : tabOrder) {
    int flags = tab.wantedPanel == panel ? ImGuiTabItemFlags_SetSelected : 0;
    if (!ImGui::BeginTabItem(titleOf(tab, panel).c_str(), nullptr, flags))
      continue;
    tab.shownPanel = panel;
    child(nameOf(panel), {}, [&] { drawBottomPanel(workspace, tab, panel); });
    ImGui::EndTabItem();
  }
  tab.wantedPanel = -1;
  ImGui::EndTabBar();
}

static void drawMiddle(Workspace &workspace, Tab &tab) {
  // A text without functions has nothing to step through.
  if (!tab.program->trace.functions.empty()) {
    drawStages(*tab.program, tab.state);
    drawStepper(*tab.program, tab.state);
  }
  float room = ImGui::GetContentRegionAvail().y;
  float &share = workspace.settings.arrangement.graph;
  drawGraphs(workspace, tab, sharedHeight(share, room));
  splitRows("graph", share, room);
  drawBottom(workspace, tab);
}

static void drawLeft(Workspace &workspace, Tab &tab) {
  float room = ImGui::GetContentRegionAvail().y;
  float &share = workspace.settings.arrangement.functions;
  child("functions", {0, sharedHeight(share, room)},
        [&] { drawFunctions(*tab.program, tab.state, tab.isEarly); });
  splitRows("functions", share, room);
  child(
      "source", {}, [&] { drawSource(*tab.program, tab.state); },
      ImGuiWindowFlags_HorizontalScrollbar);
}

static void drawRight(Workspace &workspace, Tab &tab) {
  float room = ImGui::GetContentRegionAvail().y;
  float &share = workspace.settings.arrangement.why, before = share;
  float &needed = tab.state.reasonsHeight;
  needed = std::max(needed, 8 * ImGui::GetTextLineHeightWithSpacing());
  child("why", {0, std::min(sharedHeight(share, room), needed)}, [&] {
    drawWhy(*tab.program, tab.state);
    const float padding = 2 * ImGui::GetStyle().WindowPadding.y;
    needed = std::max(needed, ImGui::GetCursorPosY() + padding);
  });
  splitRows("why", share, room);
  // Who drags it wants it as it is then.
  if (share != before)
    needed = room;
  child("events", {}, [&] { drawEvents(*tab.program, tab.state); });
}

/// The columns, as many as there is room for: the middle one always.
static void drawColumns(Workspace &workspace, Tab &tab) {
  Arrangement &shares = workspace.settings.arrangement;
  ImVec2 room = ImGui::GetContentRegionAvail();
  float scale = uiScale();
  bool hasLeft = room.x > 480 * scale, hasRight = room.x > 800 * scale;
  float gap = splitterSize();
  float left = hasLeft ? room.x * shares.left : 0;
  float right = hasRight ? room.x * shares.right : 0;
  float middle =
      std::max(40.f, room.x - left - right - gap * float(hasLeft + hasRight));
  auto column = [&](const char *name, float width, auto draw) {
    ImGui::BeginChild(name, {width, 0});
    draw(workspace, tab);
    ImGui::EndChild();
  };
  if (hasLeft) {
    column("left", left, drawLeft);
    splitColumns("left", shares.left, room.x);
  }
  column("middle", middle, drawMiddle);
  if (hasRight) {
    splitColumns("right", shares.right, -room.x);
    column("right", right, drawRight);
  }
}

/// A strip above the panels, where the last load went wrong.
static void drawError(const Workspace &workspace, Tab &tab) {
  const graph::Theme &theme = graph::themeOf(workspace.settings.theme);
  const graph::Accent &accent = theme.of(graph::Meaning::freed);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, colorOf(accent.fill));
  ImGui::PushStyleColor(ImGuiCol_Text, colorOf(accent.text));
  const ImGuiStyle &style = ImGui::GetStyle();
  float height = ImGui::GetTextLineHeight() + 2 * style.WindowPadding.y + 2;
  ImGui::BeginChild("error", {0, height}, true);
  // The rest stands among the problems.
  show(std::string_view(tab.error).substr(0, tab.error.find('\n')));
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("%s", tab.error.c_str());
  ImGui::EndChild();
  ImGui::PopStyleColor(2);
}

void drawTab(Workspace &workspace, Tab &tab) {
  ViewState &state = tab.state;
  state.theme = workspace.settings.theme;
  // A picture shows where things come to rest.
  state.reducesMotion |= workspace.waits;
  if (!tab.error.empty())
    drawError(workspace, tab);
  bool scrolls = state.wantsScroll;
  drawColumns(workspace, tab);
  // What was drawn has scrolled; what a click asked for comes in the next
  // frame.
  if (scrolls)
    state.wantsScroll = false;
}

} // namespace memreflens::viewer
