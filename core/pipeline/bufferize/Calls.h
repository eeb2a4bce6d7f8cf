//===- core/pipeline/bufferize/Calls.h - who calls whom -------------------===//
//
// The analysis of one-shot-bufferize tells callers what it found in callees.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_CALLS_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_CALLS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace memreflens::bufferize {

using Functions = llvm::SetVector<mlir::Operation *>;

/// Callees of each function that calls one.
using Calls = llvm::DenseMap<mlir::Operation *, Functions>;

Calls callsIn(mlir::ModuleOp module);

/// Whether calls lead from the function back to it.
bool isRecursive(mlir::Operation *function, const Calls &calls);

/// The functions of `module` and what they call: callees first, else in program
/// order; recursive ones as they are met.
Functions calleesFirst(mlir::ModuleOp module, const Calls &calls);

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_CALLS_H
