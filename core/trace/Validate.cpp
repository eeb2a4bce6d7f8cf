//===- core/trace/Validate.cpp - does this trace hold together? -----------===//
//
// Walks Fields.h for ids, bounds and ranges, then compares what the records say
// about each other.
//
//===----------------------------------------------------------------------===//

#include "core/trace/Validate.h"

#include "core/trace/Fields.h"
#include "core/trace/Names.h"

#include <algorithm>

namespace memreflens::trace {

namespace {

std::string at(const char *list, size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

/// Checks one record at a time; stops at the first fault.
class FieldChecker {
public:
  explicit FieldChecker(const Trace &trace) : trace(trace) {}

  std::string path;
  std::string error;

  bool checkAll() {
    bool good = true;
    fields::forEach<Trace>([&](const auto &field) {
      good = good && (check(trace.*field.member, field) || failIn(field.name));
    });
    return good;
  }

private:
  bool fail(std::string message) {
    error = std::move(message);
    return false;
  }
  bool failIn(const std::string &part) {
    bool joined = path.empty() || path.front() == '[';
    path = joined ? part + path : part + "." + path;
    return false;
  }
  bool failAt(size_t index) {
    std::string part = "[";
    part += std::to_string(index);
    part += ']';
    return failIn(part);
  }

  template <class T, class Field>
  bool check(const T &value, const Field &field) {
    if constexpr (std::is_same_v<T, Range>)
      return checkRange(value);
    else if constexpr (std::is_same_v<T, bool> || std::is_enum_v<T> ||
                       std::is_same_v<T, std::string> ||
                       std::is_same_v<T, Name>)
      return true;
    else if constexpr (std::is_integral_v<T>)
      return checkNumber(value, field.ref, field.bounds);
    else
      return checkObject(value);
  }
  template <class T, class Field>
  bool check(const std::vector<T> &elements, const Field &field) {
    return checkElements(elements, field);
  }
  template <class T, class Field>
  bool check(const List<T> &elements, const Field &field) {
    return checkElements(elements, field);
  }
  template <class Elements, class Field>
  bool checkElements(const Elements &elements, const Field &field) {
    for (size_t i = 0; i < elements.size(); ++i) {
      bool good = check(elements[i], field);
      if constexpr (requires { elements[i].id; })
        good = good && checkSelf(elements[i].id, i);
      if (!good)
        return failAt(i);
    }
    return true;
  }

  template <class T> bool checkObject(const T &object) {
    if (!checkFields(object))
      return false;
    if constexpr (std::is_same_v<T, Event>)
      return std::visit([&](const auto &d) { return checkFields(d); },
                        object.detail);
    return true;
  }
  template <class T> bool checkFields(const T &object) {
    bool good = true;
    fields::forEach<T>([&](const auto &field) {
      good = good && (check(object.*field.member, field) || failIn(field.name));
    });
    return good;
  }

  bool checkRange(const Range &range) {
    if (range.begin > range.end)
      return fail("the range ends before it begins");
    if (range.end > trace.source.text.size())
      return fail("the range ends at " + std::to_string(range.end) +
                  ", past the source text's " +
                  std::to_string(trace.source.text.size()) + " bytes");
    return true;
  }
  bool checkSelf(Id id, size_t index) {
    if (id >= 0 && size_t(id) == index)
      return true;
    fail("expected " + std::to_string(index) + ", got " + std::to_string(id));
    return failIn("id");
  }
  bool checkNumber(int64_t number, fields::Ref ref, fields::Bounds bounds) {
    if (number < bounds.min || number > bounds.max)
      return fail("expected a number from " + std::to_string(bounds.min) +
                  " to " + std::to_string(bounds.max) + ", got " +
                  std::to_string(number));
    auto [what, size] = target(ref);
    if (number < int64_t(size))
      return true;
    return fail("there is no " + std::string(what) + " " +
                std::to_string(number) + " (the trace has " +
                std::to_string(size) + ")");
  }
  std::pair<const char *, size_t> target(fields::Ref ref) const {
    switch (ref) {
    case fields::Ref::chunk:
      return {"chunk", trace.chunks.size()};
    case fields::Ref::function:
      return {"function", trace.functions.size()};
    case fields::Ref::block:
      return {"block", trace.blocks.size()};
    case fields::Ref::op:
      return {"op", trace.ops.size()};
    case fields::Ref::value:
      return {"value", trace.values.size()};
    case fields::Ref::event:
      return {"event", trace.events.size()};
    case fields::Ref::notAnId:
    case fields::Ref::self:
    case fields::Ref::dealloc:
      break;
    }
    return {"", std::numeric_limits<size_t>::max() / 2};
  }

  const Trace &trace;
};

using Fault = std::optional<std::string>;

/// Every member names its holder: `members[i].*holderOf == holder`. A generated
/// op may have results that nothing names: those are `none`.
template <class T>
Fault checkMembers(const std::string &path, const std::vector<Id> &members,
                   const std::vector<T> &all, Id T::*holderOf, Id holder,
                   const char *what) {
  for (size_t i = 0; i < members.size(); ++i) {
    if (members[i] == none && std::is_same_v<T, Value>)
      continue;
    if (members[i] == none)
      return path + "[" + std::to_string(i) + "]: expected an id, got none";
    Id said = all[size_t(members[i])].*holderOf;
    if (said != holder)
      return path + "[" + std::to_string(i) + "]: " + what + " " +
             std::to_string(members[i]) + " says that it belongs to " +
             std::to_string(said);
  }
  return std::nullopt;
}

Fault checkHolders(const Trace &trace) {
  Fault fault;
  auto check = [&](auto &&...arguments) {
    if (!fault)
      fault = checkMembers(arguments...);
  };
  for (const Chunk &chunk : trace.chunks)
    check(at("chunks", chunk.id) + ".functions", chunk.functions,
          trace.functions, &Function::chunk, chunk.id, "function");
  for (const Function &function : trace.functions)
    check(at("functions", function.id) + ".blocks", function.blocks,
          trace.blocks, &Block::function, function.id, "block");
  for (const Block &block : trace.blocks) {
    check(at("blocks", block.id) + ".ops", block.ops, trace.ops, &Op::block,
          block.id, "op");
    check(at("blocks", block.id) + ".arguments", block.arguments, trace.values,
          &Value::block, block.id, "value");
  }
  for (const Op &op : trace.ops) {
    check(at("ops", op.id) + ".results", op.results, trace.values, &Value::op,
          op.id, "value");
    for (size_t i = 0; i < op.regions.size(); ++i)
      check(at("ops", op.id) + at(".regions", i), op.regions[i], trace.blocks,
            &Block::parentOp, op.id, "block");
  }
  return fault;
}

/// What every function, block and op of a program has is there.
Fault checkNothingMissing(const Trace &trace) {
  auto missing = [](const std::string &path) {
    return path + ": expected an id, got none";
  };
  auto hasNone = [](const std::vector<Id> &ids) {
    return std::find(ids.begin(), ids.end(), none) != ids.end();
  };
  for (const Function &function : trace.functions)
    if (function.chunk == none)
      return missing(at("functions", function.id) + ".chunk");
  for (const Block &block : trace.blocks) {
    if (hasNone(block.arguments))
      return missing(at("blocks", block.id) + ".arguments");
    if (hasNone(block.successors))
      return missing(at("blocks", block.id) + ".successors");
  }
  for (const Op &op : trace.ops)
    if (hasNone(op.successors))
      return missing(at("ops", op.id) + ".successors");
  return std::nullopt;
}

Fault checkStages(const Trace &trace) {
  for (const Chunk &chunk : trace.chunks)
    for (size_t i = 0; i < chunk.stages.size(); ++i)
      if (chunk.stages[i].number != int(i))
        return at("chunks", chunk.id) + at(".stages", i) +
               ".number: expected " + std::to_string(i) + ", got " +
               std::to_string(chunk.stages[i].number);
  return std::nullopt;
}

/// No op lies in a region of its own.
Fault checkNesting(const Trace &trace) {
  enum : uint8_t { unseen, onPath, good };
  std::vector<uint8_t> state(trace.blocks.size(), unseen);
  auto enclosing = [&](Id block) {
    Id op = trace.blocks[size_t(block)].parentOp;
    return op == none ? none : trace.ops[size_t(op)].block;
  };
  for (const Block &block : trace.blocks) {
    Id at = block.id;
    for (; at != none && state[size_t(at)] == unseen; at = enclosing(at))
      state[size_t(at)] = onPath;
    if (at != none && state[size_t(at)] == onPath)
      return trace::at("blocks", size_t(at)) + ".parentOp: the op lies inside "
                                               "this block";
    for (at = block.id; at != none && state[size_t(at)] == onPath;
         at = enclosing(at))
      state[size_t(at)] = good;
  }
  return std::nullopt;
}

/// Names the first pair of lists that should be of equal length and are not.
struct ParallelLists {
  const char *operator()(const LivenessEvent &event) const {
    bool good = event.keptAliveBy.size() == event.liveOut.size();
    return good ? nullptr : "keptAliveBy and liveOut";
  }
  const char *operator()(const OwnershipEvent &event) const {
    bool good = event.inputs.size() == event.inputOwnerships.size();
    return good ? nullptr : "inputs and inputOwnerships";
  }
  const char *operator()(const DeallocEvent &event) const {
    if (event.memrefs.size() != event.conditions.size())
      return "memrefs and conditions";
    if (event.memrefs.size() != event.bases.size())
      return "memrefs and bases";
    bool good = event.retained.size() == event.results.size();
    return good ? nullptr : "retained and results";
  }
  const char *operator()(const RewriteEvent &event) const {
    bool good = event.replaced.size() == event.replacements.size();
    return good ? nullptr : "replaced and replacements";
  }
  template <class Other> const char *operator()(const Other &) const {
    return nullptr;
  }
};

Fault checkParallelLists(const Trace &trace) {
  for (const Event &event : trace.events)
    if (const char *lists = std::visit(ParallelLists{}, event.detail))
      return at("events", event.id) + ": " + lists + " differ in length";
  return std::nullopt;
}

Fault checkAliases(const Trace &trace) {
  for (size_t i = 0; i < trace.aliases.size(); ++i) {
    const FunctionAliases &entry = trace.aliases[i];
    auto fault = [&](const char *what) {
      return "aliases[" + std::to_string(i) + "]: " + what;
    };
    for (const MemrefSources &memref : entry.memrefs)
      if (memref.sources.size() != memref.kinds.size())
        return fault("sources and kinds differ in length");
    for (const AliasPair &pair : entry.pairs)
      if (pair.first >= pair.second || pair.second >= entry.memrefs.size())
        return fault("a pair names no two memrefs of the list");
    for (const StatedPair &pair : entry.stated)
      if (std::max(pair.first, pair.second) >= entry.accesses.size())
        return fault("a stated pair names no accesses of the list");
  }
  return std::nullopt;
}

} // namespace

std::optional<std::string> validate(const Trace &trace) {
  FieldChecker checker(trace);
  if (!checker.checkAll())
    return checker.path + ": " + checker.error;
  for (auto *check : {checkHolders, checkNothingMissing, checkStages,
                      checkNesting, checkParallelLists, checkAliases})
    if (Fault fault = check(trace))
      return fault;
  return std::nullopt;
}

} // namespace memreflens::trace
