//===- core/memory/Memory.h - what is alive when, and why -----------------===//
//
// Of one function: the most heap memory that is live at once, who is alive
// there and at any other point, since when each is idle and why it could not go
// earlier, how much less it would be, and how small one arena for all can be.
//
//   MemoryUse use = memoryOf(lookup, function);
//   textOf(use, 10)            // about twenty lines
//   aliveAt(use, use.peakStep) // indices into use.buffers, the largest first
//
// In the order of the text: both arms of a branch count, and what is used in a
// loop is in use to its end. A buffer whose last use is not known is in use to
// its own end; one that is deallocated in some runs only, to the last place.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_MEMORY_MEMORY_H
#define MEMREFLENS_MEMORY_MEMORY_H

#include "core/memory/Arena.h"
#include "core/memory/Measured.h"
#include "core/query/Executions.h"
#include "core/query/Lifetimes.h"
#include "core/query/Spaces.h"

#include <array>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace memreflens::memory {

using trace::Id;
using trace::none;

/// Why a buffer is held behind its last use.
enum class Hold : uint8_t {
  nothing,     ///< it is not
  blockEnd,    ///< the pass deallocates at the end of a block
  conditional, ///< whether it is owned there, only run time tells
  retained,    ///< a dealloc on the way retains it
  passed,      ///< it goes on as a block argument or an op's result
  returned,    ///< the caller owns it
  escapes,     ///< an op hides its last use
  open         ///< nothing deallocates it
};
inline constexpr std::array holds = {
    Hold::nothing, Hold::blockEnd, Hold::conditional, Hold::retained,
    Hold::passed,  Hold::returned, Hold::escapes,     Hold::open};
/// "block-end", as in the JSON.
std::string_view nameOf(Hold hold);
/// "deallocated at the end of a block only", as a reader is told.
std::string_view wordsOf(Hold hold);

/// One that the function holds on the heap, of a known size.
struct Buffer {
  std::string name;
  uint64_t bytes = 0;
  /// "4 * %n", where the program leaves a size open; else empty.
  std::string symbolic;
  /// As its op asks for it; 0 if it does not.
  uint64_t alignment = 0;
  /// The value, and the op that allocates it or calls who does.
  Id value = none, op = none;
  trace::Range range;
  /// A callee allocates it and returns it.
  bool isFromCall = false;
  /// Steps: allocated, first and last used (with the loops around),
  /// deallocated. What a loop carries may be used before it is allocated: a
  /// round later.
  uint32_t begin = 0, firstUse = 0, lastUse = 0, end = 0;
  uint32_t neededFrom() const { return std::min(begin, firstUse); }
  /// "linalg.generic (98:5)", the last use, or the op behind which it cannot be
  /// followed; "deallocated (120:3)".
  std::string usedBy, ended;
  bool isLastUseKnown = true;
  /// No op reads or writes it, as far as it is known.
  bool isNeverUsed = false;
  /// One op has several of them at once: in rounds of a loop, or side by side.
  bool isSeveral = false;
  /// A function without a body returns it: it is taken to be no larger than its
  /// type says.
  bool isAssumed = false;
  /// By op, where it comes from: in `MemoryUse::fills`.
  size_t fill = 0;
  Hold hold = Hold::nothing;
  /// What holds it, in words: "deallocated at the end of ^bb2 if %own_a".
  std::string why;
};

/// Bytes that one cause holds.
struct HeldBytes {
  Hold hold = Hold::nothing;
  uint64_t bytes = 0;
  size_t buffers = 0;
};

/// Live bytes by step, and where they are most.
struct Curve {
  std::vector<uint64_t> bytes;
  uint64_t peakBytes = 0;
  uint32_t peakStep = 0;
};

/// What is live at the peak and is no buffer of the program's function.
struct ElsewhereBytes {
  uint64_t bytes = 0;
  /// "func.call (12:5)": "in @f"; without a call "the clone of %given (2:29)".
  std::string call, in;
  Id callee = none;
  /// All that the callee holds, of which `bytes` are what is not told before.
  uint64_t calleeBytes = 0;
  /// Step of the callee where its peak is.
  uint32_t step = 0;
  /// What the callee has at its own peak, the largest first, where it is at
  /// that; and what those that it calls have there.
  std::vector<Buffer> buffers;
  std::vector<ElsewhereBytes> below;
  /// Buffers, if they are clones that the ownership pass makes.
  uint32_t clones = 0;
};

/// On the heap, of a size that only run time knows.
struct UnknownBuffer {
  std::string name, at;
  /// "4 * %n"; empty where not even that is known.
  std::string symbolic;
  /// "%n", each once.
  std::vector<std::string> symbols;
};

/// Apart from the heap: on the stack, or a global.
struct ApartBuffer {
  std::string name, at;
  /// Nothing where they are not known.
  std::optional<uint64_t> bytes;
  /// "scf.while (5:3)", each round of which makes it anew, and which does not
  /// give back the stack; else empty.
  std::string eachRoundOf;
  /// "scf.for (5:3)", each round of which takes it and gives it back; else
  /// empty.
  std::string givenBackBy;
};

/// What the bytes of a peak are summed by (Origins.h).
enum class OriginBy : uint8_t {
  op,  ///< the op that uses a buffer first and thereby fills it, and from what
  loc, ///< the location that the op has, where that is none of this text
  callee ///< the function that holds or returns it
};
inline constexpr std::array originKinds = {OriginBy::op, OriginBy::loc,
                                           OriginBy::callee};
/// "op".
std::string_view nameOf(OriginBy by);

struct Origin {
  /// "linalg.transpose of an argument"; "layer3, model.py:12:3"; "@f".
  std::string name;
  uint64_t bytes = 0;
  size_t buffers = 0;
};

/// What does not fit, and what would.
struct Overflow {
  /// Of the peak, more than the space holds.
  uint64_t bytes = 0;
  /// As indices of buffers: if these were elsewhere, the rest would fit into
  /// the space if each lived from its first to its last use; empty where it
  /// does so with them, or never does.
  std::vector<size_t> spilled;
  /// If these were of half their bytes, all would fit then; empty where that is
  /// not enough.
  std::vector<size_t> halved;
  /// The rest fits with deallocations after last uses; it fits if also each is
  /// allocated right in front of its first use.
  bool fitsAfterLastUse = false, fitsAsNeeded = false;
  /// Where all go then in one piece of memory, by the best planner; it may be
  /// larger than the space. Nothing where it fits in neither way.
  std::optional<ArenaPlan> placed;
};

/// Two that are alive at the peak at the same time, and never needed at the
/// same time: one buffer would do for both. As indices.
struct NeedlessPair {
  size_t first = 0, second = 0;
  /// Of the smaller one.
  uint64_t bytes = 0;
};

struct MemoryUse {
  Id function = none;
  std::string name;
  /// Whose memory it is: one space's, where the program has several.
  Space space;
  /// What the user calls the space; what it holds, where that is stated.
  std::string spaceName;
  std::optional<uint64_t> capacity;
  /// Of the space, what globals hold all the time; only with a capacity.
  uint64_t globalBytes = 0;
  /// Where the peak is more than the space holds.
  std::optional<Overflow> overflow;
  /// What is alive at the peak by where it comes from, in the order of
  /// `originKinds`, the most bytes first.
  std::array<std::vector<Origin>, originKinds.size()> origins;
  /// The peak where sizes are symbols: "8 B * %n", "the larger of A and B".
  /// Empty where all sizes are known, or more than sizes keeps it open.
  std::string expression;
  /// The most bytes first; each buffer is in one of them.
  std::vector<NeedlessPair> needless;
  /// Ops that fill buffers first, of all buffers, the most bytes first:
  /// "linalg.transpose of arguments".
  std::vector<std::string> fills;
  /// "allocations grow with the square of %n"; empty for nothing.
  std::string growth;
  /// What a call pays, its callees included: "33 allocations, 512 KiB"; empty
  /// for nothing. Of all memory spaces together.
  std::string aCall;
  /// Of any path, as every command tells it; `gaps` say why there may be more.
  uint64_t peakBytes = 0;
  uint32_t peakStep = 0;
  std::vector<std::string> gaps;
  /// Whether the trace was measured for peaks.
  bool isMeasured = false;
  std::vector<Buffer> buffers;
  /// Those alive at the peak, the largest first, as indices.
  std::vector<size_t> alive;
  uint64_t aliveBytes = 0, idleBytes = 0;
  /// Of the peak: what callees hold there.
  std::vector<ElsewhereBytes> elsewhere;
  /// As the pipeline leaves it, most of any path; where that was not measured,
  /// the sum of the buffers.
  Curve asIs;
  /// If each were deallocated right after its last use; and the lower bound, if
  /// it were also allocated right in front of its first.
  Curve afterLastUse, needed;
  /// From the peak as it is down to what is used later, by cause: the bytes of
  /// buffers that are alive there and past their last use.
  std::vector<HeldBytes> heldAtPeak;
  /// And those that are allocated there and not used yet.
  uint64_t notYetUsedBytes = 0;
  /// For the lives that end with the last use; empty where there are too many
  /// buffers, or where one place is not enough for a buffer: `several`.
  std::vector<ArenaPlan> plans;
  /// "%sum (12:5)", where one op has several buffers at once: curves count each
  /// once.
  std::vector<std::string> several;
  uint64_t leastArenaBytes = 0;
  /// That of each offset: 64, or more where a buffer asks for it.
  uint64_t arenaAlignment = memory::arenaAlignment;
  std::vector<UnknownBuffer> unknown;
  std::vector<ApartBuffer> stack, globals;
  /// Sizes that the user states (trace::RunOptions::sizes).
  std::vector<std::string> assumed;
  /// By step: the op, and "12:5" or nothing.
  std::vector<Id> steps;
  std::vector<std::string> places;
  /// By step: the sum of the buffers.
  std::vector<uint64_t> live;
  /// More than one block: the order of the text is not that of execution.
  bool hasBranches = false;
  /// Of a run of the function, if there is one.
  std::optional<MeasuredUse> measured;
};

MemoryUse memoryOf(const Lookup &lookup, Id function,
                   const Space &space = std::nullopt);

/// Reads one function of a trace after another: what they have in common is
/// worked out once. For several threads.
class MemoryReader {
public:
  explicit MemoryReader(const Lookup &lookup);
  MemoryUse useOf(Id function, const Space &space);
  /// One for each memory space of the function.
  std::vector<MemoryUse> usesOf(Id function);

private:
  const Lookup &lookup;
  std::mutex counting;
  Executions executions;
  const bool isToldBySpace;
};

/// "@f", and where there are several spaces ", memory space 2 (L1)".
std::string titleOf(const MemoryUse &use);
/// The same without arenas, and without what is apart from the heap.
MemoryUse peakOf(const Lookup &lookup, Lifetimes lifetimes);

/// Buffers alive at a step, the largest first, as indices.
std::vector<size_t> aliveAt(const MemoryUse &use, uint32_t step);
/// What those past their last use are held by there, in the order of `holds`.
std::vector<HeldBytes> heldAt(const MemoryUse &use, uint32_t step);

/// ", of its 64 KiB"; ", 10 KiB more than its 48 KiB"; empty without one.
std::string capacityText(const MemoryUse &use);
/// Whether the space is enough, and what would make it so, a line each: "fits
/// if each is deallocated right after its last use"; empty where no size is
/// stated or nothing can be said.
std::vector<std::string> fitLines(const MemoryUse &use);
/// "%a is last used by func.call (5:3), and %b first at 7:3: let them be one
/// buffer, ...".
std::string textOf(const MemoryUse &use, const NeedlessPair &pair);
/// "rounds of a loop have several of %sum (12:5) at once"; empty if `several`
/// is.
std::string severalText(const MemoryUse &use);
/// Whether deallocations right after last uses would lower the peak, as far as
/// that is known.
bool gainsAfterLastUse(const MemoryUse &use);
/// "%d (16:3), 4 * %n".
std::string textOf(const UnknownBuffer &buffer);
/// Seen from a step: "idle since linalg.generic (98:5)"; empty where nothing is
/// known to use it.
std::string useText(const Buffer &buffer, uint32_t step);
/// Verdict first; `rows` buffers at most.
std::string textOf(const MemoryUse &use, size_t rows);
/// Of what is alive at the peak, a line for each origin.
std::string originsText(const MemoryUse &use, OriginBy by, size_t rows);
/// All of it, for programs; sizes in bytes, places as lines and columns.
std::string asJson(const std::vector<MemoryUse> &functions);
/// What a page draws: curves as changes, and no offsets.
std::string pageJson(const MemoryUse &use);

} // namespace memreflens::memory

#endif // MEMREFLENS_MEMORY_MEMORY_H
