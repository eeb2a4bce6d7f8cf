//===- core/execute/KeptRun.h - a run beside its program ------------------===//
//
// A record of `memref-lens run`, taken up again by who shows the program: that
// it is a run of this program, and by the same options, is found by the text of
// the stage that ran.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXECUTE_KEPTRUN_H
#define MEMREFLENS_EXECUTE_KEPTRUN_H

#include "core/execute/Record.h"
#include "core/memory/Memory.h"

namespace memreflens::execute {

struct KeptRun {
  Record record;
  /// The part of the file that has the program, and the function that ran.
  trace::Id chunk = trace::none, entry = trace::none;
  /// The stage whose program ran.
  int stage = 0;

  /// Whether the function is of the program that ran.
  bool has(const trace::Function &function) const;
  /// Of a function of the trace; nothing where the run is of another part.
  std::optional<RunCounts> countsOf(const trace::Function &function) const;
  /// Beside what is predicted; only if the run is of the function's part.
  void addTo(Lifetimes &lifetimes, const Lookup &lookup) const;
  void addTo(memory::MemoryUse &use, const Lookup &lookup) const;
};

/// The number of the stage whose program ran; nothing in a damaged record.
std::optional<int> stageOf(const Record &record);

/// Nothing, and why, where it is not a run of the trace's program. The trace
/// needs the texts of its stages.
std::optional<KeptRun> keptRun(Record record, const trace::Trace &trace,
                               std::string &error);

} // namespace memreflens::execute

#endif // MEMREFLENS_EXECUTE_KEPTRUN_H
