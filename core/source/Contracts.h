//===- core/source/Contracts.h - what is stated of external functions -----===//
//
// Nobody can see what a function without a body does with memory. It is stated
// with --assume, or in the program itself:
//
//   func.func private @kernel(memref<4xf32>) -> memref<4xf32>
//       attributes {memref_lens.fresh_results}
//   func.func private @done(memref<4xf32> {memref_lens.released})
//
//   statement             attribute
//   fresh-results=@f      memref_lens.fresh_results, of the function
//   keeps-results=@f      memref_lens.keeps_results, of the function
//   no-capture=@f         memref_lens.no_capture, of the function
//   returns-argument=@f:0 memref_lens.returned, of the argument
//   keeps-argument=@f:0   memref_lens.kept, of the argument
//   releases-argument=@f:0 memref_lens.released, of the argument
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_CONTRACTS_H
#define MEMREFLENS_SOURCE_CONTRACTS_H

#include "core/trace/Model.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

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

/// What is stated of a function's results and arguments.
struct Contract {
  bool hasFreshResults = false;
  /// It keeps a pointer to what it returns, and deallocates it itself.
  bool keepsResults = false;
  /// Its first memref result is this argument; -1 where that is not stated.
  int returned = -1;
  /// Arguments to which it keeps a pointer, and those that it deallocates.
  llvm::SmallVector<unsigned, 1> kept, released;

  /// Whether it is stated whose its results are.
  bool saysWhoseResults() const {
    return hasFreshResults || keepsResults || returned >= 0;
  }
};

/// Of a function with a body, nothing is.
Contract contractOf(mlir::FunctionOpInterface function,
                    const trace::RunOptions &run);

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_CONTRACTS_H
