//===- core/trials/Copy.h - a copy of a program, changed and measured -----===//
//
// What remedies make of a program. Those that differ in a pass behind the
// pipeline alone share all that comes before it: they are one copy until there.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRIALS_COPY_H
#define MEMREFLENS_TRIALS_COPY_H

#include "core/check/Trial.h"
#include "core/trials/Trials.h"

namespace memreflens {

/// A run of the program with the remedy.
trace::RunOptions runWith(const Remedy &remedy, const trace::RunOptions &run);

/// What remedies are for.
struct Known {
  const FileReport &report;
  const Measures &before;
};

/// A program and what is done to its copies; all must outlive them.
struct CopySource {
  const TrialOptions &options;
  const trace::Source &source;
  const mlir::DialectRegistry &registry;
  ParsedSource &parsed;
};

/// One copy or, with more remedies than one, as many: all have the passes of
/// the first, and each other one has its own pass behind them.
struct CopyPlan {
  std::vector<Remedy> remedies;
  /// A function may be rejected, which has to be recorded.
  bool isRecorded = false;
};

/// Whether their runs are the same but for what is behind the pipeline.
bool sharePasses(const Remedy &first, const Remedy &second);

/// Makes the copies and measures them: for a process that is about to end.
/// `known` is called, in this process and in others that it begins, when the
/// stages have run. `take` gets what came of each, and no measures of one that
/// has to be tried by itself.
void measureCopies(
    const CopySource &source, const CopyPlan &plan,
    const std::function<Known()> &known,
    const std::function<void(size_t remedy, const Measures &)> &take);

} // namespace memreflens

#endif // MEMREFLENS_TRIALS_COPY_H
