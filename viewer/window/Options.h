//===- viewer/window/Options.h - what the user typed ----------------------===//

#ifndef MEMREFLENS_VIEWER_WINDOW_OPTIONS_H
#define MEMREFLENS_VIEWER_WINDOW_OPTIONS_H

#include "viewer/window/Workspace.h"

namespace memreflens::viewer {

struct Options {
  std::vector<std::string> files;
  StartPlace start;
  /// How all files are analysed.
  trace::RunOptions run;
  /// "light" or "dark"; empty: as last time.
  std::string theme;
  /// Of the window, in points; 0: as last time.
  int width = 0, height = 0;
  /// Pixels per point; 0: what the display says.
  float scale = 0;
  /// Draw one picture to this file and end.
  std::string screenshot;
  /// Draw so many frames, print how long they took, and end.
  int measure = 0;
  bool wantsHelp = false, wantsVersion = false;
  /// Wrong usage; empty if right.
  std::string problem;
};

Options optionsOf(int count, char **words);
const char *usage();

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WINDOW_OPTIONS_H
