//===- lsp/analysis/TraceCache.cpp - what is kept, and taken back ---------===//

#include "lsp/analysis/TraceCache.h"
#include "core/process/Parallel.h"

#include <algorithm>
#include <malloc.h>

namespace memreflens::lsp {

std::shared_ptr<Batch> TraceCache::hold(std::unique_ptr<Batch> batch) {
  batch->held = batch->weight();
  state.tally.held += batch->held;
  batch->used = ++uses;
  return {batch.release(), [&tally = state.tally](Batch *gone) {
            tally.held -= gone->held;
            delete gone;
          }};
}

void TraceCache::weigh(Batch &batch) {
  state.tally.held += batch.weight() - batch.held;
  batch.held = batch.weight();
}

void TraceCache::use(Batch &batch) {
  batch.used = ++uses;
  if (!batch.isAsleep())
    return;
  batch.wake();
  weigh(batch);
}

void TraceCache::letSleep(const std::map<std::string, Document> &documents) {
  std::vector<std::shared_ptr<Batch>> awake;
  size_t weight = 0;
  for (const auto &[uri, document] : documents)
    for (const auto &[key, batch] : document.traces)
      if (!batch->isAsleep() && batch->isChunkParsed() &&
          (awake.empty() || awake.back() != batch)) {
        weigh(*batch);
        // A giant function would take long to wake.
        if (batch->held > awakeLimit / 4)
          continue;
        weight += batch->held;
        awake.push_back(batch);
      }
  if (weight <= awakeLimit)
    return;
  std::ranges::sort(awake, {}, [](const auto &batch) { return batch->used; });
  std::vector<std::shared_ptr<Batch>> tired;
  for (const std::shared_ptr<Batch> &batch : awake) {
    // Of one that stands in several lists.
    if (!tired.empty() && tired.back() == batch)
      continue;
    if (weight <= awakeLimit / 2)
      break;
    weight -= std::min(weight, batch->held);
    tired.push_back(batch);
  }
  inParallel(tired.size(), state.options.threadCount(),
             [&](size_t i) { tired[i]->sleep(); });
  for (const std::shared_ptr<Batch> &batch : tired)
    weigh(*batch);
  // What was freed is in many small pieces.
  malloc_trim(0);
}

void TraceCache::shelve(Document &document, const IsGone &isGone) {
  std::erase_if(document.traces, [&](const auto &entry) {
    if (!isGone(entry.first))
      return false;
    // What does not parse says so again soon enough.
    if (!entry.second->isChunkParsed())
      return true;
    // One that sleeps takes little with its lines, too.
    if (entry.second.use_count() == 1 && !entry.second->isAsleep())
      entry.second->putAway();
    weigh(*entry.second);
    shelf.put(entry.first, entry.second);
    return true;
  });
  while (shelf.weight() > state.options.traceLimit / 4 && dropOldest()) {
  }
}

bool TraceCache::dropOldest() {
  const bool isDropped = shelf.removeOldest();
  state.tally.dropped += isDropped;
  return isDropped;
}

/// The trace of such a unit, on the shelf or in use by another document.
std::shared_ptr<Batch> TraceCache::findElsewhere(
    const Document &document, uint64_t key,
    const std::map<std::string, Document> &documents) const {
  if (std::shared_ptr<Batch> found = shelf.find(key))
    return found;
  for (const auto &[uri, other] : documents)
    if (auto at = other.traces.find(key); &other != &document &&
                                          at != other.traces.end() &&
                                          at->second->isChunkParsed())
      return at->second;
  return nullptr;
}

void TraceCache::takeBack(Document &document,
                          const std::map<std::string, Document> &documents) {
  for (const Unit &unit : document.units) {
    if (document.traces.contains(unit.key))
      continue;
    std::shared_ptr<Batch> found = findElsewhere(document, unit.key, documents);
    // Plugins and companions may give each file other dialects.
    if (!found ||
        &state.registryOf(found->uri()) != &state.registryOf(document.uri))
      continue;
    document.traces[unit.key] = std::move(found);
    shelf.remove(unit.key);
    ++state.tally.takenBack;
  }
}

void TraceCache::shelvePaths(Document &document, const IsGone &isGone) {
  // Bodies and findings; so many are mostly of texts that are long gone.
  constexpr size_t most = 1000000;
  if (shelvedPathWeight > most)
    dropShelvedPaths();
  const void *registry = &state.registryOf(document.uri);
  std::erase_if(document.paths, [&](const auto &entry) {
    if (!isGone(entry.first))
      return false;
    shelvedPaths[{registry, entry.first}] = entry.second;
    const PathReport &report = *entry.second;
    shelvedPathWeight += 4 + report.lines.size() + 16 * report.findings.size();
    return true;
  });
}

void TraceCache::dropShelvedPaths() {
  shelvedPaths.clear();
  shelvedPathWeight = 0;
}

void TraceCache::takeBackPaths(Document &document) {
  const void *registry = &state.registryOf(document.uri);
  for (const PathKey &path : document.pathKeys)
    if (auto at = shelvedPaths.find({registry, path.key});
        at != shelvedPaths.end())
      document.paths.insert({path.key, at->second});
}

} // namespace memreflens::lsp
