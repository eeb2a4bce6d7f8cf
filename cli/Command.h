//===- cli/Command.h - a command of the command line ----------------------===//
//
// A file of cli/commands/ defines each: its words, its options and what it
// does. Commands.cpp has the list.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_COMMAND_H
#define MEMREFLENS_CLI_COMMAND_H

#include "cli/OptionTable.h"

#include <span>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace memreflens {

struct FileRun;

/// Checks that there is one file, or at least one. Returns what is wrong; empty
/// for nothing.
std::string takeOneFile(CliOptions &options);
std::string takeFiles(CliOptions &options);

/// Has a worker run the command on each file; the exit status.
int runOnEachFile(const CliOptions &options,
                  const mlir::DialectRegistry &registry);

struct Command {
  std::string name;
  std::string alias = {};
  /// Its entry in the list of commands: "FILE[:LINE[:COL]]", and what it shows.
  std::string takes = {};
  std::string summary = {};
  /// The same as one phrase, for the completions; empty: as it is.
  std::string brief = {};
  /// The question that it answers, for the list of docs/commands.
  std::string question = {};
  /// Lines of usage and, after an empty line, what it does, as the help has it.
  std::string about = {};
  /// Its own options, then those that it shares.
  std::vector<Option> options = {};
  std::vector<const OptionGroup *> groups = {};
  /// Files that complete its arguments.
  std::string files = "*.mlir*";
  /// Whether it opens saved traces and bundles in place of a program, and shows
  /// a function of one that was made of all.
  bool opensSaved = false;
  bool showsPart = false;
  bool showsProgress = true;
  /// Accepted, but shown nowhere.
  bool isHidden = false;
  /// Completes the options once all are read. Returns what is wrong with them
  /// or with the files; empty for nothing.
  std::string (*settle)(CliOptions &options) = takeOneFile;
  /// Does the whole; the exit status.
  int (*run)(const CliOptions &options,
             const mlir::DialectRegistry &registry) = runOnEachFile;
  /// Runs in a worker, on one file; the exit status.
  int (*runOnFile)(const FileRun &run) = nullptr;
};

/// All commands, in the order of the help.
std::span<const Command *const> allCommands();
/// Null if there is none of that name.
const Command *findCommand(std::string_view name);

/// Calls `visit(option, isShared)` for the command's options, in order.
template <class Visit> void forEachOption(const Command &command, Visit visit) {
  for (const Option &option : command.options)
    visit(option, false);
  for (const OptionGroup *group : command.groups)
    for (const Option &option : group->options)
      visit(option, true);
}

} // namespace memreflens

#endif // MEMREFLENS_CLI_COMMAND_H
