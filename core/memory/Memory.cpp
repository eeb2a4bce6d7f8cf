//===- core/memory/Memory.cpp ---------------------------------------------===//

#include "core/memory/Memory.h"
#include "core/explain/Words.h"
#include "core/memory/Hold.h"

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
  void addFrees();
  void add(const Lifetime &lifetime);
  Id besides(uint32_t step, Id made) const;
  uint32_t lastUseOf(const Lifetime &lifetime) const;
  uint32_t firstUseOf(const Lifetime &lifetime, uint32_t lastUse) const;
  uint32_t endOf(const Lifetime &lifetime) const;
  std::string endedOf(const Lifetime &lifetime) const;
  void addCurves();
  void addAlive();
  void addPlans();
  ElsewhereBytes elsewhereAtPeak() const;

  const Lookup &lookup;
  const graph::Lifetimes lifetimes;
  MemoryUse use;
  /// By op: its step, and the last one of what is in it.
  std::unordered_map<Id, uint32_t> steps, lastInside;
  /// By allocation: the last step at which the last stage deallocates it.
  std::unordered_map<Id, uint32_t> lastFree;
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

/// As the explorer saw them on the paths: also where the buffer went by way of
/// block arguments, results of loops and callees.
void Finder::addFrees() {
  for (const trace::FreedAt &freed :
       lookup.function(use.function)->heap.freed) {
    auto at = steps.find(freed.op);
    if (at == steps.end())
      continue;
    // In front of a terminator it is told as at the block's end.
    const bool isLast = lookup.op(freed.op)->isTerminator;
    const uint32_t step = at->second - (isLast || at->second == 0 ? 0 : 1);
    auto [known, isNew] = lastFree.insert({freed.allocation, step});
    known->second = std::max(known->second, step);
  }
}

/// The op in the allocation's block that is at the step or around it; `none` if
/// that is in another block.
Id Finder::besides(uint32_t step, Id made) const {
  const trace::Op *allocation = lookup.op(made);
  if (!allocation || step >= lifetimes.steps.size())
    return none;
  Id op = lifetimes.steps[step];
  for (int depth = 0; depth < 10000; ++depth) {
    const trace::Op *known = lookup.op(op);
    if (!known)
      break;
    if (known->block == allocation->block)
      return op;
    const trace::Block *home = lookup.block(known->block);
    if (!home || home->parentOp == none)
      break;
    op = home->parentOp;
  }
  return none;
}

/// Of the op beside the allocation that has the last use in it: a loop may come
/// to it again.
uint32_t Finder::lastUseOf(const Lifetime &lifetime) const {
  const uint32_t seen = lifetime.inUseUntil();
  const Id op = besides(seen, lookup.value(lifetime.value)->op);
  if (op == none)
    return lifetime.end();
  auto last = lastInside.find(op);
  return std::max(seen, last == lastInside.end() ? seen : last->second);
}

/// And of the op that has the first one: what is in a loop may be used in front
/// of that in its next iteration.
uint32_t Finder::firstUseOf(const Lifetime &lifetime, uint32_t lastUse) const {
  if (lifetime.escape.op != none)
    return lifetime.begin;
  const Id op = besides(lifetime.firstUse, lookup.value(lifetime.value)->op);
  auto at = steps.find(op);
  const uint32_t first = at == steps.end() ? lifetime.begin : at->second;
  return std::clamp(first, lifetime.begin, std::max(lifetime.begin, lastUse));
}

uint32_t Finder::endOf(const Lifetime &lifetime) const {
  uint32_t end = std::max(lifetime.end(), lifetime.begin);
  const bool isFreed =
      !lifetime.ends.empty() && lifetime.ends.back().kind == EndKind::freed;
  auto seen = lastFree.find(lookup.value(lifetime.value)->op);
  if (seen == lastFree.end())
    return end;
  return isFreed ? std::max(lifetime.begin, seen->second)
                 : std::max(end, seen->second);
}

static std::string placed(std::string_view place) {
  return place.empty() ? std::string() : " (" + std::string(place) + ")";
}

std::string Finder::endedOf(const Lifetime &lifetime) const {
  if (lifetime.ends.empty())
    return "never deallocated";
  const graph::LifetimeEnd &end = lifetime.ends.back();
  const uint32_t step = end.kind == EndKind::freed ? endOf(lifetime) : end.step;
  const std::string at =
      step < use.places.size() ? placed(use.places[step]) : "";
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

/// What a call allocates is the callee's to give and the caller's to hold; what
/// no stage leaves, nobody's.
static bool isHeld(const Lookup &lookup, const Lifetime &lifetime,
                   bool &isFromCall) {
  const trace::Value *value = lookup.value(lifetime.value);
  const trace::Op *op = value ? lookup.op(value->op) : nullptr;
  if (!op || !op->regions.empty() || lifetime.onStack ||
      (!op->generated && !lookup.reachesPass(op->id)) ||
      lookup.isErased(op->id) || lookup.isPromoted(lifetime.value))
    return false;
  isFromCall = lifetime.source == trace::BufferSource::callResult;
  if (isFromCall)
    return lifetime.mayBeOwned;
  return op->name.find("alloc") != op->name.npos ||
         op->name == "bufferization.clone";
}

void Finder::add(const Lifetime &lifetime) {
  Buffer buffer;
  if (!isHeld(lookup, lifetime, buffer.isFromCall))
    return;
  if (!lifetime.bytes) {
    use.unknown.push_back(lifetime.name +
                          lookup.at(lookup.rangeOfValue(lifetime.value)));
    return;
  }
  buffer.name = lifetime.name;
  buffer.bytes = *lifetime.bytes;
  buffer.value = lifetime.value;
  buffer.op = lookup.value(lifetime.value)->op;
  buffer.range = lookup.rangeOfValue(lifetime.value);
  buffer.begin = lifetime.begin;
  buffer.end = endOf(lifetime);
  const bool isFreed =
      !lifetime.ends.empty() && lifetime.ends.back().kind == EndKind::freed;
  buffer.isLastUseKnown = lifetime.escape.op == none;
  buffer.lastUse = isFreed && buffer.isLastUseKnown
                       ? std::min(lastUseOf(lifetime), buffer.end)
                       : buffer.end;
  buffer.firstUse = firstUseOf(lifetime, buffer.lastUse);
  if (!buffer.isLastUseKnown)
    buffer.usedBy = lookup.opName(lifetime.escape.op) +
                    lookup.at(lookup.rangeOfOp(lifetime.escape.op));
  else if (lifetime.lastUse < lifetimes.steps.size())
    buffer.usedBy = lookup.opName(lifetimes.steps[lifetime.lastUse]) +
                    placed(use.places[lifetime.lastUse]);
  buffer.ended = endedOf(lifetime);
  const Held held = holdOf(lookup, lifetime, buffer);
  buffer.hold = held.hold;
  buffer.why = held.why;
  use.buffers.push_back(std::move(buffer));
}

using StepOf = uint32_t (*)(const Buffer &);

/// Sums by step, of spans with both their ends included.
static Curve curveOf(const std::vector<Buffer> &buffers, size_t steps,
                     StepOf begin, StepOf end) {
  std::vector<int64_t> changes(steps + 2);
  for (const Buffer &buffer : buffers) {
    changes[std::min<size_t>(begin(buffer), steps)] += int64_t(buffer.bytes);
    changes[std::min<size_t>(end(buffer), steps) + 1] -= int64_t(buffer.bytes);
  }
  Curve curve;
  int64_t live = 0;
  for (size_t step = 0; step < steps; ++step) {
    curve.bytes.push_back(uint64_t(live += changes[step]));
    if (curve.bytes.back() > curve.peakBytes) {
      curve.peakBytes = curve.bytes.back();
      curve.peakStep = uint32_t(step);
    }
  }
  return curve;
}

void Finder::addCurves() {
  const size_t count = lifetimes.steps.size();
  const StepOf begin = [](const Buffer &buffer) { return buffer.begin; };
  const StepOf first = [](const Buffer &buffer) { return buffer.firstUse; };
  const StepOf last = [](const Buffer &buffer) { return buffer.lastUse; };
  // What is deallocated at a step is alive until then.
  const Curve sum = curveOf(use.buffers, count, begin,
                            [](const Buffer &buffer) { return buffer.end; });
  use.live = sum.bytes;
  use.afterLastUse = curveOf(use.buffers, count, begin, last);
  use.needed = curveOf(use.buffers, count, first, last);
  if (use.isMeasured) {
    use.asIs = {lifetimes.liveBytes, use.peakBytes, use.peakStep};
    return;
  }
  use.gaps.push_back("peaks are not in this trace; this is in the order of the "
                     "text");
  use.asIs = sum;
  use.peakBytes = sum.peakBytes;
  use.peakStep = sum.peakStep;
}

void Finder::addAlive() {
  use.alive = aliveAt(use, use.peakStep);
  use.heldAtPeak = heldAt(use, use.peakStep);
  for (size_t index : use.alive) {
    const Buffer &buffer = use.buffers[index];
    use.aliveBytes += buffer.bytes;
    if (buffer.firstUse > use.peakStep)
      use.notYetUsedBytes += buffer.bytes;
  }
  for (const HeldBytes &held : use.heldAtPeak)
    use.idleBytes += held.bytes;
  if (use.isMeasured && use.peakBytes > use.aliveBytes)
    use.elsewhere.push_back(elsewhereAtPeak());
}

/// Name of the function that an op of the program calls, as it is written
/// there.
static std::string calledSymbol(const Lookup &lookup, Id op) {
  const trace::Op *known = lookup.op(op);
  if (!known || known->name.find("call") == known->name.npos)
    return {};
  const trace::Range range = lookup.rangeOfOp(op);
  std::string_view text = lookup.getTrace().source.text;
  text = text.substr(std::min<size_t>(range.begin, text.size()),
                     range.end - range.begin);
  const size_t at = text.find('@');
  if (at == text.npos)
    return {};
  text.remove_prefix(at + 1);
  if (text.starts_with('"'))
    return std::string(text.substr(1, text.find('"', 1) - 1));
  return std::string(text.substr(0, text.find_first_of("(: \t\n")));
}

/// What the peak has beyond the sum of the buffers: what a callee holds while
/// it runs, or what only a path of its own has at once.
ElsewhereBytes Finder::elsewhereAtPeak() const {
  ElsewhereBytes found = {use.peakBytes - use.aliveBytes, {}, {}};
  const Id op = use.peakStep < lifetimes.steps.size()
                    ? lifetimes.steps[use.peakStep]
                    : none;
  const std::string symbol = calledSymbol(lookup, op);
  for (const trace::Function &callee : lookup.getTrace().functions)
    if (!symbol.empty() && callee.name == symbol && callee.heap.measured &&
        uint64_t(callee.heap.peakBytes) >= found.bytes) {
      found.call = lookup.opName(op) + lookup.at(lookup.rangeOfOp(op));
      found.in = "in @" + callee.title();
      return found;
    }
  found.in = "counted on the paths through the program only";
  return found;
}

void Finder::addPlans() {
  std::vector<Span> spans;
  for (const Buffer &buffer : use.buffers)
    spans.push_back({buffer.bytes, buffer.begin, buffer.lastUse});
  use.leastArenaBytes = leastArena(spans);
  use.plans = planArenas(spans);
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
  use.steps = lifetimes.steps;
  number();
  addFrees();
  for (const Lifetime &lifetime : lifetimes.buffers)
    add(lifetime);
  addCurves();
  addAlive();
  addPlans();
  return std::move(use);
}

MemoryUse memoryOf(const Lookup &lookup, Id function) {
  return Finder(lookup, function).find();
}

std::vector<size_t> aliveAt(const MemoryUse &use, uint32_t step) {
  std::vector<size_t> alive;
  for (size_t i = 0; i < use.buffers.size(); ++i) {
    const Buffer &buffer = use.buffers[i];
    if (buffer.bytes > 0 && buffer.begin <= step && step <= buffer.end)
      alive.push_back(i);
  }
  std::ranges::stable_sort(alive, std::ranges::greater(), [&](size_t index) {
    return use.buffers[index].bytes;
  });
  return alive;
}

std::vector<HeldBytes> heldAt(const MemoryUse &use, uint32_t step) {
  std::array<HeldBytes, holds.size()> sums = {};
  for (const Buffer &buffer : use.buffers)
    if (buffer.lastUse < step && step <= buffer.end && buffer.bytes > 0) {
      sums[size_t(buffer.hold)].bytes += buffer.bytes;
      ++sums[size_t(buffer.hold)].buffers;
    }
  std::vector<HeldBytes> held;
  for (size_t i = 0; i < sums.size(); ++i)
    if (sums[i].buffers > 0)
      held.push_back({holds[i], sums[i].bytes, sums[i].buffers});
  return held;
}

} // namespace memreflens::memory
