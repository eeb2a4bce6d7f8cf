//===- core/explain/Words.cpp ---------------------------------------------===//

#include "core/explain/Words.h"
#include "core/explain/IndicatorText.h"

#include <algorithm>
#include <unordered_set>

namespace memreflens {

using trace::Id;
using trace::none;

std::string listed(const std::vector<std::string> &items,
                   std::string_view last) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0)
      text += i + 1 == items.size() ? " " + std::string(last) + " " : ", ";
    text += items[i];
  }
  return text;
}

static std::vector<std::string> distinctNames(const Lookup &lookup,
                                              std::span<const Id> values) {
  std::vector<std::string> items;
  std::unordered_set<std::string> met;
  for (Id value : values)
    if (std::string name = lookup.name(value); met.insert(name).second)
      items.push_back(std::move(name));
  return items;
}

std::string names(const Lookup &lookup, std::span<const Id> values,
                  std::string_view last) {
  return listed(distinctNames(lookup, values), last);
}

/// More would not be read.
static constexpr size_t mostListed = 8;

static std::string listedFirst(std::vector<std::string> first, size_t count,
                               std::string_view last) {
  if (count > mostListed) {
    first.resize(std::min(first.size(), mostListed - 1));
    first.push_back(counted(count - first.size(), "other"));
  }
  return listed(first, last);
}

std::string listedFew(std::vector<std::string> items, std::string_view last) {
  const size_t count = items.size();
  return listedFirst(std::move(items), count, last);
}

std::string fewNames(const Lookup &lookup, std::span<const Id> values,
                     std::string_view last) {
  return listedFew(distinctNames(lookup, values), last);
}

std::string fewNames(const Lookup &lookup, std::span<const Id> values,
                     size_t distinct, std::string_view last) {
  std::vector<Id> first;
  for (Id value : values) {
    if (first.size() == mostListed)
      break;
    if (std::ranges::find(first, value) == first.end())
      first.push_back(value);
  }
  return listedFirst(distinctNames(lookup, first), distinct, last);
}

/// "remedies", "accesses", "arrays".
static std::string pluralOf(std::string_view noun) {
  const bool isLong = noun.ends_with('y') && noun.size() > 1 &&
                      std::string_view("aeiou").find(noun[noun.size() - 2]) ==
                          std::string_view::npos;
  if (isLong)
    return std::string(noun.substr(0, noun.size() - 1)) + "ies";
  return std::string(noun) + (noun.ends_with('s') ? "es" : "s");
}

std::string counted(size_t count, std::string_view noun) {
  return grouped(count) + " " +
         (count == 1 ? std::string(noun) : pluralOf(noun));
}

std::string ownershipWords(const Lookup &lookup,
                           const trace::Ownership &ownership) {
  switch (ownership.state) {
  case trace::OwnershipState::uninitialized:
    return "without ownership so far";
  case trace::OwnershipState::unknown:
    return "of unknown ownership";
  case trace::OwnershipState::unique:
    break;
  }
  if (int constant = lookup.constantOf(ownership.indicator); constant >= 0)
    return constant ? "owned" : "borrowed";
  return "owned if " + indicatorExpression(lookup, ownership.indicator);
}

namespace {
/// An edge as the user wrote it, where that is not what the pass saw.
struct EdgePath {
  /// From where it leaves to where it leads.
  std::vector<Id> blocks;
  /// Its number, where the terminator has several to one block; else -1.
  int32_t successor = -1;
};
} // namespace

static EdgePath pathOf(const Lookup &lookup, Id from, Id to, int32_t edge) {
  const trace::PassBlocks &blocks = lookup.getPassBlocks();
  const std::span<const Id> all = blocks.successorsOf(from);
  if (edge < 0)
    edge = int32_t(std::find(all.begin(), all.end(), to) - all.begin());
  Id past = none;
  if (auto users = blocks.usersEdge({from, edge})) {
    from = users->block;
    edge = users->number;
    Id written = lookup.block(from)->successors[size_t(edge)];
    past = written == to ? none : to;
    to = written;
  }
  EdgePath path{{from, to}, -1};
  if (past != none)
    path.blocks.push_back(past);
  const trace::Block *source = lookup.block(from);
  if (edge >= 0 && source &&
      std::count(source->successors.begin(), source->successors.end(), to) > 1)
    path.successor = edge;
  return path;
}

/// Of the first blocks.
static std::string pathWords(const Lookup &lookup, const EdgePath &path,
                             size_t count) {
  std::string words;
  for (size_t i = 0; i < count; ++i)
    words += (i ? " -> " : "") + lookup.blockName(path.blocks[i]);
  if (path.successor >= 0)
    words += " (successor " + std::to_string(path.successor) + ")";
  return words;
}

std::string edgeWords(const Lookup &lookup, Id from, Id to, int32_t edge) {
  const EdgePath path = pathOf(lookup, from, to, edge);
  return "edge " + pathWords(lookup, path, path.blocks.size());
}

std::string viaWords(const Lookup &lookup, Id from, Id to, int32_t edge) {
  const EdgePath path = pathOf(lookup, from, to, edge);
  return "via " + pathWords(lookup, path, path.blocks.size() - 1);
}

void addEvidence(Explanation &explanation, Evidence evidence) {
  auto &all = explanation.evidence;
  if (std::find(all.begin(), all.end(), evidence) == all.end())
    all.push_back(std::move(evidence));
}

} // namespace memreflens
