//===- core/check/Collect.h - from a trace to findings --------------------===//
//
// Reads off a trace why functions are rejected, what their memory handling
// costs and what is unsound in it; the path explorer's faults are added.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_COLLECT_H
#define MEMREFLENS_CHECK_COLLECT_H

#include "core/check/Finding.h"
#include "core/faults/PathFault.h"
#include "core/query/Lookup.h"

#include <unordered_map>

namespace memreflens {

/// An op that the pass would reject, beside the one at which it stopped.
struct AlsoRejected {
  trace::Id op = trace::none;
  trace::RejectionCause cause = trace::RejectionCause::unknownEffects;
  std::string message;
  std::vector<std::string> remedies;
};

/// What the explorer says of one function.
struct Explored {
  trace::Id function = trace::none;
  /// Of the program as the user wrote it, not of the pipeline's output.
  bool isInput = false;
  ExploreResult result;

  /// By hand, a function may free what it was given: there is no rule for it.
  bool hasRuleFor(FaultKind kind) const;
};

struct CheckInputs {
  std::vector<AlsoRejected> rejected;
  std::vector<Explored> explored;
  std::vector<CallSite> calls;
};

FileReport collectFindings(const Lookup &lookup, const CheckInputs &inputs);

/// Lines and columns of a range of the source.
Place placeOf(const Lookup &lookup, trace::Range range);

/// What is left, after the last stage, of a lowered dealloc.
struct RunTimeCode {
  /// Compares of two pointers, and calls of dealloc_helper.
  size_t checks = 0, helperCalls = 0;
};
RunTimeCode runTimeCodeOf(const Lookup &lookup, const trace::Event &lowered);
/// Pointers that a dealloc_helper call for it compares at most.
uint64_t mostComparesOf(const trace::LoweringEvent &lowering);

//===----------------------------------------------------------------------===//
// The parts, for Collect.cpp
//===----------------------------------------------------------------------===//

/// Makes findings with the places of one file.
class FindingMaker {
public:
  FindingMaker(const Lookup &lookup, FileReport &report);

  Place placeOf(trace::Range range) const {
    return memreflens::placeOf(lookup, range);
  }
  Place placeAt(int64_t offset) const;
  /// Adds one; to be filled in by the caller.
  Finding &add(RuleId rule, trace::Id function, trace::Range range,
               Sentence message);
  /// The name of the op that has its name there; empty if there is none.
  std::string opAt(trace::Range range) const;
  void relate(Finding &finding, trace::Range range, Sentence text) const;

  const Lookup &lookup;
  const trace::Trace &trace;
  FileReport &report;

private:
  /// `Finding::subject` of one there.
  std::string subjectAt(trace::Range range) const;

  /// The program's own, by their places.
  std::unordered_map<uint64_t, trace::Id> opsAt, valuesAt;
};

/// What the path explorer found (rules/PathFaults.cpp).
void addFaults(FindingMaker &maker, const CheckInputs &inputs);
/// Each function's costs, and the findings about them.
void addCosts(FindingMaker &maker, const CheckInputs &inputs);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_COLLECT_H
