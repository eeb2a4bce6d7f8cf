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

#include "core/source/Escapes.h"
#include "core/trace/Model.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <vector>

namespace memreflens::lifetimes {

/// Writes them into the functions of the trace whose ops the module has, and
/// that reached the last stage. Ops are told by their tags
/// (core/source/Identity.h).
void addUseSpans(mlir::ModuleOp module, trace::Trace &trace);

/// What an op of the function allocates, clones or gets from a call. What a
/// loop or branch gives is one of these.
struct LocalBuffer {
  mlir::Value value;
  /// The last of the deallocs that may free it; null for none.
  mlir::Operation *lastDealloc = nullptr;
  /// Between its last use and that dealloc, another buffer is allocated. Not
  /// said of a buffer that a loop hands from round to round.
  bool isDeallocatedLate = false;
  /// Where it is followed no further; its last use is not known then.
  EscapeAt escape;
};

/// In any IR whose ops have the trace's tags, or none.
std::vector<LocalBuffer> localBuffers(mlir::FunctionOpInterface function,
                                      const trace::Trace &trace,
                                      const trace::Function &ours,
                                      mlir::SymbolTableCollection &symbols);

} // namespace memreflens::lifetimes

#endif // MEMREFLENS_PIPELINE_LIFETIMES_USESPANS_H
