//===- core/symexec/BoundedExploration.h - a function, explored within limits
//----===//
//
// How `check` and the language server explore: the program as written where it
// frees memory by hand, and what the pipeline made of it. Where running the
// calls takes too long, the function is tried again with its calls by the
// boundary ABI.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_BOUNDEDEXPLORATION_H
#define MEMREFLENS_SYMEXEC_BOUNDEDEXPLORATION_H

#include "core/source/Identity.h"
#include "core/symexec/Explore.h"
#include "core/trace/Workers.h"

#include <optional>

namespace memreflens::symexec {

/// For all tries of a function, but a short first one.
struct ExploreLimits {
  unsigned bound = 3;
  /// What usually ends an exploration, and on every machine at the same place.
  uint64_t maxSteps = 400000;
  /// The same for each op of the function, though 2,000 at least; 0: any.
  uint64_t stepsAnOp = 0;
  /// For a machine on which even that takes too long.
  double seconds = 20;
  /// Asked now and then; false ends the exploration, whose result is then of no
  /// use.
  std::function<bool()> goesOn;
  /// Those of the module, for all of its functions; may be null.
  mlir::SymbolTableCollection *symbols = nullptr;
  /// Of who explores several functions; empty for the calling thread.
  trace::Workers workers = {};
};

/// Of the program as written; nothing where it frees no memory by hand.
std::optional<ExploreResult> exploreInput(mlir::FunctionOpInterface function,
                                          const trace::Trace &trace,
                                          const ExploreLimits &limits);

/// Of the pipeline's output; nothing where the pipeline did not come to its
/// end.
std::optional<ExploreResult> exploreOutput(mlir::FunctionOpInterface function,
                                           const trace::Trace &trace,
                                           const ExploreLimits &limits);

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_BOUNDEDEXPLORATION_H
