//===- core/symexec/HeapPeak.h - most bytes live at once ------------------===//
//
// The one place where peaks come from: `check`, `compare --pipelines`, charts
// of lifetimes, Markdown and the gains of remedies all show these.
//
// A peak is the most heap memory that is live at once on any path through a
// function: the maximum over the arms of a branch, loops in their steady state,
// what callees hold and return included; the stack counts apart. Where a size
// or a callee is not known, the number is a lower bound, and `gaps` say why.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_HEAPPEAK_H
#define MEMREFLENS_SYMEXEC_HEAPPEAK_H

#include "core/trace/Model.h"
#include "core/trace/Workers.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace memreflens::symexec {

/// A program's steps are bounded, and not its time, so that a peak is the same
/// on every machine.
struct HeapLimits {
  uint64_t leastSteps = 20'000, stepsAnOp = 8;
  /// Of what a path keeps in mind: large states end it as well.
  uint64_t wordsAStep = 600;
  /// Whose heap is asked for; empty: each function's.
  std::function<bool(mlir::FunctionOpInterface function)> wants;
  /// Empty for the calling thread.
  trace::Workers workers = {};
};

/// Of each function with a body in a module of any stage. Ops are told by their
/// tags (core/source/Identity.h).
/// With a `space`, of the memory in it alone (core/source/MemorySpace.h).
void measureHeap(mlir::ModuleOp module, const trace::Trace &trace,
                 const std::function<void(mlir::FunctionOpInterface function,
                                          trace::HeapUse heap)> &take,
                 const HeapLimits &limits = {},
                 const std::optional<std::string> &space = std::nullopt);

/// Memory spaces in which the module allocates, each once, in order: the
/// default one, numbers, others. Empty where that is the default one alone.
std::vector<std::string> memorySpacesIn(mlir::ModuleOp module);

/// Writes them into the functions of the trace that reached the last stage.
void addHeapUse(mlir::ModuleOp module, trace::Trace &trace,
                const trace::Workers &workers);

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_HEAPPEAK_H
