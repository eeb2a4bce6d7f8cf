//===- viewer/window/Commands.cpp - the registry, and the keyboard --------===//

#include "viewer/window/Commands.h"

#include "viewer/window/Workspace.h"

#include "imgui/imgui.h"

#include <algorithm>
#include <map>

namespace memreflens::viewer {

static std::string textOfKey(int key) {
  static const std::map<int, const char *> names = {
      {Key::space, "Space"},    {Key::escape, "Escape"},
      {Key::enter, "Enter"},    {Key::tab, "Tab"},
      {Key::right, "Right"},    {Key::left, "Left"},
      {Key::down, "Down"},      {Key::up, "Up"},
      {Key::pageUp, "Page Up"}, {Key::pageDown, "Page Down"},
      {Key::home, "Home"},      {Key::end, "End"}};
  if (auto name = names.find(key); name != names.end())
    return name->second;
  if (key >= Key::f1 && key < Key::f1 + 12)
    return "F" + std::to_string(key - Key::f1 + 1);
  return {char(key)};
}

std::string textOf(const Chord &chord) {
  return std::string(chord.ctrl ? "Ctrl+" : "") + (chord.alt ? "Alt+" : "") +
         (chord.shift ? "Shift+" : "") + textOfKey(chord.key);
}

void Commands::add(CommandName name, OnProgram run) {
  auto onTab = [run = std::move(run)](Workspace &workspace) {
    if (Tab *tab = workspace.current(); tab && tab->program)
      run(*tab->program, tab->state);
  };
  list.push_back({std::move(name), std::move(onTab), /*needsProgram=*/true});
}

void Commands::add(CommandName name, OnWorkspace run) {
  list.push_back({std::move(name), std::move(run), /*needsProgram=*/false});
}

static bool isPressed(const Chord &chord, bool isTyping) {
  const ImGuiIO &io = ImGui::GetIO();
  bool isText = !chord.ctrl && !chord.alt && chord.key < Key::f1;
  return !(isTyping && isText) && io.KeyCtrl == chord.ctrl &&
         io.KeyShift == chord.shift && io.KeyAlt == chord.alt &&
         ImGui::IsKeyPressed(chord.key);
}

std::vector<const Command *> Commands::pressed(bool isTyping) const {
  std::vector<const Command *> found;
  for (const Command &command : list)
    if (std::ranges::any_of(command.name.chords, [&](const Chord &chord) {
          return isPressed(chord, isTyping);
        }))
      found.push_back(&command);
  return found;
}

} // namespace memreflens::viewer
