//===- core/reduce/Target.h - what a reduced program has to keep ----------===//
//
// A thing of a trace that can be reduced: a copy, a run-time check, a
// rejection, a crash, a finding. Two programs show the same thing if it has the
// same kind and signature, and is about the same op, value and function.
//
//   std::vector<Choice> found = choicesOf(Lookup(trace), seen);
//   bool kept = isKept(target, found);
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REDUCE_TARGET_H
#define MEMREFLENS_REDUCE_TARGET_H

#include "core/check/Collect.h"
#include "core/explain/Explanation.h"
#include "core/process/Child.h"
#include "core/query/Lookup.h"

#include <string>
#include <vector>

namespace memreflens {

/// The most telling last.
enum class ReduceKind : uint8_t { check, clone, finding, rejection, crash };

/// "check", "clone", "finding", "rejection", "crash".
std::string_view nameOf(ReduceKind kind);

/// What has to stay. Ids are of the trace of the program at hand.
struct Target {
  ReduceKind kind = ReduceKind::check;
  /// Of a finding: its rule.
  std::string rule;
  /// All that makes it this thing and no other of its kind, without names,
  /// places, numbers and shapes. Per kind:
  ///
  ///   clone      who demands it, whether always or under a condition, which
  ///              ownership was not enough, the rule that made it so
  ///   check      how the dealloc is lowered (pointer compares, library call,
  ///              free under a condition), where the buffer comes from, whether
  ///              it is owned always, never or sometimes, the rule by which the
  ///              analysis could not tell
  ///   rejection  cause, MLIR's message, name of the op
  ///   crash      who dies (a stage of ours, or MLIR's own pipeline), where,
  ///              how, and whether MLIR's pass reads freed memory there
  ///   finding    rule, and whether it is of the program as written
  std::string signature;
  /// The op, value and function that it is about; `none` if there is none.
  trace::Id op = trace::none;
  trace::Id value = trace::none;
  trace::Id function = trace::none;
  /// Of a crash: the stage that dies, and whether it is MLIR's.
  int32_t stage = 0;
  bool ofUpstream = false;
  /// Where ours finds what would kill MLIR: MLIR's own pipeline has to die,
  /// too.
  bool alsoUpstream = false;
  /// MLIR reads freed memory on the function. What is left may be free of that,
  /// but never the other way round: mlir-opt would show something else.
  bool readsFreed = false;
};

/// A thing that could be reduced, and where it is.
struct Choice {
  Target target;
  /// Event behind it; `none` for a finding or a crash of MLIR's.
  trace::Id event = trace::none;
  /// Ops at which it is shown, the first the best.
  std::vector<trace::Id> ops;
  trace::Range range;
  /// One sentence about it, by core/explain; then its evidence.
  Explanation words;
};

/// All of them, in order of events, then findings. Those of MLIR's own pipeline
/// are not among them: it has to be run for that.
std::vector<Choice> choicesOf(const Lookup &lookup, const CheckInputs &seen);

/// The choice that is the target; null if it is gone.
const Choice *find(const Target &target, const std::vector<Choice> &choices);

/// A function on which stock MLIR reads freed memory, as something that may
/// kill MLIR's own pipeline: to be tried.
Choice upstreamCrash(const Lookup &lookup, trace::Id function, int stage,
                     const ChildEnd &end);

/// A message without what a reduction changes: numbers, shapes, names.
std::string withoutDetails(std::string_view message);

//===----------------------------------------------------------------------===//
// Which one
//===----------------------------------------------------------------------===//

/// What the user asked for: `kind` and `rule` as typed after `--reduce=`, empty
/// for the most telling; a place as a range of bytes.
struct Wish {
  std::string kind;
  trace::Range place;
  /// A line was given, without a column.
  bool wholeLine = false;
};

struct Chosen {
  /// Null if nothing fits.
  const Choice *choice = nullptr;
  /// How many others there were at the place.
  size_t others = 0;
  /// What to tell the user if nothing fits.
  std::string error;
};

Chosen choose(const Lookup &lookup, const std::vector<Choice> &choices,
              const Wish &wish);

/// Empty if `kind` is one; else what is wrong with it.
std::string faultOfWish(const std::string &kind);

} // namespace memreflens

#endif // MEMREFLENS_REDUCE_TARGET_H
