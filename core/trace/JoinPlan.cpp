//===- core/trace/JoinPlan.cpp --------------------------------------------===//

#include "core/trace/JoinPlan.h"
#include "core/trace/Fields.h"
#include "core/trace/StageTexts.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace memreflens::trace {

//===--- What has to be known of a batch ----------------------------------===//

/// A function that a stage added to the module.
static bool isAdded(const Op &op) {
  return op.generated && op.block == none && op.id != 0 && op.origin == 0;
}

/// By block: whether it is of such a function.
static std::vector<bool> blocksApart(const Trace &trace) {
  enum : uint8_t { unknown, apart, inside };
  std::vector<uint8_t> known(trace.blocks.size(), unknown);
  std::vector<bool> isApart;
  isApart.reserve(trace.blocks.size());
  for (const Block &block : trace.blocks) {
    std::vector<Id> way;
    uint8_t is = unknown;
    for (Id at = block.id; is == unknown;) {
      way.push_back(at);
      const Id parent = trace.blocks[size_t(at)].parentOp;
      is = known[size_t(at)];
      if (is != unknown)
        break;
      if (at == 0 || trace.blocks[size_t(at)].function != none ||
          parent == none)
        is = inside;
      else if (isAdded(trace.ops[size_t(parent)]))
        is = apart;
      else if ((at = trace.ops[size_t(parent)].block) == none)
        is = inside;
    }
    for (Id at : way)
      known[size_t(at)] = is;
    isApart.push_back(is == apart);
  }
  return isApart;
}

BatchOutline outlineOf(BatchTrace &batch) {
  Trace &trace = batch.trace;
  BatchOutline outline;
  outline.starts = std::move(batch.starts);
  outline.endOfDeallocs = batch.endOfDeallocs;
  outline.opsBefore = batch.opsBefore;
  outline.opsOwn = batch.opsOwn;
  outline.blocks = trace.blocks.size();
  outline.ops = trace.ops.size();
  outline.values = trace.values.size();
  outline.events = trace.events.size();
  outline.isModule =
      !trace.ops.empty() && trace.ops.front().name == "builtin.module" &&
      !trace.blocks.empty() && trace.blocks.front().parentOp == 0;
  if (outline.isModule) {
    outline.body = trace.blocks.front().range;
    for (Id op : trace.blocks.front().ops)
      outline.topLevel.push_back({op, trace.ops[size_t(op)].range.begin});
  }
  for (const Function &function : trace.functions)
    outline.functions.push_back({function.op, function.range.begin});
  outline.apartBlocks = blocksApart(trace);
  auto isAt = [&](Id block) {
    return block != none && outline.apartBlocks[size_t(block)];
  };
  for (const Op &op : trace.ops)
    outline.apartOps.push_back(isAdded(op) || isAt(op.block));
  for (const Value &value : trace.values)
    outline.apartValues.push_back(isAt(value.block));
  for (const Event &event : trace.events) {
    outline.apartEvents.push_back(event.function == none && isAt(event.block));
    outline.stageEnds.push_back(
        std::holds_alternative<StageEvent>(event.detail));
  }
  outline.head.toolVersion = trace.toolVersion;
  outline.head.llvmVersion = trace.llvmVersion;
  outline.head.options = trace.options;
  outline.head.chunks = std::move(trace.chunks);
  outline.head.problems = std::move(trace.problems);
  outline.head.aliases = std::move(trace.aliases);
  outline.head.bufferizations = std::move(trace.bufferizations);
  return outline;
}

//===--- Records ----------------------------------------------------------===//

template <class T> std::vector<Id> JoinPlan::NewIds::*JoinPlan::tableFor() {
  if constexpr (std::is_same_v<T, Function>)
    return &NewIds::functions;
  else if constexpr (std::is_same_v<T, Block>)
    return &NewIds::blocks;
  else if constexpr (std::is_same_v<T, Op>)
    return &NewIds::ops;
  else if constexpr (std::is_same_v<T, Value>)
    return &NewIds::values;
  else
    return &NewIds::events;
}

template <class T> Id StageStart::*JoinPlan::startFor() {
  if constexpr (std::is_same_v<T, Block>)
    return &StageStart::block;
  else if constexpr (std::is_same_v<T, Op>)
    return &StageStart::op;
  else if constexpr (std::is_same_v<T, Value>)
    return &StageStart::value;
  else
    return &StageStart::event;
}

/// Gives every id and range of a record its new value.
class JoinPlan::Renumberer {
public:
  explicit Renumberer(const NewIds &ids) : ids(ids) {}

  template <class T> void record(T &object) const {
    fields::forEach<T>(
        [&](const auto &field) { change(object.*field.member, field); });
    if constexpr (std::is_same_v<T, Event>)
      std::visit([&](auto &detail) { record(detail); }, object.detail);
  }

private:
  template <class T, class Field>
  void change(T &value, const Field &field) const {
    if constexpr (std::is_same_v<T, Id>)
      value = newId(value, field.ref);
    else if constexpr (std::is_class_v<T> && !isPlain<T>)
      record(value);
  }
  template <class T, class Field>
  void change(std::vector<T> &values, const Field &field) const {
    for (T &value : values)
      change(value, field);
  }
  template <class T, class Field>
  void change(trace::List<T> &values, const Field &field) const {
    for (T &value : values)
      change(value, field);
  }

  template <class T>
  static constexpr bool isPlain =
      std::is_same_v<T, Range> || std::is_same_v<T, std::string> ||
      std::is_same_v<T, Name>;

  Id newId(Id id, fields::Ref ref) const {
    const std::vector<Id> *table = tableOf(ref);
    return !table || id == none ? id : (*table)[size_t(id)];
  }
  const std::vector<Id> *tableOf(fields::Ref ref) const {
    switch (ref) {
    case fields::Ref::function:
      return &ids.functions;
    case fields::Ref::block:
      return &ids.blocks;
    case fields::Ref::op:
      return &ids.ops;
    case fields::Ref::value:
      return &ids.values;
    case fields::Ref::event:
      return &ids.events;
    case fields::Ref::dealloc:
      return &ids.deallocs;
    case fields::Ref::notAnId:
    case fields::Ref::self:
    case fields::Ref::chunk:
      break;
    }
    return nullptr;
  }

  const NewIds &ids;
};

template <class T> size_t JoinPlan::countOf() const {
  Id last = none;
  for (const NewIds &one : ids)
    for (Id id : one.*tableFor<T>())
      last = std::max(last, id);
  return size_t(last + 1);
}

/// Records of a list that came with a stage; with what was read for stage 0 if
/// there is none in front.
std::pair<Id, Id> JoinPlan::rangeOf(size_t batch, size_t stage,
                                    Id StageStart::*start) const {
  const BatchOutline &of = batches[batch];
  StageStart end{Id(of.blocks), Id(of.ops), Id(of.values), Id(of.events),
                 of.endOfDeallocs};
  Id from = stage == 0 ? 0 : of.starts[stage - 1].*start;
  Id to = stage < of.starts.size() ? of.starts[stage].*start : end.*start;
  return {from, to};
}

template <class T>
std::pair<size_t, size_t> JoinPlan::rangeOf(size_t batch, size_t stage) const {
  if constexpr (std::is_same_v<T, Function>)
    return {0, stage == 0 ? batches[batch].functions.size() : 0};
  else
    return rangeOf(batch, stage, startFor<T>());
}

template <class T> bool JoinPlan::isBehind(size_t batch, size_t id) const {
  const BatchOutline &of = batches[batch];
  if constexpr (std::is_same_v<T, Block>)
    return of.apartBlocks[id];
  else if constexpr (std::is_same_v<T, Op>)
    return of.apartOps[id];
  else if constexpr (std::is_same_v<T, Value>)
    return of.apartValues[id];
  else if constexpr (std::is_same_v<T, Event>)
    return of.apartEvents[id] || of.stageEnds[id];
  else
    return false;
}

template <class T>
bool JoinPlan::place(size_t batch, size_t id, T &record) const {
  const Id now = (ids[batch].*tableFor<T>())[id];
  auto isBorrowed = [&](Id op) {
    return std::ranges::binary_search(borrowed[batch], op);
  };
  if (now == none)
    return false;
  if constexpr (std::is_same_v<T, Function>) {
    if (isBorrowed(record.op))
      return false;
  } else if constexpr (std::is_same_v<T, Op>) {
    if ((id == 0 && batch > 0) || isBorrowed(Id(id)))
      return false;
  } else if constexpr (std::is_same_v<T, Block>) {
    if (id == 0 && batch > 0)
      return false;
  }
  Renumberer(ids[batch]).record(record);
  record.id = now;
  if constexpr (std::is_same_v<T, Block>) {
    if (now == 0) {
      record.ops = topLevel;
      record.range = body;
    }
  } else if constexpr (std::is_same_v<T, Event>) {
    if (auto *stage = std::get_if<StageEvent>(&record.detail))
      stage->changed = head.chunks.front().stages[size_t(record.stage)].changed;
  }
  return true;
}

#define MEMREFLENS_PLACED(T)                                                   \
  template size_t JoinPlan::countOf<T>() const;                                \
  template std::pair<size_t, size_t> JoinPlan::rangeOf<T>(size_t, size_t)      \
      const;                                                                   \
  template bool JoinPlan::isBehind<T>(size_t, size_t) const;                   \
  template bool JoinPlan::place<T>(size_t, size_t, T &) const;
MEMREFLENS_PLACED(Function)
MEMREFLENS_PLACED(Block)
MEMREFLENS_PLACED(Op)
MEMREFLENS_PLACED(Value)
MEMREFLENS_PLACED(Event)
#undef MEMREFLENS_PLACED

//===--- Ids --------------------------------------------------------------===//

/// Each is of one module with as many ops as its text has, and ran as far.
bool JoinPlan::fitsTogether() const {
  const BatchOutline &first = batches.front();
  return std::ranges::all_of(batches, [&](const BatchOutline &batch) {
    const Trace &trace = batch.head;
    return trace.problems.empty() && trace.aliases.empty() &&
           trace.bufferizations.empty() && trace.chunks.size() == 1 &&
           trace.chunks.front().parsed &&
           trace.chunks.front().stages.size() ==
               first.head.chunks.front().stages.size() &&
           batch.starts.size() == first.starts.size() &&
           !batch.starts.empty() && batch.isModule &&
           batch.topLevel.size() >= batch.opsOwn &&
           batch.opsBefore <= batch.topLevel.size() - batch.opsOwn;
  });
}

void JoinPlan::findBorrowed() {
  for (size_t batch = 0; batch < batches.size(); ++batch) {
    const BatchOutline &of = batches[batch];
    for (size_t i = 0; i < of.topLevel.size(); ++i)
      if (i < of.opsBefore || i >= of.opsBefore + of.opsOwn)
        borrowed[batch].push_back(of.topLevel[i].op);
    std::ranges::sort(borrowed[batch]);
    if (std::ranges::find(of.apartBlocks, true) != of.apartBlocks.end())
      addedBy = std::min(addedBy, batch);
  }
}

/// `take(batch, id)` is the table in which the id is kept, or null if it is
/// left out, and whether it comes behind those of all batches.
template <class Take>
void JoinPlan::numberStage(size_t stage, Id StageStart::*start, Id &next,
                           Take take) {
  std::vector<Id *> behind;
  for (size_t batch = 0; batch < batches.size(); ++batch) {
    auto [begin, end] = rangeOf(batch, stage, start);
    for (Id id = begin; id < end; ++id) {
      auto [place, isBehind] = take(batch, id);
      if (place && isBehind)
        behind.push_back(place);
      else if (place)
        *place = next++;
    }
  }
  for (Id *place : behind)
    *place = next++;
}

void JoinPlan::numberFunctions() {
  Id next = 0;
  for (size_t batch = 0; batch < batches.size(); ++batch) {
    const auto &functions = batches[batch].functions;
    ids[batch].functions.assign(functions.size(), none);
    for (size_t i = 0; i < functions.size(); ++i)
      if (!std::ranges::binary_search(borrowed[batch], functions[i].op))
        ids[batch].functions[i] = next++;
  }
  for (Id function = 0; function < next; ++function)
    head.chunks.front().functions.push_back(function);
}

void JoinPlan::number(const Workers &workers) {
  using Taken = std::pair<Id *, bool>;
  for (size_t batch = 0; batch < batches.size(); ++batch) {
    const BatchOutline &of = batches[batch];
    ids[batch].blocks.assign(of.blocks, none);
    ids[batch].ops.assign(of.ops, none);
    ids[batch].values.assign(of.values, none);
    ids[batch].events.assign(of.events, none);
    ids[batch].deallocs.assign(size_t(of.endOfDeallocs), none);
  }
  // Of what a stage added, one batch has enough; it stands at the end.
  auto takeIf = [&](size_t batch, bool apart, Id &place) {
    return Taken{!apart || batch == addedBy ? &place : nullptr, apart};
  };
  auto takeBlock = [&](size_t batch, Id id) {
    const bool isRoot = id == 0 && batch > 0;
    return isRoot ? Taken{nullptr, false}
                  : takeIf(batch, batches[batch].apartBlocks[size_t(id)],
                           ids[batch].blocks[size_t(id)]);
  };
  auto takeOp = [&](size_t batch, Id id) {
    const bool isRoot = id == 0 && batch > 0;
    const bool isBorrowed = std::ranges::binary_search(borrowed[batch], id);
    return isRoot || isBorrowed
               ? Taken{nullptr, false}
               : takeIf(batch, batches[batch].apartOps[size_t(id)],
                        ids[batch].ops[size_t(id)]);
  };
  auto takeValue = [&](size_t batch, Id id) {
    return takeIf(batch, batches[batch].apartValues[size_t(id)],
                  ids[batch].values[size_t(id)]);
  };
  auto takeEvent = [&](size_t batch, Id id) {
    Id &place = ids[batch].events[size_t(id)];
    // A stage ends once.
    if (batches[batch].stageEnds[size_t(id)])
      return Taken{batch + 1 == batches.size() ? &place : nullptr, true};
    return takeIf(batch, batches[batch].apartEvents[size_t(id)], place);
  };
  auto takeDealloc = [&](size_t batch, Id id) {
    return Taken{&ids[batch].deallocs[size_t(id)], false};
  };
  auto numberAll = [&](Id StageStart::*start, auto take) {
    Id next = 0;
    for (size_t stage = 0; stage < stageCount(); ++stage)
      numberStage(stage, start, next, take);
  };
  const std::function<void()> lists[] = {
      [&] { numberAll(&StageStart::op, takeOp); },
      [&] { numberAll(&StageStart::event, takeEvent); },
      [&] { numberAll(&StageStart::value, takeValue); },
      [&] { numberAll(&StageStart::block, takeBlock); },
      [&] { numberAll(&StageStart::dealloc, takeDealloc); }};
  workers(std::size(lists), [&](size_t list) { lists[list](); });
  for (size_t batch = 1; batch < batches.size(); ++batch)
    ids[batch].blocks[0] = ids[batch].ops[0] = 0;
}

/// What a batch only borrows is what another one has at that place.
void JoinPlan::resolveBorrowed() {
  std::unordered_map<uint32_t, Id> ops, functions;
  for (size_t batch = 0; batch < batches.size(); ++batch) {
    const BatchOutline &of = batches[batch];
    for (const BatchOutline::Placed &op : of.topLevel)
      if (const Id id = ids[batch].ops[size_t(op.op)]; id != none)
        ops[op.begin] = id;
    for (size_t i = 0; i < of.functions.size(); ++i)
      if (const Id id = ids[batch].functions[i]; id != none)
        functions[of.functions[i].begin] = id;
  }
  auto at = [](const std::unordered_map<uint32_t, Id> &all, uint32_t begin) {
    auto found = all.find(begin);
    return found == all.end() ? none : found->second;
  };
  for (size_t batch = 0; batch < batches.size(); ++batch) {
    const BatchOutline &of = batches[batch];
    for (size_t i = 0; i < of.topLevel.size(); ++i)
      if (i < of.opsBefore || i >= of.opsBefore + of.opsOwn)
        ids[batch].ops[size_t(of.topLevel[i].op)] =
            at(ops, of.topLevel[i].begin);
    for (size_t i = 0; i < of.functions.size(); ++i)
      if (Id &id = ids[batch].functions[i]; id == none)
        id = at(functions, of.functions[i].begin);
  }
}

void JoinPlan::joinModule() {
  body = batches.front().body;
  for (size_t batch = 0; batch < batches.size(); ++batch) {
    const BatchOutline &of = batches[batch];
    body.begin = std::min(body.begin, of.body.begin);
    body.end = std::max(body.end, of.body.end);
    for (size_t i = 0; i < of.opsOwn; ++i)
      topLevel.push_back(
          ids[batch].ops[size_t(of.topLevel[of.opsBefore + i].op)]);
  }
}

//===--- All --------------------------------------------------------------===//

/// The stages' texts, and whether they changed anything.
bool JoinPlan::joinStages(const Workers &workers) {
  const std::vector<Stage> &first = batches.front().head.chunks.front().stages;
  std::deque<StageTexts> texts;
  std::vector<BatchPart> parts;
  for (const BatchOutline &batch : batches) {
    texts.emplace_back(batch.head);
    parts.push_back(batch.part());
  }
  // By stage, of each batch.
  std::vector<std::vector<std::string_view>> printed(
      first.size(), std::vector<std::string_view>(batches.size()));
  workers(batches.size(), [&](size_t batch) {
    for (size_t stage = 0; stage < first.size(); ++stage)
      printed[stage][batch] = texts[batch].get(0, int(stage)).value_or("");
  });
  std::vector<std::optional<std::string>> joined(first.size());
  workers(first.size(), [&](size_t stage) {
    joined[stage] = printed[stage].front().empty()
                        ? std::string()
                        : joinModules(parts, printed[stage]);
  });
  if (std::find(joined.begin(), joined.end(), std::nullopt) != joined.end())
    return false;
  texts.clear();
  std::vector<Stage> &stages = head.chunks.front().stages;
  stages.resize(first.size());
  workers(first.size(), [&](size_t number) {
    Stage &stage = stages[number];
    stage.number = first[number].number;
    stage.name = first[number].name;
    std::string_view before;
    if (number > 0)
      before = *joined[number - 1];
    stage.changed = number == 0 || *joined[number] != before;
    if (stage.changed)
      keepText(stage, before, *joined[number]);
  });
  return true;
}

std::optional<JoinPlan> JoinPlan::of(std::vector<BatchOutline> batches,
                                     Source source, const Workers &workers) {
  JoinPlan plan;
  plan.batches = std::move(batches);
  plan.ids.resize(plan.batches.size());
  plan.borrowed.resize(plan.batches.size());
  if (!plan.fitsTogether())
    return std::nullopt;
  const Trace &first = plan.batches.front().head;
  plan.head.toolVersion = first.toolVersion;
  plan.head.llvmVersion = first.llvmVersion;
  plan.head.options = first.options;
  plan.head.source = std::move(source);
  plan.head.chunks.resize(1);
  plan.head.chunks.front().id = 0;
  plan.head.chunks.front().range = first.chunks.front().range;
  if (!plan.joinStages(workers))
    return std::nullopt;
  plan.findBorrowed();
  plan.numberFunctions();
  plan.number(workers);
  plan.resolveBorrowed();
  plan.joinModule();
  return plan;
}

} // namespace memreflens::trace
