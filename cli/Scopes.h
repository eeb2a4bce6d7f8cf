//===- cli/Scopes.h - `memref-lens scopes` --------------------------------===//
//
// Which loads and stores can never touch the same memory, as alias scopes: in
// words, as JSON, or on the program in the LLVM dialect.
//
//   memref-lens scopes FILE
//   memref-lens scopes FILE --emit=llvm | mlir-translate --mlir-to-llvmir
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_SCOPES_H
#define MEMREFLENS_CLI_SCOPES_H

#include "cli/Options.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace memreflens {

/// Inside a worker; the exit status.
int runScopes(const CliOptions &options, const trace::Source &source,
              const mlir::DialectRegistry &registry);

} // namespace memreflens

#endif // MEMREFLENS_CLI_SCOPES_H
