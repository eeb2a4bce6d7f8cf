//===- core/trials/Trials.h - remedies, applied to copies of a program ----===//
//
// Each remedy that may help against a file's findings is applied to a copy in a
// process of its own; what came of it is added to the findings. Bounded by the
// number of ops that all copies together have (`TrialOptions::maxOps`).
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRIALS_TRIALS_H
#define MEMREFLENS_TRIALS_TRIALS_H

#include "core/check/Finding.h"
#include "core/check/Measure.h"
#include "core/pipeline/run/Analysis.h"
#include "core/symexec/BoundedExploration.h"
#include "core/symexec/HeapPeak.h"

#include <memory>
#include <vector>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace memreflens {

struct TrialOptions {
  trace::RunOptions run;
  /// Of the path explorer, for each function.
  symexec::ExploreLimits limits;
  /// Of the peaks of copies.
  symexec::HeapLimits heap = {};
  /// That all copies together have; 0: no limit.
  uint64_t maxOps = 0;
  /// Copies of a program of more than 1,000 ops; 0: no limit.
  unsigned mostCopies = 0;
  /// Copies at a time.
  unsigned jobs = 1;
};

class CopyRun;
class Gate;
struct CopyPlan;
struct Known;
struct Remedy;

/// Of one source. What it is given must outlive it.
class Trials {
public:
  Trials(const TrialOptions &options, const trace::Source &source,
         const mlir::DialectRegistry &registry);
  ~Trials();

  /// Reads the program, and begins copies of a large one that will most likely
  /// be wanted, as long as `isKnown` is shut: what is found in it is not known.
  void prepare(const Gate &isKnown);
  /// Completes the report of the source; `before` is what was counted in it.
  void tryRemedies(FileReport &report, const Measures &before);

private:
  void readProgram();
  std::vector<Measures> measureAll(const std::vector<Remedy> &remedies,
                                   const FileReport &report,
                                   const Measures &before);
  /// The copy of `ahead` that has this plan; null if there is none.
  std::unique_ptr<CopyRun> *findAhead(const CopyPlan &plan);
  std::unique_ptr<CopyRun> begin(CopyPlan plan, const Known &known);

  const TrialOptions options;
  const trace::Source &source;
  const mlir::DialectRegistry &registry;
  /// The program of which the copies are made.
  ParsedSource parsed;
  /// Copies that wait to learn what is found.
  std::vector<std::unique_ptr<CopyRun>> ahead;
};

} // namespace memreflens

#endif // MEMREFLENS_TRIALS_TRIALS_H
