//===- lsp/analysis/Shelf.cpp - what is kept, taken back and dropped ------===//

#include "lsp/analysis/Shelf.h"
#include "lsp/analysis/Analyst.h"

#include <algorithm>

namespace memreflens::lsp {

//===--- The shelf --------------------------------------------------------===//

void Shelf::put(uint64_t key, std::shared_ptr<Batch> batch) {
  remove(key);
  size_t weight = batch->weight() / std::max<size_t>(batch->unitCount(), 1);
  entries.push_front({key, weight, std::move(batch)});
  entryOf[key] = entries.begin();
  total += weight;
}

std::shared_ptr<Batch> Shelf::find(uint64_t key) const {
  auto at = entryOf.find(key);
  return at == entryOf.end() ? nullptr : at->second->batch;
}

void Shelf::remove(uint64_t key) {
  auto at = entryOf.find(key);
  if (at == entryOf.end())
    return;
  total -= at->second->weight;
  entries.erase(at->second);
  entryOf.erase(at);
}

bool Shelf::removeOldest() {
  if (entries.empty())
    return false;
  remove(entries.back().key);
  return true;
}

//===--- What the analyst does with it ------------------------------------===//

std::shared_ptr<Batch> Analyst::hold(std::unique_ptr<Batch> batch) {
  size_t weight = batch->weight();
  tally.held += weight;
  return {batch.release(), [this, weight](Batch *gone) {
            tally.held -= weight;
            delete gone;
          }};
}

void Analyst::shelve(Document &document,
                     const std::function<bool(uint64_t key)> &isGone) {
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
  while (shelf.weight() > options.traceLimit / 4 && shelf.removeOldest())
    ++tally.dropped;
}

/// The trace of such a unit, on the shelf or in use by another document.
std::shared_ptr<Batch> Analyst::findElsewhere(const Document &document,
                                              uint64_t key) const {
  if (std::shared_ptr<Batch> found = shelf.find(key))
    return found;
  for (const auto &[uri, other] : documents)
    if (auto at = other.traces.find(key); &other != &document &&
                                          at != other.traces.end() &&
                                          at->second->isChunkParsed())
      return at->second;
  return nullptr;
}

void Analyst::takeBack(Document &document) {
  for (const Unit &unit : document.units) {
    if (document.traces.contains(unit.key))
      continue;
    std::shared_ptr<Batch> found = findElsewhere(document, unit.key);
    // Plugins and companions may give each file other dialects.
    if (!found || &registryOf(found->uri()) != &registryOf(document.uri))
      continue;
    document.traces[unit.key] = std::move(found);
    shelf.remove(unit.key);
    ++tally.takenBack;
  }
}

void Analyst::shelvePaths(Document &document,
                          const std::function<bool(uint64_t key)> &isGone) {
  // Bodies and findings; so many are mostly of texts that are long gone.
  constexpr size_t most = 1000000;
  if (shelvedPathWeight > most)
    dropShelvedPaths();
  const void *registry = &registryOf(document.uri);
  std::erase_if(document.paths, [&](const auto &entry) {
    if (!isGone(entry.first))
      return false;
    shelvedPaths[{registry, entry.first}] = entry.second;
    const PathReport &report = *entry.second;
    shelvedPathWeight += 4 + report.lines.size() + 16 * report.findings.size();
    return true;
  });
}

void Analyst::dropShelvedPaths() {
  shelvedPaths.clear();
  shelvedPathWeight = 0;
}

void Analyst::takeBackPaths(Document &document) {
  const void *registry = &registryOf(document.uri);
  for (const PathKey &path : document.pathKeys)
    if (auto at = shelvedPaths.find({registry, path.key});
        at != shelvedPaths.end())
      document.paths.insert({path.key, at->second});
}

/// Of the documents that nobody looked at for longest, but not of one that is
/// being worked on or was used last; null if none has any to spare.
Document *Analyst::leastUsed(const Document *busy) {
  Document *found = nullptr;
  for (auto &[uri, document] : documents)
    if (&document != busy && document.used != uses && document.isReported &&
        (!found || document.used < found->used) &&
        std::ranges::any_of(document.traces, [](const auto &entry) {
          return entry.second->isChunkParsed();
        }))
      found = &document;
  return found;
}

void Analyst::trim(const Document *busy) {
  while (tally.held > options.traceLimit) {
    if (shelf.removeOldest()) {
      ++tally.dropped;
      continue;
    }
    Document *document = leastUsed(busy);
    if (!document)
      return;
    std::erase_if(document->traces, [&](const auto &entry) {
      // Broken ones are small, and tell why others are not to be had.
      if (!entry.second->isChunkParsed())
        return false;
      document->dropped.insert(entry.first);
      ++tally.dropped;
      return true;
    });
  }
}

} // namespace memreflens::lsp
