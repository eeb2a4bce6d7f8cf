//===- core/reduce/Probe.h - a smaller program, tried ---------------------===//
//
// Edits a copy of a program in a process of its own, prints it, runs the whole
// pipeline over the text, and says whether the target is still there. Whatever
// a pass does to the copy, the caller lives.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REDUCE_PROBE_H
#define MEMREFLENS_REDUCE_PROBE_H

#include "core/reduce/Program.h"

#include <functional>
#include <set>

namespace memreflens {

/// Changes the program; false where there is nothing to change.
using Edit = std::function<bool(Program &)>;

struct ProbeOptions {
  const mlir::DialectRegistry &registry;
  AnalysisRequest analysis;
  /// Longest that one program may take.
  double seconds = 20;
  /// A seeded fault, for tests: whatever is smaller and valid holds.
  bool acceptsAll = false;
};

struct ProbeResult {
  /// The target is there, in a program that is smaller.
  bool holds = false;
  bool timedOut = false;
  /// Of the edited program; empty if the edit did not apply, or what it made
  /// is no valid program.
  std::string text;
  Target target;
};

/// `known` are texts (as hashes) that were tried before.
ProbeResult probe(Program &program, const Edit &edit,
                  const ProbeOptions &options, const std::set<size_t> &known);

/// Whether the target is in `text`, and what is said about it there. In this
/// process, which the pipeline may kill.
struct Shown {
  bool found = false;
  /// As Target's.
  bool readsFreed = false;
  Explanation words;
  /// "12:3" for each of the words' evidence; empty where it has no place.
  std::vector<std::string> places;
  /// Line and column of the target.
  std::string position;
  uint32_t line = 0, column = 0;
};
Shown look(const std::string &text, const Target &target,
           const ProbeOptions &options, int32_t *stage);

/// The same from a process of its own.
Shown lookSafely(const std::string &text, const Target &target,
                 const ProbeOptions &options);

} // namespace memreflens

#endif // MEMREFLENS_REDUCE_PROBE_H
