//===- core/memory/Memory.cpp ---------------------------------------------===//

#include "core/memory/Memory.h"
#include "core/explain/Words.h"

#include <algorithm>
#include <unordered_map>

namespace memreflens::memory {

using graph::EndKind;
using graph::Lifetime;

namespace {
class Finder {
public:
  Finder(const Lookup &lookup, Id function)
      : lookup(lookup), lifetimes(graph::lifetimesOf(lookup, function)) {
    use.function = function;
  }
  MemoryUse find();

private:
  void number();
  void add(const Lifetime &lifetime);
  uint32_t lastUseOf(const Lifetime &lifetime) const;
  std::string endOf(const Lifetime &lifetime) const;
  void addLive();
  void addAlive();
  void addPlans();

  const Lookup &lookup;
  const graph::Lifetimes lifetimes;
  MemoryUse use;
  /// By op: its step, and the last one of what is in it.
  std::unordered_map<Id, uint32_t> steps, lastInside;
};
} // namespace

void Finder::number() {
  for (uint32_t step = 0; step < lifetimes.steps.size(); ++step) {
    Id op = lifetimes.steps[step];
    steps[op] = step;
    use.places.push_back(lookup.position(lookup.rangeOfOp(op)));
    for (int depth = 0; depth < 10000; ++depth) {
      lastInside[op] = step;
      const trace::Op *known = lookup.op(op);
      const trace::Block *home = known ? lookup.block(known->block) : nullptr;
      if (!home || home->parentOp == none)
        break;
      op = home->parentOp;
    }
  }
}

/// Of the op beside the allocation that has the last use in it: a loop may come
/// to it again.
uint32_t Finder::lastUseOf(const Lifetime &lifetime) const {
  const uint32_t seen = lifetime.inUseUntil();
  const trace::Value *value = lookup.value(lifetime.value);
  const trace::Op *made = value ? lookup.op(value->op) : nullptr;
  if (!made || seen >= lifetimes.steps.size())
    return lifetime.end();
  Id op = lifetimes.steps[seen];
  for (int depth = 0; depth < 10000; ++depth) {
    const trace::Op *known = lookup.op(op);
    if (!known)
      break;
    if (known->block == made->block) {
      auto last = lastInside.find(op);
      return std::max(seen, last == lastInside.end() ? seen : last->second);
    }
    const trace::Block *home = lookup.block(known->block);
    if (!home || home->parentOp == none)
      break;
    op = home->parentOp;
  }
  // In another block.
  return lifetime.end();
}

static std::string placed(std::string_view place) {
  return place.empty() ? std::string() : " (" + std::string(place) + ")";
}

std::string Finder::endOf(const Lifetime &lifetime) const {
  if (lifetime.ends.empty())
    return "never deallocated";
  const graph::LifetimeEnd &end = lifetime.ends.back();
  const std::string at =
      end.step < use.places.size() ? placed(use.places[end.step]) : "";
  const std::string how = end.conditional ? " if owned" : "";
  switch (end.kind) {
  case EndKind::freed:
    return "deallocated" + how + at;
  case EndKind::returned:
    return "returned" + how + at;
  case EndKind::passed:
    return "passed on" + how + at;
  case EndKind::scope:
    return "on the stack";
  case EndKind::open:
    return "never deallocated";
  }
  return {};
}

void Finder::add(const Lifetime &lifetime) {
  const trace::Value *value = lookup.value(lifetime.value);
  const trace::Op *op = value ? lookup.op(value->op) : nullptr;
  // What a call allocates is the callee's; what no stage leaves, nobody's.
  if (!op || !op->regions.empty() || lifetime.onStack ||
      (!op->generated && !lookup.reachesPass(op->id)) ||
      lookup.isErased(op->id) || lookup.isPromoted(lifetime.value) ||
      (op->name.find("alloc") == op->name.npos &&
       op->name != "bufferization.clone"))
    return;
  if (!lifetime.bytes) {
    use.unknown.push_back(lifetime.name +
                          lookup.at(lookup.rangeOfValue(lifetime.value)));
    return;
  }
  Buffer buffer;
  buffer.name = lifetime.name;
  buffer.bytes = *lifetime.bytes;
  buffer.range = lookup.rangeOfValue(lifetime.value);
  buffer.begin = lifetime.begin;
  buffer.end = std::max(lifetime.end(), lifetime.begin);
  const bool isFreed =
      !lifetime.ends.empty() && lifetime.ends.back().kind == EndKind::freed;
  buffer.isLastUseKnown = lifetime.escape.op == none;
  buffer.lastUse =
      isFreed ? std::min(lastUseOf(lifetime), buffer.end) : buffer.end;
  if (!buffer.isLastUseKnown)
    buffer.usedBy = lookup.opName(lifetime.escape.op) +
                    lookup.at(lookup.rangeOfOp(lifetime.escape.op));
  else if (lifetime.lastUse < lifetimes.steps.size())
    buffer.usedBy = lookup.opName(lifetimes.steps[lifetime.lastUse]) +
                    placed(use.places[lifetime.lastUse]);
  buffer.ended = endOf(lifetime);
  use.buffers.push_back(std::move(buffer));
}

/// Sums by step of spans that end at `end`, that step included.
static std::vector<uint64_t> sumsOf(const std::vector<Buffer> &buffers,
                                    size_t steps,
                                    uint32_t (*end)(const Buffer &)) {
  std::vector<int64_t> changes(steps + 2);
  for (const Buffer &buffer : buffers) {
    changes[std::min<size_t>(buffer.begin, steps)] += int64_t(buffer.bytes);
    changes[std::min<size_t>(end(buffer), steps) + 1] -= int64_t(buffer.bytes);
  }
  std::vector<uint64_t> sums;
  int64_t live = 0;
  for (size_t step = 0; step < steps; ++step)
    sums.push_back(uint64_t(live += changes[step]));
  return sums;
}

void Finder::addLive() {
  const size_t count = lifetimes.steps.size();
  // What is deallocated at a step is alive until then.
  use.live = sumsOf(use.buffers, count,
                    [](const Buffer &buffer) { return buffer.end; });
  use.earlyLive = sumsOf(use.buffers, count,
                         [](const Buffer &buffer) { return buffer.lastUse; });
  for (uint32_t step = 0; step < count; ++step)
    if (use.earlyLive[step] > use.earlyPeakBytes) {
      use.earlyPeakBytes = use.earlyLive[step];
      use.earlyPeakStep = step;
    }
  if (use.isMeasured)
    return;
  use.gaps.push_back("peaks are not in this trace; this is in the order of the "
                     "text");
  const auto most = std::ranges::max_element(use.live);
  if (most != use.live.end()) {
    use.peakBytes = *most;
    use.peakStep = uint32_t(most - use.live.begin());
  }
}

void Finder::addAlive() {
  for (size_t i = 0; i < use.buffers.size(); ++i) {
    const Buffer &buffer = use.buffers[i];
    if (buffer.bytes == 0 || buffer.begin > use.peakStep ||
        buffer.end < use.peakStep)
      continue;
    use.alive.push_back(i);
    use.aliveBytes += buffer.bytes;
    use.idleBytes += buffer.lastUse < use.peakStep ? buffer.bytes : 0;
  }
  std::ranges::stable_sort(use.alive, [&](size_t a, size_t b) {
    return use.buffers[a].bytes > use.buffers[b].bytes;
  });
}

void Finder::addPlans() {
  std::vector<Span> spans;
  for (const Buffer &buffer : use.buffers)
    spans.push_back({buffer.bytes, buffer.begin, buffer.lastUse});
  use.leastArenaBytes = leastArena(spans);
  if (spans.size() <= mostPlanned)
    for (ArenaPlanner planner : arenaPlanners)
      use.plans.push_back(planArena(spans, planner));
}

MemoryUse Finder::find() {
  const trace::Function *function = lookup.function(use.function);
  use.name = function->title();
  use.hasBranches = function->blocks.size() > 1;
  use.isMeasured = lifetimes.isMeasured;
  use.peakBytes = lifetimes.peakBytes;
  use.peakStep = lifetimes.peakStep;
  for (const trace::PeakGap &gap : lifetimes.gaps)
    use.gaps.push_back(graph::gapText(lookup, gap));
  number();
  for (const Lifetime &lifetime : lifetimes.buffers)
    add(lifetime);
  addLive();
  addAlive();
  addPlans();
  return std::move(use);
}

MemoryUse memoryOf(const Lookup &lookup, Id function) {
  return Finder(lookup, function).find();
}

} // namespace memreflens::memory
