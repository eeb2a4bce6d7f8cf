//===- lsp/analysis/PathScheduler.h - whose paths are tried, and when -----===//
//
// Tries the paths of documents that are reported, in the background. Called by
// the thread of the server's loop, which asks in between whether to go on;
// other threads run one `PathJob` each, which sees nothing that changes
// meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_PATHSCHEDULER_H
#define MEMREFLENS_LSP_ANALYSIS_PATHSCHEDULER_H

#include "lsp/analysis/DocumentStore.h"

namespace memreflens::lsp {

class PathScheduler {
public:
  PathScheduler(AnalystState &state, DocumentStore &documents,
                TraceCache &cache)
      : state(state), documents(documents), cache(cache) {}

  using GoesOn = std::function<bool()>;

  /// Tries the paths of a few units of a document that is reported, as long as
  /// `goesOn` says so; null if nothing waits.
  Document *explore(const GoesOn &goesOn);
  /// Which bodies each unit's paths go through. Drops reports of units that are
  /// no more.
  void findPathKeys(Document &document);

private:
  using Units = std::vector<const Unit *>;
  struct PathJob;
  std::vector<size_t> nextPaths(const Document &document,
                                const std::set<size_t> &taken) const;
  bool isPathWaiting(const Document &document, size_t unit) const;
  bool isPathSuspect(const Document &document, size_t unit) const;
  bool canExplore(const Document &document, size_t unit) const;
  PathJob preparePaths(const Document &document, std::vector<size_t> wanted,
                       std::set<size_t> &taken) const;
  /// By any thread, as `goesOn` is then.
  void run(const Document &document, PathJob &job, const GoesOn &goesOn);
  static void finish(Document &document, PathJob &job);
  void exploreJobs(Document &document, std::vector<PathJob> &jobs,
                   const GoesOn &goesOn);

  AnalystState &state;
  DocumentStore &documents;
  TraceCache &cache;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_PATHSCHEDULER_H
