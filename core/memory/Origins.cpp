//===- core/memory/Origins.cpp --------------------------------------------===//

#include "core/memory/Origins.h"
#include "core/explain/Words.h"
#include "core/text/Bytes.h"
#include "core/trace/Symbol.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace memreflens::memory {

std::string_view nameOf(OriginBy by) {
  switch (by) {
  case OriginBy::op:
    return "op";
  case OriginBy::loc:
    return "loc";
  case OriginBy::callee:
    return "callee";
  }
  return {};
}

namespace {
/// What a buffer is filled from.
enum class Source : uint8_t { other, argument, constant };

struct Filler {
  std::string op;
  Source source = Source::other;
  /// It is what the call returns.
  bool isCall = false;
  auto operator<=>(const Filler &) const = default;
};

/// Who uses each buffer of a function first.
class Fillers {
public:
  Fillers(const Lookup &lookup, const MemoryUse &use);
  Filler of(const Buffer &buffer) const;

private:
  Source sourceOf(const trace::Op &op, Id filled) const;

  const Lookup &lookup;
  /// By buffer: the op.
  std::unordered_map<Id, Id> first;
};
} // namespace

/// An op that gives a view of its operand, or a value for all elements, says
/// nothing of what the buffer is for.
static bool isPassive(const trace::Op &op) {
  return op.name == "linalg.fill" || op.name == "memref.dim" ||
         op.name == "memref.dealloc" || op.name == "memref.assume_alignment";
}

Fillers::Fillers(const Lookup &lookup, const MemoryUse &use) : lookup(lookup) {
  std::unordered_set<Id> wanted;
  for (const Buffer &buffer : use.buffers)
    wanted.insert(buffer.value);
  for (Id step : use.steps) {
    const trace::Op *op = lookup.op(step);
    if (!op || isPassive(*op) || op->isTerminator)
      continue;
    const bool givesView = std::ranges::any_of(op->results, [&](Id result) {
      return lookup.bufferOf(result) != result;
    });
    for (Id operand : givesView ? std::vector<Id>() : op->operands)
      if (const Id buffer = lookup.bufferOf(operand); wanted.contains(buffer))
        first.try_emplace(buffer, step);
  }
}

Source Fillers::sourceOf(const trace::Op &op, Id filled) const {
  size_t arguments = 0, constants = 0, others = 0;
  for (Id operand : op.operands) {
    const trace::Value *value = lookup.value(operand);
    const Id buffer = lookup.bufferOf(operand);
    const trace::Value *known = lookup.value(buffer);
    if (!value || !value->isMemref || buffer == filled || !known)
      continue;
    const trace::Block *block = lookup.block(known->block);
    const trace::Op *maker = lookup.op(known->op);
    const trace::Function *home =
        block ? lookup.function(block->function) : nullptr;
    const bool isArgument = known->kind == trace::ValueKind::argument && home &&
                            !home->blocks.empty() &&
                            home->blocks.front() == block->id;
    (isArgument                                    ? arguments
     : maker && maker->name == "memref.get_global" ? constants
                                                   : others) += 1;
  }
  return others > 0      ? Source::other
         : arguments > 0 ? (constants > 0 ? Source::other : Source::argument)
         : constants > 0 ? Source::constant
                         : Source::other;
}

Filler Fillers::of(const Buffer &buffer) const {
  if (buffer.isFromCall) {
    const trace::Op *call = lookup.op(buffer.op);
    const trace::Function *callee = call ? lookup.calleeOf(*call) : nullptr;
    return {callee ? "a call of " + trace::symbolText(callee->name)
                   : std::string("a call"),
            Source::other, true};
  }
  auto known = first.find(buffer.value);
  const trace::Op *op =
      known == first.end() ? nullptr : lookup.op(known->second);
  if (const trace::Function *callee = op ? lookup.calleeOf(*op) : nullptr)
    return {"a call of " + trace::symbolText(callee->name), Source::other};
  return op ? Filler{op->name, sourceOf(*op, buffer.value)}
            : Filler{"nothing", Source::other};
}

static std::string nameOf(const Filler &filler) {
  return filler.op + (filler.source == Source::argument   ? " of arguments"
                      : filler.source == Source::constant ? " of constants"
                                                          : "");
}

/// "layer3, model.py:12:3"; the deeper ones only where they are few.
static std::string locationOf(const trace::CostSite &site) {
  constexpr size_t mostLevels = 3;
  std::string text;
  for (size_t i = 0; i < std::min(site.sources.size(), mostLevels); ++i)
    text += (i ? ", " : "") + site.sources[i];
  return text;
}

/// By the op that allocates; those of this text have none.
static std::unordered_map<Id, std::string>
locationsIn(const trace::Function &function) {
  std::unordered_map<Id, std::string> locations;
  for (const trace::CostSite &site : function.costs)
    if (!site.sources.empty())
      locations.try_emplace(site.op, locationOf(site));
  return locations;
}

namespace {
class Sums {
public:
  void add(const std::string &name, uint64_t bytes, size_t buffers = 1) {
    Origin &origin = byName[name];
    origin.name = name;
    origin.bytes += bytes;
    origin.buffers += buffers;
  }
  std::vector<Origin> take() const {
    std::vector<Origin> all;
    for (const auto &[name, origin] : byName)
      all.push_back(origin);
    std::ranges::stable_sort(all, std::ranges::greater(), &Origin::bytes);
    return all;
  }

private:
  std::map<std::string, Origin> byName;
};
} // namespace

std::vector<Origin> originsOf(const Lookup &lookup, const MemoryUse &use,
                              OriginBy by) {
  Sums sums;
  const Fillers fillers(lookup, use);
  const std::unordered_map<Id, std::string> locations =
      by == OriginBy::loc ? locationsIn(*lookup.function(use.function))
                          : std::unordered_map<Id, std::string>();
  for (size_t index : use.alive) {
    const Buffer &buffer = use.buffers[index];
    switch (by) {
    case OriginBy::op:
      sums.add(nameOf(fillers.of(buffer)), buffer.bytes);
      break;
    case OriginBy::loc:
      if (auto known = locations.find(buffer.op); known != locations.end())
        sums.add(known->second, buffer.bytes);
      else
        sums.add("this text", buffer.bytes);
      break;
    case OriginBy::callee: {
      const trace::Op *call =
          buffer.isFromCall ? lookup.op(buffer.op) : nullptr;
      const trace::Function *callee = call ? lookup.calleeOf(*call) : nullptr;
      sums.add(callee ? trace::symbolText(callee->name) : "@" + use.name,
               buffer.bytes);
      break;
    }
    }
  }
  for (const ElsewhereBytes &one : use.elsewhere) {
    const trace::Function *callee = lookup.function(one.callee);
    sums.add(!callee                  ? one.in
             : by == OriginBy::callee ? trace::symbolText(callee->name)
                                      : one.in,
             one.bytes, one.buffers.size());
  }
  return sums.take();
}

void addFills(const Lookup &lookup, MemoryUse &use) {
  Sums sums;
  const Fillers fillers(lookup, use);
  std::vector<std::string> names;
  for (const Buffer &buffer : use.buffers) {
    names.push_back(nameOf(fillers.of(buffer)));
    sums.add(names.back(), buffer.bytes);
  }
  std::unordered_map<std::string, size_t> positions;
  for (const Origin &origin : sums.take()) {
    positions.emplace(origin.name, use.fills.size());
    use.fills.push_back(origin.name);
  }
  for (size_t i = 0; i < names.size(); ++i)
    use.buffers[i].fill = positions.at(names[i]);
}

std::string leadingOrigin(const Lookup &lookup, const MemoryUse &use) {
  std::map<Filler, Origin> sums;
  const Fillers fillers(lookup, use);
  for (size_t index : use.alive) {
    Origin &sum = sums[fillers.of(use.buffers[index])];
    sum.bytes += use.buffers[index].bytes;
    ++sum.buffers;
  }
  auto most = std::ranges::max_element(
      sums, {}, [](const auto &entry) { return entry.second.bytes; });
  if (most == sums.end() || most->second.buffers < 2 ||
      most->second.bytes <= use.peakBytes / 4 || most->first.op == "nothing")
    return {};
  const auto &[filler, sum] = *most;
  return bytesText(sum.bytes) + " of it in " + counted(sum.buffers, "buffer") +
         " that " + filler.op + (filler.isCall ? " returns" : " fills") +
         (filler.source == Source::argument   ? " from arguments"
          : filler.source == Source::constant ? " from constants"
                                              : "");
}

} // namespace memreflens::memory
