//===- core/query/IndicatorSources.cpp - what flows into an i1 ------------===//
//
// The i1s that the pass appends keep the order of the memrefs for which they
// stand: the k-th one of a terminator goes to the k-th one of the block or op
// that it feeds. Which region feeds which follows from the op.
//
//===----------------------------------------------------------------------===//

#include "core/query/Lookup.h"

#include <algorithm>
#include <iterator>

namespace memreflens {

using trace::Id;
using trace::none;
using trace::SignatureEvent;
using trace::SignaturePart;
using Way = IndicatorSource::Way;

namespace {

/// Region 0, 1, ... of an op, or its results.
constexpr size_t results = size_t(-1);

/// What feeds one region of an op, or its results.
struct Feeders {
  bool isKnown = true;
  /// The op's own operands do.
  bool operands = false;
  std::vector<size_t> regions;
};

} // namespace

static Feeders allRegions(size_t count) {
  Feeders feeders;
  for (size_t region = 0; region < count; ++region)
    feeders.regions.push_back(region);
  return feeders;
}

static bool isOneOf(std::string_view name,
                    std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

static Feeders feedersOf(const trace::Op &op, size_t regions, size_t into) {
  std::string_view name = op.name;
  if (isOneOf(name, {"scf.if", "scf.index_switch", "scf.execute_region",
                     "affine.if", "memref.alloca_scope"}))
    return allRegions(regions);
  if (isOneOf(name, {"scf.for", "affine.for"}))
    return {true, true, {0}};
  if (name == "scf.while")
    return into == 0 ? Feeders{true, true, {1}} : Feeders{true, false, {0}};
  // Two regions that are entered, and one where they meet.
  if (name == "sample.region_if")
    return into == results ? Feeders{true, false, {2}}
           : into == 2     ? Feeders{true, false, {0, 1}}
                           : Feeders{true, true, {}};
  Feeders feeders = allRegions(regions);
  feeders.isKnown = false;
  feeders.operands = true;
  return feeders;
}

/// Blocks of a region as the pass saw it: of an op that was made anew they may
/// be those of the op that it was made for.
Lookup::Ids Lookup::blocksOf(Id id, size_t region) const {
  for (int steps = 0; op(id) && steps < 8; ++steps, id = op(id)->origin) {
    Ids found;
    std::ranges::copy_if(
        blocksBelow(id), std::back_inserter(found), [&](Id at) {
          return block(at)->region == region && !eventsOfBlock(at).empty();
        });
    if (!found.empty() || !op(id)->generated)
      return found;
  }
  return {};
}

/// The op around a region's first block, as the pass saw it: the user's, or the
/// one op that was made for it; `none` if that cannot be told.
Id Lookup::regionOpOf(const trace::Block &entry) const {
  auto isSeen = [&](Id id) {
    return std::ranges::any_of(eventsOfOp(id), [&](Id event) {
      const auto *detail =
          std::get_if<SignatureEvent>(&trace.events[size_t(event)].detail);
      return detail && (detail->part == SignaturePart::regionOpOperand ||
                        detail->part == SignaturePart::regionOpResult);
    });
  };
  if (isSeen(entry.parentOp))
    return entry.parentOp;
  Id found = none;
  Ids pending = {entry.parentOp};
  for (size_t i = 0; i < pending.size() && i < 64; ++i)
    for (Id made : index.generatedFor(pending[i])) {
      pending.push_back(made);
      if (op(made)->name != op(entry.parentOp)->name || !isSeen(made))
        continue;
      if (found != none)
        return none;
      found = made;
    }
  return found;
}

/// Number of `signature` among the events of the same part.
size_t Lookup::rankAmong(std::span<const Id> events,
                         const trace::Event &signature) const {
  auto part = std::get<SignatureEvent>(signature.detail).part;
  return size_t(std::ranges::count_if(events, [&](Id id) {
    auto *other = std::get_if<SignatureEvent>(&trace.events[size_t(id)].detail);
    return id < signature.id && other && other->part == part;
  }));
}

/// Adds the one of `events` that is the `rank`-th of its part, if one is.
bool Lookup::addPassed(std::span<const Id> events, SignaturePart part,
                       size_t rank, Way way, IndicatorSources &sources) const {
  for (Id id : events) {
    auto *detail =
        std::get_if<SignatureEvent>(&trace.events[size_t(id)].detail);
    if (!detail || detail->part != part || rank-- > 0)
      continue;
    sources.all.push_back({way, id});
    return true;
  }
  return false;
}

void Lookup::addRegionSources(Id id, size_t into, size_t rank,
                              IndicatorSources &sources) const {
  const trace::Op *user = op(id);
  while (user && user->generated && user->regions.empty() && op(user->origin))
    user = op(user->origin);
  size_t regions = user ? user->regions.size() : 0;
  for (Id at : blocksBelow(id))
    regions = std::max<size_t>(regions, block(at)->region + 1);
  Feeders feeders = feedersOf(*op(id), regions, into);
  sources.isComplete &= feeders.isKnown;
  if (feeders.operands)
    sources.isComplete &=
        addPassed(eventsOfOp(id), SignaturePart::regionOpOperand, rank,
                  into == results ? Way::noRegion : Way::entry, sources);
  for (size_t region : feeders.regions) {
    bool isFound = false;
    for (Id at : blocksOf(id, region))
      isFound |= addPassed(eventsOfBlock(at), SignaturePart::terminatorOperand,
                           rank, Way::yieldedOn, sources);
    sources.isComplete &= isFound;
  }
}

IndicatorSources Lookup::sourcesOf(Id signature) const {
  IndicatorSources sources;
  const trace::Event *made = event(signature);
  const auto *detail =
      made ? std::get_if<SignatureEvent>(&made->detail) : nullptr;
  if (detail && detail->part == SignaturePart::regionOpResult && op(made->op)) {
    addRegionSources(made->op, results, rankAmong(eventsOfOp(made->op), *made),
                     sources);
    return sources;
  }
  const trace::Block *home = made ? block(made->block) : nullptr;
  if (!detail || detail->part != SignaturePart::blockArgument || !home) {
    sources.isComplete = false;
    return sources;
  }
  const Ids &branches = branchesInto(signature);
  for (Id branch : branches)
    sources.all.push_back({Way::branch, branch});
  sources.isComplete = branches.size() == edgesInto(home->id);
  const trace::Function *function = this->function(home->function);
  const bool isNested = op(home->parentOp) && home->isEntry &&
                        !(function && function->op == home->parentOp);
  if (!isNested)
    return sources;
  Id around = regionOpOf(*home);
  if (around == none)
    sources.isComplete = false;
  else
    addRegionSources(around, home->region,
                     rankAmong(eventsOfBlock(home->id), *made), sources);
  return sources;
}

} // namespace memreflens
