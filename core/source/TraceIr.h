//===- core/source/TraceIr.h - IR written into a trace --------------------===//
//
// Lists the functions, blocks, ops and values of a module in a trace and tags
// each op and block argument with its id (Identity.h). For IR that did not come
// from text as it is: bytecode, or a module that passes have changed since.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_TRACEIR_H
#define MEMREFLENS_SOURCE_TRACEIR_H

#include "core/trace/Model.h"

#include "mlir/IR/BuiltinOps.h"

namespace memreflens {

/// Lists `module` as the IR of `chunk`.
///
/// Without `tagged`, all is new, and values get the names MLIR prints.
///
/// With `tagged`, the module was listed before and passes ran over it since. An
/// op keeps its id if it alone carries the tag of an op of its name; its
/// results keep theirs if their types are the same, and so do arguments. All
/// else is `generated`, with the op or value that it came from as `origin` and
/// `standsFor` (tensor `%t` lives on as `%t_buf`). Functions and blocks are
/// listed anew; a function that is gone is `skipped` and leaves its chunk.
void addIrToTrace(mlir::ModuleOp module, trace::Id chunk, trace::Trace &trace,
                  bool tagged);

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_TRACEIR_H
