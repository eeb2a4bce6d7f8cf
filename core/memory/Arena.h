//===- core/memory/Arena.h - buffers in one piece of memory ---------------===//
//
// Where buffers go if one arena holds them all: two that live at the same time
// share no byte.
//
//   std::vector<ArenaPlan> plans = planArenas(spans);
//   smallestOf(plans)->bytes   // size of the arena
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_MEMORY_ARENA_H
#define MEMREFLENS_MEMORY_ARENA_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace memreflens::memory {

/// That of memref.alloc lowered to malloc, and of a cache line.
inline constexpr uint64_t arenaAlignment = 64;
/// Planning takes time by the pairs that live at the same time.
inline constexpr uint64_t mostPairs = 10'000'000;
/// The exact plan is looked for where there are at most so many buffers, and is
/// given up after so many steps of the search, which are the same on every
/// machine.
inline constexpr size_t mostExact = 48;
inline constexpr uint64_t mostExactSteps = 30'000;

/// From the step that allocates to the last one that needs it, both included.
struct Span {
  uint64_t bytes = 0;
  uint32_t begin = 0, end = 0;
};

enum class ArenaPlanner : uint8_t {
  greedyBySize,    ///< the largest first, each as low as it fits
  greedyByBreadth, ///< those of the step with most live bytes first
  firstFit,        ///< in the order of the program, each as low as it fits
  bestFit,         ///< each in the smallest gap that holds it; of the orders by
                   ///< program and by size, the better one
  exact            ///< no arena is smaller: branch and bound
};
inline constexpr std::array arenaPlanners = {
    ArenaPlanner::greedyBySize, ArenaPlanner::greedyByBreadth,
    ArenaPlanner::firstFit, ArenaPlanner::bestFit, ArenaPlanner::exact};
/// "greedy by size".
std::string_view nameOf(ArenaPlanner planner);

struct ArenaPlan {
  ArenaPlanner planner = ArenaPlanner::greedyBySize;
  uint64_t bytes = 0;
  /// By span, in bytes from the arena's begin.
  std::vector<uint64_t> offsets;
};

/// By each planner; without the exact one where there are too many for it, and
/// none at all where too many live at once.
std::vector<ArenaPlan> planArenas(const std::vector<Span> &spans);
/// The first of the smallest; null if there is none.
const ArenaPlan *smallestOf(const std::vector<ArenaPlan> &plans);

/// Most bytes at one step, each span rounded up to the alignment: no arena is
/// smaller.
uint64_t leastArena(const std::vector<Span> &spans);

uint64_t alignedUp(uint64_t bytes, uint64_t alignment = arenaAlignment);

} // namespace memreflens::memory

#endif // MEMREFLENS_MEMORY_ARENA_H
