//===- cli/Commands.h - what each command does ----------------------------===//
//
// Each command takes the options and a file that was read, prints its result
// and returns the exit status.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_COMMANDS_H
#define MEMREFLENS_CLI_COMMANDS_H

#include "cli/Options.h"
#include "core/pipeline/run/Worker.h"

#include <utility>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace memreflens {

enum ExitStatus {
  done = 0,
  findings = 1,
  wrongUsage = 2,
  badInput = 3,
  /// The system gave no process, or too little memory.
  noResources = 71,
};

/// What a worker is done with when it ends: taken apart, one record after the
/// other, a large trace would cost more than a second.
template <class T> T &leftToExit(T value) { return *new T(std::move(value)); }

/// Runs the command over `sources`, inside a worker.
int runCommand(const CliOptions &options,
               const std::vector<trace::Source> &sources,
               const mlir::DialectRegistry &registry,
               const WorkerRequest &request);

} // namespace memreflens

#endif // MEMREFLENS_CLI_COMMANDS_H
