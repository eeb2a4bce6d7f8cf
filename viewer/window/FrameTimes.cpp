//===- viewer/window/FrameTimes.cpp - how long frames take ----------------===//

#include "viewer/window/FrameTimes.h"

#include "viewer/memory/MemoryView.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
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
  // Where memory is shown, the steps in sight change too.
  if (MemoryView &memory = cacheOf<MemoryView>(state); memory.model)
    memory.window =
        memory.window
            .zoomed(1 + 0.05 * std::sin(double(frame) / 20),
                    memory.window.from + memory.window.width() * 0.3)
            .within(memory.model->steps());
  if (frame % 4 == 0 && !step(state, *tab->program, 1)) {
    state.panY = 0;
    start(state, *tab->program);
    state.wantsFit = false;
  }
}

static double secondsOf(clockid_t clock) {
  struct timespec now = {};
  clock_gettime(clock, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

void FrameTimes::begin() {
  wallBegin = secondsOf(CLOCK_MONOTONIC);
  cpuBegin = secondsOf(CLOCK_PROCESS_CPUTIME_ID);
}

void FrameTimes::end() {
  walls.push_back(secondsOf(CLOCK_MONOTONIC) - wallBegin);
  cpus.push_back(secondsOf(CLOCK_PROCESS_CPUTIME_ID) - cpuBegin);
}

/// Milliseconds below which this share of the frames stays.
static double percentile(std::vector<double> times, double share) {
  times.erase(times.begin(),
              times.begin() + long(std::min(warmUp, times.size() - 1)));
  std::ranges::sort(times);
  return 1000 * times[size_t(share * double(times.size() - 1))];
}

std::string FrameTimes::report() const {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  char text[256];
  std::snprintf(text, sizeof text,
                "{\"frames\": %d, \"p50\": %.2f, \"p99\": %.2f, "
                "\"cpu50\": %.2f, \"cpu99\": %.2f, \"bytes\": %ld}\n",
                int(walls.size()), percentile(walls, 0.5),
                percentile(walls, 0.99), percentile(cpus, 0.5),
                percentile(cpus, 0.99), usage.ru_maxrss * 1024);
  return text;
}

} // namespace memreflens::viewer
