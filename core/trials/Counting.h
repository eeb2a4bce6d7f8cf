//===- core/trials/Counting.h - counts in the pipeline's output -----------===//

#ifndef MEMREFLENS_TRIALS_COUNTING_H
#define MEMREFLENS_TRIALS_COUNTING_H

#include "core/check/Measure.h"
#include "core/symexec/BoundedExploration.h"
#include "core/symexec/HeapPeak.h"
#include "core/trace/Model.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace memreflens {

/// Faults of the explorer that are errors.
uint64_t errorsIn(const ExploreResult &result);
/// The errors but for lost writes: "double-free of %a".
std::set<std::string> faultKeysIn(const ExploreResult &result);
/// Writes that clones do not see, those that may be to another place included.
uint64_t lostWritesIn(const ExploreResult &result);

/// What is called in a module: the only facts that it has before the pipeline.
void addCalls(Measures &measures, mlir::ModuleOp module,
              mlir::SymbolTableCollection &symbols,
              const trace::RunOptions &run);

/// Counts in every function of a chunk's last stage, whose trace is to be
/// completed by `addTrace`.
void addFinalIr(Measures &measures, trace::Id chunk, mlir::ModuleOp module,
                const trace::Trace &trace);
/// The same of a copy: functions that are as they were `before` have the peaks
/// that they had, and no others have a lower one on account of `limits`.
void addFinalIrOfCopy(Measures &measures, const Measures &before,
                      trace::Id chunk, mlir::ModuleOp module,
                      const trace::Trace &trace, symexec::HeapLimits limits);

/// Tries the paths of each function that is not what it was, or that calls such
/// a one; the others have the faults that they had.
void addFaultsOfChanged(Measures &measures, const Measures &before,
                        trace::Id chunk, mlir::ModuleOp module,
                        const trace::Trace &trace,
                        const symexec::ExploreLimits &limits);

/// What the ownership pass made of a function, where nothing is recorded.
struct Placed {
  uint64_t largestDealloc = 0, ownershipResults = 0;
};
using PlacedFunctions = std::map<Measures::Key, Placed>;

/// Right behind the ownership pass.
void addPlaced(PlacedFunctions &placed, trace::Id chunk, mlir::ModuleOp module,
               const trace::Trace &trace);

/// Adds what the trace tells at its end: who was accepted, and the sizes.
/// `placed` counts where the trace has no events.
void addTrace(Measures &measures, const trace::Trace &trace,
              const PlacedFunctions &placed = {});

} // namespace memreflens

#endif // MEMREFLENS_TRIALS_COUNTING_H
