//===- viewer/memory/MemoryAxes.h - bytes up, places of the program across ===//

#ifndef MEMREFLENS_VIEWER_MEMORY_MEMORYAXES_H
#define MEMREFLENS_VIEWER_MEMORY_MEMORYAXES_H

#include "viewer/memory/MemoryView.h"

namespace memreflens::viewer {

/// The room for a picture over the steps, with its axes around it.
class MemoryAxes {
public:
  /// From the cursor on.
  MemoryAxes(const MemoryView &view, const ViewState &state, ImVec2 size);

  ImVec2 origin, room;
  int columns = 1;

  float xOf(double step) const;
  float yOf(double bytes) const {
    return origin.y + room.y * float(1 - bytes / top);
  }
  int columnAt(float x) const;
  double bytesAt(float y) const;
  bool isInSight(size_t step) const;

  /// Most bytes of the picture; before anything is drawn.
  void setTop(uint64_t bytes);
  /// Lines with their bytes beside them.
  void drawBytes() const;
  /// Where in the source it is, below.
  void drawPlaces() const;
  void drawLineAt(size_t step, ImU32 color) const;
  /// The step of the mouse, and that where the user is.
  void drawCursor(const ViewState &state, bool isHovered) const;
  void clip() const;

private:
  const MemoryView &view;
  const graph::Theme &theme;
  ImVec2 corner;
  float foot = 0;
  double top = 1;
};

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_MEMORY_MEMORYAXES_H
