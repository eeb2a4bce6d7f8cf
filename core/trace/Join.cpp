//===- core/trace/Join.cpp ------------------------------------------------===//

#include "core/trace/Join.h"
#include "core/trace/Fields.h"
#include "core/trace/StageTexts.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <map>
#include <unordered_map>

namespace memreflens::trace {

//===--- Texts ------------------------------------------------------------===//

namespace {
/// A printed module: names of attributes in front of it, its first line, each
/// of its ops, its last line.
struct PrintedModule {
  /// `#map = affine_map<...>`
  std::vector<std::string_view> aliases;
  std::string_view head, tail;
  std::vector<std::string_view> ops;
};
} // namespace

/// Whether an op of the module begins with this line: what goes on with one
/// stands deeper, or begins with a bracket or a block's name.
static bool beginsOp(std::string_view line) {
  return line.size() > 2 && line.starts_with("  ") &&
         std::string_view(" })]^").find(line[2]) == std::string_view::npos;
}

static std::optional<PrintedModule> takeApart(std::string_view text) {
  PrintedModule module;
  size_t opBegin = 0;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    std::string_view line = text.substr(at, end - at);
    bool isTail = line.starts_with("}");
    if (module.head.empty() && line.starts_with("#"))
      module.aliases.push_back(line);
    else if (module.head.empty())
      module.head = line;
    else if (isTail || beginsOp(line)) {
      if (opBegin > 0)
        module.ops.push_back(text.substr(opBegin, at - opBegin));
      opBegin = at;
    }
    if (isTail) {
      module.tail = text.substr(at);
      break;
    }
    at = end;
  }
  bool isWhole = module.head.starts_with("module") &&
                 module.head.ends_with("{\n") &&
                 (module.tail == "}\n" || module.tail == "}\n\n");
  return isWhole ? std::optional(std::move(module)) : std::nullopt;
}

static size_t endOfWord(std::string_view text, size_t at) {
  while (at < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[at])) ||
          text[at] == '_' || text[at] == '$' || text[at] == '.'))
    ++at;
  return at;
}

namespace {
/// Names of attributes, as a whole module has them: MLIR numbers those of one
/// kind in the order in which it comes upon them.
class AliasNames {
public:
  /// False for one whose place depends on others.
  bool add(const std::vector<std::string_view> &aliases);
  /// Lines in front of the module. After this, no more are added.
  std::string lines();
  /// The text of a module with these aliases, under their names in the whole.
  std::string rename(const std::vector<std::string_view> &aliases,
                     std::string_view text) const;

private:
  using Definition = std::pair<std::string, std::string>;
  /// What comes before and behind the number in "#map3 = affine_map<...>".
  static std::optional<Definition> partsOf(std::string_view line);

  /// By kind ("#map"), what each is, in order.
  std::map<std::string, std::vector<std::string>> kinds;
  std::map<Definition, std::string> names;
};
} // namespace

std::optional<AliasNames::Definition>
AliasNames::partsOf(std::string_view line) {
  size_t end = endOfWord(line, 1), digits = end;
  while (digits > 1 &&
         std::isdigit(static_cast<unsigned char>(line[digits - 1])))
    --digits;
  std::string_view value = line.substr(end);
  // One that is made of others is sorted behind them.
  if (!value.starts_with(" = ") || value.find_first_of("#!\"") != value.npos)
    return std::nullopt;
  return Definition{line.substr(0, digits), value};
}

bool AliasNames::add(const std::vector<std::string_view> &aliases) {
  for (std::string_view line : aliases) {
    std::optional<Definition> parts = partsOf(line);
    if (!parts)
      return false;
    if (names.try_emplace(*parts).second)
      kinds[parts->first].push_back(parts->second);
  }
  return true;
}

std::string AliasNames::lines() {
  std::string text;
  for (const auto &[kind, values] : kinds)
    for (size_t i = 0; i < values.size(); ++i) {
      std::string &name = names[{kind, values[i]}];
      name = kind + (i == 0 ? "" : std::to_string(i));
      text += name + values[i];
    }
  return text;
}

std::string AliasNames::rename(const std::vector<std::string_view> &aliases,
                               std::string_view text) const {
  std::map<std::string_view, std::string_view> changed;
  for (std::string_view line : aliases) {
    std::string_view old = line.substr(0, endOfWord(line, 1));
    if (const std::string &now = names.at(*partsOf(line)); now != old)
      changed[old] = now;
  }
  std::string renamed;
  bool inString = false;
  size_t done = 0;
  for (size_t at = 0; at < text.size() && !changed.empty(); ++at) {
    if (inString && text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      inString = !inString;
    else if (!inString && text[at] == '#') {
      size_t end = endOfWord(text, at + 1);
      auto now = changed.find(text.substr(at, end - at));
      if (now == changed.end())
        continue;
      renamed.append(text, done, at - done).append(now->second);
      done = end;
      at = end - 1;
    }
  }
  return renamed.append(text, done);
}

std::optional<std::string>
joinModules(const std::vector<BatchTrace> &batches,
            const std::vector<std::string_view> &texts) {
  std::vector<PrintedModule> modules;
  AliasNames aliases;
  for (size_t i = 0; i < batches.size(); ++i) {
    std::optional<PrintedModule> module = takeApart(texts[i]);
    const size_t read = batches[i].trace.blocks.front().ops.size();
    if (!module || module->ops.size() < read || module->ops.size() > read + 1 ||
        !aliases.add(module->aliases) ||
        (i > 0 && (modules.front().head != module->head ||
                   modules.front().tail != module->tail)))
      return std::nullopt;
    modules.push_back(std::move(*module));
  }
  std::string joined = aliases.lines(), added;
  size_t bytes = joined.size();
  for (std::string_view text : texts)
    bytes += text.size();
  joined.reserve(bytes);
  joined += modules.front().head;
  for (size_t i = 0; i < batches.size(); ++i) {
    const std::vector<std::string_view> &ops = modules[i].ops;
    auto textOf = [&](size_t op) {
      return aliases.rename(modules[i].aliases, ops[op]);
    };
    for (size_t op = 0; op < batches[i].opsOwn; ++op)
      joined += textOf(batches[i].opsBefore + op);
    if (ops.size() == batches[i].trace.blocks.front().ops.size())
      continue;
    std::string last = textOf(ops.size() - 1);
    if (!added.empty() && added != last)
      return std::nullopt;
    added = std::move(last);
  }
  return joined.append(added).append(modules.front().tail);
}

//===--- Ids --------------------------------------------------------------===//

namespace {
/// New ids of one batch's records, by old ones; `none` for what is left out.
struct NewIds {
  std::vector<Id> functions, blocks, ops, values, events, deallocs;
};

class Joiner {
public:
  Joiner(std::vector<BatchTrace> &batches, const Workers &workers);
  std::optional<Trace> run(Source source);

private:
  bool fitsTogether() const;
  void findBorrowed(size_t batch);
  void findApart(size_t batch);
  void number();
  void numberFunctions();
  template <class Take>
  void numberStage(size_t stage, Id StageStart::*start, Id &next, Take take);
  void resolveBorrowed();
  void moveBatch(size_t batch, Trace &into);
  void moveRecords(Trace &into);
  bool joinStages(Trace &into);

  std::pair<Id, Id> rangeOf(size_t batch, size_t stage,
                            Id StageStart::*start) const;

  std::vector<BatchTrace> &batches;
  const Workers &workers;
  std::vector<NewIds> ids;
  /// By batch: top-level ops that another one answers for.
  std::vector<std::vector<Id>> borrowed;
  /// By batch: blocks of a function that a stage added.
  std::vector<std::vector<bool>> isApart;
  /// The first batch that has such: it answers for them.
  size_t addedBy = SIZE_MAX;
};

/// Gives every id and range of a record its new value.
class Renumberer {
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
} // namespace

Joiner::Joiner(std::vector<BatchTrace> &batches, const Workers &workers)
    : batches(batches), workers(workers), ids(batches.size()),
      borrowed(batches.size()), isApart(batches.size()) {}

/// Each is of one module with as many ops as its text has, and ran as far.
bool Joiner::fitsTogether() const {
  const BatchTrace &first = batches.front();
  return std::all_of(
      batches.begin(), batches.end(), [&](const BatchTrace &batch) {
        const Trace &trace = batch.trace;
        return trace.problems.empty() && trace.aliases.empty() &&
               trace.bufferizations.empty() && trace.chunks.size() == 1 &&
               trace.chunks.front().parsed &&
               trace.chunks.front().stages.size() ==
                   first.trace.chunks.front().stages.size() &&
               batch.starts.size() == first.starts.size() &&
               !batch.starts.empty() && !trace.ops.empty() &&
               trace.ops.front().name == "builtin.module" &&
               !trace.blocks.empty() && trace.blocks.front().parentOp == 0 &&
               trace.blocks.front().ops.size() >= batch.opsOwn &&
               batch.opsBefore <=
                   trace.blocks.front().ops.size() - batch.opsOwn;
      });
}

/// A function that a stage added to the module.
static bool isAdded(const Op &op) {
  return op.generated && op.block == none && op.id != 0 && op.origin == 0;
}

void Joiner::findBorrowed(size_t batch) {
  const std::vector<Id> &ops = batches[batch].trace.blocks.front().ops;
  for (size_t i = 0; i < ops.size(); ++i)
    if (i < batches[batch].opsBefore ||
        i >= batches[batch].opsBefore + batches[batch].opsOwn)
      borrowed[batch].push_back(ops[i]);
}

void Joiner::findApart(size_t batch) {
  const Trace &trace = batches[batch].trace;
  enum : uint8_t { unknown, apart, inside };
  std::vector<uint8_t> known(trace.blocks.size(), unknown);
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
    isApart[batch].push_back(is == apart);
    if (is == apart)
      addedBy = std::min(addedBy, batch);
  }
}

/// Records of a list that came with a stage; with what was read for stage 0 if
/// there is none in front.
std::pair<Id, Id> Joiner::rangeOf(size_t batch, size_t stage,
                                  Id StageStart::*start) const {
  const BatchTrace &of = batches[batch];
  StageStart end{Id(of.trace.blocks.size()), Id(of.trace.ops.size()),
                 Id(of.trace.values.size()), Id(of.trace.events.size()),
                 of.endOfDeallocs};
  Id from = stage == 0 ? 0 : of.starts[stage - 1].*start;
  Id to = stage < of.starts.size() ? of.starts[stage].*start : end.*start;
  return {from, to};
}

/// `take(batch, id)` is the table in which the id is kept, or null if it is
/// left out, and whether it comes behind those of all batches.
template <class Take>
void Joiner::numberStage(size_t stage, Id StageStart::*start, Id &next,
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

void Joiner::numberFunctions() {
  Id next = 0;
  for (size_t batch = 0; batch < batches.size(); ++batch) {
    const Trace &trace = batches[batch].trace;
    ids[batch].functions.assign(trace.functions.size(), none);
    for (const Function &function : trace.functions)
      if (std::find(borrowed[batch].begin(), borrowed[batch].end(),
                    function.op) == borrowed[batch].end())
        ids[batch].functions[size_t(function.id)] = next++;
  }
}

void Joiner::number() {
  using Taken = std::pair<Id *, bool>;
  const size_t stages = batches.front().starts.size();
  for (size_t batch = 0; batch < batches.size(); ++batch) {
    const Trace &trace = batches[batch].trace;
    ids[batch].blocks.assign(trace.blocks.size(), none);
    ids[batch].ops.assign(trace.ops.size(), none);
    ids[batch].values.assign(trace.values.size(), none);
    ids[batch].events.assign(trace.events.size(), none);
    ids[batch].deallocs.assign(size_t(batches[batch].endOfDeallocs), none);
  }
  auto isAt = [&](size_t batch, Id block) {
    return block != none && isApart[batch][size_t(block)];
  };
  // Of what a stage added, one batch has enough; it stands at the end.
  auto takeIf = [&](size_t batch, bool apart, Id &place) {
    return Taken{!apart || batch == addedBy ? &place : nullptr, apart};
  };
  auto takeBlock = [&](size_t batch, Id id) {
    bool isRoot = id == 0 && batch > 0;
    return isRoot ? Taken{nullptr, false}
                  : takeIf(batch, isAt(batch, id), ids[batch].blocks[id]);
  };
  auto takeOp = [&](size_t batch, Id id) {
    const Op &op = batches[batch].trace.ops[size_t(id)];
    bool isRoot = id == 0 && batch > 0;
    bool isBorrowed = std::find(borrowed[batch].begin(), borrowed[batch].end(),
                                id) != borrowed[batch].end();
    bool apart = isAdded(op) || isAt(batch, op.block);
    return isRoot || isBorrowed ? Taken{nullptr, false}
                                : takeIf(batch, apart, ids[batch].ops[id]);
  };
  auto takeValue = [&](size_t batch, Id id) {
    Id block = batches[batch].trace.values[size_t(id)].block;
    return takeIf(batch, isAt(batch, block), ids[batch].values[id]);
  };
  auto takeEvent = [&](size_t batch, Id id) {
    const Event &event = batches[batch].trace.events[size_t(id)];
    // A stage ends once.
    if (std::holds_alternative<StageEvent>(event.detail))
      return Taken{
          batch + 1 == batches.size() ? &ids[batch].events[id] : nullptr, true};
    bool apart = event.function == none && isAt(batch, event.block);
    return takeIf(batch, apart, ids[batch].events[id]);
  };
  auto takeDealloc = [&](size_t batch, Id id) {
    return Taken{&ids[batch].deallocs[id], false};
  };
  auto numberAll = [&](Id StageStart::*start, auto take) {
    Id next = 0;
    for (size_t stage = 0; stage <= stages; ++stage)
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
void Joiner::resolveBorrowed() {
  std::unordered_map<uint32_t, Id> ops, functions;
  for (size_t batch = 0; batch < batches.size(); ++batch) {
    const Trace &trace = batches[batch].trace;
    for (Id op : trace.blocks.front().ops)
      if (ids[batch].ops[size_t(op)] != none)
        ops[trace.ops[size_t(op)].range.begin] = ids[batch].ops[size_t(op)];
    for (const Function &function : trace.functions)
      if (Id id = ids[batch].functions[size_t(function.id)]; id != none)
        functions[function.range.begin] = id;
  }
  auto at = [](const std::unordered_map<uint32_t, Id> &all, uint32_t begin) {
    auto found = all.find(begin);
    return found == all.end() ? none : found->second;
  };
  for (size_t batch = 0; batch < batches.size(); ++batch) {
    const Trace &trace = batches[batch].trace;
    for (Id op : borrowed[batch])
      ids[batch].ops[size_t(op)] = at(ops, trace.ops[size_t(op)].range.begin);
    for (const Function &function : trace.functions)
      if (Id &id = ids[batch].functions[size_t(function.id)]; id == none)
        id = at(functions, function.range.begin);
  }
}

/// Moves those that have a new place there, which is their `id` then.
template <class T>
static void moveAll(std::vector<T> &from, std::vector<T> &into,
                    const std::vector<Id> &ids, const Renumberer &renumberer,
                    const std::vector<bool> &isLeftOut) {
  for (size_t i = 0; i < from.size(); ++i) {
    if (ids[i] == none || isLeftOut[i])
      continue;
    T &record = into[size_t(ids[i])];
    record = std::move(from[i]);
    renumberer.record(record);
    record.id = ids[i];
  }
}

static size_t countOf(const std::vector<NewIds> &ids,
                      std::vector<Id> NewIds::*table) {
  Id last = none;
  for (const NewIds &one : ids)
    for (Id id : one.*table)
      last = std::max(last, id);
  return size_t(last + 1);
}

void Joiner::moveBatch(size_t batch, Trace &into) {
  Trace &from = batches[batch].trace;
  Renumberer renumberer(ids[batch]);
  std::vector<bool> ops(from.ops.size()), functions(from.functions.size()),
      blocks(from.blocks.size()), values(from.values.size()),
      events(from.events.size());
  for (Id op : borrowed[batch])
    ops[size_t(op)] = true;
  for (const Function &function : from.functions)
    functions[size_t(function.id)] =
        function.op != none && ops[size_t(function.op)];
  ops[0] = blocks[0] = batch > 0;
  const NewIds &to = ids[batch];
  moveAll(from.functions, into.functions, to.functions, renumberer, functions);
  moveAll(from.blocks, into.blocks, to.blocks, renumberer, blocks);
  moveAll(from.ops, into.ops, to.ops, renumberer, ops);
  moveAll(from.values, into.values, to.values, renumberer, values);
  moveAll(from.events, into.events, to.events, renumberer, events);
  from = {};
}

void Joiner::moveRecords(Trace &into) {
  auto makeRoom = [&](auto &records, std::vector<Id> NewIds::*table) {
    records.resize(countOf(ids, table));
  };
  // Most of it is the first touch of so much memory.
  const std::function<void()> lists[] = {
      [&] { makeRoom(into.ops, &NewIds::ops); },
      [&] { makeRoom(into.events, &NewIds::events); },
      [&] { makeRoom(into.values, &NewIds::values); },
      [&] { makeRoom(into.blocks, &NewIds::blocks); },
      [&] { makeRoom(into.functions, &NewIds::functions); }};
  workers(std::size(lists), [&](size_t list) { lists[list](); });
  std::vector<Id> topLevel;
  Range range = batches.front().trace.blocks.front().range;
  for (size_t batch = 0; batch < batches.size(); ++batch) {
    const Block &body = batches[batch].trace.blocks.front();
    const std::vector<Id> &ops = body.ops;
    range.begin = std::min(range.begin, body.range.begin);
    range.end = std::max(range.end, body.range.end);
    for (size_t i = 0; i < batches[batch].opsOwn; ++i)
      topLevel.push_back(
          ids[batch].ops[size_t(ops[batches[batch].opsBefore + i])]);
  }
  workers(batches.size(), [&](size_t batch) { moveBatch(batch, into); });
  into.blocks.front().ops = std::move(topLevel);
  into.blocks.front().range = range;
  for (const Function &function : into.functions)
    into.chunks.front().functions.push_back(function.id);
}

/// The stages' texts, and whether they changed anything.
bool Joiner::joinStages(Trace &into) {
  const std::vector<Stage> &first = batches.front().trace.chunks.front().stages;
  std::deque<StageTexts> texts;
  for (const BatchTrace &batch : batches)
    texts.emplace_back(batch.trace);
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
                        : joinModules(batches, printed[stage]);
  });
  if (std::find(joined.begin(), joined.end(), std::nullopt) != joined.end())
    return false;
  std::vector<Stage> &stages = into.chunks.front().stages;
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

std::optional<Trace> Joiner::run(Source source) {
  if (!fitsTogether())
    return std::nullopt;
  Trace joined;
  const Trace &first = batches.front().trace;
  joined.toolVersion = first.toolVersion;
  joined.llvmVersion = first.llvmVersion;
  joined.options = first.options;
  joined.source = std::move(source);
  joined.chunks.resize(1);
  joined.chunks.front().id = 0;
  joined.chunks.front().range = first.chunks.front().range;
  if (!joinStages(joined))
    return std::nullopt;
  for (size_t batch = 0; batch < batches.size(); ++batch) {
    findBorrowed(batch);
    findApart(batch);
  }
  numberFunctions();
  number();
  resolveBorrowed();
  moveRecords(joined);
  for (Event &event : joined.events)
    if (auto *stage = std::get_if<StageEvent>(&event.detail))
      stage->changed =
          joined.chunks.front().stages[size_t(event.stage)].changed;
  return joined;
}

std::optional<Trace> joinTraces(std::vector<BatchTrace> batches, Source source,
                                const Workers &workers) {
  return Joiner(batches, workers).run(std::move(source));
}

} // namespace memreflens::trace
