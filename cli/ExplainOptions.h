//===- cli/ExplainOptions.h - options of `explain` ------------------------===//

#ifndef MEMREFLENS_CLI_EXPLAINOPTIONS_H
#define MEMREFLENS_CLI_EXPLAINOPTIONS_H

#include <string>

namespace memreflens {

/// `FILE:LINE:COL`, lines and columns from 1; 0 where not given.
struct Position {
  unsigned line = 0;
  unsigned column = 0;
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

struct ExplainOptions {
  /// What is explained; line 0: all of the file.
  Position position;
  /// `--op`: the op's name; and text or json.
  std::string op, format = "text";
  ReduceWish reduce;
  /// `--track-sentences`: ReportOptions::tracksSentences.
  bool tracksSentences = false;
};

} // namespace memreflens

#endif // MEMREFLENS_CLI_EXPLAINOPTIONS_H
