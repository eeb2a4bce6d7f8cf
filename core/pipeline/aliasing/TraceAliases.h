//===- core/pipeline/aliasing/TraceAliases.h - the alias view, recorded ---===//
//
// Asks three analyses about every pair of memrefs of each function, and what
// each load and store touches: the data of the alias matrix.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_ALIASING_TRACEALIASES_H
#define MEMREFLENS_PIPELINE_ALIASING_TRACEALIASES_H

#include "core/pipeline/record/Recorder.h"

#include "mlir/IR/BuiltinOps.h"

namespace memreflens::aliasing {

/// Pairs grow with the square: of more memrefs in a function the first so many
/// are taken, and of more loads and stores.
inline constexpr size_t mostMemrefs = 64;
inline constexpr size_t mostAccesses = 256;

/// Appends to the trace's aliases. Before any stage.
void recordAliases(mlir::ModuleOp module, Recorder &recorder);

} // namespace memreflens::aliasing

#endif // MEMREFLENS_PIPELINE_ALIASING_TRACEALIASES_H
