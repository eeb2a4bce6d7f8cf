//===- core/query/Lifetimes.h - from allocation to deallocation -----------===//
//
// For each buffer of a function: where it comes to be, where it is last used,
// and where it ends - freed, returned, passed on - with the gap between; and
// how many bytes are live at most at each step.
//
//   Lifetimes lifetimes = lifetimesOf(lookup, function);
//   lifetimes.peakBytes   // of any path, as every command tells it
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_QUERY_LIFETIMES_H
#define MEMREFLENS_QUERY_LIFETIMES_H

#include "core/query/Escapes.h"
#include "core/query/Lookup.h"
#include "core/query/RunCounts.h"
#include "core/query/Spaces.h"

#include <optional>

namespace memreflens {

enum class EndKind : uint8_t {
  freed,
  returned, ///< to the caller, who owns it from there
  passed,   ///< to a block argument or an op's result
  scope,    ///< a stack buffer: with its scope
  open,     ///< nothing in the function ends it
};

struct LifetimeEnd {
  EndKind kind = EndKind::freed;
  /// Step at which it ends.
  uint32_t step = 0;
  /// Only in some runs.
  bool conditional = false;
  trace::Id event = trace::none;
  /// The i1 under which it is freed there; `none` if it always is, or compared
  /// with others only.
  trace::Id condition = trace::none;
};

struct Lifetime {
  trace::Id value = trace::none;
  std::string name;
  std::string type;
  /// As they were counted on the paths (trace::HeapUse), else as the type says;
  /// nothing where they are not known.
  std::optional<uint64_t> bytes;
  /// Whether the function may have to free it; a borrowed one costs it nothing.
  bool mayBeOwned = false;
  bool onStack = false;
  trace::BufferSource source = trace::BufferSource::unknown;
  /// The last decision to retain it; `none` if there is none.
  trace::Id retained = trace::none;
  uint32_t begin = 0;
  /// The op that makes it is in the function as the pass sees it, if only since
  /// bufferization.
  bool isMadeByStep = false;
  /// The first and the last one that is seen, but for deallocations; see
  /// `escape`. What a loop carries may be used before `begin`, a round later.
  uint32_t firstUse = 0, lastUse = 0;
  /// The op of the program that is, or holds, the last one; `none` for none. A
  /// loop may go on behind it.
  trace::Id usedBy = trace::none;
  /// As the IR of the last stage has it, and not guessed from the program.
  bool isSpanKnown = false;
  /// The op that makes it may make another one while it is in use.
  bool isSeveral = false;
  /// The op behind which it can be followed no further, so that its last use is
  /// not known; `none` if there is none.
  TraceEscape escape;
  /// In order of steps; the last one bounds the life.
  std::vector<LifetimeEnd> ends;

  /// Where its last use is not known, to its end.
  uint32_t inUseUntil() const {
    return escape.op != trace::none && end() > lastUse ? end() : lastUse;
  }
  uint32_t end() const { return ends.empty() ? lastUse : ends.back().step; }
};

/// Steps are the function's ops in program order, those of regions included.
struct Lifetimes {
  trace::Id function = trace::none;
  /// Whose memory it is; others' buffers are left out.
  Space space;
  std::vector<Lifetime> buffers;
  /// By step: the op, and its line in the user's file (0 if it has none).
  std::vector<trace::Id> steps;
  std::vector<uint32_t> lines;
  /// By step: most bytes live there on any path, after the last stage, and the
  /// most of them (trace::HeapUse). Empty where the trace has none.
  std::vector<uint64_t> liveBytes;
  bool isMeasured = false;
  uint64_t peakBytes = 0;
  uint32_t peakStep = 0;
  /// Why there may be more.
  std::vector<trace::PeakGap> gaps;
  /// What one run had, if there is one.
  std::optional<RanLives> ran;
};

Lifetimes lifetimesOf(const Lookup &lookup, trace::Id function,
                      const Space &space = std::nullopt);

/// Size of `memref<4x8xf32>`, if the type says it.
std::optional<uint64_t> bytesOf(std::string_view memrefType);

} // namespace memreflens

#endif // MEMREFLENS_QUERY_LIFETIMES_H
