//===- cli/OpCommand.h - `explain --op`: what does my op need? ------------===//
//
// Of every op of a name, by the registry; with a file, of each that is in it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_OPCOMMAND_H
#define MEMREFLENS_CLI_OPCOMMAND_H

#include "cli/Options.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace memreflens {

/// `file` is null where none was given. Returns the exit status.
int explainOpNamed(const CliOptions &options, const trace::Source *file,
                   const mlir::DialectRegistry &registry);

} // namespace memreflens

#endif // MEMREFLENS_CLI_OPCOMMAND_H
