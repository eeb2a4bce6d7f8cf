//===- lsp/analysis/Document.h - an open document -------------------------===//
//
// Its text, the functions in it, and all that is known of them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_DOCUMENT_H
#define MEMREFLENS_LSP_ANALYSIS_DOCUMENT_H

#include "core/text/Fingerprint.h"
#include "lsp/analysis/Batch.h"
#include "lsp/analysis/Paths.h"

#include <algorithm>
#include <optional>
#include <set>

namespace memreflens::lsp {

/// A unit's diagnostics, as JSON, at the places that `signature` stands for.
struct ToldUnit {
  uint64_t signature = 0;
  struct Entry {
    int severity = 0;
    /// Place, rule and message: equal for what is the same to a reader.
    std::string key, text;
  };
  std::vector<Entry> entries;
};

/// Bytes [begin, end) become `text`.
struct ByteEdit {
  size_t begin = 0, end = 0;
  std::string text;
};

struct TestedRemedies;

struct Document {
  std::string uri;
  int64_t version = 0;
  std::string text;
  Lines lines;

  std::vector<Unit> units;
  std::map<uint64_t, size_t> lineOfKey;
  std::map<uint64_t, std::shared_ptr<Batch>> traces;
  /// Of giant functions at work: what is known behind the ownership pass.
  std::map<uint64_t, std::shared_ptr<Batch>> early;
  /// Units whose traces had to make room; each is made again when asked for.
  std::set<uint64_t> dropped;
  /// Larger for one that was asked for, or edited, later.
  uint64_t used = 0;
  /// The text changed since the units were found.
  bool isStale = true;
  /// All was analysed and reported.
  bool isReported = false;
  /// First unit that the background has not looked at.
  size_t next = 0;

  /// Of each unit, once `findPathKeys` saw the newest units.
  std::vector<PathKey> pathKeys;
  std::map<uint64_t, std::shared_ptr<const PathReport>> paths;
  /// The paths of all units were tried, as far as they can be.
  bool isExplored = false;
  /// Some found what the last report of the document does not have.
  bool hasPathNews = false;

  /// What came of remedies, of this text or of an earlier one; null for
  /// nothing.
  std::shared_ptr<const TestedRemedies> tested;
  /// `hash` of the text that was last compared with the document's file, to
  /// test its remedies; 0 for none.
  uint64_t comparedWithFile = 0;

  /// By the units' keys.
  std::map<uint64_t, ToldUnit> told;
  /// `fingerprint` of the last report; 0 for none.
  uint64_t reportedHash = 0;

  /// `fingerprint` of the text.
  uint64_t hash() const {
    if (!textHash)
      textHash = fingerprint(text);
    return *textHash;
  }
  /// Reset where the text changes.
  mutable std::optional<uint64_t> textHash;
};

/// Whether the unit is known not to parse.
inline bool isBroken(const Document &document, const Unit &unit) {
  auto at = document.traces.find(unit.key);
  return at != document.traces.end() && !at->second->isChunkParsed();
}

/// Whether some unit is.
inline bool isAnyBroken(const Document &document) {
  return std::ranges::any_of(document.traces, [](const auto &entry) {
    return !entry.second->isChunkParsed();
  });
}

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_DOCUMENT_H
