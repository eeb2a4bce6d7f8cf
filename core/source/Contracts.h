//===- core/pipeline/record/FreshCalls.h - results stated to be fresh -----===//
//
// Calls of external functions of which somebody says that they allocate what
// they return, and keep no pointer to it: with --assume=fresh-results, or in
// the program itself:
//
//   func.func private @kernel(memref<4xf32>) -> memref<4xf32>
//       attributes {memref_lens.fresh_results}
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RECORD_FRESHCALLS_H
#define MEMREFLENS_PIPELINE_RECORD_FRESHCALLS_H

#include "core/trace/Model.h"

#include "mlir/IR/SymbolTable.h"

namespace memreflens {

/// On a declaration: its memref results are buffers that nothing else points
/// to.
inline constexpr const char *freshResultsAttribute =
    "memref_lens.fresh_results";

/// On a declaration: it keeps no pointer to what it is passed.
inline constexpr const char *noCaptureAttribute = "memref_lens.no_capture";

/// Whether the op calls a function without a body of which the attribute, or
/// its name in `functions` (trace/Assumed.h), states something. A function with
/// a body is never taken at its word.
bool isStated(mlir::Operation *op, llvm::StringRef attribute,
              const std::vector<std::string> &functions,
              mlir::SymbolTableCollection &symbols);

/// Whether there is anything of the kind in the module, or stated for it.
bool statesFreshResults(mlir::Operation *module, const trace::RunOptions &run);

/// Whether the op is such a call.
bool isFreshCall(mlir::Operation *op, const trace::RunOptions &run,
                 mlir::SymbolTableCollection &symbols);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RECORD_FRESHCALLS_H
