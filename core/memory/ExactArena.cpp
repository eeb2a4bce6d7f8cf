//===- core/memory/ExactArena.cpp - branch and bound ----------------------===//
//
// Some smallest arena has each buffer at 0 or right on top of one that lives at
// the same time. So buffers are placed in the order of their offsets, each on
// top of what is below it, in every order that can make a difference. An order
// is left where what is still to come cannot stay below the best arena so far.
//
//===----------------------------------------------------------------------===//

#include "core/memory/ExactArena.h"

#include <algorithm>

namespace memreflens::memory {

namespace {
class Search {
public:
  Search(const std::vector<Span> &spans, const ArenaPlan &known, uint64_t least)
      : spans(spans), least(least), best(known), offsets(spans.size()),
        isPlaced(spans.size()) {
    best.planner = ArenaPlanner::exact;
    for (const Span &span : spans)
      begins.push_back(span.begin);
    std::ranges::sort(begins);
    begins.erase(std::ranges::unique(begins).begin(), begins.end());
    tops.resize(begins.size());
    rests.resize(begins.size());
    for (const Span &span : spans)
      forSteps(span,
               [&](size_t step) { rests[step] += alignedUp(span.bytes); });
  }
  /// Whether it came to its end.
  bool run() {
    place(0, 0);
    return steps <= mostExactSteps;
  }
  ArenaPlan take() { return std::move(best); }

private:
  bool isDone() const { return best.bytes <= least || steps > mostExactSteps; }
  template <typename Take> void forSteps(const Span &span, Take take) const {
    for (size_t step = size_t(std::ranges::lower_bound(begins, span.begin) -
                              begins.begin());
         step < begins.size() && begins[step] <= span.end; ++step)
      take(step);
  }
  uint64_t offsetOf(const Span &span) const {
    uint64_t offset = 0;
    forSteps(span, [&](size_t step) { offset = std::max(offset, tops[step]); });
    return offset;
  }
  bool isHopeless() const {
    for (size_t step = 0; step < begins.size(); ++step)
      if (tops[step] + rests[step] >= best.bytes)
        return true;
    return false;
  }
  void keep() {
    best.offsets = offsets;
    best.bytes = std::ranges::max(tops);
  }
  void placeOne(size_t span, uint64_t offset, size_t count);
  void place(size_t count, uint64_t lowest);

  const std::vector<Span> &spans;
  const uint64_t least;
  ArenaPlan best;
  std::vector<uint64_t> offsets;
  std::vector<bool> isPlaced;
  /// Steps at which a span begins; by these, the end of what is placed there,
  /// and the bytes of what is not.
  std::vector<uint32_t> begins;
  std::vector<uint64_t> tops, rests;
  uint64_t steps = 0;
};
} // namespace

void Search::placeOne(size_t span, uint64_t offset, size_t count) {
  const uint64_t bytes = alignedUp(spans[span].bytes);
  const std::vector<uint64_t> before = tops;
  isPlaced[span] = true;
  offsets[span] = offset;
  forSteps(spans[span], [&](size_t step) {
    tops[step] = offset + bytes;
    rests[step] -= bytes;
  });
  place(count + 1, offset);
  forSteps(spans[span], [&](size_t step) { rests[step] += bytes; });
  tops = before;
  isPlaced[span] = false;
}

void Search::place(size_t count, uint64_t lowest) {
  if (isDone() || ++steps > mostExactSteps || isHopeless())
    return;
  if (count == spans.size())
    return keep();
  struct Choice {
    uint64_t offset, bytes;
    size_t span;
  };
  std::vector<Choice> choices;
  uint64_t firstEnd = UINT64_MAX;
  for (size_t span = 0; span < spans.size(); ++span) {
    if (isPlaced[span])
      continue;
    const uint64_t offset = std::max(offsetOf(spans[span]), lowest);
    choices.push_back({offset, alignedUp(spans[span].bytes), span});
    firstEnd = std::min(firstEnd, offset + choices.back().bytes);
  }
  // The lowest first, and of these the largest.
  std::ranges::stable_sort(choices, [](const Choice &a, const Choice &b) {
    return a.offset != b.offset ? a.offset < b.offset : a.bytes > b.bytes;
  });
  for (const Choice &choice : choices)
    // Else another one fits below it, and comes first.
    if (choice.offset < firstEnd || choice.bytes == 0)
      placeOne(choice.span, choice.offset, count);
}

std::optional<ArenaPlan> exactArena(const std::vector<Span> &spans,
                                    const ArenaPlan &known, uint64_t least) {
  Search search(spans, known, least);
  if (!search.run())
    return std::nullopt;
  return search.take();
}

} // namespace memreflens::memory
