//===- lsp/analysis/Analyst.h - documents and their traces ----------------===//
//
// Holds each open document's text and, for each of its functions, the newest
// trace. A function is analysed when somebody asks for it, or in the background
// by `step`; one whose text did not change is never analysed again.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_ANALYST_H
#define MEMREFLENS_LSP_ANALYSIS_ANALYST_H

#include "core/pipeline/Analysis.h"
#include "core/trace/OpFacts.h"
#include "lsp/analysis/Batch.h"
#include "lsp/analysis/Options.h"
#include "lsp/analysis/Paths.h"
#include "lsp/analysis/Shelf.h"

#include <deque>
#include <functional>
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

struct Document {
  std::string uri;
  int64_t version = 0;
  std::string text;
  Lines lines;

  std::vector<Unit> units;
  std::map<uint64_t, size_t> lineOfKey;
  std::map<uint64_t, std::shared_ptr<Batch>> traces;
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

  /// By the units' keys.
  std::map<uint64_t, ToldUnit> told;
  /// Of the last report; 0 for none.
  uint64_t reportedHash = 0;
};

/// A function that an earlier process died on.
struct Fatal {
  /// Of a unit, or of its paths.
  uint64_t key = 0;
  int stage = 0;
  bool timedOut = false;
  std::string message;
};

/// What was done since the process began.
struct Tally {
  /// Functions: analysed, with those whose paths were tried apart; whose traces
  /// were taken from the shelf or another document; that made room.
  uint64_t analysed = 0, explored = 0, takenBack = 0, dropped = 0;
  /// Bytes of all traces held, estimated.
  size_t held = 0;
  /// Seconds: cutting texts into functions, parsing these, all their stages.
  double cutting = 0, parsing = 0, stages = 0;
};

using RegistryOf =
    std::function<const mlir::DialectRegistry &(const std::string &uri)>;

class Analyst {
public:
  /// Told what is analysed, and which stage runs (-1: the parser); with no
  /// keys, that it ended.
  using Watcher = std::function<void(
      const Document &, const std::vector<uint64_t> &keys, int stage)>;

  Analyst(RegistryOf registryOf, Watcher watch)
      : registryOf(std::move(registryOf)), watch(std::move(watch)) {}

  ServerOptions options;
  std::vector<Fatal> fatals;
  /// Analysed alone, since one of them killed an earlier process.
  std::set<uint64_t> suspects;

  void open(const std::string &uri, int64_t version, std::string text);
  bool edit(const std::string &uri, int64_t version, const Json &edits);
  void close(const std::string &uri);
  /// Other options hold from now on: functions are looked at again, and
  /// analysed if their traces depend on what changed.
  void setOptions(const ServerOptions &fresh);
  /// Null if it is not open. `uses`: somebody looks at it.
  Document *find(const std::string &uri, bool uses = true);
  const std::map<std::string, Document> &getDocuments() const {
    return documents;
  }

  /// Finds the units of the newest text.
  void refresh(Document &document);
  /// The unit's trace at its present place. Null if it has none.
  const Batch *traceOf(Document &document, const Unit &unit);
  const Unit *unitAt(Document &document, size_t line);
  /// Makes the traces of these units that have none, a few at a time, asking in
  /// between whether to go on; false if not.
  bool ensure(Document &document, const std::vector<const Unit *> &units,
              const std::function<bool()> &goesOn);
  bool isBroken(const Document &document, const Unit &unit) const;
  /// Whether some unit is known not to parse.
  bool isAnyBroken(const Document &document) const;

  /// Analyses a few units that wait; null if nothing waits. A document that
  /// this ended the work on is returned; else any that it worked on.
  Document *step();
  /// Finds what is in one more batch; false if nothing is left to do.
  bool findMore(Document &document);
  /// Tries the paths of a few units of a document that is reported, as long as
  /// `goesOn` says so; null if nothing waits.
  Document *explore(const std::function<bool()> &goesOn);
  /// Which bodies each unit's paths go through. Drops reports of units that are
  /// no more.
  void findPathKeys(Document &document);
  /// Everything about one unit, with the text of each stage.
  trace::Trace wholeTrace(const Document &document, const Unit &unit,
                          const trace::RunOptions &run, int lastStage,
                          StageText text = StageText::sourceNames);
  /// The same under the options set, over all stages. A client asks for a
  /// trace, its stages and its pictures in turn: the newest few are kept, so
  /// that ids of one answer are those of the next.
  std::shared_ptr<const Batch> keptTrace(const Document &document,
                                         const Unit &unit);
  /// The unit's input with its alias view, and no stage.
  std::shared_ptr<const Batch> keptAliases(const Document &document,
                                           const Unit &unit);
  /// About the op whose name is at a position, as it is written; nothing where
  /// none is.
  std::optional<trace::OpFacts> factsAt(const Document &document,
                                        const Unit &unit, Position position);
  /// What `check` finds, without trying paths, in the function at a line of a
  /// document that is not open.
  std::vector<Finding> findingsIn(Document &document, size_t line);
  /// Where a unit stands in the text of a trace of it alone.
  static Batch::Place placeAlone(const Unit &unit);
  const Fatal *fatalOf(const Unit &unit) const { return fatalOf(unit.key); }
  const Fatal *fatalOf(uint64_t key) const;
  const Tally &getTally() const { return tally; }
  const Shelf &getShelf() const { return shelf; }
  /// Lets traces go where they are too many: those of texts that are gone, then
  /// those of documents that nobody looked at for long. Not those of `busy`,
  /// nor of the document used last. Views of the others end with it.
  void trim(const Document *busy);

private:
  std::shared_ptr<Batch> hold(std::unique_ptr<Batch> batch);
  /// Puts traces of these units on the shelf.
  void shelve(Document &document,
              const std::function<bool(uint64_t key)> &isGone);
  void takeBack(Document &document);
  void shelvePaths(Document &document,
                   const std::function<bool(uint64_t key)> &isGone);
  void takeBackPaths(Document &document);
  void dropShelvedPaths();
  std::shared_ptr<Batch> findElsewhere(const Document &document,
                                       uint64_t key) const;
  Document *leastUsed(const Document *busy);
  std::shared_ptr<const Batch> keep(const Document &document, const Unit &unit,
                                    bool isAliases);
  /// Whether a unit is analysed together with those before it.
  bool joins(const std::vector<const Unit *> &batch, const Unit &unit) const;
  void analyseUnits(Document &document, std::vector<const Unit *> units);
  std::vector<size_t> nextPaths(const Document &document) const;
  bool isPathWaiting(const Document &document, size_t unit) const;
  bool canExplore(const Document &document, size_t unit) const;
  void exploreUnits(Document &document, std::vector<size_t> wanted,
                    const std::function<bool()> &goesOn);
  /// `keys` are to blame if it dies.
  AnalysisOptions optionsFor(const Document &document,
                             const std::vector<const Unit *> &units,
                             std::vector<uint64_t> keys);

  RegistryOf registryOf;
  Watcher watch;
  /// Before the documents and the shelf, whose traces it counts.
  Tally tally;
  uint64_t uses = 0;
  std::map<std::string, Document> documents;
  Shelf shelf;
  /// What was found on paths through bodies that are gone, by registry and key.
  std::map<std::pair<const void *, uint64_t>, std::shared_ptr<const PathReport>>
      shelvedPaths;
  size_t shelvedPathWeight = 0;
  struct Kept {
    std::string uri;
    uint64_t key;
    size_t line;
    bool isAliases;
    std::shared_ptr<const Batch> batch;
  };
  /// Newest first.
  std::deque<Kept> kept;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_ANALYST_H
