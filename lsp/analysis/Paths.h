//===- lsp/analysis/Paths.h - what trying a function's paths found --------===//
//
// A function's paths go through the bodies of what it calls, so its report
// holds as long as all of these are unchanged, wherever they stand.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_PATHS_H
#define MEMREFLENS_LSP_ANALYSIS_PATHS_H

#include "core/check/Finding.h"

#include <map>
#include <string>
#include <vector>

namespace memreflens::lsp {

/// As the stages of the pipeline have numbers, for the parent of the process.
constexpr int exploring = 1000;

struct PathKey {
  /// Equal for units whose paths must be equal.
  uint64_t key = 0;
  /// Numbers of the units whose bodies count, in order; itself among them.
  std::vector<size_t> bodies;
};

struct PathFinding {
  Finding finding;
  /// In the program as written; else in what the pipeline makes of it.
  bool isInput = false;
  /// "1 fault on all 3 paths".
  std::string bounds;
  /// Of its batch; null for a fault of a path.
  const Cause *cause = nullptr;
};

struct PathReport {
  /// First line of each unit that was there, with its key, in order.
  std::vector<std::pair<size_t, uint64_t>> lines;
  std::vector<PathFinding> findings;
  /// How far the pipeline's output was tried; empty if it was not.
  std::string bounds;

  /// The findings with the units at the lines given.
  std::vector<PathFinding>
  at(const std::map<uint64_t, size_t> &lineOfKey) const;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_PATHS_H
