//===- core/pipeline/costs/CostSites.h - what costs at each execution -----===//
//
// Of each function in the IR of the last stage: the ops that allocate, copy,
// compare pointers or call, with the loops around them and how often these go
// round, so that costs can be told by execution and not by op of the text.
//
//   addCostSites(module, trace);
//   trace.functions[0].costs[0].loops   // innermost first
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_COSTS_COSTSITES_H
#define MEMREFLENS_PIPELINE_COSTS_COSTSITES_H

#include "core/trace/Model.h"

#include "mlir/IR/BuiltinOps.h"

namespace memreflens::costs {

/// Writes them into the functions of the trace whose ops the module has, and
/// that reached the last stage. Ops are told by their tags
/// (core/source/Identity.h).
void addCostSites(mlir::ModuleOp module, trace::Trace &trace);

/// The loops around an op of a function.
struct LoopNest {
  bool isInLoop = false;
  /// How often they run it, as far as their bounds are constants: others count
  /// once.
  uint64_t times = 1;
};

LoopNest loopsAround(mlir::Operation *op, mlir::Operation *function,
                     const trace::Trace &trace);

} // namespace memreflens::costs

#endif // MEMREFLENS_PIPELINE_COSTS_COSTSITES_H
