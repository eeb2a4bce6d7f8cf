//===- lsp/analysis/TraceCache.cpp - what is kept, and taken back ---------===//

#include "lsp/analysis/TraceCache.h"

namespace memreflens::lsp {

std::shared_ptr<Batch> TraceCache::hold(std::unique_ptr<Batch> batch) {
  size_t weight = batch->weight();
  state.tally.held += weight;
  return {batch.release(), [&tally = state.tally, weight](Batch *gone) {
            tally.held -= weight;
            delete gone;
          }};
}

void TraceCache::shelve(Document &document, const IsGone &isGone) {
  std::erase_if(document.traces, [&](const auto &entry) {
    if (!isGone(entry.first))
      return false;
    // What does not parse says so again soon enough.
    if (!entry.second->isChunkParsed())
      return true;
    if (entry.second.use_count() == 1)
      entry.second->putAway();
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
