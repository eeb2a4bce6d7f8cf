//===- core/pipeline/lifetimes/UseSpans.h - from first to last use --------===//
//
// Of each memref that an op of a function makes: between which steps of the
// program the buffer may be used, through all that it flows to, in the IR of
// the last stage. A loop in which it is used and that it comes from outside of
// is in use as a whole. Where it can be followed no further, the op is told.
//
//   addUseSpans(module, trace, symbols);
//   trace.functions[0].spans[0].usedBy   // the last op that uses it
//
// Takes time in the number of uses and of what flows where.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_LIFETIMES_USESPANS_H
#define MEMREFLENS_PIPELINE_LIFETIMES_USESPANS_H

#include "core/trace/Model.h"

#include "mlir/IR/BuiltinOps.h"

namespace memreflens::lifetimes {

/// Writes them into the functions of the trace whose ops the module has, and
/// that reached the last stage. Ops are told by their tags
/// (core/source/Identity.h).
void addUseSpans(mlir::ModuleOp module, trace::Trace &trace);

} // namespace memreflens::lifetimes

#endif // MEMREFLENS_PIPELINE_LIFETIMES_USESPANS_H
