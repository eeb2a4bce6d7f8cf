//===- viewer/window/Commands.h - all that the viewer can be told to do ---===//
//
// Every action has a name and, mostly, a shortcut. The palette, the list under
// F1 and the keyboard read this one registry.
//
//   commands.add({"Step", "Next decision", {{Key::right}}},
//                [](const Program &program, ViewState &state) { ... });
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_WINDOW_COMMANDS_H
#define MEMREFLENS_VIEWER_WINDOW_COMMANDS_H

#include "viewer/state/State.h"

#include <functional>

namespace memreflens::viewer {

struct Workspace;

/// Keys, by the codes that GLFW gives them; letters and digits are themselves.
enum Key : int {
  space = 32,
  escape = 256,
  enter = 257,
  tab = 258,
  right = 262,
  left = 263,
  down = 264,
  up = 265,
  pageUp = 266,
  pageDown = 267,
  home = 268,
  end = 269,
  f1 = 290,
  f5 = 294,
  f8 = 297,
  keypadEnter = 335,
};

struct Chord {
  int key = 0;
  bool ctrl = false, shift = false, alt = false;
  bool operator==(const Chord &) const = default;
};

/// "Ctrl+Shift+P".
std::string textOf(const Chord &chord);

struct CommandName {
  /// Heading in the list under F1: "Step".
  std::string group;
  std::string title;
  std::vector<Chord> chords;
};

struct Command {
  CommandName name;
  std::function<void(Workspace &)> run;
  /// Offered only where a program is shown.
  bool needsProgram = false;
};

class Commands {
public:
  using OnProgram = std::function<void(const Program &, ViewState &)>;
  using OnWorkspace = std::function<void(Workspace &)>;

  void add(CommandName name, OnProgram run);
  void add(CommandName name, OnWorkspace run);

  const std::vector<Command> &all() const { return list; }
  /// Commands of which a chord was pressed in this frame. While the user types,
  /// only those with Ctrl, Alt or a function key count.
  std::vector<const Command *> pressed(bool isTyping) const;

private:
  std::vector<Command> list;
};

/// Each part of the viewer adds its own.
void addStepperCommands(Commands &commands);
void addCanvasCommands(Commands &commands);
void addWorkspaceCommands(Commands &commands);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WINDOW_COMMANDS_H
