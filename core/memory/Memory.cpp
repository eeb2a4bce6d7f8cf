//===- core/memory/Memory.cpp ---------------------------------------------===//

#include "core/memory/Memory.h"
#include "core/explain/CostText.h"
#include "core/explain/ExecutionText.h"
#include "core/explain/Words.h"
#include "core/memory/Hold.h"
#include "core/memory/Origins.h"
#include "core/memory/PeakExpression.h"
#include "core/trace/Sizes.h"

#include <algorithm>
#include <unordered_map>

namespace memreflens::memory {

/// So many calls deep, what is alive at a peak is told by buffer.
static constexpr int mostCallees = 3;

using StepOf = uint32_t (*)(const Buffer &);

namespace {
class Finder {
public:
  Finder(const Lookup &lookup, Lifetimes found)
      : lookup(lookup), lifetimes(std::move(found)) {
    use.function = lifetimes.function;
    use.space = lifetimes.space;
  }
  /// All of it.
  MemoryUse find();
  /// What is alive at the peak, and what of that is in callees, so many calls
  /// deep.
  MemoryUse findPeak(int depth);

private:
  void number();
  void addFrees();
  void add(const Lifetime &lifetime);
  uint32_t endOf(const Lifetime &lifetime) const;
  std::string endedOf(const Lifetime &lifetime) const;
  Id siblingBefore(Id op) const;
  void leaveOutResults();
  void addCurves();
  void addAlive(int depth);
  void addPlans();
  void addElsewhere(int depth);
  void addMade(Id op, uint64_t &rest);
  void addApart();
  void addUnknown(const Lifetime &lifetime);
  void addCapacity();
  void addNeedless();
  std::vector<Span> spansOf(StepOf begin) const;
  void addExpression();
  /// Allocations of the last stage by their ops.
  using Sites = std::unordered_map<Id, const trace::CostSite *>;
  trace::Amount amountOf(const Lifetime &lifetime, const Sites &sites) const;
  const trace::HeapUse &heap() const {
    return heapIn(*lookup.function(use.function), use.space);
  }

  const Lookup &lookup;
  const Lifetimes lifetimes;
  MemoryUse use;
  /// By op.
  std::unordered_map<Id, uint32_t> steps;
  /// By allocation: the last step at which the last stage deallocates it.
  std::unordered_map<Id, uint32_t> lastFree;
  /// The op behind which that is; `none` at the end of a block.
  std::unordered_map<Id, Id> lastFreeBehind;
};
} // namespace

void Finder::number() {
  for (uint32_t step = 0; step < lifetimes.steps.size(); ++step) {
    Id op = lifetimes.steps[step];
    steps[op] = step;
    use.places.push_back(lookup.position(lookup.rangeOfOp(op)));
  }
}

/// As the explorer saw them on the paths: also where the buffer went by way of
/// block arguments, results of loops and callees.
void Finder::addFrees() {
  for (const trace::FreedAt &freed : heap().freed) {
    auto at = steps.find(freed.op);
    if (at == steps.end())
      continue;
    // In front of a terminator it is told as at the block's end.
    const bool isLast = lookup.op(freed.op)->isTerminator;
    const uint32_t step = at->second - (isLast || at->second == 0 ? 0 : 1);
    auto [known, isNew] = lastFree.insert({freed.allocation, step});
    known->second = std::max(known->second, step);
    if (known->second == step)
      lastFreeBehind[freed.allocation] =
          isLast ? none : siblingBefore(freed.op);
  }
}

/// The op before it in its block, which may have regions; `none` for none.
Id Finder::siblingBefore(Id id) const {
  const trace::Op *op = lookup.op(id);
  const trace::Block *home = op ? lookup.block(op->block) : nullptr;
  Id before = none;
  for (Id sibling : home ? home->ops : std::vector<Id>()) {
    if (sibling == id)
      return before;
    if (steps.contains(sibling))
      before = sibling;
  }
  return none;
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
  const LifetimeEnd &end = lifetime.ends.back();
  const uint32_t step = end.kind == EndKind::freed ? endOf(lifetime) : end.step;
  const auto behind = lastFreeBehind.find(lookup.value(lifetime.value)->op);
  const bool isMoved = end.kind == EndKind::freed &&
                       behind != lastFreeBehind.end() && behind->second != none;
  const std::string at =
      isMoved ? placed(lookup.position(lookup.rangeOfOp(behind->second)))
      : step < use.places.size() ? placed(use.places[step])
                                 : "";
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

/// What was measured of the buffer; null for nothing.
static const trace::BufferBytes *
measuredOf(const Lookup &lookup, const trace::HeapUse &heap, Id value) {
  const trace::Value *known = lookup.value(value);
  const auto &buffers = heap.buffers;
  auto entry =
      std::ranges::lower_bound(buffers, std::pair(known->op, known->index), {},
                               [](const trace::BufferBytes &one) {
                                 return std::pair(one.op, one.index);
                               });
  return entry != buffers.end() && entry->op == known->op &&
                 entry->index == known->index
             ? &*entry
             : nullptr;
}

/// Bytes of a memref of constant sizes, whose elements take what the program's
/// data layout says, where that is known.
static std::optional<uint64_t> bytesOf(const std::string &type,
                                       const trace::BufferBytes *measured) {
  const std::optional<uint64_t> bytes = memreflens::bytesOf(type);
  if (!bytes || !measured || measured->elementBytes == 0)
    return bytes;
  constexpr std::string_view head = "memref<";
  size_t element = head.size();
  for (size_t at = element;
       at < type.size() && isdigit(static_cast<unsigned char>(type[at])); ++at)
    if (type[at + 1] == 'x')
      element = ++at + 1;
  const std::optional<uint64_t> one =
      memreflens::bytesOf(std::string(head) + type.substr(element));
  return one && *one > 0 ? *bytes / *one * uint64_t(measured->elementBytes)
                         : bytes;
}

/// "4 * %n" and its symbols; empty where the type says all, or not even that.
static std::pair<std::string, std::vector<std::string>>
symbolicSize(const Lookup &lookup, const Lifetime &lifetime,
             const trace::BufferBytes *measured) {
  const trace::Op *op = lookup.op(lookup.value(lifetime.value)->op);
  std::string fixed = lifetime.type;
  std::vector<std::string> symbols;
  std::string text;
  for (size_t at = 0; (at = fixed.find("?x", at)) != fixed.npos; ++at) {
    const size_t number = symbols.size();
    if (!op || op->name.find("alloc") == op->name.npos ||
        number >= op->operands.size())
      return {};
    fixed[at] = '1';
    symbols.push_back(lookup.name(op->operands[number]));
    text += (text.empty() ? "" : " * ") + symbols.back();
  }
  const std::optional<uint64_t> unit = bytesOf(fixed, measured);
  if (symbols.empty() || !unit)
    return {};
  std::ranges::sort(symbols);
  symbols.erase(std::ranges::unique(symbols).begin(), symbols.end());
  return {(*unit == 1 ? "" : std::to_string(*unit) + " * ") + text,
          std::move(symbols)};
}

void Finder::addUnknown(const Lifetime &lifetime) {
  auto [symbolic, symbols] = symbolicSize(
      lookup, lifetime, measuredOf(lookup, heap(), lifetime.value));
  use.unknown.push_back({lifetime.name,
                         lookup.position(lookup.rangeOfValue(lifetime.value)),
                         std::move(symbolic), std::move(symbols)});
}

void Finder::add(const Lifetime &lifetime) {
  Buffer buffer;
  if (!isHeld(lookup, lifetime, buffer.isFromCall))
    return;
  if (!lifetime.bytes)
    return addUnknown(lifetime);
  buffer.name = lifetime.name;
  const trace::BufferBytes *measured =
      measuredOf(lookup, heap(), lifetime.value);
  buffer.symbolic = symbolicSize(lookup, lifetime, measured).first;
  buffer.alignment = measured ? uint64_t(measured->alignment) : 0;
  buffer.bytes = *lifetime.bytes;
  buffer.value = lifetime.value;
  buffer.op = lookup.value(lifetime.value)->op;
  buffer.range = lookup.rangeOfValue(lifetime.value);
  buffer.begin = lifetime.begin;
  buffer.end = endOf(lifetime);
  buffer.isSeveral = lifetime.isSeveral;
  if (buffer.isFromCall) {
    const trace::Op *call = lookup.op(buffer.op);
    const trace::Function *callee = call ? lookup.calleeOf(*call) : nullptr;
    buffer.isAssumed = !callee || callee->blocks.empty();
  }
  // What is returned or never deallocated is held to its end, used or not.
  const bool isEnded = lastFree.contains(buffer.op) ||
                       (!lifetime.ends.empty() &&
                        (lifetime.ends.back().kind == EndKind::freed ||
                         lifetime.ends.back().kind == EndKind::passed));
  buffer.isLastUseKnown = lifetime.escape.op == none;
  if (lifetime.isSpanKnown && buffer.isLastUseKnown)
    buffer.end = std::max(buffer.end, lifetime.lastUse);
  buffer.lastUse = isEnded && buffer.isLastUseKnown
                       ? std::min(lifetime.lastUse, buffer.end)
                       : buffer.end;
  buffer.firstUse = buffer.isLastUseKnown
                        ? std::min(lifetime.firstUse, buffer.lastUse)
                        : std::min(lifetime.firstUse, buffer.begin);
  if (!buffer.isLastUseKnown)
    buffer.usedBy = lookup.opAt(lifetime.escape.op);
  else if (auto user = steps.find(lifetime.usedBy); user != steps.end())
    buffer.usedBy =
        lookup.opName(user->first) + placed(use.places[user->second]);
  buffer.isNeverUsed =
      lifetime.isSpanKnown && buffer.isLastUseKnown && lifetime.usedBy == none;
  buffer.ended = endedOf(lifetime);
  const Held held = holdOf(lookup, lifetime, buffer);
  buffer.hold = held.hold;
  buffer.why = held.why;
  if (buffer.isSeveral)
    use.several.push_back(buffer.name + placed(lookup.position(buffer.range)));
  use.buffers.push_back(std::move(buffer));
}

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
  const StepOf from = [](const Buffer &buffer) { return buffer.neededFrom(); };
  const StepOf first = [](const Buffer &buffer) { return buffer.firstUse; };
  const StepOf last = [](const Buffer &buffer) { return buffer.lastUse; };
  // What is deallocated at a step is alive until then.
  const Curve sum = curveOf(use.buffers, count, from,
                            [](const Buffer &buffer) { return buffer.end; });
  use.live = sum.bytes;
  use.afterLastUse = curveOf(use.buffers, count, from, last);
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

/// Where the peak is inside of a callee, before that returns: its results are
/// among what it holds, or not there yet.
void Finder::leaveOutResults() {
  if (!use.isMeasured || use.peakStep >= lifetimes.steps.size())
    return;
  const Id op = lifetimes.steps[use.peakStep];
  uint64_t inCallee = 0, alive = 0, results = 0;
  for (const trace::CalleeBytes &held : heap().callees)
    inCallee += held.op == op ? uint64_t(held.bytes) : 0;
  auto isResult = [&](size_t index) {
    return use.buffers[index].isFromCall && use.buffers[index].op == op;
  };
  for (size_t index : use.alive)
    (isResult(index) ? results : alive) += use.buffers[index].bytes;
  if (inCallee > 0 && results > 0 && alive + inCallee == use.peakBytes)
    std::erase_if(use.alive, isResult);
}

void Finder::addAlive(int depth) {
  use.alive = aliveAt(use, use.peakStep);
  leaveOutResults();
  use.heldAtPeak = heldAt(use, use.peakStep);
  for (size_t index : use.alive) {
    const Buffer &buffer = use.buffers[index];
    use.aliveBytes += buffer.bytes;
    if (buffer.firstUse > use.peakStep)
      use.notYetUsedBytes += buffer.bytes;
  }
  for (const HeldBytes &held : use.heldAtPeak)
    use.idleBytes += held.bytes;
  addElsewhere(depth);
}

/// As its op asks for it; not known of one that has gaps, or is no allocation.
trace::Amount Finder::amountOf(const Lifetime &lifetime,
                               const Sites &sites) const {
  trace::Amount amount;
  if (lifetime.bytes) {
    amount.number = int64_t(*lifetime.bytes);
    return amount;
  }
  if (lifetime.type.find("strided<") != std::string::npos ||
      lifetime.type.find("affine_map<") != std::string::npos)
    return amount;
  const auto site = sites.find(lookup.value(lifetime.value)->op);
  // One that differs from iteration to iteration is no sum of sizes.
  return site != sites.end() &&
                 Executions(lookup).isFixed(site->second->bytes, *site->second)
             ? site->second->bytes
             : amount;
}

/// Only where the order of the text is that of execution, and all that is held
/// is in the list.
void Finder::addExpression() {
  const trace::Function *function = lookup.function(use.function);
  const auto isInTheWay = [](const trace::CostSite &site) {
    const bool isHeap = site.kind == trace::CostKind::allocation ||
                        site.kind == trace::CostKind::call;
    return site.kind == trace::CostKind::clone ||
           site.kind == trace::CostKind::list || (isHeap && site.isConditional);
  };
  if (use.unknown.empty() || use.hasBranches || !use.several.empty() ||
      !heap().callees.empty() ||
      std::ranges::any_of(function->costs, isInTheWay) ||
      std::ranges::any_of(heap().gaps, [](const trace::PeakGap &gap) {
        return gap.kind != trace::PeakGapKind::unknownSize;
      }))
    return;
  Sites sites;
  for (const trace::CostSite &site : function->costs)
    if (site.kind == trace::CostKind::allocation)
      sites.try_emplace(site.op, &site);
  std::vector<SymbolicSpan> spans;
  for (const Lifetime &lifetime : lifetimes.buffers) {
    bool isFromCall = false;
    if (!isHeld(lookup, lifetime, isFromCall))
      continue;
    if (isFromCall)
      return;
    const uint32_t end = lifetime.isSpanKnown && lifetime.escape.op == none
                             ? std::max(endOf(lifetime), lifetime.lastUse)
                             : endOf(lifetime);
    spans.push_back({amountOf(lifetime, sites), lifetime.begin, end});
  }
  const PeakExpression peak = expressionOf(spans);
  for (const CostSum &sum : peak.sums)
    use.expression += (use.expression.empty() ? "" : " or ") +
                      memreflens::bytesText(lookup, use.function, sum);
  if (peak.sums.size() > 1)
    use.expression = "the largest of " + use.expression;
}

/// A part of a peak that is in no callee.
static ElsewhereBytes partOf(uint64_t bytes, std::string in) {
  ElsewhereBytes part;
  part.bytes = bytes;
  part.in = std::move(in);
  return part;
}

/// What the pipeline made; nothing where the peak is not at the step at which
/// the paths have it, or not all of that is left.
void Finder::addMade(Id op, uint64_t &rest) {
  const trace::HeapUse &heap = this->heap();
  uint64_t bytes = uint64_t(heap.listBytes);
  for (const trace::CloneBytes &clone : heap.clones)
    bytes += uint64_t(clone.bytes);
  if (op == none || op != heap.peakOp || bytes > rest)
    return;
  rest -= bytes;
  for (const trace::CloneBytes &clone : heap.clones) {
    const std::string words = cloneWords(lookup, clone.op);
    use.elsewhere.push_back(
        partOf(uint64_t(clone.bytes),
               words.empty() ? "a clone of one of several buffers" : words));
    use.elsewhere.back().clones = clone.count;
  }
  if (heap.listBytes > 0)
    use.elsewhere.push_back(
        partOf(uint64_t(heap.listBytes), "lists that dealloc_helper compares"));
}

/// What the peak has beyond the sum of the buffers: what the pipeline made,
/// what a callee holds while it runs, or what only a path of its own has at
/// once.
void Finder::addElsewhere(int depth) {
  if (!use.isMeasured || use.peakBytes <= use.aliveBytes)
    return;
  uint64_t rest = use.peakBytes - use.aliveBytes;
  const Id op = use.peakStep < lifetimes.steps.size()
                    ? lifetimes.steps[use.peakStep]
                    : none;
  addMade(op, rest);
  for (const trace::CalleeBytes &held : heap().callees) {
    if (held.op != op || rest == 0)
      continue;
    const trace::Function *callee = lookup.function(held.callee);
    ElsewhereBytes found =
        partOf(std::min(rest, uint64_t(held.bytes)), "in @" + callee->title());
    found.call = lookup.opAt(op);
    found.callee = held.callee;
    found.calleeBytes = uint64_t(held.bytes);
    rest -= found.bytes;
    // What it returns is in the list of the caller, and is told there.
    const trace::HeapUse &inCallee = heapIn(*callee, use.space);
    if (depth > 0 && inCallee.measured && inCallee.peakBytes == held.bytes) {
      MemoryUse inside =
          Finder(lookup, lifetimesOf(lookup, held.callee, use.space))
              .findPeak(depth - 1);
      found.step = inside.peakStep;
      for (size_t index : inside.alive)
        found.buffers.push_back(std::move(inside.buffers[index]));
      found.below = std::move(inside.elsewhere);
    }
    use.elsewhere.push_back(std::move(found));
  }
  if (rest > 0)
    use.elsewhere.push_back(
        partOf(rest, "of a size that only a path tells, or of a loop's earlier "
                     "iteration"));
}

/// The loop around that makes what is on the stack anew in each round, and
/// whether the round gives it back: only memref.alloca_scope does once loops
/// are branches, whatever their ops promise (the trait
/// AutomaticAllocationScope). Empty for none.
static std::string roundAround(const Lookup &lookup, Id id, bool &isGivenBack) {
  static constexpr std::string_view loops[] = {
      "scf.for",    "scf.while",  "scf.parallel",
      "scf.forall", "affine.for", "affine.parallel"};
  // Their bodies become functions of their own.
  static constexpr std::string_view ends[] = {"gpu.launch", "omp.parallel"};
  isGivenBack = false;
  for (int depth = 0; depth < 10000; ++depth) {
    const trace::Op *op = lookup.op(id);
    const trace::Block *home = op ? lookup.block(op->block) : nullptr;
    const trace::Op *around = home ? lookup.op(home->parentOp) : nullptr;
    if (!around ||
        std::ranges::find(ends, around->name.str()) != std::end(ends))
      return {};
    isGivenBack |= around->name == "memref.alloca_scope";
    if (std::ranges::find(loops, around->name.str()) != std::end(loops))
      return around->name + lookup.at(lookup.rangeOfOp(around->id));
    id = around->id;
  }
  return {};
}

void Finder::addApart() {
  use.assumed = lookup.getTrace().options.sizes;
  const trace::HeapUse &heap = this->heap();
  auto known = [](int64_t bytes) {
    return bytes < 0 ? std::nullopt : std::optional(uint64_t(bytes));
  };
  for (const trace::BufferBytes &one : heap.stack) {
    const trace::Op *op = lookup.op(one.op);
    bool isGivenBack = false;
    const std::string loop = roundAround(lookup, one.op, isGivenBack);
    use.stack.push_back(
        {one.index < op->results.size() ? lookup.name(op->results[one.index])
                                        : op->name.str(),
         lookup.position(lookup.rangeOfOp(one.op)), known(one.bytes),
         /*eachRoundOf=*/isGivenBack ? std::string() : loop,
         /*givenBackBy=*/isGivenBack ? loop : std::string()});
  }
  for (const trace::GlobalBytes &one : heap.globals)
    use.globals.push_back({"@" + one.name,
                           lookup.position(lookup.rangeOfOp(one.op)),
                           known(one.bytes), "", ""});
}

static uint32_t firstUseOf(const Buffer &buffer) { return buffer.firstUse; }
static uint32_t lastUseOf(const Buffer &buffer) { return buffer.lastUse; }

/// To the last use of each.
std::vector<Span> Finder::spansOf(StepOf begin) const {
  std::vector<Span> spans;
  for (const Buffer &buffer : use.buffers) {
    // Offsets are sums of sizes: each is as aligned as these are.
    const uint64_t bytes = use.arenaAlignment > memory::arenaAlignment
                               ? alignedUp(buffer.bytes, use.arenaAlignment)
                               : buffer.bytes;
    spans.push_back({bytes, begin(buffer), buffer.lastUse});
  }
  return spans;
}

void Finder::addPlans() {
  for (const Buffer &buffer : use.buffers)
    use.arenaAlignment = std::max(use.arenaAlignment, buffer.alignment);
  const std::vector<Span> spans =
      spansOf([](const Buffer &buffer) { return buffer.neededFrom(); });
  use.leastArenaBytes = leastArena(spans);
  if (use.several.empty())
    use.plans = planArenas(spans);
}

/// Of those alive where most are needed, the largest have fewer bytes, until
/// all fit: none, or half of them. Empty where that is not enough.
static std::vector<size_t> reducedToFit(const MemoryUse &use, uint64_t room,
                                        bool isHalved) {
  std::vector<Buffer> rest = use.buffers;
  std::vector<size_t> reduced;
  while (true) {
    const Curve needed = curveOf(rest, use.steps.size(), firstUseOf, lastUseOf);
    if (needed.peakBytes <= room)
      return reduced;
    size_t largest = rest.size();
    for (size_t i = 0; i < rest.size(); ++i) {
      const bool isAtPeak = rest[i].firstUse <= needed.peakStep &&
                            needed.peakStep <= rest[i].lastUse;
      const bool isWhole =
          rest[i].bytes > 1 && rest[i].bytes == use.buffers[i].bytes;
      if (isAtPeak && isWhole &&
          (largest == rest.size() || rest[i].bytes > rest[largest].bytes))
        largest = i;
    }
    // What is in callees is not in the list.
    if (largest == rest.size())
      return {};
    rest[largest].bytes = isHalved ? (rest[largest].bytes + 1) / 2 : 0;
    reduced.push_back(largest);
  }
}

void Finder::addCapacity() {
  const std::optional<trace::StatedSpace> stated = trace::statedOf(
      lookup.getTrace().options.spaces, use.space.value_or(std::string()));
  if (!stated || stated->bytes < 0)
    return;
  use.capacity = uint64_t(stated->bytes);
  for (const ApartBuffer &global : use.globals)
    use.globalBytes += global.bytes.value_or(0);
  const uint64_t room =
      *use.capacity - std::min(*use.capacity, use.globalBytes);
  if (use.peakBytes <= room)
    return;
  Overflow &overflow = use.overflow.emplace();
  overflow.bytes = use.peakBytes - room;
  // Curves count one of several buffers of an op, and nothing of callees.
  if (!use.several.empty() || use.aliveBytes < use.peakBytes)
    return;
  overflow.fitsAfterLastUse = use.afterLastUse.peakBytes <= room;
  overflow.fitsAsNeeded = use.needed.peakBytes <= room;
  if (!overflow.fitsAsNeeded) {
    overflow.spilled = reducedToFit(use, room, /*isHalved=*/false);
    overflow.halved = reducedToFit(use, room, /*isHalved=*/true);
    return;
  }
  const std::vector<ArenaPlan> plans =
      overflow.fitsAfterLastUse ? use.plans : planArenas(spansOf(firstUseOf));
  if (const ArenaPlan *best = smallestOf(plans))
    overflow.placed = *best;
}

/// Pairs of the largest first; of many buffers, the largest.
void Finder::addNeedless() {
  constexpr size_t mostCompared = 200;
  const size_t count = std::min(use.alive.size(), mostCompared);
  std::vector<bool> isPaired(count);
  auto buffer = [&](size_t i) -> const Buffer & {
    return use.buffers[use.alive[i]];
  };
  auto isUsable = [&](size_t i) {
    return buffer(i).isLastUseKnown && !buffer(i).isSeveral &&
           !buffer(i).isNeverUsed && !isPaired[i];
  };
  for (size_t i = 0; i < count; ++i)
    for (size_t j = i + 1; j < count && isUsable(i); ++j) {
      const bool isBefore = buffer(i).lastUse < buffer(j).firstUse;
      const bool isBehind = buffer(j).lastUse < buffer(i).firstUse;
      if (!isUsable(j) || (!isBefore && !isBehind))
        continue;
      isPaired[i] = isPaired[j] = true;
      use.needless.push_back({use.alive[isBefore ? i : j],
                              use.alive[isBefore ? j : i], buffer(j).bytes});
    }
}

MemoryUse Finder::find() {
  (void)findPeak(mostCallees);
  addApart();
  addPlans();
  addCapacity();
  addNeedless();
  addFills(lookup, use);
  for (OriginBy by : originKinds)
    use.origins[size_t(by)] = originsOf(lookup, use, by);
  return std::move(use);
}

MemoryUse Finder::findPeak(int depth) {
  const trace::Function *function = lookup.function(use.function);
  use.name = function->title();
  use.spaceName = nameOfSpace(lookup.getTrace(), use.space);
  use.hasBranches = function->blocks.size() > 1;
  use.isMeasured = lifetimes.isMeasured;
  use.peakBytes = lifetimes.peakBytes;
  use.peakStep = lifetimes.peakStep;
  for (const trace::PeakGap &gap : lifetimes.gaps)
    use.gaps.push_back(gapText(lookup, gap));
  use.steps = lifetimes.steps;
  number();
  addFrees();
  for (const Lifetime &lifetime : lifetimes.buffers)
    add(lifetime);
  addCurves();
  addAlive(depth);
  // Of a callee that is told in another function nobody reads it.
  if (depth == mostCallees)
    addExpression();
  return use;
}

MemoryReader::MemoryReader(const Lookup &lookup)
    : lookup(lookup), executions(lookup),
      isToldBySpace(hasSpaces(lookup.getTrace())) {}

MemoryUse MemoryReader::useOf(Id function, const Space &space) {
  MemoryUse use = Finder(lookup, lifetimesOf(lookup, function, space)).find();
  const CallCosts *costs = nullptr;
  {
    // What is known of a function stays where it is.
    std::lock_guard lock(counting);
    costs = &executions.of(function);
  }
  use.aCall = callCostText(lookup, function, *costs, CallDetail::all);
  if (space && !use.aCall.empty())
    use.aCall += ", in all memory spaces together";
  use.growth = growthText(lookup, function, *costs);
  return use;
}

std::vector<MemoryUse> MemoryReader::usesOf(Id function) {
  std::vector<MemoryUse> uses;
  for (const Space &space : spacesOf(*lookup.function(function), isToldBySpace))
    uses.push_back(useOf(function, space));
  return uses;
}

MemoryUse memoryOf(const Lookup &lookup, Id function, const Space &space) {
  return MemoryReader(lookup).useOf(function, space);
}

MemoryUse peakOf(const Lookup &lookup, Lifetimes lifetimes) {
  return Finder(lookup, std::move(lifetimes)).findPeak(mostCallees);
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
