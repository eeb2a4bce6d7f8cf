//===- cli/SharedOptions.h - options that several commands have -----------===//

#ifndef MEMREFLENS_CLI_SHAREDOPTIONS_H
#define MEMREFLENS_CLI_SHAREDOPTIONS_H

#include "cli/OptionTable.h"

namespace memreflens {

/// `--jobs`, of what analyses batches of functions side by side.
const OptionGroup *jobsOptions();
/// `--pipeline`, of what shows another pipeline than MLIR's.
const OptionGroup *pipelineOptions();
/// `--aliases`.
const OptionGroup *aliasOptions();
/// `--refine`, `--assume` and `--unregistered`: what the pipeline takes for
/// true.
const OptionGroup *statementOptions();
/// `--skip-simplification-over`, of what shows the result of one pipeline.
const OptionGroup *skipOptions();
/// What every command has.
const OptionGroup *commonOptions();
/// All of them, in the order of the man page.
std::vector<const OptionGroup *> allOptionGroups();

/// `--output`. Its text differs from command to command.
Option outputOption(std::string help = "write to a file instead of standard "
                                       "output");
/// `--stage`, of which each command says what it does with it.
Option stageOption(std::string brief, std::string help, std::string man = {});
/// `--with-run`.
Option withRunOption(std::string brief, std::string help, std::string man);

/// `--pipeline`, for commands that run more than one of their own.
Option rejectedPipeline();

/// Of `--unregistered`, for a command that says more of it. Returns what is
/// wrong.
std::string takeUnregistered(const OptionUse &use, CliOptions &options);
/// Likewise of `--assume`.
std::string takeAssumption(const OptionUse &use, CliOptions &options);

} // namespace memreflens

#endif // MEMREFLENS_CLI_SHAREDOPTIONS_H
