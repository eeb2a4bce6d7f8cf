//===- core/symexec/Explore.h - every path of a function, tried -----------===//
//
// A path-sensitive symbolic executor: gives each allocation an identity,
// follows it through views, selects, branches, loops and calls, takes both ways
// wherever a condition is unknown, and reports what is leaked, freed twice,
// used after its end, or freed by one who does not own it. Works on the IR of
// any stage.
//
//   ExploreResult result = explore(function, trace, {});
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_EXPLORE_H
#define MEMREFLENS_SYMEXEC_EXPLORE_H

#include "core/faults/PathFault.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <functional>

namespace memreflens::symexec {

struct SharedFacts;
struct HeapWatch;

struct ExploreOptions {
  /// How often a loop is gone through whose end is not known.
  unsigned loopBound = 3;
  /// Loops with a known number of iterations are run whole up to this many.
  unsigned exactIterations = 256;
  /// The same for loops that keep no buffer in memory by number: of longer ones
  /// all iterations but the first are alike.
  unsigned countedIterations = 256;
  unsigned callDepth = 3;
  uint64_t maxSteps = 400000;
  /// Those that merged included.
  uint64_t maxPaths = 50000;
  /// Of states, 64 bits each: copied where paths fork and compared where they
  /// may merge; and of the paths that wait, at one time. These bound time and
  /// memory alike on every machine, which a clock does not.
  uint64_t maxWords = 240'000'000;
  uint64_t maxWaitingWords = 16'000'000;
  double seconds = 20;
  unsigned maxFaults = 20;
  /// The last i1 results say who owns the memref results.
  bool dynamicOwnership = false;
  /// Results of functions without a body belong to the caller.
  bool callResultsOwned = true;
  /// Functions with a body are not run either: they keep to the boundary ABI,
  /// which is to be checked for each of them by itself.
  bool callsByBoundary = false;
  /// Private functions with a body return ownership as their last i1 results.
  bool dynamicCalls = false;
  /// What is returned has to belong to the function.
  bool resultsOwned = true;
  /// Where paths differ only in which op made their memory, each goes on, so
  /// that a fault is told of each. False: one does for all; whether there is a
  /// fault stays the same.
  bool tellsSitesApart = true;
  /// Writes that a copy in place of what it was made of does not see are faults
  /// (CopyTracker.cpp).
  bool watchesCopies = false;
  /// Told what is live where; faults are not reported then, and what a loop
  /// counts is taken as unknown where its iterations are not all run.
  HeapWatch *heap = nullptr;
  /// Finds callees without going through the module for each call; may be null.
  mlir::SymbolTableCollection *symbols = nullptr;
  /// Of earlier explorations of the function, and for later ones; may be null.
  SharedFacts *facts = nullptr;
  /// Asked every few hundred steps; false ends the exploration. May be empty.
  std::function<bool()> goesOn;
};

/// `trace` names ops and values by their tags (core/source/Identity.h).
ExploreResult explore(mlir::FunctionOpInterface function,
                      const trace::Trace &trace, const ExploreOptions &options);

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_EXPLORE_H
