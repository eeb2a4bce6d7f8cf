//===- lsp/analysis/TraceCache.h - traces that somebody may ask for again -===//
//
// Counts what all traces take, keeps those of texts that are gone, and gives
// them back. Called by the thread of the server's loop alone, which also lets
// go of the last reference to what `hold` gives.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_TRACECACHE_H
#define MEMREFLENS_LSP_ANALYSIS_TRACECACHE_H

#include "lsp/analysis/AnalystState.h"
#include "lsp/analysis/Document.h"
#include "lsp/analysis/Shelf.h"

namespace memreflens::lsp {

class TraceCache {
public:
  explicit TraceCache(AnalystState &state) : state(state) {}

  using IsGone = std::function<bool(uint64_t key)>;

  /// Counts the batch as held until nobody refers to it.
  std::shared_ptr<Batch> hold(std::unique_ptr<Batch> batch);
  /// Puts traces of these units on the shelf.
  void shelve(Document &document, const IsGone &isGone);
  /// Those of units that have none, from the shelf or from another document.
  void takeBack(Document &document,
                const std::map<std::string, Document> &documents);
  /// The same of what was found on paths, which other documents do not share.
  void shelvePaths(Document &document, const IsGone &isGone);
  void takeBackPaths(Document &document);
  void dropShelvedPaths();
  /// Somebody asks for it: it is awake behind this.
  void use(Batch &batch);
  /// Packs those that were not used lately, where many are awake. Nobody holds
  /// a view of one, and no other thread is at work.
  void letSleep(const std::map<std::string, Document> &documents);
  /// Lets the oldest trace on the shelf go; false if there is none.
  bool dropOldest();
  const Shelf &getShelf() const { return shelf; }

private:
  /// Bytes of traces that stay awake: those of some 10,000 lines.
  static constexpr size_t awakeLimit = size_t(64) << 20;
  /// After its weight changed.
  void weigh(Batch &batch);
  std::shared_ptr<Batch>
  findElsewhere(const Document &document, uint64_t key,
                const std::map<std::string, Document> &documents) const;

  AnalystState &state;
  uint64_t uses = 0;
  Shelf shelf;
  /// What was found on paths through bodies that are gone, by registry and key.
  std::map<std::pair<const void *, uint64_t>, std::shared_ptr<const PathReport>>
      shelvedPaths;
  size_t shelvedPathWeight = 0;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_TRACECACHE_H
