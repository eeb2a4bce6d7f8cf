//===- viewer/work/Settings.h - what the viewer remembers from run to run -===//
//
// Theme, size and arrangement of the window, recent files; kept in
// $XDG_CONFIG_HOME/memref-lens/viewer.json. A file that cannot be read or
// written costs the settings, never the run.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_WORK_SETTINGS_H
#define MEMREFLENS_VIEWER_WORK_SETTINGS_H

#include "core/graph/Theme.h"

#include <string>
#include <vector>

namespace memreflens::viewer {

/// Shares of the window, from 0 to 1.
struct Arrangement {
  float left = 0.28f, right = 0.24f;
  float functions = 0.16f, graph = 0.54f, why = 0.6f;
  bool operator==(const Arrangement &) const = default;
};

struct Settings {
  graph::ThemeName theme = graph::ThemeName::dark;
  int width = 1280, height = 720;
  Arrangement arrangement;
  /// Absolute paths, the latest first.
  std::vector<std::string> recent;
  bool operator==(const Settings &) const = default;
};

/// Empty where neither XDG_CONFIG_HOME nor HOME is set.
std::string settingsPath();
Settings readSettings(const std::string &path);
bool writeSettings(const Settings &settings, const std::string &path);
/// Puts a file first in the list, which holds twelve.
void remember(Settings &settings, const std::string &file);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WORK_SETTINGS_H
