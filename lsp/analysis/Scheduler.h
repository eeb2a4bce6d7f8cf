//===- lsp/analysis/Scheduler.h - which functions are analysed, and when --===//
//
// Cuts what is asked for, or waits, into batches and runs these side by side.
// Called by the thread of the server's loop; other threads run one `Job` each,
// which sees nothing that changes meanwhile, and what they made is taken over
// when all are done. While only they are at work, on a giant function, the
// loop's thread calls `meanwhile`.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_SCHEDULER_H
#define MEMREFLENS_LSP_ANALYSIS_SCHEDULER_H

#include "lsp/analysis/DocumentStore.h"

namespace memreflens::lsp {

class Scheduler {
public:
  Scheduler(AnalystState &state, DocumentStore &documents, TraceCache &cache)
      : state(state), documents(documents), cache(cache) {}

  using GoesOn = std::function<bool()>;
  /// Called every few milliseconds while only other threads are at work, on a
  /// giant function: for who can answer what does not need its trace.
  std::function<void()> meanwhile;

  /// The unit's trace at its present place. Null if it has none.
  const Batch *traceOf(Document &document, const Unit &unit);
  /// The same, which may be asleep: for what it knows all the same.
  const Batch *batchOf(Document &document, const Unit &unit);
  /// Makes the traces of these units that have none, a few at a time, asking in
  /// between whether to go on; false if not.
  bool ensure(Document &document, const std::vector<const Unit *> &units,
              const GoesOn &goesOn);
  /// Whether its trace is there, or soon, if nothing is known against it.
  bool isQuick(const Document &document, const Unit &unit) const;
  /// Whether a giant function has no trace yet, and gets one unasked.
  bool isComing(const Document &document, const Unit &unit) const;
  /// Of one that is coming, the trace up to the ownership pass; null until that
  /// is done.
  static const Batch *earlyTraceOf(Document &document, const Unit &unit);

  /// Analyses a few units that wait, fewer if it shall not go on; null if
  /// nothing waits. A document that this ended the work on is returned; else
  /// any that it worked on.
  Document *step(const GoesOn &goesOn);
  /// Finds what is in a few more batches; false if nothing is left to do.
  bool findMore(Document &document);
  /// What `check` finds, without trying paths, in the function at a line of a
  /// document that is not open.
  std::vector<Finding> findingsIn(Document &document, size_t line);

private:
  using Units = std::vector<const Unit *>;
  /// One batch, from its text to its trace.
  struct Job;
  /// Whether a unit is analysed together with those before it.
  bool joins(const Units &batch, const Unit &unit) const;
  /// Adds the unit to the last batch, or to a new one; false if it has to wait
  /// until these, at most `most`, are done.
  bool addTo(std::vector<Units> &batches, const Unit &unit, size_t most) const;
  Job prepare(const Document &document, Units units) const;
  /// By any thread.
  void run(const Document &document, Job &job);
  void finish(Document &document, Job &job);
  /// Hands on what jobs know that are still at work.
  static void takeEarly(Document &document, std::vector<Job> &jobs);
  void analyseUnits(Document &document, Units units);
  /// The first of them, side by side; how many.
  size_t analyseBatches(Document &document, std::vector<Units> batches,
                        const GoesOn &goesOn);

  AnalystState &state;
  DocumentStore &documents;
  TraceCache &cache;
  /// Keys of giant functions at work, while what others have is answered.
  std::set<uint64_t> giantWork;
  /// Nobody waits for the batches that are analysed.
  bool inBackground = false;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_SCHEDULER_H
