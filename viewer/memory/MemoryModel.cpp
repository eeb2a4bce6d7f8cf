//===- viewer/memory/MemoryModel.cpp - memory over time, ready to be drawn ===//

#include "viewer/memory/MemoryModel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace memreflens::viewer {

Heights::Heights(std::vector<uint64_t> given) : bytes(std::move(given)) {
  std::vector<uint32_t> below(bytes.size());
  std::iota(below.begin(), below.end(), 0u);
  while (below.size() > 1) {
    std::vector<uint32_t> level;
    for (size_t i = 0; i + 1 < below.size(); i += 2)
      level.push_back(uint32_t(higherOf(below[i], below[i + 1])));
    if (below.size() % 2)
      level.push_back(below.back());
    levels.push_back(level);
    below = std::move(level);
  }
}

size_t Heights::highest(size_t begin, size_t end) const {
  end = std::min(end, bytes.size());
  if (begin >= end)
    return begin;
  size_t best = begin;
  // From the left in steps that double as far as they fit, then halve.
  while (begin < end) {
    size_t level = 0;
    while (level < levels.size() && begin % (size_t(2) << level) == 0 &&
           begin + (size_t(2) << level) <= end)
      ++level;
    best = higherOf(best, level ? levels[level - 1][begin >> level] : begin);
    begin += size_t(1) << level;
  }
  return best;
}

//===--- The part in sight ------------------------------------------------===//

StepWindow StepWindow::within(size_t steps) const {
  const double all = double(std::max<size_t>(steps, 1));
  const double wide = std::clamp(width(), std::min(4.0, all), all);
  const double left = std::clamp(from, 0.0, all - wide);
  return {left, left + wide};
}

StepWindow StepWindow::zoomed(double factor, double at) const {
  return {at - (at - from) / factor, at + (to - at) / factor};
}

StepRange stepsOf(const StepWindow &window, int column, int columns,
                  size_t steps) {
  const double each = window.width() / columns;
  const double left = std::max(0.0, window.from + each * column);
  const size_t begin = std::min(size_t(left), steps ? steps - 1 : 0);
  const size_t end = size_t(std::ceil(std::max(left + each, 0.0)));
  return {begin, std::max(begin + 1, std::min(end, steps))};
}

//===--- Who is alive -----------------------------------------------------===//

MemoryModel::MemoryModel(memory::MemoryUse given)
    : use(std::move(given)), asIs(use.asIs.bytes),
      afterLastUse(use.afterLastUse.bytes), needed(use.needed.bytes),
      bySize(use.buffers.size()) {
  std::iota(bySize.begin(), bySize.end(), 0u);
  std::ranges::stable_sort(bySize, std::ranges::greater(),
                           [&](uint32_t i) { return use.buffers[i].bytes; });
  for (size_t step = 0; step < use.steps.size(); ++step)
    stepOfOp.insert({use.steps[step], uint32_t(step)});
  for (size_t i = 0; i < use.buffers.size(); ++i)
    bufferOfValue.insert({use.buffers[i].value, uint32_t(i)});
}

Alive aliveAt(const MemoryModel &model, size_t step) {
  Alive alive;
  alive.step = step;
  for (size_t i : memory::aliveAt(model.use, uint32_t(step))) {
    alive.buffers.push_back(uint32_t(i));
    alive.bytes += model.use.buffers[i].bytes;
  }
  alive.held = memory::heldAt(model.use, uint32_t(step));
  for (const memory::HeldBytes &held : alive.held)
    alive.idleBytes += held.bytes;
  return alive;
}

//===--- The stack --------------------------------------------------------===//

/// A strip that is thinner says nothing, and more of them take too long.
static constexpr double leastRows = 2;
static constexpr size_t mostBands = 96;

/// The largest in sight that are high enough, from the bottom to the top: in
/// the order of their allocation.
static std::vector<uint32_t> bandsOf(const MemoryModel &model,
                                     const StepWindow &window, uint64_t top,
                                     const StackRequest &request) {
  const double least = leastRows * double(top) / request.rows;
  std::vector<uint32_t> bands;
  for (uint32_t i : model.bySize) {
    const memory::Buffer &buffer = model.use.buffers[i];
    const bool isSelected = int(i) == request.selected;
    if (buffer.begin >= window.to || buffer.end + 1 <= window.from ||
        (!isSelected &&
         (double(buffer.bytes) < least || bands.size() >= mostBands)))
      continue;
    bands.push_back(i);
  }
  std::ranges::sort(bands, {}, [&](uint32_t i) {
    return std::pair(model.use.buffers[i].begin, i);
  });
  return bands;
}

namespace {
/// Makes one strip of neighbouring columns in which nothing changes.
class Strips {
public:
  explicit Strips(std::vector<Strip> &made) : made(made) {}

  void put(size_t slot, Strip strip) {
    if (slot >= open.size())
      open.resize(slot + 1);
    Strip &last = open[slot];
    const bool isSame = last.end == strip.begin && last.low == strip.low &&
                        last.high == strip.high && last.isIdle == strip.isIdle;
    if (isSame && last.end > last.begin) {
      last.end = strip.end;
      return;
    }
    close(last);
    last = strip;
  }
  void closeAll() {
    for (Strip &strip : open)
      close(strip);
  }

private:
  void close(const Strip &strip) {
    if (strip.end > strip.begin && strip.high > strip.low)
      made.push_back(strip);
  }

  std::vector<Strip> &made;
  std::vector<Strip> open;
};
} // namespace

Stack stackOf(const MemoryModel &model, const StepWindow &window,
              const StackRequest &request) {
  Stack stack;
  for (int column = 0; column < request.columns; ++column) {
    const StepRange range =
        stepsOf(window, column, request.columns, model.steps());
    const size_t step = model.asIs.highest(range.begin, range.end);
    stack.steps.push_back(uint32_t(step));
    // Where both arms of a branch count, the buffers are more than any path
    // has.
    stack.top = std::max({stack.top, model.asIs[step], model.use.live[step]});
  }
  const std::vector<uint32_t> bands =
      bandsOf(model, window, stack.top, request);
  Strips strips(stack.strips);
  for (int column = 0; column < request.columns; ++column) {
    const size_t step = stack.steps[size_t(column)];
    uint64_t low = 0, inUse = 0;
    for (size_t slot = 0; slot < bands.size(); ++slot) {
      const uint32_t i = bands[slot];
      if (!model.isAlive(i, step))
        continue;
      const uint64_t high = low + model.use.buffers[i].bytes;
      const bool isIdle = model.isIdle(i, step);
      strips.put(slot, {column, column + 1, low, high, int(i), isIdle});
      inUse += isIdle ? 0 : high - low;
      low = high;
    }
    // The others as one: what is in use of them, and what is idle.
    const uint64_t all = model.use.live[step];
    const uint64_t middle = low + model.afterLastUse[step] - inUse;
    strips.put(bands.size(),
               {column, column + 1, low, middle, Strip::others, false});
    strips.put(bands.size() + 1,
               {column, column + 1, middle, all, Strip::others, true});
    if (model.asIs[step] > all)
      strips.put(bands.size() + 2, {column, column + 1, all, model.asIs[step],
                                    Strip::elsewhere, false});
  }
  strips.closeAll();
  return stack;
}

const Strip *Stack::at(int column, uint64_t bytes) const {
  for (const Strip &strip : strips)
    if (strip.begin <= column && column < strip.end && strip.low <= bytes &&
        bytes < strip.high)
      return &strip;
  return nullptr;
}

} // namespace memreflens::viewer
