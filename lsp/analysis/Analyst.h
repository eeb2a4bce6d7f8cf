//===- lsp/analysis/Analyst.h - documents and their traces ----------------===//
//
// Holds each open document's text and, for each of its functions, the newest
// trace. A function is analysed when somebody asks for it, or in the background
// by `step`; one whose text did not change is never analysed again.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_ANALYST_H
#define MEMREFLENS_LSP_ANALYSIS_ANALYST_H

#include "core/pipeline/run/Analysis.h"
#include "core/trace/OpFacts.h"
#include "lsp/analysis/Document.h"
#include "lsp/analysis/Options.h"
#include "lsp/analysis/Progress.h"
#include "lsp/analysis/RunRecord.h"
#include "lsp/analysis/Shelf.h"

#include <deque>
#include <functional>
#include <set>

namespace memreflens::lsp {

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

/// What is kept of a run over one unit alone.
struct UnitRun {
  std::shared_ptr<const Batch> batch;
  /// Of its input: ops of which there is something to say, by where their names
  /// begin.
  std::map<uint32_t, trace::OpFacts> facts = {};

  /// Of the op whose name is there; null for none.
  const trace::OpFacts *factsAt(uint32_t offset) const;
};

using RegistryOf =
    std::function<const mlir::DialectRegistry &(const std::string &uri)>;

class Analyst {
public:
  using GoesOn = std::function<bool()>;

  /// `tell` is told what is analysed, by any thread.
  Analyst(RegistryOf registryOf, Progress::Tell tell)
      : registryOf(std::move(registryOf)), progress(std::move(tell)) {}

  ServerOptions options;
  NamedRun namedRun;
  /// Called every few milliseconds while only other threads are at work, on a
  /// giant function: for who can answer what does not need its trace.
  std::function<void()> meanwhile;
  std::vector<Fatal> fatals;
  /// Analysed alone, since one of them killed an earlier process.
  std::set<uint64_t> suspects;

  void open(const std::string &uri, int64_t version, std::string text);
  /// One after the other; false where they do not fit the text.
  bool edit(const std::string &uri, int64_t version,
            const std::vector<ByteEdit> &edits);
  void close(const std::string &uri);
  /// Other options hold from now on: functions are looked at again, and
  /// analysed if their traces depend on what changed.
  void setOptions(const ServerOptions &fresh);
  /// The run that the settings name, if it is of the document's text; or else
  /// null, and why in `why`, if any is named.
  const execute::Record *runOf(const Document &document, std::string &why);
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
              const GoesOn &goesOn);
  /// Whether its trace is there, or soon, if nothing is known against it.
  bool isQuick(const Document &document, const Unit &unit) const;
  /// Whether a giant function has no trace yet, and gets one unasked.
  bool isComing(const Document &document, const Unit &unit) const;
  bool isBroken(const Document &document, const Unit &unit) const;
  /// Whether some unit is known not to parse.
  bool isAnyBroken(const Document &document) const;

  /// Analyses a few units that wait, fewer if it shall not go on; null if
  /// nothing waits. A document that this ended the work on is returned; else
  /// any that it worked on.
  Document *step(const GoesOn &goesOn);
  /// Finds what is in a few more batches; false if nothing is left to do.
  bool findMore(Document &document);
  /// Tries the paths of a few units of a document that is reported, as long as
  /// `goesOn` says so; null if nothing waits.
  Document *explore(const GoesOn &goesOn);
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
  /// The unit's input with its alias view and the facts about its ops, and no
  /// stage; kept as well.
  std::shared_ptr<const UnitRun> keptInput(const Document &document,
                                           const Unit &unit);
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
  std::shared_ptr<const UnitRun> keep(const Document &document,
                                      const Unit &unit, bool isInput);
  trace::Trace traceAlone(const Document &document, const Unit &unit,
                          const AnalysisOptions &wanted);
  using Units = std::vector<const Unit *>;
  /// One batch, from its text to its trace.
  struct Job;
  /// Whether a unit is analysed together with those before it.
  bool joins(const Units &batch, const Unit &unit) const;
  /// Whether it killed an earlier process, maybe: then nothing else runs.
  bool isSuspect(const Unit &unit) const;
  /// Adds the unit to the last batch, or to a new one; false if it has to wait
  /// until these, at most `most`, are done.
  bool addTo(std::vector<Units> &batches, const Unit &unit, size_t most) const;
  Job prepare(const Document &document, Units units) const;
  void run(const Document &document, Job &job);
  void finish(Document &document, Job &job);
  void analyseUnits(Document &document, Units units);
  /// The first of them, side by side; how many.
  size_t analyseBatches(Document &document, std::vector<Units> batches,
                        const GoesOn &goesOn);
  struct PathJob;
  std::vector<size_t> nextPaths(const Document &document,
                                const std::set<size_t> &taken) const;
  bool isPathWaiting(const Document &document, size_t unit) const;
  bool isPathSuspect(const Document &document, size_t unit) const;
  bool canExplore(const Document &document, size_t unit) const;
  PathJob preparePaths(const Document &document, std::vector<size_t> wanted,
                       std::set<size_t> &taken) const;
  void run(const Document &document, PathJob &job, const GoesOn &goesOn);
  static void finish(Document &document, PathJob &job);
  void exploreJobs(Document &document, std::vector<PathJob> &jobs,
                   const GoesOn &goesOn);
  AnalysisOptions optionsFor(const Units &units) const;

  RegistryOf registryOf;
  Progress progress;
  /// Keys of giant functions at work, while what others have is answered.
  std::set<uint64_t> giantWork;
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
    bool isInput;
    std::shared_ptr<const UnitRun> run;
  };
  /// Newest first.
  std::deque<Kept> kept;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_ANALYST_H
