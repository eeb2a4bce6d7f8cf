//===- core/check/Cause.h - the fact behind a group of findings -----------===//
//
// Without it the findings of the group would not be there:
//
//   @step returns 6 of its arguments (323:5)         6 clones
//
// core/causes finds them; here they are plain data of a report.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_CAUSE_H
#define MEMREFLENS_CHECK_CAUSE_H

#include "core/text/Sentence.h"
#include "core/trace/Id.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memreflens {

/// Lines and byte columns from 1; all 0 where the place is not known.
struct Place {
  uint32_t line = 0, column = 0;
  uint32_t endLine = 0, endColumn = 0;
  /// The columns in UTF-16 code units; 0 where they are not known.
  uint32_t utf16Column = 0, utf16EndColumn = 0;

  bool beginsWhere(const Place &other) const {
    return line == other.line && column == other.column;
  }
};

struct FindingNote {
  Place place;
  Sentence text;
};

enum class CauseKind : uint8_t {
  rejection,        ///< a function is rejected or skipped
  fault,            ///< a leak, a double free, a use after free
  callResult,       ///< a call's result may be a buffer that others own
  unknownOrigin,    ///< an op says nothing of where its memref comes from
  loop,             ///< which buffer a loop carries, run time tells
  region,           ///< which buffer another op with regions yields
  branch,           ///< which buffer a block argument is
  join,             ///< which of its operands an op gives
  argumentReturned, ///< the caller keeps its arguments, and owns results
  globalReturned,   ///< a memref.global belongs to nobody
  edge,             ///< deallocated on some of a branch's edges only
  blockEnd,         ///< the pass deallocates at the end of a block
  lastUseUnknown,   ///< an op hides who uses the buffer
  iteration,        ///< a loop allocates in each iteration
  other             ///< one rule's findings in one function
};
inline constexpr int causeKinds = int(CauseKind::other) + 1;

/// Whether the sentence of one says more than the first of its findings does.
bool isShared(CauseKind kind);
/// As in the JSON: "argument-returned".
std::string_view nameOf(CauseKind kind);
/// `other` for a name that this version does not know.
CauseKind causeKindNamed(std::string_view name);

/// What run-time alias checks found in a run, those of dealloc_helper among
/// them.
struct CauseRun {
  uint64_t compared = 0, same = 0;
  /// "compared 16x in one run, never the same buffer".
  std::string words() const;
};

/// What would go with a cause; each decision is counted for one cause only.
struct CauseCosts {
  uint64_t clones = 0;
  /// Of the clones whose size is known.
  uint64_t cloneBytes = 0;
  uint64_t runTimeChecks = 0;
  uint64_t helperCalls = 0;
  /// Pointers that these calls compare, at most, each time.
  uint64_t compares = 0;
  uint64_t conditionalDeallocs = 0;
  uint64_t lateDeallocs = 0;
  /// Of the late buffers whose size is known.
  uint64_t lateBytes = 0;
  /// Allocations in loops; how often a call executes them and what it allocates
  /// by them, where both are constant for all.
  uint64_t loopAllocations = 0, executedAllocations = 0, executedBytes = 0;
  /// Rejections, faults, and findings of `other`.
  uint64_t findings = 0;
  /// Of the clones, those of an argument of open size in a function that a loop
  /// calls: a buffer that grows there is copied whole each time.
  uint64_t growingClones = 0;

  CauseCosts &operator+=(const CauseCosts &more);
  bool operator==(const CauseCosts &) const = default;
};

struct Cause {
  CauseKind kind = CauseKind::other;
  /// Without `@`; empty for the file as a whole.
  std::string function;
  /// Part of the file that it is in.
  trace::Id chunk = trace::none;
  /// The rule of its findings, where the kind is one for several.
  std::string rule;
  /// The fact: "@step returns 6 of its arguments".
  Sentence sentence;
  /// The sentence has its place: "scf.for (3:8) carries ...".
  bool namesPlace = false;
  Place place;
  /// What the sentence speaks of, each at its place; of many the first.
  std::vector<FindingNote> evidence;
  CauseCosts costs;
  /// Of one run, where one was given and its checks ran in it.
  std::optional<CauseRun> run;
  /// Other facts that some of the findings need as well, as sentences.
  std::vector<std::string> alsoNeeded;
};

} // namespace memreflens

#endif // MEMREFLENS_CHECK_CAUSE_H
