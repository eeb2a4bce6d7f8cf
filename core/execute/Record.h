//===- core/execute/Record.h - what a program did when it ran -------------===//
//
// Of one run: with which arguments, what was allocated and deallocated, by
// which op, how often each condition was true, how many bytes were live, and
// what went wrong. Plain data, to be kept and shown beside a trace.
//
//   textOf(record)   // verdict first
//   asJson(record)   // docs/run.schema.json
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXECUTE_RECORD_H
#define MEMREFLENS_EXECUTE_RECORD_H

#include "core/execute/Counts.h"
#include "core/memory/Measured.h"
#include "core/query/Lookup.h"
#include "core/query/RunCounts.h"
#include "core/query/Spaces.h"
#include "core/trace/Model.h"

#include <optional>
#include <string>
#include <vector>

namespace memreflens::execute {

inline constexpr int recordVersion = 1;

enum class SiteKind : uint8_t {
  allocation,
  deallocation,
  condition,
  comparison, ///< of two base pointers
  call,
  block, ///< not an op: its first one stands for it
  other
};
std::string_view nameOf(SiteKind kind);

/// A deallocation that ended buffers of an allocation.
struct SiteEnd {
  /// Index of its site.
  int64_t deallocation = -1;
  uint64_t times = 0;
};

/// An op of the program that ran.
struct Site {
  SiteKind kind = SiteKind::other;
  /// Of the trace; `none` for what only the lowering made.
  trace::Id op = trace::none;
  std::string opName, function;
  /// "%a", its first result; of a condition, the `i1`. May be empty.
  std::string value;
  /// From 1; 0 where the program's text has no place for it.
  uint32_t line = 0, column = 0;
  /// In the text of its function after the stage, where the head is line 0; 0
  /// for an op that is not printed.
  uint32_t stageLine = 0;
  /// Allocates, or deallocates, a list of addresses or conditions for
  /// dealloc_helper.
  bool isForHelper = false;
  SiteCounts counts;
  /// Of an allocation. Older records, and runs with very many pairs, have fewer
  /// ends than buffers were deallocated.
  std::vector<SiteEnd> ends;
  /// And of an allocation or a call: the sites of its function that used what
  /// it made.
  std::vector<int64_t> uses;

  /// "%a (7:3)", "memref.dealloc (9:3)".
  std::string title() const;
};

struct Fault {
  FaultKind kind = FaultKind::leak;
  bool isWrite = false;
  /// Indices of sites; -1 for none.
  int64_t site = -1, allocation = -1, deallocation = -1;
  /// "%x", where the memory is an argument's; "result 1".
  std::string argument, result;
  /// "@pool", the external function that keeps the memory; else empty.
  std::string keeper;
  int64_t offset = 0, size = 0;
  uint64_t times = 0;
};

struct Argument {
  std::string name, type;
  /// "random, 16x16xf32", "4".
  std::string value;
};

/// How it ended.
enum class RunEnd : uint8_t {
  returned,
  notRun,  ///< it could not be lowered, or has no entry: `failure`
  crashed, ///< `signal` or `failure` says of what
  timedOut,
  outOfMemory
};
std::string_view nameOf(RunEnd end);

struct Record {
  std::string toolVersion, file;
  /// Of the file's text.
  std::string fingerprint;
  std::string entry;
  /// Of the text of its part of the file after that stage, names as in the
  /// source: who draws the counts has the same program.
  std::string stageFingerprint;
  /// "8, canonicalize", and `--pipeline` as given.
  std::string stage, pipeline;
  uint64_t seed = 0;
  std::vector<Argument> arguments;
  /// "@ext: fresh".
  std::vector<std::string> stubs;
  RunEnd end = RunEnd::returned;
  std::string failure;
  /// That ended it, where it crashed; 0 if none did.
  int64_t signal = 0;
  /// Whose code ran unwatched, by their names.
  std::vector<std::string> libraries;
  /// An op whose iterations would run side by side, and ran one after the
  /// other: "scf.parallel"; empty without one.
  std::string serialized;
  RunTotals totals;
  /// Where it was last, or could not be lowered; -1 for none.
  int64_t lastSite = -1, peakSite = -1;
  std::vector<Site> sites;
  std::vector<Fault> faults;
  std::vector<LivePoint> curve;
  /// Of each buffer, or of the first ones.
  std::vector<LifeCount> lives;
  /// Predicted; nothing where nobody predicted it.
  std::optional<int64_t> predictedPeak;
  bool isPredictionLowerBound = false;
  /// What was claimed and is not so, in words.
  std::vector<std::string> contradictions;
  /// Whether something is deallocated rests on a pointer of `ub.poison`, which
  /// may be any: another run may have other faults.
  bool restsOnPoison = false;
  /// Where the pipeline makes a program that computes something else, on some
  /// path: "memref.load reads %a, but memref.store wrote to a clone of it;
  /// ...".
  std::vector<std::string> changed;

  bool has(FaultKind kind) const {
    for (const Fault &fault : faults)
      if (fault.kind == kind)
        return true;
    return false;
  }
  /// Nothing went wrong.
  bool isClean() const {
    return end == RunEnd::returned && faults.empty() && contradictions.empty();
  }
};

std::string textOf(const Record &record, bool all);
/// "@f(%n = 40)".
std::string callOf(const Record &record);
/// "ran @f(%n = 40): 40 allocations, ...", without the end of the line.
std::string verdictOf(const Record &record);
/// "deallocated 39x, returned 1x", "true 3x, false 37x"; empty where the counts
/// of such a site say nothing more than how often it ran.
std::string wordsOf(const Site &site);
/// The same, and where the buffers ended: "deallocated 39x at 9:3, left 1x".
std::string wordsOf(const Record &record, const Site &site);
/// "%a allocated 40x, 1 KiB each, deallocated 39x at 9:3": beside the op, where
/// nothing else says what it is; empty for what only the lowering needs.
std::string noteOf(const Record &record, const Site &site);
/// The same, where there is little room: "40x, deallocated 39x".
std::string shortNoteOf(const Record &record, const Site &site);
/// "leak: %a (7:3) is never deallocated, 64 B in all".
std::string textOf(const Record &record, const Fault &fault);
/// What stands below the verdict and the faults: "program after stage 8,
/// canonicalize, seed 1", "predicted peak: 224 B", what was claimed and is not
/// so.
std::vector<std::string> remarksOf(const Record &record);
std::string asJson(const Record &record);
/// Of one function, for a picture of it after the stage that ran.
RunCounts countsOf(const Record &record, const std::string &function);
/// Of the entry, beside what is predicted.
memory::MeasuredUse measuredOf(const Record &record);
/// The same in one memory space, where there are several and the record says
/// of each buffer when it began and ended; else of all together.
memory::MeasuredUse measuredIn(const Record &record, const Lookup &lookup,
                               const Space &space);
/// Nothing, and what is wrong, where the text is no record.
std::optional<Record> readRecord(const std::string &text, std::string &error);

} // namespace memreflens::execute

#endif // MEMREFLENS_EXECUTE_RECORD_H
