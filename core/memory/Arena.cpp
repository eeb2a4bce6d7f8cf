//===- core/memory/Arena.cpp ----------------------------------------------===//

#include "core/memory/Arena.h"
#include "core/memory/ExactArena.h"
#include "core/memory/Overlaps.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

namespace memreflens::memory {

std::string_view nameOf(ArenaPlanner planner) {
  switch (planner) {
  case ArenaPlanner::greedyBySize:
    return "greedy by size";
  case ArenaPlanner::greedyByBreadth:
    return "greedy by breadth";
  case ArenaPlanner::firstFit:
    return "first fit";
  case ArenaPlanner::bestFit:
    return "best fit";
  case ArenaPlanner::exact:
    return "exact";
  }
  return {};
}

uint64_t alignedUp(uint64_t bytes, uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

uint64_t leastArena(const std::vector<Span> &spans) {
  std::map<uint32_t, int64_t> changes;
  for (const Span &span : spans) {
    changes[span.begin] += int64_t(alignedUp(span.bytes));
    changes[span.end + 1] -= int64_t(alignedUp(span.bytes));
  }
  int64_t live = 0, most = 0;
  for (const auto &[step, change] : changes)
    most = std::max(most, live += change);
  return uint64_t(most);
}

//===--- Orders -----------------------------------------------------------===//

using Order = std::vector<size_t>;

static Order programOrder(const std::vector<Span> &spans) {
  Order order(spans.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::stable_sort(order, {},
                           [&](size_t span) { return spans[span].begin; });
  return order;
}

static Order sizeOrder(const std::vector<Span> &spans) {
  Order order = programOrder(spans);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](size_t span) { return spans[span].bytes; });
  return order;
}

namespace {
/// Live bytes at each step at which a span begins, and where they are most
/// between two of these.
class Breadths {
public:
  explicit Breadths(const std::vector<Span> &spans) {
    std::map<uint32_t, int64_t> changes;
    for (const Span &span : spans) {
      changes[span.begin] += int64_t(span.bytes);
      changes[span.end + 1] -= int64_t(span.bytes);
    }
    int64_t live = 0;
    for (const auto &[step, change] : changes) {
      steps.push_back(step);
      most.front().push_back({live += change, -int64_t(step)});
    }
    for (size_t width = 1; 2 * width <= steps.size(); width *= 2) {
      std::vector<Entry> wider;
      for (size_t i = 0; i + 2 * width <= steps.size(); ++i)
        wider.push_back(std::max(most.back()[i], most.back()[i + width]));
      most.push_back(std::move(wider));
    }
  }
  /// Bytes of the broadest step in a span, and minus that step: the first one.
  using Entry = std::pair<int64_t, int64_t>;
  Entry of(const Span &span) const {
    const auto from =
        size_t(std::ranges::lower_bound(steps, span.begin) - steps.begin());
    const auto to =
        size_t(std::ranges::upper_bound(steps, span.end) - steps.begin());
    const size_t level = size_t(std::bit_width(to - from)) - 1;
    return std::max(most[level][from], most[level][to - (size_t(1) << level)]);
  }

private:
  std::vector<uint32_t> steps;
  /// By the logarithm of a width: of as many steps from each one on.
  std::vector<std::vector<Entry>> most{1};
};
} // namespace

static Order breadthOrder(const std::vector<Span> &spans) {
  const Breadths breadths(spans);
  std::vector<Breadths::Entry> keys;
  for (const Span &span : spans)
    keys.push_back(breadths.of(span));
  Order order = sizeOrder(spans);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](size_t span) { return keys[span]; });
  return order;
}

//===--- Placing ----------------------------------------------------------===//

namespace {
enum class Gap : uint8_t {
  lowest,
  smallest,       ///< between two others
  smallestOrLast, ///< also the one from the last to the end of the arena
};

class Placer {
public:
  Placer(const std::vector<Span> &spans, Gap gap)
      : spans(spans), gap(gap), overlaps(spans) {
    plan.offsets.resize(spans.size());
  }
  ArenaPlan place(ArenaPlanner planner, const Order &order) {
    plan.planner = planner;
    for (size_t span : order) {
      const uint64_t offset = offsetFor(span);
      plan.offsets[span] = offset;
      plan.bytes = std::max(plan.bytes, offset + alignedUp(spans[span].bytes));
      overlaps.place(span);
    }
    return std::move(plan);
  }

private:
  uint64_t offsetFor(size_t span) {
    taken.clear();
    overlaps.forEach(span, [&](size_t other) {
      taken.push_back({plan.offsets[other],
                       plan.offsets[other] + alignedUp(spans[other].bytes)});
    });
    std::ranges::sort(taken);
    const uint64_t bytes = alignedUp(spans[span].bytes);
    uint64_t free = 0, best = 0, bestGap = UINT64_MAX;
    for (const auto &[begin, end] : taken) {
      if (begin >= free && begin - free >= bytes) {
        if (gap == Gap::lowest)
          return free;
        if (begin - free < bestGap) {
          best = free;
          bestGap = begin - free;
        }
      }
      free = std::max(free, end);
    }
    const bool fitsLast = gap == Gap::smallestOrLast && plan.bytes >= free &&
                          plan.bytes - free >= bytes &&
                          plan.bytes - free < bestGap;
    return bestGap == UINT64_MAX || fitsLast ? free : best;
  }

  const std::vector<Span> &spans;
  const Gap gap;
  Overlaps overlaps;
  ArenaPlan plan;
  std::vector<std::pair<uint64_t, uint64_t>> taken;
};
} // namespace

static ArenaPlan bestFit(const std::vector<Span> &spans) {
  ArenaPlan best;
  best.bytes = UINT64_MAX;
  for (const Order &order : {programOrder(spans), sizeOrder(spans)})
    for (Gap gap : {Gap::smallest, Gap::smallestOrLast}) {
      ArenaPlan plan = Placer(spans, gap).place(ArenaPlanner::bestFit, order);
      if (plan.bytes < best.bytes)
        best = std::move(plan);
    }
  return best;
}

std::vector<ArenaPlan> planArenas(const std::vector<Span> &spans) {
  std::vector<ArenaPlan> plans;
  if (Overlaps(spans).pairs() > mostPairs)
    return plans;
  auto lowest = [&](ArenaPlanner planner, const Order &order) {
    plans.push_back(Placer(spans, Gap::lowest).place(planner, order));
  };
  lowest(ArenaPlanner::greedyBySize, sizeOrder(spans));
  lowest(ArenaPlanner::greedyByBreadth, breadthOrder(spans));
  lowest(ArenaPlanner::firstFit, programOrder(spans));
  plans.push_back(bestFit(spans));
  if (spans.size() <= mostExact)
    if (std::optional<ArenaPlan> exact =
            exactArena(spans, *smallestOf(plans), leastArena(spans)))
      plans.push_back(std::move(*exact));
  return plans;
}

const ArenaPlan *smallestOf(const std::vector<ArenaPlan> &plans) {
  const auto best = std::ranges::min_element(plans, {}, &ArenaPlan::bytes);
  return best == plans.end() ? nullptr : &*best;
}

} // namespace memreflens::memory
