//===- core/query/PassBlocks.cpp ------------------------------------------===//

#include "core/query/PassBlocks.h"

#include <algorithm>

namespace memreflens::trace {

PassBlocks::PassBlocks(const Trace &trace) : trace(trace) {
  for (const Event &event : trace.events)
    if (const auto *found = std::get_if<LivenessEvent>(&event.detail);
        found && event.block != none)
      seen[event.block] = found;
  for (const Block &block : trace.blocks)
    for (Id successor : block.successors)
      if (successor != none)
        predecessors[successor].insert(block.id);
  for (const auto &[block, event] : seen)
    findEnd(block, *event);
}

/// Whether the pass saw others of its function, but not this one.
bool PassBlocks::isGone(Id block) const {
  if (block == none || wasSeen(block))
    return false;
  const Block &at = trace.blocks[size_t(block)];
  if (at.function == none)
    return false;
  const std::vector<Id> &all = trace.functions[size_t(at.function)].blocks;
  return !all.empty() && wasSeen(all.front());
}

/// The block that was merged into `block`, if one was.
std::optional<Id> PassBlocks::next(Id block, const LivenessEvent &event) const {
  const std::vector<Id> &all = trace.blocks[size_t(block)].successors;
  std::set<Id> successors(all.begin(), all.end());
  std::optional<Id> found;
  for (Id successor : successors) {
    auto before = predecessors.find(successor);
    bool isMerged = isGone(successor) && before != predecessors.end() &&
                    before->second.size() == 1;
    // Of several, canonicalize knew which one is taken.
    isMerged &= successors.size() == 1 ||
                std::find(event.merged.begin(), event.merged.end(),
                          successor) != event.merged.end();
    if (!isMerged)
      continue;
    if (found)
      return std::nullopt;
    found = successor;
  }
  return found;
}

std::set<Id> PassBlocks::between(Id earlier, Id later) const {
  std::set<Id> found;
  std::vector<Id> open = {later};
  while (!open.empty()) {
    Id block = open.back();
    open.pop_back();
    if (block == earlier || found.count(block))
      continue;
    auto before = predecessors.find(block);
    if (!isGone(block) || before == predecessors.end())
      return {};
    found.insert(block);
    open.insert(open.end(), before->second.begin(), before->second.end());
  }
  return found;
}

void PassBlocks::findEnd(Id block, const LivenessEvent &event) {
  // Of a loop that was made anew the blocks are others; what the user wrote
  // begins with the first that is in it.
  Id begin = block;
  if (trace.blocks[size_t(block)].ops.empty() && !event.merged.empty() &&
      event.merged.front() != none) {
    begin = event.merged.front();
    begins[block] = begin;
    beginnings[begin] = block;
  }
  Id end = begin;
  holders[block] = block;
  for (Id one : event.merged)
    holders.emplace(one, block);
  if (event.reshaped) {
    Id last = event.terminator == none
                  ? none
                  : trace.ops[size_t(event.terminator)].block;
    std::set<Id> passed = {begin};
    if (std::set<Id> all = between(begin, last); !all.empty()) {
      end = last;
      for (Id one : all)
        holders.emplace(one, block);
    }
    while (end != last) {
      std::optional<Id> after = next(end, event);
      if (!after || !passed.insert(*after).second)
        break;
      end = *after;
      holders.emplace(end, block);
    }
    // Left with one way into it of several, where the others are gone.
    if (isGone(last))
      holders.emplace(last, block);
    // What is behind an op whose blocks were put in its place, the end of the
    // second of two ops that became one, or the branch whose edges these are.
    // (Of a single edge the one that leads out of the code is as good.)
    if (last != none && !trace.blocks[size_t(last)].ops.empty() &&
        (event.successors.size() != 1 ||
         trace.blocks[size_t(last)].parentOp !=
             trace.blocks[size_t(begin)].parentOp))
      end = last;
  }
  ends[block] = end;
  endings[end] = block;
}

Id PassBlocks::beginOf(Id block) const {
  auto at = begins.find(block);
  return at == begins.end() ? block : at->second;
}

Id PassBlocks::beginningAt(Id block) const {
  auto at = beginnings.find(block);
  return at == beginnings.end() ? block : at->second;
}

Id PassBlocks::endOf(Id block) const {
  auto at = ends.find(block);
  return at == ends.end() ? block : at->second;
}

Id PassBlocks::endingAt(Id block) const {
  auto at = endings.find(block);
  if (at != endings.end())
    return at->second;
  return wasSeen(block) || isGone(block) ? none : block;
}

Id PassBlocks::holding(Id block) const {
  auto at = holders.find(block);
  if (at != holders.end())
    return at->second;
  return isGone(block) ? none : block;
}

std::span<const Id> PassBlocks::successorsOf(Id block) const {
  auto at = seen.find(block);
  if (at != seen.end() && at->second->reshaped)
    return at->second->successors;
  if (block == none || isGone(block))
    return {};
  return trace.blocks[size_t(block)].successors;
}

Id PassBlocks::target(BlockEdge pass) const {
  const std::span<const Id> all = successorsOf(pass.block);
  bool isThere = pass.number >= 0 && size_t(pass.number) < all.size();
  return isThere ? all[size_t(pass.number)] : none;
}

/// Where branches to a block lead that is gone because it does nothing.
Id PassBlocks::past(Id block) const {
  std::set<Id> passed;
  while (isGone(block) && passed.insert(block).second) {
    const std::vector<Id> &all = trace.blocks[size_t(block)].successors;
    if (all.empty() || std::count(all.begin(), all.end(), all.front()) !=
                           std::ptrdiff_t(all.size()))
      return none;
    block = all.front();
  }
  return block;
}

std::optional<BlockEdge> PassBlocks::passEdge(BlockEdge users) const {
  Id block = endingAt(users.block);
  const std::vector<Id> &all = trace.blocks[size_t(users.block)].successors;
  if (block == none || users.number < 0 || size_t(users.number) >= all.size())
    return std::nullopt;
  const std::span<const Id> successors = successorsOf(block);
  Id to = past(all[size_t(users.number)]);
  // Behind a branch of which canonicalize knew the way; the other edges tell.
  if (to == none && successors.size() == all.size()) {
    to = successors[size_t(users.number)];
    for (size_t i = 0; i < all.size(); ++i)
      if (Id other = past(all[i]); other != none && other != successors[i])
        return std::nullopt;
  }
  if (to == none)
    return std::nullopt;
  if (successors.size() == all.size() && successors[size_t(users.number)] == to)
    return BlockEdge{block, users.number};
  auto at = std::find(successors.begin(), successors.end(), to);
  if (at == successors.end())
    return std::nullopt;
  return BlockEdge{block, int32_t(at - successors.begin())};
}

std::optional<BlockEdge> PassBlocks::usersEdge(BlockEdge pass) const {
  Id end = endOf(pass.block);
  size_t count = trace.blocks[size_t(end)].successors.size();
  for (size_t i = 0; i < count; ++i)
    if (passEdge({end, int32_t(i)}) == pass)
      return BlockEdge{end, int32_t(i)};
  return std::nullopt;
}

} // namespace memreflens::trace
