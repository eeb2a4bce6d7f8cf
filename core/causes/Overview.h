//===- core/causes/Overview.h - what to do about a file, on one screen ----===//
//
//   step.mlir: 1 function, 25 allocations, 6 clones
//   peak 4.7 MiB; could be 1.8 MiB
//
// A program of tensors begins with what bufferization made of them, and the
// causes of its copies come before those of the pipeline.
//
//   1  24 buffers of @step are deallocated at its end (323:5), after ...
//      fix  optimize-allocation-liveness after the pipeline
//           peak 4.7 MiB -> 1.8 MiB
//
// Causes are ranked by what their remedies gain, with rejected functions and
// faults first; equal facts of several functions are one entry.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CAUSES_OVERVIEW_H
#define MEMREFLENS_CAUSES_OVERVIEW_H

#include "core/check/Finding.h"

#include <string>
#include <vector>

namespace memreflens {

/// What was applied to a copy of the program, and helped.
struct OverviewFix {
  /// "inline before the pipeline".
  std::string remedy;
  /// "clones 6 -> 0; 7 ownership indicators more".
  std::string gain;
  /// To run it: mlir-opt, then memref-lens; empty where the program is edited.
  std::vector<std::string> commands;
  /// `TriedRemedy::code` and `edit`.
  std::vector<std::string> code, edit;
};

/// One cause, or the same one of several functions.
struct OverviewEntry {
  /// In `FileReport::causes`.
  std::vector<size_t> causes;
  /// "@step returns 6 of its arguments (323:5)".
  std::string sentence;
  /// Of the first cause.
  Place place;
  /// "6 clones (1.2 MiB)"; may be empty.
  std::string costs;
  /// "run-time alias checks compared 16x in one run, never the same buffer";
  /// may be empty.
  std::string run;
  /// The best one first.
  std::vector<OverviewFix> fixes;
  /// Where nothing that was applied to a copy helps: advice that was not, or
  /// how many were.
  std::string advice;
};

struct Overview {
  /// "5 tensor operands, all in place; 1 buffer, 2 KiB; 1 copy, 2 KiB"; empty
  /// where one-shot-bufferize did not run.
  std::string tensors;
  /// `TensorReport::slow`.
  std::string slow;
  /// `TensorReport::bounded`.
  std::string bounded;
  /// "1 function, 25 allocations, 6 clones".
  std::string counts;
  /// "peak 4.7 MiB; could be 1.8 MiB"; empty where nothing is allocated.
  std::string peak;
  /// "a call of @main: 33 allocations, 512 KiB; 32 copies, 384 KiB", of the
  /// function that allocates most; empty where the text says as much.
  std::string aCall;
  /// "5 remedies not tested, to be fast"; may be empty.
  std::string untested;
  /// In the order in which they are worth a look.
  std::vector<OverviewEntry> entries;
};

Overview overviewOf(const FileReport &report);

/// The cause that costs a function (without `@`) most, rejections and faults
/// before all else; null if it has none.
const Cause *leadingCause(const FileReport &report, std::string_view function);
/// "@step returns 6 of its arguments (323:5)": with its place, if that is known
/// and the sentence does not name it.
std::string placedSentence(const Cause &cause);
/// What goes with it: "6 clones (1.2 MiB)"; may be empty.
std::string costsText(CauseKind kind, const CauseCosts &costs);

/// An object with the members of `Overview`; columns count UTF-16 code units.
std::string asJson(const Overview &overview);

/// At most 25 lines; with `isHead`, of what is told in full behind it. `words`
/// are those of a shell to look at the file again, with the options of this
/// run. Plain text: nothing of the user's file controls the terminal.
std::string asText(const Overview &overview, const FileReport &report,
                   const std::string &words, bool color, bool isHead = false);

} // namespace memreflens

#endif // MEMREFLENS_CAUSES_OVERVIEW_H
