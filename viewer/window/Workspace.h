//===- viewer/window/Workspace.h - the files that are open ----------------===//
//
// Tabs with their programs, what is being loaded, settings and commands: all
// that the window shows, as plain data. Panels.h draws it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_WINDOW_WORKSPACE_H
#define MEMREFLENS_VIEWER_WINDOW_WORKSPACE_H

#include "viewer/canvas/SceneCache.h"
#include "viewer/panels/Aliases.h"
#include "viewer/panels/Findings.h"
#include "viewer/panels/WhatIf.h"
#include "viewer/window/Commands.h"
#include "viewer/window/Palette.h"
#include "viewer/work/Bookmarks.h"
#include "viewer/work/ExportJob.h"
#include "viewer/work/Load.h"
#include "viewer/work/ProgramRun.h"
#include "viewer/work/Settings.h"
#include "viewer/work/Watch.h"

#include <optional>

namespace memreflens::viewer {

/// Where to go when a file has been read; defaults: not asked for.
struct StartPlace {
  std::string function;
  int line = 0, stage = -1, event = -1;
  /// Name of a value of the function that is selected, without `%`.
  std::string value = {};
  /// The panel below the graph; -1 for the first.
  int panel = -1;
  /// The stage's IR is drawn in place of the decisions.
  bool showsStageGraph = false;
  /// And run it.
  bool runs = false;
};

/// One file on the screen.
struct Tab {
  /// Unique in the run.
  int id = 0;
  RunRequest request;
  StartPlace start;
  std::shared_ptr<const Program> program;
  /// The program is a part of what is still being loaded.
  bool isEarly = false;
  /// Of the last load; there may be a program beside it.
  std::string error;
  std::unique_ptr<Loader> loader;
  double loadingSince = 0;
  Watch watch;
  /// Where the user was before the file stopped to parse.
  std::optional<Anchor> placeBeforeError;
  ViewState state;
  SceneCache scenes;
  /// As they are, and as the file had them.
  Bookmarks bookmarks, savedBookmarks;
  WhatIf whatIf;
  Findings findings;
  ProgramRun run;
  Aliases aliases;
  /// Whether its graph stood beside the first in the last frame.
  bool wasBeside = false;
  /// Panel below the graph that comes to the front; -1 for none.
  int wantedPanel = -1;
  /// That of the last frame.
  int shownPanel = -1;
};

struct Workspace {
  Workspace();

  std::vector<std::unique_ptr<Tab>> tabs;
  size_t active = 0;
  /// The tab bar follows `active` when set.
  bool wantsActive = false;
  std::string tool = toolBeside();
  Settings settings;
  Commands commands;
  Palette palette;
  ExportJob exporting;
  /// One line at the bottom: what was just done, or went wrong.
  std::string notice;
  bool showsHelp = false;
  bool wantsQuit = false;
  /// Lay out within the frame: for tests and pictures.
  bool waits = false;
  double now = 0;

  /// The tab in front; null if there is none.
  Tab *current();
};

/// In a tab of its own; one that has the file already comes to the front.
Tab &open(Workspace &workspace, RunRequest request, StartPlace start = {});
/// Reads the file again; what is selected stays so, by name.
void reload(Workspace &workspace, Tab &tab);
/// Whether `memref-lens check` can look at the file: of a saved trace, only the
/// trace can be looked at.
bool canCheck(const Tab &tab);
void checkNow(Workspace &workspace, Tab &tab);
/// Runs the function that is shown, with the panel's arguments.
void runNow(Workspace &workspace, Tab &tab);
/// Shows the function that ran, with its counts, as the stage left it.
void showRun(Tab &tab);
void closeTab(Workspace &workspace, size_t index);
/// Takes over what was loaded, and notices files that were changed. Once a
/// frame; `now` in seconds.
void poll(Workspace &workspace, double now);
/// Blocks until all is loaded: for tests and pictures.
void waitForLoads(Workspace &workspace);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WINDOW_WORKSPACE_H
