//===- core/memory/Overlaps.h - what lives at the same time ---------------===//

#ifndef MEMREFLENS_MEMORY_OVERLAPS_H
#define MEMREFLENS_MEMORY_OVERLAPS_H

#include "core/memory/Arena.h"

namespace memreflens::memory {

/// Of spans that are placed one after another: which of those that are placed
/// live at the same time as another one. Takes time by how many there are, and
/// by the logarithm of all.
class Overlaps {
public:
  explicit Overlaps(const std::vector<Span> &spans);
  /// How many pairs live at the same time.
  uint64_t pairs() const;
  void place(size_t span);
  /// Calls `take(other)` for each.
  template <typename Take> void forEach(size_t span, Take take) const {
    // Either holds the step at which the other one begins.
    const Span &one = spans[span];
    for (size_t node = leaf(one.begin); node > 0; node /= 2)
      for (size_t other : covering[node])
        take(other);
    for (size_t i = firstBehind(one.begin);
         i < byBegin.size() && spans[byBegin[i]].begin <= one.end; ++i)
      if (isPlaced[byBegin[i]])
        take(byBegin[i]);
  }

private:
  size_t leaf(uint32_t step) const;
  /// Position in `byBegin` of the first that begins behind the step.
  size_t firstBehind(uint32_t step) const;

  const std::vector<Span> &spans;
  std::vector<size_t> byBegin;
  /// Steps at which a span begins.
  std::vector<uint32_t> begins;
  std::vector<bool> isPlaced;
  /// By node of a binary tree over `begins`: spans that are placed and live at
  /// all of its steps.
  std::vector<std::vector<size_t>> covering;
  size_t leaves = 1;
};

} // namespace memreflens::memory

#endif // MEMREFLENS_MEMORY_OVERLAPS_H
