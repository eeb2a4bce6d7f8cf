//===- viewer/canvas/Canvas.h - draws a scene and answers the mouse -------===//

#ifndef MEMREFLENS_VIEWER_CANVAS_CANVAS_H
#define MEMREFLENS_VIEWER_CANVAS_CANVAS_H

#include "viewer/canvas/Scene.h"

#include "imgui/imgui.h"

namespace memreflens::viewer {

/// Fills what is left of the window. Drag pans, the wheel zooms to the cursor,
/// a click selects a value and the decision behind a chip.
void drawCanvas(const Program &program, const Scene &scene, ViewState &state);

void zoomBy(ViewState &state, float factor, float x, float y);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_CANVAS_CANVAS_H
