//===- core/diff/Diff.h - two traces, compared ----------------------------===//
//
// Which decisions of the pipeline appeared, went or changed between two traces:
// of two programs, of one with two sets of options, or of two versions of the
// tool. Lines, ids and names of values do not count.
//
//   TraceDifference found = differenceOf(Lookup(before), Lookup(after));
//   found.isEqual()
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_DIFF_DIFF_H
#define MEMREFLENS_DIFF_DIFF_H

#include "core/diff/Kinds.h"
#include "core/query/Lookup.h"

#include <array>

namespace memreflens::diff {

/// A decision on one side, in words; empty where there is none.
struct Told {
  /// "12:5" in the file of that side; empty if it has no place there.
  std::string place;
  std::string sentence;
  /// Event of that side's trace; `none` where no event tells it.
  trace::Id event = trace::none;
};

struct DecisionDifference {
  DecisionKind kind = DecisionKind::status;
  Change change = Change::changed;
  Told before, after;
};

/// A function with differences, one that is on one side only, or renamed.
struct FunctionDifference {
  Change change = Change::changed;
  /// As it is called on the second side, if it is there.
  std::string name;
  /// Its name on the first side, if that is another one.
  std::string oldName;
  std::vector<DecisionDifference> decisions;
};

/// How often each kind of decision appeared, went and changed: by `Change`.
using Counts = std::array<std::array<size_t, 3>, kindCount>;

/// Something that is said differently about a side as a whole.
struct SideDifference {
  std::string what, before, after;
};

struct TraceDifference {
  /// Names of the files.
  std::string before, after;
  /// Versions and options that differ: no difference by themselves.
  std::vector<SideDifference> sides;
  /// In the order of the second trace; what is only in the first, at the end.
  std::vector<FunctionDifference> functions;
  /// Functions with a body that are equal in all their decisions.
  size_t equal = 0;
  /// Errors and warnings about no single function, such as of the parser.
  std::vector<DecisionDifference> problems;

  bool isEqual() const { return functions.empty() && problems.empty(); }
};

/// Of functions named `only`, if that is not empty.
TraceDifference differenceOf(const Lookup &before, const Lookup &after,
                             const std::string &only = {});

Counts countsOf(const FunctionDifference &function);
/// "1 clone went, 3 run-time checks appeared"; empty if there is nothing.
std::string countsText(const Counts &counts);
/// "2 functions changed: 1 clone went, 3 run-time checks appeared; 41 equal".
std::string summaryOf(const TraceDifference &difference);

} // namespace memreflens::diff

#endif // MEMREFLENS_DIFF_DIFF_H
