//===- viewer/window/Splitter.h - lines between panels, to be dragged -----===//

#ifndef MEMREFLENS_VIEWER_WINDOW_SPLITTER_H
#define MEMREFLENS_VIEWER_WINDOW_SPLITTER_H

namespace memreflens::viewer {

float splitterSize();
/// Height of the upper of two panels that share `room`.
float sharedHeight(float share, float room);
/// Below the upper panel: dragging changes its share of `room`.
void splitRows(const char *name, float &share, float room);
/// Between two columns; a negative `room` for a share of the right one.
void splitColumns(const char *name, float &share, float room);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WINDOW_SPLITTER_H
