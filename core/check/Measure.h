//===- core/check/Measure.h - what a program's deallocation comes to ------===//
//
// Numbers counted in the pipeline's output, so that two runs can be compared:
// one with and one without a remedy. Everybody can count them in the output of
// mlir-opt.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_MEASURE_H
#define MEMREFLENS_CHECK_MEASURE_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace memreflens {

/// A place in the source as one number.
constexpr uint64_t siteOf(uint64_t line, uint64_t column) {
  return line << 32 | column;
}

/// Of one function. Positions are those of ops in the order of the text.
struct Measure {
  /// It came through the pipeline.
  bool isAccepted = false;
  bool upstreamReadsFreed = false;
  bool isPublic = false;
  /// In a module of the module, where passes on the outer one do not look.
  bool isNested = false;
  /// Results that are memrefs.
  uint64_t buffersReturned = 0;
  /// One of them has a size that only the function knows.
  bool returnsOpenSize = false;
  /// It has llvm.emit_c_interface, or nothing of its module calls it: its
  /// callers are elsewhere.
  bool isEntryPoint = false;
  /// Blocks of the function's own region, as written.
  uint64_t blocks = 0;
  /// memref.alloc, without the lists that dealloc_helper takes.
  uint64_t allocations = 0;
  /// These lists: five for each call.
  uint64_t helperLists = 0;
  /// What those take of the heap: bookkeeping, none of the program's data.
  uint64_t helperListBytes = 0;
  /// bufferization.clone.
  uint64_t clones = 0;
  /// Of these, not directly in a scf.if.
  uint64_t unconditionalClones = 0;
  /// memref.copy.
  uint64_t copies = 0;
  /// Of the allocations, those in loops; and what a call executes of all, as
  /// far as loops have constant bounds: of others, one iteration.
  uint64_t loopAllocations = 0, executedAllocations = 0;
  /// Compares of two aligned pointers, outside of dealloc_helper.
  uint64_t runTimeChecks = 0;
  /// Calls of dealloc_helper.
  uint64_t helperCalls = 0;
  /// The above by place in the source (`siteOf`).
  std::map<uint64_t, uint64_t> clonesAt, copiesAt, checksAt, helpersAt,
      loopAllocationsAt;
  /// Clones, checks and such calls in loops.
  uint64_t inLoops = 0;
  /// Results that the pass appended: i1s that say who owns the others.
  uint64_t ownershipResults = 0;
  /// Buffers freed behind an allocation that follows their last use.
  uint64_t lateFrees = 0;
  /// Most bytes live at once on any path (core/symexec/HeapPeak.h); where the
  /// program has several memory spaces, in that which is over its size by most,
  /// or else has the largest peak.
  uint64_t peakBytes = 0;
  /// Whether it has several, and then that space, as MLIR prints it and as the
  /// user calls it.
  bool hasSpaces = false;
  std::string peakSpace, peakSpaceName;
  /// What that leaves out, by why and where in the text; one number each.
  std::set<uint64_t> peakGaps;
  bool peakIsLowerBound() const { return !peakGaps.empty(); }
  /// Buffers of the heap that leave what can be followed (trace/Escapes.h), the
  /// ops around their allocations, and ops behind their deallocations that may
  /// use them.
  uint64_t escapedBuffers = 0, escapedDepth = 0, unseenUses = 0;
  /// Buffers in the largest dealloc that the pass inserts.
  uint64_t largestDealloc = 0;
  /// Equal to that of another run where the pipeline's output is.
  uint64_t digest = 0;
  /// Errors that the path explorer finds, and whether it tried all paths.
  uint64_t faults = 0;
  /// What they are, and of which memory.
  std::set<std::string> faultKeys;
  /// Tensors that bufferization overwrites though they are read later.
  uint64_t overwrites = 0;
  /// Of the faults, writes that a clone, or a copy into an out-param, does not
  /// see.
  uint64_t lostWrites = 0;
  bool allPaths = true;
  /// Memory may be used, after it was freed, in ways that are not followed.
  bool unfollowed = false;
  /// Pointers of `ub.poison` decide what is deallocated.
  bool comparesPoison = false;
};

struct Measures {
  /// Chunk and name of a function.
  using Key = std::pair<int32_t, std::string>;

  /// Why there are none.
  std::string problem;
  /// Ops of the input.
  uint64_t ops = 0;
  /// Of reads and writes that MLIR's one-shot-bufferize compares, about.
  uint64_t tensorComparisons = 0;
  /// The same, where our replay decides (Replay.h): other passes of MLIR with
  /// its analysis still compare them.
  uint64_t replayedComparisons = 0;
  bool hasParallelLoop = false;
  /// Calls of functions with bodies.
  bool hasCalls = false;
  /// Something is allocated elsewhere than in a function's first block.
  bool hasInnerAllocations = false;
  /// External functions that are called and return memrefs, without `@`.
  std::set<std::string> externals;
  /// External functions that are called, by name, as they are declared.
  std::map<std::string, std::string> declarations;
  std::map<Key, Measure> functions;

  /// Of all functions of a chunk; the largest of what cannot be added.
  Measure totalOf(int32_t chunk) const;
};

/// Adds those of other functions.
void joinMeasures(Measures &measures, Measures other);

std::string measuresToJson(const Measures &measures);
std::optional<Measures> measuresFromJson(const std::string &text);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_MEASURE_H
