//===- cli/Workers.h - commands in processes of their own -----------------===//
//
// Passes can die on a file, and MLIR's reader of bytecode may never end: each
// file is read and run where that harms nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_WORKERS_H
#define MEMREFLENS_CLI_WORKERS_H

#include "cli/Command.h"
#include "cli/Input.h"
#include "core/pipeline/run/Worker.h"

namespace memreflens {

WorkerOptions workerOptions(const CliOptions &options);

/// Whether the file can be read in a worker; says on stderr if not, as of
/// damaged bytecode.
bool canBeRead(const Input &input, const mlir::DialectRegistry &registry,
               const WorkerOptions &worker);

/// Whether the command takes the file and it can be read; says on stderr why
/// not.
bool isTaken(const CliOptions &options, const Input &input,
             const mlir::DialectRegistry &registry);

/// Runs the command on the file, inside a worker; the exit status.
int runInside(const FileRun &run);

/// Has a worker run the command on the file; the exit status.
int runOnFile(const CliOptions &options, const Input &input,
              const mlir::DialectRegistry &registry);

} // namespace memreflens

#endif // MEMREFLENS_CLI_WORKERS_H
