//===- viewer/window/Palette.h - one line of text that finds anything -----===//
//
// Ctrl+P goes to a function, value, op or decision; Ctrl+Shift+P runs a
// command; Ctrl+O opens a file; an export asks for its file's name. Type words
// in any order, choose with the arrows and Enter, leave with Escape.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_WINDOW_PALETTE_H
#define MEMREFLENS_VIEWER_WINDOW_PALETTE_H

#include "viewer/state/State.h"

namespace memreflens::viewer {

struct Workspace;

enum class PaletteMode : uint8_t { closed, goTo, commands, openFile, exportTo };

enum class EntryKind : uint8_t { function, value, op, event, command, file };

struct PaletteEntry {
  EntryKind kind = EntryKind::command;
  /// Of the function, ...; a command's index.
  int id = 0;
  std::string text;
  /// Dim, on the right: a shortcut, a place in the file.
  std::string note;
};

struct Palette {
  PaletteMode mode = PaletteMode::closed;
  char text[1024] = "";
  std::vector<PaletteEntry> entries;
  /// Indexes of the entries that fit the text, best first.
  std::vector<int> hits;
  int chosen = 0;
  bool isNew = false;
  /// Of this opening: a field of its own, that does not remember another text.
  int serial = 0;
  /// The text at first, what was typed before the field had the keyboard, and
  /// whether it has it.
  std::string first, early;
  bool hasField = false;
  bool scrolls = false;
  /// What the hits were found for.
  std::string searched;
  /// The export would overwrite a file: Enter once more.
  std::string confirmed;
};

void openPalette(Workspace &workspace, PaletteMode mode,
                 const std::string &text = "");
void drawPalette(Workspace &workspace);

/// Entries that hold every word of the text, whatever its case; those that
/// hold it earlier first. At most 200.
std::vector<int> hitsOf(const std::vector<PaletteEntry> &entries,
                        std::string_view text);

/// All that Ctrl+P finds in a program.
std::vector<PaletteEntry> entriesOf(const Program &program);

/// The list under F1.
void drawHelp(Workspace &workspace);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WINDOW_PALETTE_H
