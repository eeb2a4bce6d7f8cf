//===- lsp/analysis/SoloRuns.h - runs over one unit alone -----------------===//
//
// For who wants more of a function than its batch has: the texts of its stages,
// its alias view, the facts about its ops, or other options. Called by the
// thread of the server's loop alone.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_SOLORUNS_H
#define MEMREFLENS_LSP_ANALYSIS_SOLORUNS_H

#include "core/trace/OpFacts.h"
#include "lsp/analysis/AnalystState.h"
#include "lsp/analysis/Document.h"

#include <deque>

namespace memreflens::lsp {

/// What is kept of a run over one unit alone.
struct UnitRun {
  std::shared_ptr<const Batch> batch;
  /// Of its input: ops of which there is something to say, by where their names
  /// begin.
  std::map<uint32_t, trace::OpFacts> facts = {};

  /// Of the op whose name is there; null for none.
  const trace::OpFacts *factsAt(uint32_t offset) const;
};

class SoloRuns {
public:
  explicit SoloRuns(AnalystState &state) : state(state) {}

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
  /// The unit with the functions that it calls, their heaps measured, without
  /// texts of stages; kept as well. Where these are too much text, they are
  /// declarations, and what they allocate is not in it.
  std::shared_ptr<const Batch> keptMeasured(const Document &document,
                                            const Unit &unit);
  /// Other options hold from now on.
  void forget() { kept.clear(); }
  /// Where a unit stands in the text of a trace of it alone.
  static Batch::Place placeAlone(const Unit &unit);

private:
  enum class Kind : uint8_t { trace, input, measured };
  std::shared_ptr<const UnitRun> keep(const Document &document,
                                      const Unit &unit, Kind kind);
  trace::Trace traceOf(const Document &document,
                       const std::vector<const Unit *> &units,
                       const AnalysisOptions &wanted);

  AnalystState &state;
  struct Kept {
    std::string uri;
    /// Of the unit and of what it calls.
    uint64_t key;
    size_t line;
    Kind kind;
    std::shared_ptr<const UnitRun> run;
  };
  /// Newest first.
  std::deque<Kept> kept;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_SOLORUNS_H
