//===- cli/CheckOptions.h - options of what checks ------------------------===//

#ifndef MEMREFLENS_CLI_CHECKOPTIONS_H
#define MEMREFLENS_CLI_CHECKOPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace memreflens {

/// An overview is worth no more than twice the time of a trace.
inline constexpr uint64_t overviewStepsAnOp = 8;
inline constexpr unsigned overviewCopies = 3;

/// What `check` looks for, and how it reports. `export` and `compare` check
/// files, too.
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
  /// Text: behind each sentence, the line of our source that makes it.
  bool tracksSentences = false;
  /// File of a run, whose run-time alias checks are told; empty for none.
  std::string withRun;
  /// Say what becomes of each buffer, for a comparison.
  bool describes = false;
  /// SARIF: where the rules' pages are; ends in '/'.
  std::string helpUriBase;
  /// Where a worker leaves its report, and what it counted in the result.
  std::string reportPath, measuresPath;
};

} // namespace memreflens

#endif // MEMREFLENS_CLI_CHECKOPTIONS_H
