//===- viewer/window/Panels.h - the whole window, frame by frame ----------===//
//
// Draws with Dear ImGui alone: a test runs it without a window.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_WINDOW_PANELS_H
#define MEMREFLENS_VIEWER_WINDOW_PANELS_H

#include "viewer/window/Workspace.h"

namespace memreflens::viewer {

/// Below the graph; Ctrl+1 shows the first, Ctrl+0 the tenth, Ctrl+T the
/// tensors.
enum BottomPanel {
  overviewPanel,
  ownershipPanel,
  loweringPanel,
  lifetimesPanel,
  bookmarksPanel,
  whatIfPanel,
  problemsPanel,
  findingsPanel,
  aliasesPanel,
  memoryPanel,
  runPanel,
  tensorsPanel,
  bottomPanelCount
};
const char *nameOf(BottomPanel panel);

/// One frame: takes over what was loaded, answers the keyboard, draws. `now`
/// and `seconds` (since the last frame) in seconds.
void drawFrame(Workspace &workspace, double now, double seconds);

/// "a.mlir: @f, stage 3, decision 12, %x - memref-lens".
std::string windowTitle(Workspace &workspace);

/// What `drawFrame` puts together.
void drawTab(Workspace &workspace, Tab &tab);
void drawEmpty(Workspace &workspace);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WINDOW_PANELS_H
