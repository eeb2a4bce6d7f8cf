//===- cli/Options.h - what the user typed --------------------------------===//
//
// Parses the arguments of `memref-lens` into plain data; wrong usage is a
// message that says what to type instead.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_OPTIONS_H
#define MEMREFLENS_CLI_OPTIONS_H

#include "core/execute/Options.h"
#include "core/process/Parallel.h"
#include "core/trace/Model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memreflens {

enum class Command {
  help,
  version,
  trace,
  ir,
  explain,
  memory,
  exportFiles,
  compare,
  check,
  scopes,
  diff,
  bundle,
  run
};
enum class ColorMode { automatic, always, never };

/// `FILE:LINE:COL`, lines and columns from 1; 0 where not given.
struct Position {
  unsigned line = 0;
  unsigned column = 0;
};

/// What `export` writes.
struct ExportOptions {
  /// dot, svg, png, html, json or md; by the output's ending if not given.
  std::string format;
  /// cfg or lifetimes.
  std::string view = "cfg";
  /// Stage to draw; -1 for the user's program with its decisions.
  int stage = -1;
  /// Second stage of a comparison; -1 for none.
  int against = -1;
  /// As typed.
  std::string stageText;
  /// light or dark; empty: light, and in a page what the browser prefers.
  std::string theme;
  /// blocks or ops.
  std::string detail = "ops";
  /// Name of a value to emphasise; empty for none.
  std::string highlight;
};

/// An overview is worth no more than twice the time of a trace.
inline constexpr uint64_t overviewStepsAnOp = 8;
inline constexpr unsigned overviewCopies = 3;

/// What `check` looks for, and how it reports.
struct CheckOptions {
  /// text, json, sarif or github; overview: of `memref-lens FILE`.
  std::string format = "text";
  /// error, warning or none.
  std::string failOn = "error";
  std::string baseline;
  std::string budget;
  /// Ids and groups of rules, with a leading `-` to leave out.
  std::vector<std::string> rules;
  /// Of the path explorer, for each function.
  unsigned bound = 3;
  uint64_t maxSteps = 400000;
  /// For each op of a function; 0: any number.
  uint64_t stepsAnOp = 0;
  double seconds = 20;
  /// Apply remedies to copies of the program, which together have at most so
  /// many ops (0: no limit).
  bool triesRemedies = true;
  uint64_t tryOps = 500000;
  /// Of a large program no more copies than this; 0: no limit.
  unsigned mostCopies = 0;
  /// Text: also show what was tried in vain, and all bounds.
  bool verbose = false;
  /// Text: an entry for each finding, not for each cause.
  bool listsAll = false;
  /// File of a run, whose run-time alias checks are told; empty for none.
  std::string withRun;
  /// Say what becomes of each buffer, for a comparison.
  bool describes = false;
  /// SARIF: where the rules' pages are; ends in '/'.
  std::string helpUriBase;
};

/// What `scopes` prints.
struct ScopesOptions {
  /// text or json.
  std::string format = "text";
  /// llvm, marked or attached; empty: what is known, in words.
  std::string emit;
  /// Of a program that is printed: with scopes, and only with those that allow
  /// to inline every function.
  bool withScopes = true;
  bool keepInlinable = false;
};

/// What `diff` compares.
struct DiffOptions {
  /// text, json or md.
  std::string format = "text";
  /// Options of one side, as typed: words as in a shell.
  std::string left, right;
  /// Options of both sides, as typed.
  std::vector<std::string> common;
};

/// `explain --reduce`.
struct ReduceWish {
  bool wanted = false;
  /// clone, check, rejection, crash or finding:RULE; empty: the most telling.
  std::string kind;
  /// For the whole reduction; 0: no limit.
  double seconds = 120;
  /// For one program that is tried.
  double probeSeconds = 20;
};

/// What `run` runs, and how it tells of it.
struct ProgramOptions {
  /// Empty: the only public function, or main.
  std::string entry;
  execute::RunOptions run;
  /// text or json.
  std::string format = "text";
};

struct CliOptions {
  Command command = Command::help;
  /// For `help`: the command that it is about; empty for all.
  std::string helpTopic;
  std::vector<std::string> files;
  Position position;
  trace::RunOptions run;
  ColorMode color = ColorMode::automatic;
  /// "-" for standard output.
  std::string output = "-";
  /// It was named, be it "-".
  bool hasOutput = false;
  /// `trace`: json or text.
  std::string format = "json";
  /// `explain --op`: the op's name, and json or text.
  std::string op, explainFormat = "text";
  /// `memory`: text or json; and `run`: whether every row is shown.
  /// Empty: that of the output's ending, else text.
  std::string memoryFormat;
  bool showsAll = false;
  /// `ir`: number of the stage.
  int stage = -1;
  /// As typed; read once it is known which pipeline is run.
  std::string stageText;
  bool sourceNames = false;
  ExportOptions exports;
  CheckOptions check;
  ScopesOptions scopes;
  DiffOptions diff;
  ReduceWish reduce;
  ProgramOptions program;
  /// File of a run, which is shown with the program; empty for none.
  std::string withRun;
  /// `check`: where a worker leaves its report.
  std::string reportPath;
  /// And what was counted in the result.
  std::string measuresPath;
  /// `compare`: two versions of a file; empty: a file against MLIR.
  std::string compareBefore, compareAfter;
  /// `compare`: ways to free, to be set side by side; empty: not asked for.
  std::vector<std::string> pipelines;
  /// md, text or json; empty: md for versions, text for pipelines.
  std::string compareFormat;
  /// `compare`: seconds for each run of upstream.
  double timeout = 600;
  /// Threads for one file; `check`: files at a time, and of one file, remedies
  /// tested at a time.
  unsigned jobs = usableThreads(64);
  /// Seconds for each of our stages; 0 for no limit.
  double stageTimeout = 0;
  /// `compare`: print a line only for what is not identical.
  bool quiet = false;
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
