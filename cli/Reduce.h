//===- cli/Reduce.h - `memref-lens explain FILE:LINE --reduce` ------------===//
//
// Finds what stands at the place, has core/reduce make the program as small as
// it can be, and writes it with a header. Ctrl-C writes what there is by then.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_REDUCE_H
#define MEMREFLENS_CLI_REDUCE_H

#include "cli/Input.h"
#include "cli/Options.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace memreflens {

struct WorkerOptions;

/// The exit status.
int runReduce(const CliOptions &options, const Input &input,
              const mlir::DialectRegistry &registry,
              const WorkerOptions &worker);

} // namespace memreflens

#endif // MEMREFLENS_CLI_REDUCE_H
