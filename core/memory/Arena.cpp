//===- core/memory/Arena.cpp ----------------------------------------------===//

#include "core/memory/Arena.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace memreflens::memory {

std::string_view nameOf(ArenaPlanner planner) {
  switch (planner) {
  case ArenaPlanner::greedyBySize:
    return "greedy by size";
  case ArenaPlanner::firstFit:
    return "first fit";
  case ArenaPlanner::bestFit:
    return "best fit";
  }
  return {};
}

static uint64_t roundedUp(uint64_t bytes) {
  return (bytes + arenaAlignment - 1) / arenaAlignment * arenaAlignment;
}

uint64_t leastArena(const std::vector<Span> &spans) {
  std::map<uint32_t, int64_t> changes;
  for (const Span &span : spans) {
    changes[span.begin] += int64_t(roundedUp(span.bytes));
    changes[span.end + 1] -= int64_t(roundedUp(span.bytes));
  }
  int64_t live = 0, most = 0;
  for (const auto &[step, change] : changes)
    most = std::max(most, live += change);
  return uint64_t(most);
}

namespace {
struct Placed {
  uint64_t begin = 0, end = 0;
  const Span *span = nullptr;
};
} // namespace

/// Between what lives at the same time: the lowest gap that holds it, or the
/// smallest.
static uint64_t offsetFor(const Span &span, const std::vector<Placed> &placed,
                          bool isBestFit) {
  const uint64_t bytes = roundedUp(span.bytes);
  uint64_t free = 0, best = 0, bestGap = UINT64_MAX;
  for (const Placed &other : placed) {
    if (other.span->end < span.begin || span.end < other.span->begin)
      continue;
    if (other.begin >= free && other.begin - free >= bytes) {
      if (!isBestFit)
        return free;
      if (other.begin - free < bestGap) {
        best = free;
        bestGap = other.begin - free;
      }
    }
    free = std::max(free, other.end);
  }
  return bestGap == UINT64_MAX ? free : best;
}

ArenaPlan planArena(const std::vector<Span> &spans, ArenaPlanner planner) {
  ArenaPlan plan;
  plan.planner = planner;
  plan.offsets.resize(spans.size());
  std::vector<size_t> order(spans.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    return planner == ArenaPlanner::greedyBySize
               ? spans[a].bytes > spans[b].bytes
               : spans[a].begin < spans[b].begin;
  });
  // By address.
  std::vector<Placed> placed;
  for (size_t index : order) {
    const Span &span = spans[index];
    const uint64_t offset =
        offsetFor(span, placed, planner == ArenaPlanner::bestFit);
    const Placed now = {offset, offset + roundedUp(span.bytes), &span};
    placed.insert(
        std::ranges::upper_bound(placed, now.begin, {}, &Placed::begin), now);
    plan.offsets[index] = offset;
    plan.bytes = std::max(plan.bytes, now.end);
  }
  return plan;
}

} // namespace memreflens::memory
