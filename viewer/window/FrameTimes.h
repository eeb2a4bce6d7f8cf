//===- viewer/window/FrameTimes.h - how long frames take, for --measure ---===//

#ifndef MEMREFLENS_VIEWER_WINDOW_FRAMETIMES_H
#define MEMREFLENS_VIEWER_WINDOW_FRAMETIMES_H

#include "viewer/window/Workspace.h"

namespace memreflens::viewer {

class FrameTimes {
public:
  /// Moves the graph, and the memory that is shown, in each frame; takes a step
  /// in every fourth.
  void prepare(Workspace &workspace, int frame);
  void begin();
  void end();
  /// JSON: milliseconds at 50 and 99 percent, by the clock and of all
  /// processors together; memory in bytes.
  std::string report() const;

private:
  double wallBegin = 0, cpuBegin = 0;
  std::vector<double> walls, cpus;
};

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WINDOW_FRAMETIMES_H
