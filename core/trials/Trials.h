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
#include "core/check/explore/Peak.h"
#include "core/check/explore/Tries.h"
#include "core/pipeline/run/Analysis.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace memreflens {

struct TrialOptions {
  trace::RunOptions run;
  /// Of the path explorer, for each function.
  ExploreLimits limits;
  /// Of the peaks of copies.
  HeapLimits heap = {};
  /// That all copies together have; 0: no limit.
  uint64_t maxOps = 0;
  /// Copies of a program of more than 1,000 ops; 0: no limit.
  unsigned mostCopies = 0;
  /// Copies at a time.
  unsigned jobs = 1;
};

/// The program of which the copies are made.
ParsedSource parseForTrials(const trace::Source &source,
                            const mlir::DialectRegistry &registry,
                            const trace::RunOptions &run);

/// Completes the report of the source; `before` is what was counted in it, and
/// `parsed` the program, if it was read already.
void tryRemedies(FileReport &report, const Measures &before,
                 const TrialOptions &options, const trace::Source &source,
                 const mlir::DialectRegistry &registry, ParsedSource parsed);

} // namespace memreflens

#endif // MEMREFLENS_TRIALS_TRIALS_H
