//===- core/query/Index.cpp - questions to a trace ------------------------===//

#include "core/query/Index.h"
#include "core/trace/Fields.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace memreflens::trace {

//===--- Lists ------------------------------------------------------------===//

void IdLists::build(size_t keys, const std::vector<std::pair<Id, Id>> &pairs) {
  auto isUsable = [&](Id key) { return key >= 0 && size_t(key) < keys; };
  starts.assign(keys + 1, 0);
  for (const auto &[key, id] : pairs)
    if (isUsable(key))
      ++starts[size_t(key) + 1];
  for (size_t i = 0; i < keys; ++i)
    starts[i + 1] += starts[i];
  ids.resize(starts[keys]);
  std::vector<uint32_t> ends(starts.begin(), starts.end() - 1);
  for (const auto &[key, id] : pairs)
    if (isUsable(key))
      ids[ends[size_t(key)]++] = id;
  dropRepeats();
}

/// A record may be named several times by one event, always in a row.
void IdLists::dropRepeats() {
  uint32_t kept = 0;
  for (size_t key = 0; key + 1 < starts.size(); ++key) {
    const uint32_t begin = std::exchange(starts[key], kept);
    for (uint32_t i = begin; i < starts[key + 1]; ++i)
      if (i == begin || ids[i] != ids[i - 1])
        ids[kept++] = ids[i];
  }
  starts.back() = kept;
  ids.resize(kept);
}

std::span<const Id> IdLists::of(Id key) const {
  if (key < 0 || size_t(key) + 1 >= starts.size())
    return {};
  return std::span(ids).subspan(starts[size_t(key)],
                                starts[size_t(key) + 1] - starts[size_t(key)]);
}

//===--- Ranges -----------------------------------------------------------===//

void RangeIndex::add(Range range, Id id) {
  if (!range.empty())
    entries.push_back({range, id});
}

void RangeIndex::finish() {
  // Of two equal ranges the first one's owner is the inner.
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    if (a.range.begin != b.range.begin)
      return a.range.begin < b.range.begin;
    if (a.range.end != b.range.end)
      return a.range.end > b.range.end;
    return a.id > b.id;
  });
  for (size_t i = 1; i < entries.size(); ++i) {
    int32_t around = int32_t(i) - 1;
    while (around >= 0 &&
           entries[size_t(around)].range.end <= entries[i].range.begin)
      around = entries[size_t(around)].parent;
    entries[i].parent = around;
  }
}

Id RangeIndex::at(uint32_t offset) const {
  auto after = std::upper_bound(
      entries.begin(), entries.end(), offset,
      [](uint32_t at, const Entry &entry) { return at < entry.range.begin; });
  for (int32_t i = int32_t(after - entries.begin()) - 1; i >= 0;
       i = entries[size_t(i)].parent)
    if (entries[size_t(i)].range.contains(offset))
      return entries[size_t(i)].id;
  return none;
}

//===--- Building the index -----------------------------------------------===//

Index::Index(const Trace &trace) : trace(trace) {
  addUsers();
  addRanges();
  addEvents();
}

void Index::addUsers() {
  std::vector<std::pair<Id, Id>> uses, made;
  for (const Op &op : trace.ops) {
    deallocOps.push_back(op.name == "memref.dealloc");
    for (Id operand : op.operands)
      uses.emplace_back(operand, op.id);
    if (op.origin != none)
      made.emplace_back(op.origin, op.id);
  }
  users.build(trace.values.size(), uses);
  generated.build(trace.ops.size(), made);
}

void Index::addRanges() {
  for (const Value &value : trace.values) {
    values.add(value.range, value.id);
    for (Range use : value.uses)
      values.add(use, value.id);
  }
  for (const Op &op : trace.ops) {
    if (op.generated)
      continue;
    Range whole = op.range.empty() ? op.nameRange : op.range;
    if (!whole.empty())
      whole.begin = std::min(whole.begin, beginOf(op.id));
    ops.add(whole, op.id);
  }
  for (const Block &block : trace.blocks) {
    blocks.add(block.range, block.id);
    blocks.add(block.nameRange, block.id);
  }
  for (const Function &function : trace.functions)
    functions.add(function.range.empty() ? function.nameRange : function.range,
                  function.id);
  for (RangeIndex *index : {&values, &ops, &blocks, &functions})
    index->finish();
}

namespace {

/// Ids among an event's facts, by what they refer to.
class FactCollector {
public:
  std::vector<std::pair<Id, Id>> values, ops, deallocs;

  void collect(const Event &event) {
    at = event.id;
    add(event);
    std::visit([&](const auto &detail) { add(detail); }, event.detail);
  }

private:
  template <class T> void add(const T &object) {
    fields::forEach<T>(
        [&](const auto &field) { addField(object.*field.member, field.ref); });
  }
  void addField(Id id, fields::Ref ref) {
    if (ref == fields::Ref::value)
      values.emplace_back(id, at);
    else if (ref == fields::Ref::op)
      ops.emplace_back(id, at);
    else if (ref == fields::Ref::dealloc)
      deallocs.emplace_back(id, at);
  }
  void addField(const Ownership &ownership, fields::Ref) { add(ownership); }
  void addField(const AliasFact &fact, fields::Ref) { add(fact); }
  template <class T>
  void addField(const std::vector<T> &elements, fields::Ref ref) {
    for (const T &element : elements)
      addField(element, ref);
  }
  template <class T> void addField(const List<T> &elements, fields::Ref ref) {
    for (const T &element : elements)
      addField(element, ref);
  }
  template <class T> void addField(const T &, fields::Ref) {}

  Id at = none;
};

} // namespace

/// Whether the event is a lowering by the library function that names nothing
/// it frees; the number of its dealloc.
static std::optional<Id> unnamedFree(const Event &event) {
  const auto *lowering = std::get_if<LoweringEvent>(&event.detail);
  auto isNamed = [](Id id) { return id != none; };
  if (!lowering || lowering->lowering != LoweringCase::libraryFunction ||
      std::any_of(lowering->freed.begin(), lowering->freed.end(), isNamed))
    return std::nullopt;
  return lowering->dealloc;
}

void Index::addEvents() {
  std::vector<std::pair<Id, Id>> value, block, op, function, unnamed, frees;
  FactCollector facts;
  Id deallocCount = 0;
  for (const Event &event : trace.events) {
    value.emplace_back(event.value, event.id);
    block.emplace_back(event.block, event.id);
    op.emplace_back(event.op, event.id);
    function.emplace_back(event.function, event.id);
    facts.collect(event);
    if (std::optional<Id> dealloc = unnamedFree(event))
      unnamed.emplace_back(*dealloc, event.id);
    if (const auto *lowering = std::get_if<LoweringEvent>(&event.detail))
      for (Id made : lowering->ops)
        if (made != none && isDealloc(made))
          frees.emplace_back(event.id, made);
  }
  for (const auto &[dealloc, event] : facts.deallocs)
    deallocCount = std::max(deallocCount, dealloc + 1);
  // Numbers are dense in a trace of ours; a foreign one must not cost memory.
  deallocCount =
      std::min<Id>(deallocCount, Id(trace.events.size() + trace.ops.size()));
  byValue.build(trace.values.size(), value);
  byBlock.build(trace.blocks.size(), block);
  byOp.build(trace.ops.size(), op);
  byFunction.build(trace.functions.size(), function);
  namingValue.build(trace.values.size(), facts.values);
  namingOp.build(trace.ops.size(), facts.ops);
  byDealloc.build(size_t(deallocCount), facts.deallocs);
  unnamedFrees.build(size_t(deallocCount), unnamed);
  deallocsMade.build(trace.events.size(), frees);
}

//===--- Lookups ----------------------------------------------------------===//

Id Index::valueAt(uint32_t offset) const {
  Id value = values.at(offset);
  return value != none || offset == 0 ? value : values.at(offset - 1);
}
Id Index::opAt(uint32_t offset) const { return ops.at(offset); }
Id Index::functionAt(uint32_t offset) const { return functions.at(offset); }

Id Index::blockAt(uint32_t offset) const {
  Id block = blocks.at(offset);
  Id op = opAt(offset);
  // A block without a label has no range where it holds no op of its own.
  return block != none || op == none ? block : trace.ops[size_t(op)].block;
}

std::span<const Id> Index::eventsOfValue(Id value) const {
  return byValue.of(value);
}
std::span<const Id> Index::eventsOfBlock(Id block) const {
  return byBlock.of(block);
}
std::span<const Id> Index::eventsOfOp(Id op) const { return byOp.of(op); }
std::span<const Id> Index::eventsOfFunction(Id function) const {
  return byFunction.of(function);
}
std::span<const Id> Index::eventsNamingValue(Id value) const {
  return namingValue.of(value);
}
std::span<const Id> Index::eventsNamingOp(Id op) const {
  return namingOp.of(op);
}
std::span<const Id> Index::eventsOfDealloc(Id dealloc) const {
  return byDealloc.of(dealloc);
}
std::span<const Id> Index::unnamedFreesOf(Id dealloc) const {
  return unnamedFrees.of(dealloc);
}
std::span<const Id> Index::deallocsMadeBy(Id lowering) const {
  return deallocsMade.of(lowering);
}
std::span<const Id> Index::usersOf(Id value) const { return users.of(value); }
std::span<const Id> Index::generatedFor(Id op) const {
  return generated.of(op);
}

Id Index::enclosingBlock(Id block) const {
  Id op = block == none ? none : trace.blocks[size_t(block)].parentOp;
  return op == none ? none : trace.ops[size_t(op)].block;
}

Id Index::functionOfBlock(Id block) const {
  return block == none ? none : trace.blocks[size_t(block)].function;
}

Id Index::functionOfValue(Id value) const {
  return value == none ? none
                       : functionOfBlock(trace.values[size_t(value)].block);
}

uint32_t Index::beginOf(Id id) const {
  // Origins may be generated themselves; a foreign trace may even chain them
  // in a circle.
  for (int steps = 0; id != none && steps < 8; ++steps) {
    const Op &op = trace.ops[size_t(id)];
    if (op.origin == none) {
      uint32_t begin = op.range.empty() ? op.nameRange.begin : op.range.begin;
      for (Id result : op.results)
        if (result != none && !trace.values[size_t(result)].range.empty())
          begin = std::min(begin, trace.values[size_t(result)].range.begin);
      return begin;
    }
    id = op.origin;
  }
  return 0;
}

//===--- Ownership --------------------------------------------------------===//

namespace {

/// The last ownership of (value, block) whose op satisfies `happened`.
template <class Happened>
OwnershipAt lastOwnership(const Index &index, Id value, Id block,
                          Happened happened) {
  OwnershipAt found;
  found.block = block;
  for (Id id : index.eventsOfValue(value)) {
    const Event &event = index.trace.events[size_t(id)];
    const auto *change = std::get_if<OwnershipEvent>(&event.detail);
    if (!change || event.block != block)
      continue;
    if (happened(event)) {
      found.ownership = change->after;
      found.event = id;
      found.changedBy = none;
    } else if (found.changedBy == none) {
      found.changedBy = id;
    }
  }
  return found;
}

} // namespace

OwnershipAt ownershipAt(const Index &index, Id value, uint32_t offset) {
  Id home = index.blockAt(offset);
  for (Id block = home; block != none; block = index.enclosingBlock(block)) {
    OwnershipAt found =
        lastOwnership(index, value, block, [&](const Event &event) {
          return event.op == none || index.beginOf(event.op) <= offset;
        });
    if (found.event != none || found.changedBy != none)
      return found;
  }
  OwnershipAt nothing;
  nothing.block = home;
  return nothing;
}

//===--- Branches ---------------------------------------------------------===//

Id replacementOf(const RewriteEvent &rewrite, Id value) {
  auto at = std::ranges::find(rewrite.replaced, value);
  size_t number = size_t(at - rewrite.replaced.begin());
  return number < rewrite.replacements.size() ? rewrite.replacements[number]
                                              : none;
}

std::vector<ForwardedOperand> forwardedOperands(const Trace &trace,
                                                const Op &branch) {
  std::vector<ForwardedOperand> found;
  size_t end = branch.operands.size();
  for (size_t edge = branch.successors.size(); edge-- > 0;) {
    if (branch.successors[edge] == none)
      return found;
    const Block &successor = trace.blocks[size_t(branch.successors[edge])];
    size_t count = successor.arguments.size();
    if (count > end)
      return found;
    end -= count;
    for (size_t i = 0; i < count; ++i)
      found.push_back({int32_t(edge), uint32_t(end + i),
                       branch.operands[end + i], successor.arguments[i]});
  }
  return found;
}

} // namespace memreflens::trace
