//===- cli/Settling.h - options, once all are read ------------------------===//
//
// Some options are understood only beside others: a stage's name belongs to the
// pipeline that is run. Commands call these from their `settle`.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_SETTLING_H
#define MEMREFLENS_CLI_SETTLING_H

#include "cli/Options.h"

namespace memreflens {

/// Checks the statements against the pipeline. Returns what is wrong; empty for
/// nothing.
std::string settleStatements(CliOptions &options);

/// Lists the values of `--stage` in this run, for messages.
std::string knownStages(const trace::RunOptions &run);
/// Reads `stageText` into `stage`. Returns what is wrong.
std::string settleStage(CliOptions &options);

/// Why `--stage tensor-copies` cannot be had of the file; empty if it may be.
std::string faultOfTensorCopies(const CliOptions &options);

/// Takes the format from the output's ending, where none was typed.
void takeEnding(const std::string &output,
                const std::vector<std::string> &formats, std::string &target);

} // namespace memreflens

#endif // MEMREFLENS_CLI_SETTLING_H
