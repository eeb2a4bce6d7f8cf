//===- viewer/memory/MemoryPanel.h - what is alive when, and how little would do
//-===//

#ifndef MEMREFLENS_VIEWER_MEMORY_MEMORYPANEL_H
#define MEMREFLENS_VIEWER_MEMORY_MEMORYPANEL_H

#include "viewer/state/State.h"

namespace memreflens::viewer {

/// The plot with who is alive under the mouse, or the packing of one arena.
/// `waits`: worked out within the frame, for tests and pictures.
void drawMemory(const Program &program, ViewState &state, bool waits);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_MEMORY_MEMORYPANEL_H
