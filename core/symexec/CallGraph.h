//===- core/symexec/CallGraph.h - who calls whom --------------------------===//

#ifndef MEMREFLENS_SYMEXEC_CALLGRAPH_H
#define MEMREFLENS_SYMEXEC_CALLGRAPH_H

#include "core/faults/PathFault.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace memreflens::symexec {

/// Direct calls of a chunk's functions, in the order of the text.
std::vector<CallSite> callsIn(mlir::ModuleOp module, const trace::Trace &trace);

/// Null for one that is not a function of the module.
mlir::FunctionOpInterface calleeOf(mlir::CallOpInterface call,
                                   mlir::SymbolTableCollection &symbols);

/// Itself included: bounds go by it, and what is begun first.
uint64_t opsIn(mlir::FunctionOpInterface function);

/// The library function of deallocs, which the lowering makes.
bool isDeallocHelper(mlir::Operation *callee);

/// Whether an op of the function, or of what it calls, makes a copy that stands
/// for its source (CopyTracker.cpp).
bool hasCopiesThatStandIn(mlir::FunctionOpInterface function,
                          const trace::Trace &trace,
                          mlir::SymbolTableCollection &symbols);

/// Whether running the function's calls differs from taking them by the
/// boundary ABI.
bool callsBodies(mlir::FunctionOpInterface function,
                 mlir::SymbolTableCollection &symbols);

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_CALLGRAPH_H
