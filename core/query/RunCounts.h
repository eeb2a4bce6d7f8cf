//===- core/query/RunCounts.h - what a run counted, by line ---------------===//
//
// Counts of one run in one function, as a stage left it. They belong to the
// lines of that stage's text: a stage may have made one op of several, so on
// the program as written they would not be true.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_QUERY_RUNCOUNTS_H
#define MEMREFLENS_QUERY_RUNCOUNTS_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memreflens {

/// Of one op.
struct OpCounts {
  /// "40x, 64 B each, deallocated 39x"; behind the op. May be empty.
  std::string words;
  /// What went wrong there.
  struct Fault {
    /// "use after free".
    std::string kind;
    std::string sentence;
  };
  std::vector<Fault> faults;
  /// Of a condition: how often it was true and false.
  struct Truths {
    uint64_t yes = 0, no = 0;
  };
  std::optional<Truths> truths;
};

/// Of a function. Lines count from its head, which is 0.
struct RunCounts {
  /// "ran @f(%n = 40): ..."; in one line. Empty where it stands beside.
  std::string verdict;
  std::map<size_t, OpCounts> ops;
  /// How often each block ran, by the line of its first op; one that did not
  /// run is absent. Nothing where blocks were not counted.
  std::optional<std::map<size_t, uint64_t>> blocks;
  /// The run came to its end, so that what enters a block leaves it.
  bool isWhole = false;

  /// Nothing of the function ran.
  bool isEmpty() const { return ops.empty() && (!blocks || blocks->empty()); }
};

/// What a run did with a buffer that the program allocates.
struct RanBuffer {
  bool wasAllocated = false;
  /// "7x, 32 B each, at most 1 at once, deallocated 7x"; "not allocated".
  std::string words;
};

/// Of the buffers of a function.
struct RanLives {
  /// "one run: peak 224 B at %mixed (23:7); @f(%n = 40)"; empty where another
  /// function was called, from which this one ran.
  std::string headline;
  uint64_t peakBytes = 0;
  /// Steps that allocate, with the most bytes that were live behind them.
  std::vector<std::pair<uint32_t, uint64_t>> most;
  /// By value.
  std::map<int32_t, RanBuffer> buffers;
};

} // namespace memreflens

#endif // MEMREFLENS_QUERY_RUNCOUNTS_H
