//===- core/memory/Arena.h - buffers in one piece of memory ---------------===//
//
// Where buffers go if one arena holds them all: two that live at the same time
// share no byte.
//
//   ArenaPlan plan = planArena(spans, ArenaPlanner::greedyBySize);
//   plan.bytes   // size of the arena
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_MEMORY_ARENA_H
#define MEMREFLENS_MEMORY_ARENA_H

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace memreflens::memory {

/// That of memref.alloc lowered to malloc, and of a cache line.
inline constexpr uint64_t arenaAlignment = 64;
/// Planning takes time in the square of the buffers.
inline constexpr size_t mostPlanned = 10000;

/// From the step that allocates to the last one that needs it, both included.
struct Span {
  uint64_t bytes = 0;
  uint32_t begin = 0, end = 0;
};

enum class ArenaPlanner : uint8_t {
  greedyBySize, ///< the largest first, each as low as it fits
  firstFit,     ///< in the order of the program, each as low as it fits
  bestFit       ///< in that order, each in the smallest gap that holds it
};
inline constexpr std::array arenaPlanners = {
    ArenaPlanner::greedyBySize, ArenaPlanner::firstFit, ArenaPlanner::bestFit};
/// "greedy by size".
std::string_view nameOf(ArenaPlanner planner);

struct ArenaPlan {
  ArenaPlanner planner = ArenaPlanner::greedyBySize;
  uint64_t bytes = 0;
  /// By span, in bytes from the arena's begin.
  std::vector<uint64_t> offsets;
};

ArenaPlan planArena(const std::vector<Span> &spans, ArenaPlanner planner);

/// Most bytes at one step, each span rounded up to the alignment: no arena is
/// smaller.
uint64_t leastArena(const std::vector<Span> &spans);

} // namespace memreflens::memory

#endif // MEMREFLENS_MEMORY_ARENA_H
