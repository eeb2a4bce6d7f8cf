//===- core/check/Finding.h - one thing that is wrong, or costs -----------===//
//
// What `memref-lens check` reports, as plain data: the rule, a sentence, its
// place, what is behind it, the path that leads there, and what to do.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_FINDING_H
#define MEMREFLENS_CHECK_FINDING_H

#include "core/trace/Model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memreflens {

/// Lines and byte columns from 1; all 0 where the place is not known.
struct Place {
  uint32_t line = 0, column = 0;
  uint32_t endLine = 0, endColumn = 0;
};

struct FindingNote {
  Place place;
  std::string text;
};

struct Finding {
  /// A rule of Rules.h.
  std::string rule;
  trace::Severity severity = trace::Severity::error;
  std::string file;
  /// Without `@`; empty for the file as a whole.
  std::string function;
  std::string message;
  Place place;
  /// Facts behind it.
  std::vector<FindingNote> related;
  /// What has to happen, in order, for it to go wrong.
  std::vector<FindingNote> path;
  std::vector<std::string> remedies;
  /// The same where only lines were moved.
  std::string fingerprint;
};

/// What one function's memory handling costs, after the last stage.
struct FunctionCosts {
  std::string function;
  Place place;
  uint64_t clones = 0, runTimeChecks = 0, helperCalls = 0, peakBytes = 0;
};

/// How far the paths of one function were tried.
struct Exploration {
  std::string function;
  std::string bounds;
  bool complete = true;
};

struct FileReport {
  std::string file;
  std::vector<Finding> findings;
  std::vector<FunctionCosts> costs;
  std::vector<Exploration> explorations;
  /// Nothing in it could be analysed.
  bool unreadable = false;
};

/// In order of place and rule, with fingerprints.
void finishReport(FileReport &report);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_FINDING_H
