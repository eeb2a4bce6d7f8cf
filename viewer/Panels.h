//===- viewer/Panels.h - the whole window, frame by frame -----------------===//
//
// Draws with Dear ImGui alone: a test runs it without a window.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_PANELS_H
#define MEMREFLENS_VIEWER_PANELS_H

#include "viewer/Load.h"
#include "viewer/Scene.h"

#include <future>
#include <map>

namespace memreflens::viewer {

/// Keys, by the codes that GLFW gives them.
enum Key {
  space = 32,
  right = 262,
  left = 263,
  down = 264,
  up = 265,
  f1 = 290,
  escape = 256
};

/// One file on the screen, with the layouts made for it so far.
struct Tab {
  std::string path, error;
  std::unique_ptr<Program> program;
  std::unique_ptr<Loader> loader;
  ViewState state;
  SceneKey sceneKey;
  std::shared_ptr<Scene> scene;
  std::future<Scene> pending;
  SceneKey pendingKey;
};

/// Takes over what was loaded; true when a program has come.
bool poll(Tab &tab);
/// One frame of the whole window. `wait` lays out at once, for tests.
void drawFrame(Tab &tab, double seconds, bool wait = false);
void applyTheme(graph::ThemeName theme);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_H
