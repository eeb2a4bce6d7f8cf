//===- core/pipeline/bufferize/Globals.h - constants, in one order --------===//
//
// Bufferization makes a memref.global of each constant, function by function,
// and MLIR takes functions that do not call each other in an order that
// depends on addresses. Names and places of globals follow from it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_GLOBALS_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_GLOBALS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace memreflens::bufferize {

/// Names of the globals of a module.
llvm::StringSet<> globalNames(mlir::ModuleOp module);

/// Where more than one function uses globals that are not of `before`: names
/// and places these as if functions had come in the order of the text.
void orderGlobals(mlir::ModuleOp module, const llvm::StringSet<> &before);

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_GLOBALS_H
