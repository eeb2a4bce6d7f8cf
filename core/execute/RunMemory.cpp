//===- core/execute/RunMemory.cpp - a run, beside what is predicted -------===//

#include "core/execute/Record.h"
#include "core/explain/Words.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace memreflens::execute {

static std::string until(const Record &record) {
  switch (record.end) {
  case RunEnd::crashed:
    return "it crashes";
  case RunEnd::timedOut:
    return "it was stopped";
  case RunEnd::outOfMemory:
    return "there is no more memory";
  case RunEnd::returned:
  case RunEnd::notRun:
    break;
  }
  return {};
}

memory::MeasuredUse measuredOf(const Record &record) {
  memory::MeasuredUse run;
  run.call = callOf(record);
  run.until = until(record);
  run.peakBytes = uint64_t(record.totals.peakBytes);
  if (record.peakSite >= 0)
    run.peakAt = record.sites[size_t(record.peakSite)].title();
  run.steps = record.totals.allocations + record.totals.deallocations;
  run.stepsAPoint = record.totals.stepsAPoint;
  for (const LivePoint &point : record.curve) {
    memory::MeasuredUse::Point made;
    made.step = point.step;
    made.bytes = uint64_t(point.bytes);
    if (point.site < record.sites.size()) {
      const Site &site = record.sites[point.site];
      made.at = site.title();
      if (site.kind == SiteKind::allocation && site.function == record.entry)
        made.op = site.op;
    }
    run.points.push_back(std::move(made));
  }
  return run;
}

/// By allocation of the trace: the memory space.
static std::unordered_map<trace::Id, std::string>
spacesByOp(const trace::Trace &trace) {
  std::unordered_map<trace::Id, std::string> spaces;
  for (const trace::Function &function : trace.functions)
    for (const trace::CostSite &site : function.costs)
      if (site.kind != trace::CostKind::call &&
          site.kind != trace::CostKind::copy)
        spaces.try_emplace(site.op, site.space);
  return spaces;
}

namespace {
/// A buffer begins or ends.
struct Change {
  uint64_t step = 0;
  int64_t bytes = 0;
  const Site *site = nullptr;
};
} // namespace

/// In the order of the run; nothing where that of a buffer is not known.
static std::optional<std::vector<Change>> changesIn(const Record &record,
                                                    const Lookup &lookup,
                                                    const std::string &space) {
  if (record.lives.size() != record.totals.allocations)
    return std::nullopt;
  const auto spaces = spacesByOp(lookup.getTrace());
  std::vector<Change> changes;
  for (const LifeCount &life : record.lives) {
    const Site *site =
        life.site < record.sites.size() ? &record.sites[life.site] : nullptr;
    if (!site || site->kind != SiteKind::allocation)
      return std::nullopt;
    const auto known = spaces.find(site->op);
    if (!site->isForHelper && known == spaces.end())
      return std::nullopt;
    if (space != (site->isForHelper ? std::string() : known->second))
      continue;
    changes.push_back({life.made, int64_t(life.bytes), site});
    if (life.ended > 0)
      changes.push_back({life.ended, -int64_t(life.bytes), site});
  }
  std::ranges::sort(changes, {}, [](const Change &change) {
    return std::pair(change.step, change.bytes);
  });
  return changes;
}

/// As often as what every round of a loop allocates.
static std::vector<std::string> roundsIn(const Record &record,
                                         const Lookup &lookup) {
  std::unordered_map<trace::Id, uint64_t> ran;
  for (const Site &site : record.sites)
    if (site.kind == SiteKind::allocation && site.op != trace::none)
      ran.try_emplace(site.op, site.counts.ran);
  std::vector<std::string> words;
  std::set<trace::Id> known;
  for (const trace::Function &function : lookup.getTrace().functions)
    for (const trace::CostSite &site : function.costs) {
      const auto count = ran.find(site.op);
      const bool isEveryRound = site.kind == trace::CostKind::allocation &&
                                !site.loops.empty() && !site.isConditional;
      const trace::Id loop = isEveryRound ? site.loops.front() : trace::none;
      if (loop == trace::none || count == ran.end() ||
          !known.insert(loop).second)
        continue;
      const auto rounds =
          std::ranges::find(function.loops, loop, &trace::LoopRounds::op);
      if (rounds == function.loops.end() || rounds->rounds < 0)
        words.push_back(counted(count->second, "iteration") + " of " +
                        lookup.opAt(loop));
    }
  return words;
}

memory::MeasuredUse measuredIn(const Record &record, const Lookup &lookup,
                               const Space &space) {
  memory::MeasuredUse run = measuredOf(record);
  run.rounds = roundsIn(record, lookup);
  for (const Site &site : record.sites)
    if (site.kind == SiteKind::allocation && !site.isForHelper) {
      run.allocations += site.counts.ran;
      run.allocatedBytes += uint64_t(site.counts.bytes);
    }
  if (!space)
    return run;
  const std::optional<std::vector<Change>> changes =
      changesIn(record, lookup, *space);
  run.points.clear();
  run.isOfAllSpaces = !changes;
  if (!changes)
    return run;
  run.peakBytes = 0;
  run.peakAt.clear();
  run.steps = changes->size();
  constexpr uint64_t mostPoints = 2000;
  run.stepsAPoint = run.steps / mostPoints + 1;
  int64_t live = 0;
  for (uint64_t step = 0; step < changes->size(); ++step) {
    const Change &change = (*changes)[step];
    live += change.bytes;
    memory::MeasuredUse::Point point;
    point.step = step;
    point.bytes = uint64_t(std::max<int64_t>(live, 0));
    point.at = change.site->title();
    if (change.bytes > 0 && change.site->function == record.entry)
      point.op = change.site->op;
    if (point.bytes > run.peakBytes) {
      run.peakBytes = point.bytes;
      run.peakAt = point.at;
    }
    const bool isNew =
        run.points.empty() ||
        run.points.back().step / run.stepsAPoint != step / run.stepsAPoint;
    if (isNew)
      run.points.push_back(std::move(point));
    else if (point.bytes > run.points.back().bytes)
      run.points.back() = std::move(point);
  }
  return run;
}

} // namespace memreflens::execute
