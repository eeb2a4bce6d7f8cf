//===- viewer/FrameTimes.h - how long frames take, for --measure ----------===//

#ifndef MEMREFLENS_VIEWER_FRAMETIMES_H
#define MEMREFLENS_VIEWER_FRAMETIMES_H

#include "viewer/Workspace.h"

namespace memreflens::viewer {

class FrameTimes {
public:
  /// Moves the graph in each frame, and takes a step in every fourth.
  void prepare(Workspace &workspace, int frame);
  void add(double seconds) { times.push_back(seconds); }
  /// JSON: milliseconds at 50, 99 and 100 percent, memory in bytes.
  std::string report() const;

private:
  std::vector<double> times;
};

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_FRAMETIMES_H
