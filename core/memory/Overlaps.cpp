//===- core/memory/Overlaps.cpp -------------------------------------------===//

#include "core/memory/Overlaps.h"

#include <algorithm>
#include <numeric>

namespace memreflens::memory {

Overlaps::Overlaps(const std::vector<Span> &spans)
    : spans(spans), byBegin(spans.size()), isPlaced(spans.size()) {
  std::iota(byBegin.begin(), byBegin.end(), size_t(0));
  std::ranges::stable_sort(byBegin, {},
                           [&](size_t span) { return spans[span].begin; });
  for (size_t span : byBegin)
    if (begins.empty() || begins.back() != spans[span].begin)
      begins.push_back(spans[span].begin);
  while (leaves < begins.size())
    leaves *= 2;
  covering.resize(2 * leaves);
}

size_t Overlaps::leaf(uint32_t step) const {
  return leaves +
         size_t(std::ranges::lower_bound(begins, step) - begins.begin());
}

size_t Overlaps::firstBehind(uint32_t step) const {
  return size_t(
      std::ranges::upper_bound(byBegin, step, {},
                               [&](size_t span) { return spans[span].begin; }) -
      byBegin.begin());
}

uint64_t Overlaps::pairs() const {
  uint64_t count = 0;
  for (size_t i = 0; i < byBegin.size(); ++i)
    count += firstBehind(spans[byBegin[i]].end) - i - 1;
  return count;
}

void Overlaps::place(size_t span) {
  isPlaced[span] = true;
  // Nodes that its steps are made up of.
  size_t from = leaf(spans[span].begin);
  size_t to =
      leaves + size_t(std::ranges::upper_bound(begins, spans[span].end) -
                      begins.begin());
  for (; from < to; from /= 2, to /= 2) {
    if (from % 2)
      covering[from++].push_back(span);
    if (to % 2)
      covering[--to].push_back(span);
  }
}

} // namespace memreflens::memory
