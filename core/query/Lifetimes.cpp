//===- core/query/Lifetimes.cpp - from allocation to deallocation ---------===//
//
// Ends are those of trace::Fate, so that chart and `explain` say the same;
// bytes are those of trace::HeapUse, as in every other place that shows a peak.
//
//===----------------------------------------------------------------------===//

#include "core/query/Lifetimes.h"

#include "core/query/Fate.h"
#include "core/query/FateFacts.h"
#include "core/trace/ElementBytes.h"
#include "core/trace/Steps.h"
#include "core/trace/Symbol.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <set>

namespace memreflens {

using namespace trace;

namespace {

class LifetimeFinder {
public:
  LifetimeFinder(const Lookup &lookup, Id function, const Space &space)
      : lookup(lookup), trace(lookup.getTrace()),
        function(trace.functions[size_t(function)]),
        heap(heapIn(this->function, space)), escapes(lookup),
        steps(programSteps(trace, function)) {
    found.function = function;
    found.space = space;
  }

  Lifetimes find() {
    number();
    for (const UseSpan &span : function.spans)
      spans[span.value] = &span;
    readSizes(heap.buffers);
    readSizes(heap.stack);
    for (Id buffer : buffersOf(lookup, function.id))
      if (isInSpace(trace.values[size_t(buffer)]))
        add(buffer);
    addBytes();
    return std::move(found);
  }

private:
  //===--- Steps ---===//

  void number() {
    found.steps = steps.ops;
    for (Id op : found.steps) {
      std::string place = lookup.position(lookup.rangeOfOp(op));
      uint32_t line = 0;
      std::from_chars(place.data(), place.data() + place.size(), line);
      found.lines.push_back(line);
    }
  }

  /// Where the block ends for the pass, which may be in another of the user's.
  uint32_t lastStepOf(Id block) const {
    return ownLastStepOf(lookup.getPassBlocks().endOf(block));
  }

  uint32_t ownLastStepOf(Id block) const {
    if (block == none || trace.blocks[size_t(block)].ops.empty())
      return 0;
    return steps.of(trace.blocks[size_t(block)].ops.back()).value_or(0);
  }

  uint32_t stepOfOp(Id op, uint32_t otherwise) const {
    return steps.of(op).value_or(otherwise);
  }

  uint32_t beginOf(const Value &value) const {
    auto firstOf =
        steps.firstOfBlock.find(lookup.getPassBlocks().beginOf(value.block));
    if (value.kind == ValueKind::argument)
      return firstOf == steps.firstOfBlock.end() ? 0 : firstOf->second;
    if (std::optional<uint32_t> own = steps.of(value.op);
        own && trace.ops[size_t(value.op)].regions.empty())
      return *own;
    if (lookup.copyEventOf(value.id)) {
      // A copy is made where it is demanded, at its block's end.
      return lastStepOf(value.block);
    }
    const Op *op = lookup.op(value.op);
    if (op && op->generated && !steps.of(op->id))
      op = lookup.op(op->origin);
    if (!op)
      return lastStepOf(value.block);
    // What an op with regions gives is there behind them.
    uint32_t step = stepOfOp(op->id, 0);
    for (const auto &region : op->regions)
      for (Id block : region)
        step = std::max(step, lastStepUnder(block));
    return step;
  }

  uint32_t lastStepUnder(Id block) const {
    uint32_t last = ownLastStepOf(block);
    for (Id op : trace.blocks[size_t(block)].ops)
      for (const auto &region : trace.ops[size_t(op)].regions)
        for (Id inner : region)
          last = std::max(last, lastStepUnder(inner));
    return last;
  }

  /// Steps of the ops that use a buffer or a view of it, regions included.
  struct Uses {
    /// But for deallocations and what makes views.
    uint32_t first = UINT32_MAX;
    uint32_t last = 0;
    void add(const Uses &more) {
      first = std::min(first, more.first);
      last = std::max(last, more.last);
    }
  };

  bool isView(Id op, const std::vector<Id> &views) const {
    return std::ranges::any_of(trace.ops[size_t(op)].results, [&](Id result) {
      return std::ranges::binary_search(views, result);
    });
  }

  Uses usesOf(Id value) {
    auto known = uses.find(value);
    return known != uses.end()
               ? known->second
               : usesOf(value, fateOf(lookup.getIndex(), value).views);
  }

  Uses usesOf(Id value, std::vector<Id> views) {
    auto [known, isNew] = uses.insert({value, {}});
    if (!isNew)
      return known->second;
    Uses found;
    std::ranges::sort(views);
    for (Id user : lookup.getIndex().usersOf(value)) {
      // What canonicalize took out uses nothing.
      if (!lookup.reachesPass(user) &&
          lookup.getIndex().generatedFor(user).empty())
        continue;
      found.last = std::max(found.last, stepOfOp(user, 0));
      if (!lookup.getIndex().isDealloc(user) && !isView(user, views))
        found.first = std::min(found.first, stepOfOp(user, UINT32_MAX));
    }
    for (Id view : views)
      found.add(usesOf(view));
    // The program names the one in whose place it is.
    if (Id named = lookup.ancestorOf(value); named != none)
      found.add(usesOf(named));
    for (Id named : lookup.namesBefore(value))
      found.add(usesOf(named));
    return uses[value] = found;
  }

  //===--- Buffers ---===//

  /// As the IR of the last stage has it; false where that has no such memref.
  bool readSpan(Lifetime &life) const {
    // An argument stands for one of several buffers, until the next takes over.
    auto known = spans.find(lookup.heirOf(life.value));
    if (known == spans.end() ||
        trace.values[size_t(life.value)].kind == ValueKind::argument)
      return false;
    const UseSpan &span = *known->second;
    life.lastUse = std::max(life.begin, stepOfOp(span.last, life.begin));
    life.firstUse = stepOfOp(span.first, life.begin);
    life.usedBy = span.usedBy;
    life.escape = {span.escape, span.hiddenBy};
    life.isSeveral = span.isSeveral;
    return true;
  }

  /// As the program has it: of what the last stage does not have any more, and
  /// of a trace that nobody followed to there.
  void guessSpan(Lifetime &life, std::vector<Id> views) {
    const Uses used = usesOf(life.value, std::move(views));
    life.lastUse = std::max(life.begin, used.last);
    life.firstUse = std::max(life.begin, used.first);
    if (life.lastUse < found.steps.size())
      life.usedBy = found.steps[life.lastUse];
    life.escape = escapes.of(life.value);
  }

  void add(Id id) {
    const Value &value = trace.values[size_t(id)];
    const trace::Fate fate = fateAsNamed(lookup, id);
    Lifetime life;
    life.value = id;
    life.name = lookup.name(id);
    life.type = value.type;
    life.bytes = bytesOf(value);
    life.onStack = fate.source == BufferSource::stack;
    life.mayBeOwned = fate.source == BufferSource::manual ||
                      fate.source == BufferSource::allocation ||
                      mayBeOwned(lookup, fate);
    life.begin = beginOf(value);
    life.isMadeByStep = steps.of(value.op).has_value();
    life.isSpanKnown = readSpan(life);
    if (!life.isSpanKnown)
      guessSpan(life, fate.views);
    life.source = fate.source;
    life.retained = fate.retained.empty() ? none : fate.retained.back();
    addFrees(fate, life);
    moveFrees(life);
    addPassed(fate, life);
    if (life.ends.empty())
      addOpenEnd(fate, life);
    std::stable_sort(
        life.ends.begin(), life.ends.end(),
        [](const auto &a, const auto &b) { return a.step < b.step; });
    // A use is seen in the IR, the place of a deallocation is that of a block's
    // end in the text.
    for (LifetimeEnd &end : life.ends)
      if (end.kind == EndKind::freed && life.isSpanKnown)
        end.step = std::max(end.step, life.lastUse);
      else if (end.kind == EndKind::freed)
        life.lastUse = std::min(life.lastUse, life.end());
    life.lastUse = std::max(life.begin, life.lastUse);
    // Of one that a loop carries, it may come before the op that makes it.
    life.firstUse = std::min(life.firstUse, life.lastUse);
    found.buffers.push_back(std::move(life));
  }

  void addFrees(const trace::Fate &fate, Lifetime &life) const {
    for (const Freed &freed : fate.frees) {
      int32_t edge = freed.edge;
      Id condition = conditionOfFree(lookup, freed);
      int constant = condition == none ? -1 : lookup.constantOf(condition);
      if (constant == 0 || lookup.isRemoved(freed) ||
          isRetainedBy(lookup, fate, freed.dealloc))
        continue;
      bool compares = std::any_of(freed.compared.begin(), freed.compared.end(),
                                  [&](Id other) {
                                    return lookup.bufferOf(other) != life.value;
                                  }) ||
                      freed.lowering == LoweringCase::libraryFunction;
      bool onOneOfEdges =
          edge >= 0 && freed.block != none &&
          trace.blocks[size_t(freed.block)].successors.size() > 1;
      life.ends.push_back({EndKind::freed, lastStepOf(freed.block),
                           constant != 1 || compares || onOneOfEdges,
                           freed.event, constant == 1 ? none : condition});
    }
  }

  /// Passes behind the pipeline may have moved deallocations: to where the last
  /// stage has them.
  void moveFrees(Lifetime &life) const {
    const Value &value = trace.values[size_t(life.value)];
    if (trace.options.passes.empty() || life.ends.empty() || value.op == none)
      return;
    std::vector<LifetimeEnd> moved;
    for (const FreedAt &freed : heap.freed) {
      const std::optional<uint32_t> at = steps.of(freed.op);
      if (freed.allocation != value.op || !at)
        continue;
      // In front of a terminator it is told as at the block's end.
      const bool isLast = trace.ops[size_t(freed.op)].isTerminator;
      LifetimeEnd end = life.ends.back();
      end.step = isLast || *at == 0 ? *at : *at - 1;
      moved.push_back(end);
    }
    if (!moved.empty())
      life.ends = std::move(moved);
  }

  bool isOneOfMany(const Passed &passed) const {
    const Op *op = lookup.op(passed.op);
    return op && op->successors.size() > 1;
  }

  void addHandedOn(const trace::Fate &fate, Lifetime &life) const {
    for (const auto *list : {&fate.forwarded, &fate.yielded})
      for (const Passed &passed : *list)
        life.ends.push_back({EndKind::passed, stepOfOp(passed.op, life.begin),
                             isOneOfMany(passed), none, none});
  }

  void addPassed(const trace::Fate &fate, Lifetime &life) const {
    for (const Passed &passed : fate.returned)
      life.ends.push_back({EndKind::returned, stepOfOp(passed.op, life.begin),
                           false, none, none});
    addHandedOn(fate, life);
    // A view or cast that is handed on takes the buffer with it.
    std::vector<Id> views(fate.views.begin(), fate.views.end());
    std::set<Id> seen;
    while (life.ends.empty() && !views.empty()) {
      const Id view = views.back();
      views.pop_back();
      if (!seen.insert(view).second)
        continue;
      const trace::Fate ofView = fateAsNamed(lookup, view);
      addHandedOn(ofView, life);
      for (const Passed &passed : ofView.returned)
        life.ends.push_back({EndKind::returned, stepOfOp(passed.op, life.begin),
                             false, none, none});
      views.insert(views.end(), ofView.views.begin(), ofView.views.end());
    }
    const Value &value = trace.values[size_t(life.value)];
    if (value.generated && life.ends.empty())
      for (Id retained : fate.retained)
        if (const auto *retain = std::get_if<RetainEvent>(
                &trace.events[size_t(retained)].detail))
          life.ends.push_back({retain->reason == RetainReason::returned
                                   ? EndKind::returned
                                   : EndKind::passed,
                               lastStepOf(trace.events[size_t(retained)].block),
                               false, retained, none});
  }

  void addOpenEnd(const trace::Fate &fate, Lifetime &life) const {
    if (life.onStack)
      life.ends.push_back({EndKind::scope,
                           lastStepOf(trace.values[size_t(life.value)].block),
                           false, none, none});
    else if (life.mayBeOwned)
      life.ends.push_back(
          {EndKind::open, uint32_t(std::max<size_t>(found.steps.size(), 1)) - 1,
           false, fate.sourceEvent, none});
  }

  //===--- Bytes ---===//

  void readSizes(const std::vector<BufferBytes> &buffers) {
    for (const BufferBytes &one : buffers) {
      sizes[{one.op, one.index}] = one.bytes;
      // A pass may have put another op in the place of the program's.
      const Op &op = trace.ops[size_t(one.op)];
      if (op.generated && op.origin != none &&
          trace.ops[size_t(op.origin)].name == op.name)
        sizes.insert({{op.origin, one.index}, one.bytes});
    }
  }

  using Sizes = std::map<std::pair<Id, uint32_t>, int64_t>;

  Sizes::const_iterator countedSize(const Value &value) const {
    // A clone is counted where it is made, in an scf.if that the pass put
    // around it.
    const Event *copy = lookup.copyEventOf(value.id);
    auto counted = copy ? sizes.find({copy->op, 0}) : sizes.end();
    return counted == sizes.end() ? sizes.find({value.op, value.index})
                                  : counted;
  }

  bool isInSpace(const Value &value) const {
    return !found.space || function.spaces.empty() ||
           countedSize(value) != sizes.end();
  }

  std::optional<uint64_t> bytesOf(const Value &value) const {
    const auto counted = countedSize(value);
    if (value.op == none || counted == sizes.end())
      return memreflens::bytesOf(value.type);
    return counted->second < 0 ? std::nullopt
                               : std::optional(uint64_t(counted->second));
  }

  void addBytes() {
    found.isMeasured = heap.measured;
    found.gaps = heap.gaps;
    found.peakBytes = uint64_t(heap.peakBytes);
    if (!heap.measured)
      return;
    std::map<Id, int64_t> changes;
    for (const LiveBytes &entry : heap.live)
      changes[entry.op] = entry.bytes;
    uint64_t live = 0, most = 0;
    for (uint32_t i = 0; i < found.steps.size(); ++i) {
      if (auto at = changes.find(found.steps[i]); at != changes.end())
        live = uint64_t(at->second);
      found.liveBytes.push_back(live);
      if (live > most || (live == most && found.steps[i] == heap.peakOp)) {
        most = live;
        found.peakStep = i;
      }
    }
  }

  const Lookup &lookup;
  const Trace &trace;
  const Function &function;
  const HeapUse &heap;
  TraceEscapes escapes;
  Lifetimes found;
  const ProgramSteps steps;
  std::map<Id, const UseSpan *> spans;
  /// By op and result; -1 where they are not known.
  Sizes sizes;
  std::map<Id, Uses> uses;
};

/// "2x3xf16": the last dimension lies bit by bit.
std::optional<uint64_t> vectorBytes(std::string_view inner) {
  const std::string_view element = inner.ends_with("index")
                                       ? std::string_view("index")
                                       : inner.substr(inner.rfind('x') + 1);
  uint64_t elements = 1, rows = 1;
  std::string_view shape = inner.substr(0, inner.size() - element.size());
  while (!shape.empty()) {
    uint64_t size = 0;
    auto [end, error] =
        std::from_chars(shape.data(), shape.data() + shape.size(), size);
    const size_t used = size_t(end - shape.data());
    if (error != std::errc() || used >= shape.size() || shape[used] != 'x' ||
        __builtin_mul_overflow(rows, elements, &rows))
      return std::nullopt;
    elements = size;
    shape.remove_prefix(used + 1);
  }
  std::string_view digits = element;
  while (!digits.empty() &&
         !isdigit(static_cast<unsigned char>(digits.front())))
    digits.remove_prefix(1);
  uint64_t bits = element == "index" ? 64 : 0;
  if (bits == 0)
    std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  if (bits == 0 || bits > (1u << 24) || elements > (uint64_t(1) << 32))
    return std::nullopt;
  uint64_t bytes = trace::vectorBytes(elements, bits);
  return __builtin_mul_overflow(bytes, rows, &bytes) ? std::nullopt
                                                     : std::optional(bytes);
}

/// Bytes of one element; nothing for what has no fixed size.
std::optional<uint64_t> elementBytes(std::string_view type) {
  if (type == "index")
    return 8; // As MLIR lays it out on 64-bit targets.
  if (type.starts_with("complex<") && type.ends_with(">")) {
    auto part = elementBytes(type.substr(8, type.size() - 9));
    return part ? std::optional(2 * *part) : std::nullopt;
  }
  if (type.starts_with("vector<") && type.find('[') == std::string_view::npos)
    return vectorBytes(type.substr(7, type.size() - 8));
  const bool isInteger =
      type.starts_with("i") || type.starts_with("si") || type.starts_with("ui");
  if (!isInteger && !type.starts_with("f") && !type.starts_with("bf") &&
      !type.starts_with("tf"))
    return std::nullopt;
  while (!type.empty() && !isdigit(static_cast<unsigned char>(type.front())))
    type.remove_prefix(1);
  uint64_t bits = 0;
  auto [end, error] =
      std::from_chars(type.data(), type.data() + type.size(), bits);
  if (error != std::errc() || bits == 0 || bits > (1u << 24))
    return std::nullopt;
  // `f8E4M3FN` and the like have a tail; the number before it is the width.
  return isInteger ? trace::integerBytes(bits) : trace::floatBytes(bits);
}

} // namespace

std::optional<uint64_t> bytesOf(std::string_view type) {
  if (!type.starts_with("memref<") || !type.ends_with(">"))
    return std::nullopt;
  std::string_view inner = type.substr(7, type.size() - 8);
  int depth = 0;
  for (size_t i = 0; i < inner.size(); ++i) {
    depth += (inner[i] == '<') - (inner[i] == '>');
    if (inner[i] != ',' || depth > 0)
      continue;
    // A numbered memory space does not change the size; a layout may.
    std::string_view rest = inner.substr(i + 1);
    if (rest.find_first_not_of(" 0123456789") != std::string_view::npos)
      return std::nullopt;
    inner = inner.substr(0, i);
    break;
  }
  uint64_t count = 1;
  while (!inner.empty() && isdigit(static_cast<unsigned char>(inner.front()))) {
    uint64_t size = 0;
    auto [end, error] =
        std::from_chars(inner.data(), inner.data() + inner.size(), size);
    size_t used = size_t(end - inner.data());
    if (error != std::errc() || used >= inner.size() || inner[used] != 'x' ||
        __builtin_mul_overflow(count, size, &count))
      return std::nullopt;
    inner.remove_prefix(used + 1);
  }
  if (inner.find('?') != std::string_view::npos || inner.starts_with("*"))
    return std::nullopt;
  std::optional<uint64_t> element = elementBytes(inner);
  uint64_t bytes = 0;
  if (!element || __builtin_mul_overflow(count, *element, &bytes) ||
      bytes > (uint64_t(1) << 50))
    return std::nullopt;
  return bytes;
}

Lifetimes lifetimesOf(const Lookup &lookup, Id function, const Space &space) {
  return LifetimeFinder(lookup, function, space).find();
}

} // namespace memreflens
