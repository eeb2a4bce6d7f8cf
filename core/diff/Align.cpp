//===- core/diff/Align.cpp ------------------------------------------------===//

#include "core/diff/Align.h"
#include "core/diff/Digest.h"
#include "core/diff/Sequence.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace memreflens::diff {

using trace::Id;
using trace::none;
using Ids = std::vector<Id>;

namespace {

/// One trace with the digests of its ops.
struct Side {
  explicit Side(const trace::Trace &trace, Partners &partners)
      : trace(trace), digests(digestsOf(trace)), partners(partners) {
    partners.ops.assign(trace.ops.size(), none);
    partners.blocks.assign(trace.blocks.size(), none);
    partners.values.assign(trace.values.size(), none);
  }
  const trace::Op &op(Id id) const { return trace.ops[size_t(id)]; }
  const trace::Block &block(Id id) const { return trace.blocks[size_t(id)]; }
  const OpDigest &digest(Id id) const { return digests[size_t(id)]; }

  const trace::Trace &trace;
  std::vector<OpDigest> digests;
  Partners &partners;
};

class Aligner {
public:
  Aligner(const trace::Trace &before, const trace::Trace &after)
      : a(before, alignment.before), b(after, alignment.after) {}
  Alignment run() &&;

private:
  void pairFunctions();
  void pairRenamed();
  void alignFunction(const FunctionPair &pair);
  void pairBlocks(const Ids &before, const Ids &after);
  void pairOpsOf(Id before, Id after);
  void pairMoved(Id before, Id after);
  void pairValues(const Ids &before, const Ids &after);
  void pairArguments(const Ids &before, const Ids &after);
  void match(Id before, Id after);
  uint32_t blockScore(Id before, Id after) const;
  uint32_t opScore(Id before, Id after) const;

  Alignment alignment;
  Side a, b;
  /// Lists of blocks that belong together and are not paired yet.
  std::vector<std::pair<const Ids *, const Ids *>> regions;
};

} // namespace

//===--- Names ------------------------------------------------------------===//

/// A name that says something: no number that a printer gave.
static std::string spokenName(const Side &side, const trace::Op &op) {
  if (op.results.empty() || op.results.front() == none)
    return {};
  std::string name = side.trace.values[size_t(op.results.front())].name;
  name = name.substr(0, name.find('#'));
  bool isNumber = std::all_of(name.begin(), name.end(), [](char letter) {
    return letter >= '0' && letter <= '9';
  });
  return isNumber ? std::string() : name;
}

static std::multiset<std::string> namesOf(const Side &side, const Ids &ops) {
  std::multiset<std::string> names;
  for (Id id : ops)
    if (std::string name = spokenName(side, side.op(id)); !name.empty())
      names.insert(name);
  return names;
}

/// Whether most names are still there: then they tell equal ops apart.
static bool shareNames(const Side &a, const Ids &before, const Side &b,
                       const Ids &after) {
  std::multiset<std::string> first = namesOf(a, before),
                             second = namesOf(b, after);
  std::vector<std::string> shared;
  std::set_intersection(first.begin(), first.end(), second.begin(),
                        second.end(), std::back_inserter(shared));
  return shared.size() * 2 >= std::min(first.size(), second.size());
}

static std::vector<uint64_t> keysOf(const Side &side, const Ids &ops,
                                    bool withNames) {
  std::vector<uint64_t> keys;
  for (Id id : ops) {
    Hash hash;
    hash.add(side.digest(id).all());
    if (withNames)
      hash.add(spokenName(side, side.op(id)));
    keys.push_back(hash.get());
  }
  return keys;
}

//===--- Ops and values ---------------------------------------------------===//

void Aligner::pairValues(const Ids &before, const Ids &after) {
  for (size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    if (before[i] == none || after[i] == none)
      continue;
    a.partners.values[size_t(before[i])] = after[i];
    b.partners.values[size_t(after[i])] = before[i];
  }
}

void Aligner::pairArguments(const Ids &before, const Ids &after) {
  if (before.size() == after.size())
    return pairValues(before, after);
  auto keys = [](const Side &side, const Ids &arguments) {
    std::vector<uint64_t> list;
    for (Id id : arguments)
      list.push_back(id == none ? 0
                                : Hash()
                                      .add(side.trace.values[size_t(id)].type)
                                      .add(side.trace.values[size_t(id)].name)
                                      .get());
    return list;
  };
  auto score = [&](size_t i, size_t j) -> uint32_t {
    if (before[i] == none || after[j] == none)
      return 0;
    const trace::Value &was = a.trace.values[size_t(before[i])];
    const trace::Value &is = b.trace.values[size_t(after[j])];
    return was.type != is.type ? 0 : was.name == is.name ? 3 : 2;
  };
  for (auto [i, j] : pairInOrder(keys(a, before), keys(b, after), score))
    pairValues({before[i]}, {after[j]});
}

void Aligner::match(Id before, Id after) {
  // A file that was made by hand may list an op twice.
  if (a.partners.ops[size_t(before)] != none ||
      b.partners.ops[size_t(after)] != none)
    return;
  a.partners.ops[size_t(before)] = after;
  b.partners.ops[size_t(after)] = before;
  const trace::Op &was = a.op(before), &is = b.op(after);
  pairValues(was.results, is.results);
  for (size_t i = 0; i < std::min(was.regions.size(), is.regions.size()); ++i)
    regions.emplace_back(&was.regions[i], &is.regions[i]);
}

/// How likely it is that two ops are one. Each part on its own may be lost by
/// an edit.
uint32_t Aligner::opScore(Id before, Id after) const {
  const trace::Op &was = a.op(before), &is = b.op(after);
  if (was.name != is.name)
    return 0;
  const OpDigest &one = a.digest(before), &other = b.digest(after);
  uint32_t score = 4;
  score += one.made == other.made ? 8 : 0;
  score += one.text == other.text ? 4 : 0;
  score += one.used == other.used ? 4 : 0;
  std::string name = spokenName(a, was);
  score += !name.empty() && name == spokenName(b, is) ? 5 : 0;
  for (size_t i = 0; i < std::min(was.operands.size(), is.operands.size()); ++i)
    if (was.operands[i] != none && is.operands[i] != none &&
        a.partners.values[size_t(was.operands[i])] == is.operands[i])
      score += 2;
  return score;
}

void Aligner::pairOpsOf(Id before, Id after) {
  const Ids &was = a.block(before).ops, &is = b.block(after).ops;
  bool withNames = shareNames(a, was, b, is);
  auto score = [&](size_t i, size_t j) { return opScore(was[i], is[j]); };
  for (auto [i, j] :
       pairInOrder(keysOf(a, was, withNames), keysOf(b, is, withNames), score))
    if (a.op(was[i]).name == b.op(is[j]).name)
      match(was[i], is[j]);
}

//===--- Blocks -----------------------------------------------------------===//

static uint64_t blockDigest(const Side &side, Id id) {
  Hash hash;
  hash.add(side.block(id).arguments.size());
  for (Id op : side.block(id).ops)
    hash.add(side.digest(op).all());
  return hash.get();
}

/// What two blocks have in common; never 0, as any two can be one.
uint32_t Aligner::blockScore(Id before, Id after) const {
  std::vector<uint64_t> was, is, shared;
  for (Id op : a.block(before).ops)
    was.push_back(a.digest(op).made);
  for (Id op : b.block(after).ops)
    is.push_back(b.digest(op).made);
  std::sort(was.begin(), was.end());
  std::sort(is.begin(), is.end());
  std::set_intersection(was.begin(), was.end(), is.begin(), is.end(),
                        std::back_inserter(shared));
  uint32_t score = 1 + 8 * uint32_t(std::min<size_t>(shared.size(), 1 << 20));
  bool sameArguments =
      a.block(before).arguments.size() == b.block(after).arguments.size();
  bool sameName = a.block(before).name == b.block(after).name;
  return score + (sameArguments ? 2 : 0) + (sameName ? 1 : 0);
}

void Aligner::pairBlocks(const Ids &before, const Ids &after) {
  if (before.empty() || after.empty())
    return;
  auto keys = [](const Side &side, const Ids &blocks) {
    std::vector<uint64_t> list;
    for (size_t i = 1; i < blocks.size(); ++i)
      list.push_back(blockDigest(side, blocks[i]));
    return list;
  };
  auto score = [&](size_t i, size_t j) {
    return blockScore(before[i + 1], after[j + 1]);
  };
  // The first is where control enters, whatever it holds.
  std::vector<std::pair<Id, Id>> found = {{before.front(), after.front()}};
  for (auto [i, j] : pairInOrder(keys(a, before), keys(b, after), score))
    found.emplace_back(before[i + 1], after[j + 1]);
  std::erase_if(found, [&](auto &pair) {
    return a.partners.blocks[size_t(pair.first)] != none ||
           b.partners.blocks[size_t(pair.second)] != none;
  });
  for (auto [was, is] : found) {
    a.partners.blocks[size_t(was)] = is;
    b.partners.blocks[size_t(is)] = was;
    pairArguments(a.block(was).arguments, b.block(is).arguments);
  }
  for (auto [was, is] : found)
    pairOpsOf(was, is);
}

//===--- Functions --------------------------------------------------------===//

/// All ops of the user's in a function, in program order.
static Ids opsIn(const Side &side, const trace::Function &function) {
  Ids ops;
  std::set<Id> seen;
  std::vector<const Ids *> open = {&function.blocks};
  while (!open.empty()) {
    const Ids *blocks = open.back();
    open.pop_back();
    for (Id block : *blocks)
      for (Id op : side.block(block).ops) {
        if (!seen.insert(op).second)
          continue;
        ops.push_back(op);
        for (const Ids &region : side.op(op).regions)
          open.push_back(&region);
      }
  }
  std::sort(ops.begin(), ops.end());
  return ops;
}

/// What a function is, but for its name.
static uint64_t bodyDigest(const Side &side, Id id) {
  const trace::Function &function = side.trace.functions[size_t(id)];
  Hash hash;
  hash.add(function.opName).add(function.isPublic);
  for (Id op : opsIn(side, function))
    hash.add(side.digest(op).all());
  return hash.get();
}

/// Ops that an edit moved past others: alike, and the only ones left that are.
void Aligner::pairMoved(Id before, Id after) {
  auto left = [](const Side &side, Id function) {
    std::map<std::pair<std::string, uint64_t>, Ids> found;
    for (Id op : opsIn(side, side.trace.functions[size_t(function)]))
      if (side.partners.ops[size_t(op)] == none)
        found[{side.op(op).name.str(), side.digest(op).all()}].push_back(op);
    return found;
  };
  auto rest = left(b, after);
  for (auto &[key, ops] : left(a, before))
    if (auto other = rest.find(key);
        ops.size() == 1 && other != rest.end() && other->second.size() == 1)
      match(ops.front(), other->second.front());
}

void Aligner::alignFunction(const FunctionPair &pair) {
  const trace::Function &was = a.trace.functions[size_t(pair.before)];
  const trace::Function &is = b.trace.functions[size_t(pair.after)];
  if (was.op != none && is.op != none)
    a.partners.ops[size_t(was.op)] = is.op,
    b.partners.ops[size_t(is.op)] = was.op;
  regions = {{&was.blocks, &is.blocks}};
  for (bool hasMoved = false;; hasMoved = true) {
    while (!regions.empty()) {
      auto [before, after] = regions.back();
      regions.pop_back();
      pairBlocks(*before, *after);
    }
    if (hasMoved)
      return;
    pairMoved(pair.before, pair.after);
  }
}

void Aligner::pairFunctions() {
  auto keys = [](const Side &side) {
    std::vector<uint64_t> list;
    for (const trace::Function &function : side.trace.functions)
      list.push_back(Hash().add(function.opName).add(function.name).get());
    return list;
  };
  // Of several functions of one name, in chunks, those that are alike.
  auto withBodies = [](const Side &side, std::vector<uint64_t> list) {
    for (size_t i = 0; i < list.size(); ++i)
      list[i] = Hash().add(list[i]).add(bodyDigest(side, Id(i))).get();
    return list;
  };
  std::vector<uint64_t> was = keys(a), is = keys(b);
  std::vector<uint64_t> wasAll = withBodies(a, was), isAll = withBodies(b, is);
  Ids partner(is.size(), none);
  std::vector<bool> taken(was.size());
  auto score = [&](size_t i, size_t j) -> uint32_t {
    return wasAll[i] == isAll[j] ? 8 : was[i] == is[j];
  };
  for (auto [i, j] : pairInOrder(wasAll, isAll, score))
    partner[j] = Id(i), taken[i] = true;
  // The others of their name, in whatever order they stand now.
  std::multimap<uint64_t, size_t> left;
  for (size_t i = 0; i < was.size(); ++i)
    if (!taken[i])
      left.emplace(was[i], i);
  for (size_t j = 0; j < is.size(); ++j)
    if (auto found = left.find(is[j]);
        partner[j] == none && found != left.end())
      partner[j] = Id(found->second), taken[found->second] = true,
      left.erase(found);
  for (size_t j = 0; j < is.size(); ++j)
    alignment.functions.push_back({partner[j], Id(j)});
  for (size_t i = 0; i < was.size(); ++i)
    if (!taken[i])
      alignment.functions.push_back({Id(i), none});
}

/// What has no partner of its name, and is the same but for that.
void Aligner::pairRenamed() {
  std::map<uint64_t, std::vector<size_t>> gone;
  std::vector<FunctionPair> &pairs = alignment.functions;
  for (size_t i = 0; i < pairs.size(); ++i)
    if (pairs[i].after == none &&
        !a.trace.functions[size_t(pairs[i].before)].blocks.empty())
      gone[bodyDigest(a, pairs[i].before)].push_back(i);
  std::set<size_t> taken;
  for (FunctionPair &pair : pairs) {
    if (pair.before != none ||
        b.trace.functions[size_t(pair.after)].blocks.empty())
      continue;
    auto found = gone.find(bodyDigest(b, pair.after));
    if (found == gone.end() || found->second.empty())
      continue;
    size_t was = found->second.front();
    found->second.erase(found->second.begin());
    pair.before = pairs[was].before;
    taken.insert(was);
  }
  for (size_t i : std::vector<size_t>(taken.rbegin(), taken.rend()))
    pairs.erase(pairs.begin() + ptrdiff_t(i));
}

Alignment Aligner::run() && {
  pairFunctions();
  pairRenamed();
  for (const FunctionPair &pair : alignment.functions)
    if (pair.before != none && pair.after != none)
      alignFunction(pair);
  return std::move(alignment);
}

Alignment align(const trace::Trace &before, const trace::Trace &after) {
  return Aligner(before, after).run();
}

} // namespace memreflens::diff
