//===- core/execute/RunLives.cpp - a run, beside predicted lives ----------===//

#include "core/execute/KeptRun.h"
#include "core/memory/Measured.h"

#include <map>
#include <set>

namespace memreflens::execute {

using trace::Id;
using trace::none;

/// "12:5" of the op with its results, as sites have it.
static std::string placeOf(const Lookup &lookup, const trace::Op &op) {
  return op.generated || op.range.empty()
             ? std::string()
             : lookup.position(
                   {lookup.getIndex().beginOf(op.id), op.range.end});
}

static std::string placeOf(const Site &site) {
  return site.line == 0
             ? std::string()
             : std::to_string(site.line) + ":" + std::to_string(site.column);
}

namespace {
/// The allocations of a function in a run, found by the ops of the trace.
class Allocations {
public:
  Allocations(const Record &record, const Lookup &lookup,
              const std::string &function);
  /// Nothing for a buffer that is none of the function's.
  std::optional<RanBuffer> of(const Lifetime &life) const;

private:
  const Site *siteOf(const trace::Op &op) const;

  const Record &record;
  const Lookup &lookup;
  std::map<Id, const Site *> byOp;
  /// Null where one op became several: none is its.
  std::map<std::string, const Site *> byPlace;
  /// Of any function, and also of what did not run.
  std::set<std::string> known;
};
} // namespace

Allocations::Allocations(const Record &record, const Lookup &lookup,
                         const std::string &function)
    : record(record), lookup(lookup) {
  for (const Site &site : record.sites) {
    if (site.kind != SiteKind::allocation)
      continue;
    const std::string place = placeOf(site);
    known.insert(place);
    if (site.function != function || site.isForHelper || site.counts.ran == 0)
      continue;
    byOp.try_emplace(site.op, &site);
    if (auto [at, isNew] = byPlace.try_emplace(place, &site); !isNew)
      at->second = nullptr;
  }
}

/// The op itself, or what a stage put in its place.
const Site *Allocations::siteOf(const trace::Op &op) const {
  if (auto at = byOp.find(op.id); at != byOp.end())
    return at->second;
  const std::string place = placeOf(lookup, op);
  auto at = place.empty() ? byPlace.end() : byPlace.find(place);
  return at == byPlace.end() ? nullptr : at->second;
}

std::optional<RanBuffer> Allocations::of(const Lifetime &life) const {
  const trace::Op *made = lookup.op(lookup.value(life.value)->op);
  if (!made || (life.source != trace::BufferSource::allocation &&
                life.source != trace::BufferSource::manual))
    return std::nullopt;
  if (const Site *site = siteOf(*made))
    return RanBuffer{true, std::to_string(site->counts.ran) + "x, " +
                               wordsOf(record, *site)};
  const std::string place = placeOf(lookup, *made);
  if (made->name != "memref.alloc" || place.empty() || known.contains(place))
    return std::nullopt;
  return RanBuffer{false, "not allocated"};
}

void KeptRun::addTo(Lifetimes &lifetimes, const Lookup &lookup) const {
  const trace::Function *function = lookup.function(lifetimes.function);
  if (!function || !has(*function))
    return;
  RanLives &ran = lifetimes.ran.emplace();
  const Allocations allocations(record, lookup, function->name);
  for (const Lifetime &life : lifetimes.buffers)
    if (std::optional<RanBuffer> buffer = allocations.of(life))
      ran.buffers[life.value] = std::move(*buffer);
  if (entry != function->id)
    return;
  const memory::MeasuredUse measured =
      measuredIn(record, lookup, lifetimes.space);
  ran.headline = headlineOf(measured);
  ran.peakBytes = measured.peakBytes;
  ran.most = mostByStep(measured, lifetimes.steps);
}

void KeptRun::addTo(memory::MemoryUse &use, const Lookup &lookup) const {
  if (entry != use.function)
    return;
  use.measured = measuredIn(record, lookup, use.space);
  Lifetimes lifetimes = lifetimesOf(lookup, use.function, use.space);
  addTo(lifetimes, lookup);
  if (lifetimes.ran)
    use.measured->buffers = std::move(lifetimes.ran->buffers);
}

} // namespace memreflens::execute
