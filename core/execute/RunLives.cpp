//===- core/execute/RunLives.cpp - a run, beside predicted lives ----------===//

#include "core/execute/KeptRun.h"
#include "core/memory/MeasuredSvg.h"

#include <algorithm>

namespace memreflens::execute {

using trace::Id;
using trace::none;

/// "12:5" of the op with its results, as sites have it.
static std::string placeOf(const Lookup &lookup, const trace::Op &op) {
  trace::Range range = op.range;
  for (Id result : op.results)
    if (trace::Range name = lookup.value(result)->range;
        !name.empty() && name.begin < range.begin)
      range.begin = name.begin;
  return op.generated || op.range.empty() ? std::string()
                                          : lookup.position(range);
}

static bool isAt(const Site &site, const std::string &place) {
  return site.line > 0 &&
         std::to_string(site.line) + ":" + std::to_string(site.column) == place;
}

/// The op itself, or what a stage put in its place.
static const Site *allocationOf(const Record &record, const Lookup &lookup,
                                const std::string &function, Id id) {
  const trace::Op *op = lookup.op(id);
  if (!op)
    return nullptr;
  const std::string place = placeOf(lookup, *op);
  const Site *found = nullptr;
  for (const Site &site : record.sites) {
    if (site.kind != SiteKind::allocation || site.function != function ||
        site.isForHelper || site.counts.ran == 0)
      continue;
    if (site.op == id)
      return &site;
    // Of several that one op became, none is its.
    if (isAt(site, place)) {
      if (found)
        return nullptr;
      found = &site;
    }
  }
  return found;
}

/// What an allocation did; empty for a buffer that is none of the function's.
static std::string wordsOf(const Record &record, const Lookup &lookup,
                           const std::string &function,
                           const graph::Lifetime &life) {
  if (life.source != trace::BufferSource::allocation &&
      life.source != trace::BufferSource::manual)
    return {};
  const Id op = lookup.value(life.value)->op;
  if (const Site *site = allocationOf(record, lookup, function, op))
    return std::to_string(site->counts.ran) + "x, " + wordsOf(*site);
  const trace::Op *made = lookup.op(op);
  const bool isWritten = made && made->name == "memref.alloc" &&
                         !made->generated && !made->range.empty();
  auto isThere = [&](const Site &site) {
    return site.kind == SiteKind::allocation &&
           isAt(site, placeOf(lookup, *made));
  };
  return isWritten && !std::ranges::any_of(record.sites, isThere)
             ? "not allocated"
             : std::string();
}

void KeptRun::addTo(graph::Lifetimes &lifetimes, const Lookup &lookup) const {
  const trace::Function *function = lookup.function(lifetimes.function);
  if (!function || !has(*function))
    return;
  graph::RanLives &ran = lifetimes.ran.emplace();
  for (const graph::Lifetime &life : lifetimes.buffers)
    if (std::string words = wordsOf(record, lookup, function->name, life);
        !words.empty())
      ran.words[life.value] = std::move(words);
  if (entry != function->id)
    return;
  const memory::MeasuredUse measured = measuredOf(record);
  ran.headline = headlineOf(measured);
  ran.peakBytes = measured.peakBytes;
  ran.most = mostByStep(measured, lifetimes.steps);
}

void KeptRun::addTo(memory::MemoryUse &use, const Lookup &lookup) const {
  if (entry != use.function)
    return;
  use.measured = measuredOf(record);
  graph::Lifetimes lifetimes = graph::lifetimesOf(lookup, use.function);
  addTo(lifetimes, lookup);
  if (lifetimes.ran)
    use.measured->words = std::move(lifetimes.ran->words);
}

} // namespace memreflens::execute
