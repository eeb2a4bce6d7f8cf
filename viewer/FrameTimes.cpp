//===- viewer/FrameTimes.cpp - how long frames take -----------------------===//

#include "viewer/FrameTimes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sys/resource.h>

namespace memreflens::viewer {

/// The first frames make fonts and textures.
static constexpr size_t warmUp = 10;

void FrameTimes::prepare(Workspace &workspace, int frame) {
  Tab *tab = workspace.current();
  if (!tab || !tab->program)
    return;
  ViewState &state = tab->state;
  if (frame == 5) {
    // Readable letters, so that there is something to draw.
    state.zoom = 0.6f;
    state.panX = state.panY = 0;
  }
  state.panX += 6 * std::cos(float(frame) / 40);
  state.panY -= 4;
  if (frame % 4 == 0 && !step(state, *tab->program, 1)) {
    state.panY = 0;
    start(state, *tab->program);
    state.wantsFit = false;
  }
}

std::string FrameTimes::report() const {
  std::vector<double> sorted(
      times.begin() + long(std::min(warmUp, times.size() - 1)), times.end());
  std::ranges::sort(sorted);
  auto at = [&](double share) {
    return 1000 * sorted[size_t(share * double(sorted.size() - 1))];
  };
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  char text[256];
  std::snprintf(text, sizeof text,
                "{\"frames\": %d, \"p50\": %.2f, \"p99\": %.2f, \"most\": "
                "%.2f, \"bytes\": %ld}\n",
                int(sorted.size()), at(0.5), at(0.99), at(1),
                usage.ru_maxrss * 1024);
  return text;
}

} // namespace memreflens::viewer
