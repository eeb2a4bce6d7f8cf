//===- viewer/work/Editor.h - opens the user's editor at the selection ----===//

#ifndef MEMREFLENS_VIEWER_WORK_EDITOR_H
#define MEMREFLENS_VIEWER_WORK_EDITOR_H

#include "viewer/state/State.h"

namespace memreflens::viewer {

struct TextPosition {
  /// From 1, columns as editors count them: in UTF-16 code units.
  unsigned line = 1, column = 1;
};

/// Of the selected value; without one, of the decision, or the function.
TextPosition positionOf(const Program &program, const ViewState &state);

/// The words to run. `editor` is what $VISUAL says, options included; empty
/// means VS Code. Each family of editors is told the place in its own way.
std::vector<std::string> editorCommand(const std::string &editor,
                                       const std::string &file,
                                       TextPosition position);

/// Starts it; a line for the notice.
std::string openInEditor(const Program &program, const ViewState &state,
                         const std::string &file);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WORK_EDITOR_H
