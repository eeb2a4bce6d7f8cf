//===- cli/Options.h - what the user typed --------------------------------===//
//
// Parses the arguments of `memref-lens` into plain data, by the tables of its
// commands (Command.h); wrong usage is a message that says what to type
// instead. Here stands what several commands share: a command's own options are
// a struct beside the command.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_OPTIONS_H
#define MEMREFLENS_CLI_OPTIONS_H

#include "cli/CheckOptions.h"
#include "core/process/Parallel.h"
#include "core/trace/Model.h"

#include <any>
#include <optional>
#include <string>
#include <vector>

namespace memreflens {

struct Command;

enum class ColorMode { automatic, always, never };

struct CliOptions {
  /// Null where only help is asked for, and after a fault.
  const Command *command = nullptr;
  /// The first word that was typed: the command, or what stands for one.
  std::string typedAs;
  /// Help is asked for: of this command; empty for all.
  std::optional<std::string> helpTopic;
  std::vector<std::string> files;
  /// Further files that are read: no result is written to them.
  std::vector<std::string> otherInputs;
  trace::RunOptions run;
  /// The options that commands share, as typed.
  std::vector<std::string> sharedWords;
  ColorMode color = ColorMode::automatic;
  /// "-" for standard output.
  std::string output = "-";
  /// It was named, be it "-".
  bool hasOutput = false;
  /// Number of the stage that is shown or run, and what was typed: it is read
  /// once it is known which pipeline is run.
  int stage = -1;
  std::string stageText;
  CheckOptions check;
  /// File of a run, which is shown with the program; empty for none.
  std::string withRun;
  /// Threads for one file; `check`: files at a time, and of one file, remedies
  /// tested at a time.
  unsigned jobs = usableThreads(64);
  /// Seconds for each of our stages; 0 for no limit.
  double stageTimeout = 0;

  /// The command's own options, at their defaults where none was typed. A
  /// command has one such struct.
  template <class T> T &own() {
    if (!std::any_cast<T>(&ownOptions))
      ownOptions = T();
    return *std::any_cast<T>(&ownOptions);
  }
  template <class T> const T &own() const {
    static const T defaults;
    const T *typed = std::any_cast<T>(&ownOptions);
    return typed ? *typed : defaults;
  }

private:
  std::any ownOptions;
};

struct ParsedOptions {
  CliOptions options;
  /// Empty if the usage is right.
  std::string error;
};

ParsedOptions parseOptions(int argc, char **argv);

/// Text of `memref-lens --help`, or of `memref-lens COMMAND --help`.
std::string helpText(const std::string &command);

} // namespace memreflens

#endif // MEMREFLENS_CLI_OPTIONS_H
