//===- lsp/analysis/DocumentStore.cpp - documents come, change and go -----===//

#include "lsp/analysis/DocumentStore.h"

#include <algorithm>
#include <chrono>

namespace memreflens::lsp {

void DocumentStore::open(const std::string &uri, int64_t version,
                         std::string text) {
  Document &document = documents[uri];
  document.uri = uri;
  document.used = ++uses;
  document.version = version;
  document.text = std::move(text);
  document.textHash.reset();
  document.lines = Lines(document.text);
  document.reportedHash = 0;
  document.isStale = true;
  document.isReported = document.isExplored = false;
}

bool DocumentStore::edit(const std::string &uri, int64_t version,
                         const std::vector<ByteEdit> &edits) {
  Document *document = find(uri);
  if (!document)
    return false;
  document->version = version;
  document->textHash.reset();
  document->isStale = true;
  document->isReported = document->isExplored = false;
  for (const auto &[begin, end, text] : edits) {
    if (begin > end || end > document->text.size())
      return false;
    document->text.replace(begin, end - begin, text);
    document->lines.replace(document->text, begin, end, text.size());
  }
  return true;
}

void DocumentStore::close(const std::string &uri) {
  Document *document = find(uri);
  if (!document)
    return;
  cache.shelve(*document, [](uint64_t) { return true; });
  cache.shelvePaths(*document, [](uint64_t) { return true; });
  documents.erase(uri);
}

void DocumentStore::outdate(bool keepsPaths) {
  for (auto &[uri, document] : documents) {
    // Traces stay: a unit's key holds the options that it was analysed under.
    if (!keepsPaths)
      document.paths.clear();
    document.told.clear();
    document.dropped.clear();
    document.reportedHash = 0;
    document.isStale = true;
    document.isReported = document.isExplored = false;
  }
}

Document *DocumentStore::find(const std::string &uri, bool uses) {
  auto at = documents.find(uri);
  if (at == documents.end())
    return nullptr;
  if (uses)
    at->second.used = ++this->uses;
  return &at->second;
}

//===--- Units ------------------------------------------------------------===//

void DocumentStore::refresh(Document &document) {
  if (!document.isStale)
    return;
  document.isStale = false;
  document.next = 0;
  document.pathKeys.clear();
  UnitOptions split;
  split.wholeChunks = !state.options.canSplit();
  split.seed = state.options.seed();
  const auto begin = std::chrono::steady_clock::now();
  document.units = splitUnits(document.text, split);
  state.tally.cutting +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  document.lineOfKey.clear();
  for (const Unit &unit : document.units)
    document.lineOfKey[unit.key] = unit.line;
  auto isGone = [&](uint64_t key) { return !document.lineOfKey.contains(key); };
  // First, lest what goes to the shelf push off it what is to be taken back.
  cache.takeBack(document, documents);
  cache.shelve(document, isGone);
  std::erase_if(document.told,
                [&](const auto &entry) { return isGone(entry.first); });
  std::erase_if(document.dropped, isGone);
}

const Unit *DocumentStore::unitAt(Document &document, size_t line) {
  refresh(document);
  const Unit *found = nullptr;
  for (const Unit &unit : document.units)
    if (unit.line <= line)
      found = &unit;
  return found;
}

//===--- What makes room --------------------------------------------------===//

/// Of the documents that nobody looked at for longest, but not of one that is
/// being worked on or was used last; null if none has any to spare.
Document *DocumentStore::leastUsed(const Document *busy) {
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

void DocumentStore::trim(const Document *busy) {
  while (state.tally.held > state.options.traceLimit) {
    if (cache.dropOldest())
      continue;
    Document *document = leastUsed(busy);
    if (!document)
      return;
    std::erase_if(document->traces, [&](const auto &entry) {
      // Broken ones are small, and tell why others are not to be had.
      if (!entry.second->isChunkParsed())
        return false;
      document->dropped.insert(entry.first);
      ++state.tally.dropped;
      return true;
    });
  }
}

} // namespace memreflens::lsp
