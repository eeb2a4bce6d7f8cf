//===- cli/SharedOptions.h - options that several commands have -----------===//

#ifndef MEMREFLENS_CLI_SHAREDOPTIONS_H
#define MEMREFLENS_CLI_SHAREDOPTIONS_H

#include "cli/OptionTable.h"

namespace memreflens {

/// `--jobs`, for commands that analyse batches of functions side by side.
const OptionGroup *jobsOptions();
/// `--pipeline`, for commands that show another pipeline than MLIR's.
const OptionGroup *pipelineOptions();
/// `--aliases`.
const OptionGroup *aliasOptions();
/// `--refine`, `--assume` and `--unregistered`: what the pipeline takes for
/// true.
const OptionGroup *statementOptions();
/// `--skip-simplification-over`, for commands that show one pipeline's result.
const OptionGroup *skipOptions();
/// Options that every command has.
const OptionGroup *commonOptions();
/// All groups, in the order of the man page.
std::vector<const OptionGroup *> allOptionGroups();

/// `--output`; commands that say more of it pass their own help.
Option outputOption(std::string help = "write to a file instead of standard "
                                       "output");
/// `--stage`; each command says what it does with the stage.
Option stageOption(std::string brief, std::string help, std::string man = {});
/// `--with-run`.
Option withRunOption(std::string brief, std::string help, std::string man);

/// `--pipeline`, for commands that run more than one of their own.
Option rejectedPipeline();

/// Actions of `--unregistered` and `--assume`, for commands that accept a part
/// of their values. They return what is wrong.
std::string takeUnregistered(const OptionUse &use, CliOptions &options);
std::string takeAssumption(const OptionUse &use, CliOptions &options);

} // namespace memreflens

#endif // MEMREFLENS_CLI_SHAREDOPTIONS_H
