//===- core/execute/Counts.h - what a running program leaves behind -------===//
//
// The memory that a run and who waits for it share: counts of each site,
// faults, and how many bytes were live over time. It is whole at any moment, so
// that a program that crashes or is stopped has still told what happened until
// then.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXECUTE_COUNTS_H
#define MEMREFLENS_EXECUTE_COUNTS_H

#include "core/faults/FaultKind.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace memreflens::execute {

/// No site.
inline constexpr uint32_t nowhere = UINT32_MAX;

/// The kinds of faults that a run reports, the gravest first.
inline constexpr std::array kindsOfRun = {
    FaultKind::useAfterFree,   FaultKind::doubleFree,
    FaultKind::leak,           FaultKind::outOfBounds,
    FaultKind::freeOfBorrowed, FaultKind::freeOfUnknown,
    FaultKind::returnedFreed,  FaultKind::returnedUnowned};

/// Of one op of the program.
struct SiteCounts {
  /// How often it ran; how often a condition was true, or the buffers that are
  /// compared were the same.
  uint64_t ran = 0, yes = 0;
  /// Of what it allocated: bytes, how many were deallocated by the program and
  /// how many were returned, and bytes and number live now and at most.
  uint64_t bytes = 0, deallocated = 0, returned = 0;
  int64_t live = 0, liveBytes = 0, mostLive = 0;
  /// Bytes of the smallest and of the largest of them.
  uint64_t leastEach = 0, mostEach = 0;
  /// At the peak of all.
  int64_t peakLive = 0, peakBytes = 0;
  /// `dealloc_helper` called by it: comparisons, and how often they were equal.
  uint64_t compares = 0, equal = 0;
};

struct FaultCount {
  FaultKind kind = FaultKind::leak;
  bool isWrite = false;
  /// Where; where the memory was allocated and deallocated.
  uint32_t site = nowhere, allocation = nowhere, deallocation = nowhere;
  /// Of the external function that keeps the memory.
  uint32_t keeper = nowhere;
  /// Number of the result, of one that is returned.
  uint32_t result = 0;
  /// Of the first: byte in the buffer, and the buffer's size.
  int64_t offset = 0, size = 0;
  uint64_t times = 0;
};

/// How often a deallocation ended what an allocation had made.
struct EndCount {
  uint32_t allocation = nowhere, deallocation = nowhere;
  uint64_t times = 0;
};

/// What an op used of what another one made: both of one function, whose calls
/// stand for what runs in them.
struct UseCount {
  uint32_t allocation = nowhere, use = nowhere;
};

/// Of one buffer. Times are numbers of what happened to any memory; `last` is 0
/// where nothing used it, `ended` where nothing deallocated it.
struct LifeCount {
  /// The op that made it for the outermost of those that used it, and which run
  /// of that function this is.
  uint32_t site = nowhere, frame = 0;
  uint64_t bytes = 0, made = 0, first = 0, last = 0, ended = 0;
};

struct LivePoint {
  /// Number of the allocation or deallocation, from 0.
  uint64_t step = 0;
  int64_t bytes = 0;
  uint32_t site = nowhere;
};

enum class RunPhase : uint8_t { lowering, compiling, running, ended };

struct RunTotals {
  RunPhase phase = RunPhase::lowering;
  /// Stopped by the run itself: memory.
  bool isOutOfMemory = false;
  uint64_t allocations = 0, deallocations = 0;
  int64_t liveBytes = 0, peakBytes = 0;
  uint32_t peakSite = nowhere;
  /// The last that told of itself.
  uint32_t lastSite = nowhere;
  uint64_t accesses = 0;
  /// Too many for the table.
  uint64_t otherFaults = 0;
  uint32_t faults = 0;
  uint32_t points = 0;
  uint32_t ends = 0, uses = 0, lives = 0;
  /// More than the tables hold.
  bool areUsesCut = false;
  uint64_t otherLives = 0;
  /// Of so many steps the one with the most bytes is kept.
  uint64_t stepsAPoint = 1;
  /// Why it could not be run; a site or nowhere.
  uint32_t failedSite = nowhere;
  std::array<char, 2048> failure = {};
};

inline constexpr size_t mostFaults = 256, mostPoints = 4096, mostEnds = 16384,
                        mostUses = 65536, mostLives = 4096;

/// Memory that this process and those that it forks share.
class SharedCounts {
public:
  explicit SharedCounts(size_t sites);
  ~SharedCounts();
  SharedCounts(const SharedCounts &) = delete;
  SharedCounts &operator=(const SharedCounts &) = delete;

  /// False if the system gave none.
  bool isOpen() const { return memory != nullptr; }
  RunTotals &totals() const;
  std::span<SiteCounts> sites() const;
  std::span<FaultCount> faults() const;
  std::span<LivePoint> points() const;
  std::span<EndCount> ends() const;
  std::span<UseCount> uses() const;
  std::span<LifeCount> lives() const;
  /// Keeps a message for who waits.
  void fail(std::string_view message, uint32_t site = nowhere) const;

private:
  void *memory = nullptr;
  size_t count, bytes = 0;
};

} // namespace memreflens::execute

#endif // MEMREFLENS_EXECUTE_COUNTS_H
