//===- cli/ComparisonOptions.h - options of `compare` ---------------------===//

#ifndef MEMREFLENS_CLI_COMPARISONOPTIONS_H
#define MEMREFLENS_CLI_COMPARISONOPTIONS_H

#include <string>
#include <vector>

namespace memreflens {

struct ComparisonOptions {
  /// Two versions of a file; empty: a file against MLIR.
  std::string before, after;
  /// Ways to deallocate, to be set side by side; empty: not asked for.
  std::vector<std::string> pipelines;
  /// md, text, json or html; empty: md for versions, text for pipelines.
  std::string format;
  /// Seconds for each run of upstream.
  double timeout = 600;
  /// Print a line only for what is not identical.
  bool quiet = false;
};

} // namespace memreflens

#endif // MEMREFLENS_CLI_COMPARISONOPTIONS_H
