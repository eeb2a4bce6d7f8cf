//===- viewer/memory/MemoryModel.h - memory over time, ready to be drawn --===//
//
// Of one function's memory (core/memory): which step each column of pixels
// shows, and which buffers lie above each other there. Of the steps that share
// a column the one with the most bytes is shown, so that no zoom hides a peak.
// No window.
//
//   MemoryModel model(memory::memoryOf(lookup, function));
//   Stack stack = stackOf(model, {0, 5000}, {.columns = 800, .rows = 200});
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_MEMORY_MEMORYMODEL_H
#define MEMREFLENS_VIEWER_MEMORY_MEMORYMODEL_H

#include "core/memory/Memory.h"

#include <unordered_map>

namespace memreflens::viewer {

using trace::Id;

/// Bytes by step, asked for the most within a part of them.
class Heights {
public:
  explicit Heights(std::vector<uint64_t> bytes = {});

  size_t size() const { return bytes.size(); }
  uint64_t operator[](size_t step) const { return bytes[step]; }
  /// The first step of [begin, end) that has the most; `begin` if it is empty.
  size_t highest(size_t begin, size_t end) const;

private:
  size_t higherOf(size_t a, size_t b) const {
    return bytes[b] > bytes[a] ? b : a;
  }

  std::vector<uint64_t> bytes;
  /// By level: the highest of each 2, 4, 8 ... steps.
  std::vector<std::vector<uint32_t>> levels;
};

/// Steps in sight, from the left edge to the right one.
struct StepWindow {
  double from = 0, to = 0;
  bool operator==(const StepWindow &) const = default;

  double width() const { return to - from; }
  /// Moved and made smaller, so that it lies within so many steps.
  StepWindow within(size_t steps) const;
  /// Larger or smaller, where the step `at` stays where it is.
  StepWindow zoomed(double factor, double at) const;
};

/// The steps that a column shows a part of: [begin, end), never empty.
struct StepRange {
  size_t begin = 0, end = 1;
};
StepRange stepsOf(const StepWindow &window, int column, int columns,
                  size_t steps);

struct MemoryModel {
  explicit MemoryModel(memory::MemoryUse use);

  memory::MemoryUse use;
  /// As the pipeline leaves it; after last uses; the lower bound.
  Heights asIs, afterLastUse, needed;
  /// Buffers by their numbers, the largest first.
  std::vector<uint32_t> bySize;
  std::unordered_map<Id, uint32_t> stepOfOp, bufferOfValue;

  size_t steps() const { return asIs.size(); }
  bool isAlive(size_t buffer, size_t step) const {
    return use.buffers[buffer].begin <= step && step <= use.buffers[buffer].end;
  }
  /// Past its last use, and not deallocated yet.
  bool isIdle(size_t buffer, size_t step) const {
    return isAlive(buffer, step) && use.buffers[buffer].lastUse < step;
  }
};

/// Buffers that are alive at a step, the largest first.
struct Alive {
  size_t step = 0;
  std::vector<uint32_t> buffers;
  uint64_t bytes = 0, idleBytes = 0;
  /// The idle ones, by what holds them.
  std::vector<memory::HeldBytes> held;
};
Alive aliveAt(const MemoryModel &model, size_t step);

/// One buffer over some columns, at the height at which it lies there.
struct Strip {
  int begin = 0, end = 0; ///< columns
  uint64_t low = 0, high = 0;
  /// `others` are all that are not drawn one by one, `elsewhere` is what is no
  /// buffer of the function: what its callees hold.
  int buffer = others;
  static constexpr int others = -1, elsewhere = -2;
  bool isIdle = false;
};

struct StackRequest {
  int columns = 1, rows = 1;
  /// Drawn however small it is; -1 for none.
  int selected = -1;
  bool operator==(const StackRequest &) const = default;
};

struct Stack {
  /// By column: the step that it shows.
  std::vector<uint32_t> steps;
  std::vector<Strip> strips;
  /// Most bytes in sight.
  uint64_t top = 0;

  /// What lies there; null if nothing does.
  const Strip *at(int column, uint64_t bytes) const;
};
Stack stackOf(const MemoryModel &model, const StepWindow &window,
              const StackRequest &request);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_MEMORY_MEMORYMODEL_H
