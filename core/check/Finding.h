//===- core/check/Finding.h - one thing that is wrong, or costs -----------===//
//
// What `memref-lens check` reports, as plain data: the rule, a sentence, its
// place, what is behind it, the path that leads there, and what to do.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_FINDING_H
#define MEMREFLENS_CHECK_FINDING_H

#include "core/check/Cause.h"
#include "core/check/RemedyId.h"
#include "core/check/RuleId.h"
#include "core/explain/Advice.h"
#include "core/trace/Model.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace memreflens {

/// What is counted of a program's deallocation.
enum class Quantity : uint8_t {
  lostWrites,
  overwrites,
  clones,
  unconditionalClones,
  runTimeChecks,
  helperCalls,
  inLoops,
  ownershipResults,
  lateFrees,
  peak,
  largestDealloc,
  copies,
  allocations,
  executedAllocations,
  loopAllocations
};
/// "late deallocs"; of one, "late dealloc".
std::string_view wordsOf(Quantity quantity, uint64_t number = 2);
/// By the words for several.
std::optional<Quantity> quantityNamed(std::string_view words);

/// A number that a remedy changes: clones, 2, 0, "2 -> 0", "0".
struct NumberChange {
  Quantity what = Quantity::clones;
  uint64_t before = 0, after = 0;
  std::string text, now;
  bool operator==(const NumberChange &) const = default;
};

/// What a remedy makes of functions that are rejected, or of which mlir-opt
/// reads freed memory.
struct Acceptance {
  /// Not only read wrongly.
  bool wasRejected = false;
  /// That the accepted functions have.
  uint64_t clones = 0, runTimeChecks = 0, helperCalls = 0;
  bool operator==(const Acceptance &) const = default;
  Acceptance &operator+=(const Acceptance &other);
  /// Of `functions` functions, "@f" or "all 17 functions": "@f is accepted,
  /// with 1 clone".
  std::string words(const std::string &name, size_t functions) const;
};

/// A remedy that was applied to a copy of the program.
struct TriedRemedy {
  RemedyId id = RemedyId::none;
  /// "lift-cf-to-scf before the pipeline".
  std::string remedy;
  /// The same in a few words.
  std::string label;
  /// What it names.
  RemedyPasses passes;
  /// What came of it: "clones 2 -> 0, run-time checks 1 -> 3".
  std::string outcome;
  /// Pass pipeline with which mlir-opt does the same, after any edit that
  /// `remedy` names.
  std::string pipeline;
  /// For the shell, after such an edit: mlir-opt, and memref-lens.
  std::vector<std::string> commands;
  /// As calls of an mlir::PassManager `pm`, a line each; may be empty.
  std::vector<std::string> code;
  /// Declarations that change with it, as lines of a diff, without places.
  std::vector<std::string> edit;
  /// It makes the finding go away or cost less, and nothing unsound.
  bool helps = false;
  /// The path explorer could try all paths of what it makes.
  bool allPaths = true;
  /// What it makes of the part of the file, gains first; of a remedy that
  /// helps.
  std::vector<NumberChange> changes;
  /// Of a remedy that helps against a rejection; counts of the one function.
  std::optional<Acceptance> acceptance;
  bool operator==(const TriedRemedy &) const = default;
};

/// One of many findings that a remedy was tried against, at once: there may be
/// thousands.
using SharedRemedy = std::shared_ptr<const TriedRemedy>;

/// Said of a remedy that helps, as far as could be looked.
inline constexpr std::string_view notAllPaths =
    " (not all paths could be tried)";

struct Finding {
  /// Of a clone: one of `CauseCosts::growingClones`; for who counts these.
  bool isGrowing = false;
  /// A rule of Rules.h.
  std::string rule;
  trace::Severity severity = trace::Severity::error;
  std::string file;
  /// Without `@`; empty for the file as a whole.
  std::string function;
  /// Part of the file that it is in; `none` for the file as a whole.
  trace::Id chunk = trace::none;
  Sentence message;
  /// The message has its place; not in the JSON.
  bool namesPlace = false;
  Place place;
  /// Facts behind it.
  std::vector<FindingNote> related;
  /// What has to happen, in order, for it to go wrong.
  std::vector<FindingNote> path;
  std::vector<Advice> remedies;
  /// Remedies that were tried, the helpful ones first.
  std::vector<SharedRemedy> tried;
  /// What stands at its place: an op's name, and that of its first result
  /// without numbers; or a value's.
  std::string subject;
  /// The same where only lines, the numbers of values, or the words were
  /// changed: of rule, function and subject, counted among equal ones.
  std::string fingerprint;
  /// Of the words: what fingerprints were up to 0.2.
  std::string oldFingerprint;
  /// The event that it is about, while there is a trace; not in the JSON.
  trace::Id event = trace::none;
  /// Size of the buffer that it is about, if known; not in the JSON.
  uint64_t bytes = 0;
  /// Of an allocation in a loop: the innermost one (`none`: one of branches),
  /// and how often a call executes it, 0 where that is no constant; not in the
  /// JSON.
  trace::Id loop = trace::none;
  uint64_t executions = 0;
  /// Something may use the buffer that cannot be followed; not in the JSON.
  bool lastUseUnknown = false;
  /// Its leading cause among the report's; -1 where none was looked for.
  int64_t cause = -1;
};

/// A buffer that is alive where the peak is, or what a callee has there.
struct PeakPart {
  /// "%wide", "in @f, called by func.call (12:5)".
  std::string name;
  uint64_t bytes = 0;
  Place place;
  /// "idle since linalg.matmul (64:3)"; may be empty.
  std::string use;
  /// Why it is there nevertheless; empty if it is in use.
  std::string why;
};

/// What a function's peak is made of.
struct PeakCosts {
  /// "66:12".
  std::string at;
  /// The largest first, and what the others come to.
  std::vector<PeakPart> parts;
  uint64_t others = 0, otherBytes = 0;
  /// "in use", and what holds the rest, in bytes.
  std::vector<std::pair<std::string, uint64_t>> causes;
  /// Live bytes along the program, most of each part of it.
  std::vector<uint64_t> curve;
  /// "24.6 GiB of it in 225 buffers that linalg.transpose fills from
  /// arguments"; empty where no origin stands out.
  std::string origin;
  /// "8 B * %n", where sizes are symbols and nothing else keeps the peak open.
  std::string expression;
};

/// The peak in one memory space, where there are several.
struct SpaceCosts {
  /// As MLIR prints it, and what the user calls it, or nothing.
  std::string space, name;
  uint64_t peakBytes = 0;
  bool peakIsLowerBound = false;
  /// What globals hold there all the time.
  uint64_t globalBytes = 0;
  /// What it holds, where that is stated.
  std::optional<uint64_t> capacity;
  PeakCosts peak;
};

/// What one call of a function pays, what it calls included.
struct ExecutedCosts {
  /// Nothing where that is no constant.
  std::optional<uint64_t> allocations, allocatedBytes, copies, copiedBytes;
  /// These are bounds: branches may pass some by.
  bool isAtMost = false;
  /// Other functions of the program call it, and pay for it.
  bool isCalled = false;
  /// "33 allocations, 512 KiB; 32 copies, 384 KiB", with clones among neither,
  /// and of other costs those of loops; empty where it is what the text has.
  std::string words;
  /// "allocations grow with the square of %n"; empty for nothing.
  std::string growth;
};

/// What one function's memory handling costs, after the last stage.
struct FunctionCosts {
  std::string function;
  Place place;
  uint64_t clones = 0, runTimeChecks = 0, helperCalls = 0, peakBytes = 0;
  /// Allocations of unknown size, which `peakBytes` leaves out.
  uint64_t unsizedBuffers = 0;
  /// The peak may be more: sizes, callees or paths are not known.
  bool peakIsLowerBound = false;
  /// Of all memory spaces together, and in each.
  PeakCosts peak;
  std::vector<SpaceCosts> spaces;
  ExecutedCosts aCall;
  uint64_t allocations = 0, frees = 0, conditionalFrees = 0;
  /// Results that say who owns the others.
  uint64_t ownershipResults = 0;
  /// Equal for functions that are equal but for names and places.
  std::string digest;
  /// What becomes of each buffer, by the user's names, without places.
  std::vector<std::string> decisions;
  /// traced, rejected, ...
  std::string status;
};

/// The largest peak of each memory space, whichever function has it; a lower
/// bound where that of any function is one.
std::vector<SpaceCosts>
largestPeaks(const std::vector<FunctionCosts> &functions);

/// How far the paths of one function were tried.
struct Exploration {
  std::string function;
  /// Of the program as the user wrote it. Not in the JSON.
  bool isInput = false;
  std::string bounds;
  bool complete = true;
  /// What was taken for granted: "a result of foo.op is a view of its first
  /// buffer".
  std::vector<std::string> assumed;
  /// Ways to freed memory that nobody followed: "%a by way of
  /// bufferization.to_tensor".
  std::vector<std::string> unfollowed;
  Place place;
};

/// One cause of copies and buffers that bufferization makes, at all its places.
struct TensorCauseText {
  /// That its copies are findings of.
  std::string rule;
  /// "17 values are computed in buffers of their own and then written back".
  std::string sentence;
  /// "17 copies, 8.3 MiB; 17 buffers, 8.3 MiB".
  std::string costs;
  /// Of the largest.
  Place place;
  /// What to do about it, not tested; may be empty.
  std::string advice;
};

/// How the tensors of a file became buffers.
struct TensorReport {
  /// "3 tensor operands, 2 in place; 1 buffer, 4 KiB; 1 copy, 4 KiB"; empty
  /// where one-shot-bufferize did not run.
  std::string counts;
  /// That upstream's analysis takes long, and what does not; empty where it is
  /// quick.
  std::string slow;
  /// That not all pairs of a write and a read were compared; empty where all
  /// were.
  std::string bounded;
  /// By bytes, the most first.
  std::vector<TensorCauseText> causes;
};

struct FileReport {
  std::string file;
  TensorReport tensors;
  std::vector<Finding> findings;
  /// In the order of their first findings.
  std::vector<Cause> causes;
  std::vector<FunctionCosts> costs;
  /// Allocations of functions that were rejected, of which there are no costs.
  uint64_t rejectedAllocations = 0;
  std::vector<Exploration> explorations;
  /// Remedies that would have been tried, had they not been too many.
  std::vector<std::string> untried;
  /// Parts of the file in which a buffer's last use is not known. Not in the
  /// JSON.
  std::set<trace::Id> escaping;
  /// By part of the file, the first call that may end what an external function
  /// returned. Not in the JSON.
  std::map<trace::Id, FindingNote> releases;
  /// Nothing in it could be analysed.
  bool unreadable = false;
  /// Parts between `// -----` lines that do not parse.
  uint64_t unparsed = 0;
};

/// MLIR numbers values without a name of their own (`%3`, `%alloc_3`), and an
/// op more moves all of the numbers behind it: the text without them.
std::string withoutValueNumbers(const std::string &text);

/// The text's `fingerprint`, as 16 digits.
std::string digestOf(std::string_view text);

/// Adds the report of other functions of the same part of a file, and puts the
/// explorations in their order: `finishReport` is to follow.
void joinReport(FileReport &report, FileReport other);

/// In the order of the findings, then by their places those that have none.
void orderCauses(FileReport &report);

/// In order of place and rule, with fingerprints.
void finishReport(FileReport &report);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_FINDING_H
