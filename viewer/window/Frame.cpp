//===- viewer/window/Frame.cpp - one frame: menus, tabs, what stands below ===//

#include "viewer/canvas/Theme.h"
#include "viewer/panels/Rows.h"
#include "viewer/window/Panels.h"

#include "core/text/Escape.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace memreflens::viewer {

namespace fs = std::filesystem;

static void answerKeys(Workspace &workspace) {
  // WantTextInput speaks of the last frame: the palette's field may not have
  // the keyboard yet, and one that Enter or Escape left takes no more keys.
  bool isTyping = workspace.palette.mode != PaletteMode::closed ||
                  (ImGui::GetIO().WantTextInput && ImGui::IsAnyItemActive());
  // A command may change what is open: the list comes first.
  for (const Command *command : workspace.commands.pressed(isTyping)) {
    Tab *tab = workspace.current();
    if (!command->needsProgram || (tab && tab->program))
      command->run(workspace);
  }
  if (workspace.palette.mode == PaletteMode::closed &&
      ImGui::IsKeyPressed(Key::escape, false))
    workspace.showsHelp = false;
}

/// The groups of commands are the menus.
static void drawMenus(Workspace &workspace) {
  if (!ImGui::BeginMenuBar())
    return;
  std::vector<std::string> groups;
  for (const Command &command : workspace.commands.all())
    if (std::ranges::find(groups, command.name.group) == groups.end())
      groups.push_back(command.name.group);
  // File first, Help last, as everywhere.
  std::ranges::stable_sort(groups, {}, [](const std::string &group) {
    return group == "File" ? 0 : group == "Help" ? 2 : 1;
  });
  Tab *tab = workspace.current();
  bool hasProgram = tab && tab->program;
  for (const std::string &group : groups) {
    if (!ImGui::BeginMenu(group.c_str()))
      continue;
    const Command *chosen = nullptr;
    for (const Command &command : workspace.commands.all())
      if (command.name.group == group &&
          ImGui::MenuItem(command.name.title.c_str(),
                          command.name.chords.empty()
                              ? nullptr
                              : textOf(command.name.chords[0]).c_str(),
                          false, hasProgram || !command.needsProgram))
        chosen = &command;
    ImGui::EndMenu();
    if (chosen)
      chosen->run(workspace);
  }
  ImGui::EndMenuBar();
}

static std::string titleOf(const Tab &tab) {
  std::string title = fs::path(tab.request.path).filename().string();
  if (tab.loader)
    title += " ...";
  else if (!tab.error.empty())
    title += " !";
  return title + "###" + std::to_string(tab.id);
}

static void drawTabBar(Workspace &workspace) {
  if (workspace.tabs.empty() ||
      !ImGui::BeginTabBar("files", ImGuiTabBarFlags_FittingPolicyScroll))
    return;
  int closed = -1;
  bool follows = workspace.wantsActive;
  workspace.wantsActive = false;
  for (size_t i = 0; i < workspace.tabs.size(); ++i) {
    Tab &tab = *workspace.tabs[i];
    bool isOpen = true;
    int flags =
        follows && i == workspace.active ? ImGuiTabItemFlags_SetSelected : 0;
    if (ImGui::BeginTabItem(titleOf(tab).c_str(), &isOpen, flags)) {
      if (!follows)
        workspace.active = i;
      ImGui::EndTabItem();
    }
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("%s", tab.request.path.c_str());
    if (!isOpen)
      closed = int(i);
  }
  ImGui::EndTabBar();
  if (closed >= 0)
    closeTab(workspace, size_t(closed));
}

static void centered(const std::string &text) {
  float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(std::max(8.f, (ImGui::GetWindowWidth() - width) / 2));
  ImGui::TextUnformatted(text.c_str());
}

void drawEmpty(Workspace &workspace) {
  ImGui::SetCursorPosY(ImGui::GetWindowHeight() * 0.28f);
  centered("memref-lens");
  ImGui::Spacing();
  ImGui::PushStyleColor(ImGuiCol_Text,
                        ImGui::GetStyle().Colors[ImGuiCol_TextDisabled]);
  centered("Drop a file here, or press Ctrl+O");
  centered(".mlir or .mlirbc: it is analysed;  .trace.json: it is shown as it "
           "was saved");
  centered("Ctrl+Shift+P lists all commands, F1 all keys");
  ImGui::PopStyleColor();
  ImGui::Spacing();
  ImGui::Spacing();
  std::string chosen;
  for (const std::string &file : workspace.settings.recent) {
    float width = ImGui::CalcTextSize(file.c_str()).x;
    ImGui::SetCursorPosX(std::max(8.f, (ImGui::GetWindowWidth() - width) / 2));
    if (ImGui::SmallButton(file.c_str()))
      chosen = file;
  }
  if (!chosen.empty())
    open(workspace, {chosen, {}});
}

static void drawLoading(Workspace &workspace, Tab &tab) {
  ImGui::SetCursorPosY(ImGui::GetWindowHeight() * 0.35f);
  centered(tab.request.path);
  std::string stage = tab.loader->stage();
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "   %.1f s",
                workspace.now - tab.loadingSince);
  centered((stage.empty() ? "reading" : stage) + seconds);
  ImGui::SetCursorPosX(ImGui::GetWindowWidth() / 2 - 30 * uiScale());
  if (ImGui::Button("Cancel"))
    tab.loader->cancel();
}

static void drawFailure(Workspace &workspace, Tab &tab) {
  ImGui::SetCursorPosY(ImGui::GetWindowHeight() * 0.25f);
  ImGui::Indent(20);
  ImGui::TextDisabled("%s", tab.request.path.c_str());
  showWrapped(tab.error);
  ImGui::Spacing();
  if (ImGui::Button("Try again"))
    reload(workspace, tab);
  ImGui::SameLine();
  if (ImGui::Button("Open another file"))
    openPalette(workspace, PaletteMode::openFile);
  ImGui::Unindent(20);
}

static void drawStatus(Workspace &workspace) {
  Tab *tab = workspace.current();
  std::string text = workspace.notice;
  if (tab && tab->loader && tab->program)
    text = (tab->isEarly ? "a part is shown, the rest is on its way  "
                         : "reading again  ") +
           tab->loader->stage();
  if (tab && tab->program && text.empty())
    text = "F1 keys   Ctrl+P go to   Ctrl+Shift+P commands";
  text = text.substr(0, text.find('\n'));
  show(text);
}

static void drawBody(Workspace &workspace) {
  float status = ImGui::GetTextLineHeightWithSpacing();
  ImGui::BeginChild(
      "body", {0, std::max(20.f, ImGui::GetContentRegionAvail().y - status)});
  Tab *tab = workspace.current();
  // The ids of what is folded, scrolled or chosen are those of the tab.
  ImGui::PushID(tab ? tab->id : 0);
  if (!tab)
    drawEmpty(workspace);
  else if (tab->program)
    drawTab(workspace, *tab);
  else if (tab->loader)
    drawLoading(workspace, *tab);
  else
    drawFailure(workspace, *tab);
  ImGui::PopID();
  ImGui::EndChild();
}

std::string windowTitle(Workspace &workspace) {
  const Tab *tab = workspace.current();
  if (!tab)
    return "memref-lens";
  std::string title = fs::path(tab->request.path).filename().string();
  if (tab->loader && !tab->program)
    return title + ": reading - memref-lens";
  if (!tab->program)
    return title + ": cannot be shown - memref-lens";
  const Lookup &lookup = tab->program->lookup;
  const Place &place = tab->state.place;
  if (const trace::Function *function = lookup.function(place.function))
    title += ": @" + function->name + ", stage " +
             stageTitle(*tab->program, place.stage);
  if (lookup.event(place.event))
    title += ", decision " + std::to_string(place.event);
  if (lookup.block(place.block))
    title += ", " + lookup.blockName(place.block);
  if (lookup.value(place.value))
    title += ", " + lookup.name(place.value);
  return visibleText(title) + " - memref-lens";
}

static void play(Tab &tab, double seconds) {
  ViewState &state = tab.state;
  state.sinceStep += seconds;
  if (!state.isPlaying || state.sinceStep <= state.secondsPerStep)
    return;
  state.sinceStep = 0;
  state.isPlaying = step(state, *tab.program, 1);
}

void drawFrame(Workspace &workspace, double now, double seconds) {
  poll(workspace, now);
  answerKeys(workspace);
  if (Tab *tab = workspace.current(); tab && tab->program)
    play(*tab, seconds);
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin("memref-lens", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_MenuBar |
                   ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
  drawMenus(workspace);
  drawTabBar(workspace);
  drawBody(workspace);
  drawStatus(workspace);
  ImGui::End();
  drawHelp(workspace);
  drawPalette(workspace);
}

} // namespace memreflens::viewer
