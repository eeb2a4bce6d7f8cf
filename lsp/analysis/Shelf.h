//===- lsp/analysis/Shelf.h - traces of texts that are gone ---------------===//
//
// An edit that is undone, a branch that is switched to and back, a file that is
// closed and opened again, a setting that is tried: the functions are as they
// were, and so are their traces. Those of longest ago go first.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_SHELF_H
#define MEMREFLENS_LSP_ANALYSIS_SHELF_H

#include "lsp/analysis/Batch.h"

#include <list>
#include <unordered_map>

namespace memreflens::lsp {

/// By the key of a unit; units of one batch may be on it while others of the
/// batch are in use.
class Shelf {
public:
  void put(uint64_t key, std::shared_ptr<Batch> batch);
  /// Null if it is not there.
  std::shared_ptr<Batch> find(uint64_t key) const;
  void remove(uint64_t key);
  bool removeOldest();
  /// Units.
  size_t size() const { return entries.size(); }
  /// Bytes, estimated: of each unit its share of its batch.
  size_t weight() const { return total; }

private:
  struct Entry {
    uint64_t key;
    size_t weight;
    std::shared_ptr<Batch> batch;
  };
  /// Newest first.
  std::list<Entry> entries;
  std::unordered_map<uint64_t, std::list<Entry>::iterator> entryOf;
  size_t total = 0;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_SHELF_H
