//===- viewer/memory/MemoryPacking.h - buffers in one arena, ready to be drawn
//---===//
//
// A rectangle a buffer: columns of pixels across, rows of pixels up. What is
// too small to be told apart is merged by cells, so that thousands of buffers
// take no longer than there are pixels, and no memory that is taken looks free.
// No window.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_MEMORY_MEMORYPACKING_H
#define MEMREFLENS_VIEWER_MEMORY_MEMORYPACKING_H

#include "viewer/memory/MemoryModel.h"

namespace memreflens::viewer {

struct Packed {
  /// Pixels from the left and from the arena's begin.
  float left = 0, right = 0, low = 0, high = 0;
  /// -1: some that are too small to be told apart.
  int buffer = -1;
};

struct PackingRequest {
  size_t plan = 0;
  int columns = 1, rows = 1;
  int selected = -1;
  bool operator==(const PackingRequest &) const = default;
};

/// What is in sight; the selected one last.
std::vector<Packed> packingOf(const MemoryModel &model,
                              const StepWindow &window,
                              const PackingRequest &request);
/// The buffer that has this byte at this step; -1 for none.
int bufferAt(const MemoryModel &model, size_t plan, size_t step, uint64_t byte);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_MEMORY_MEMORYPACKING_H
