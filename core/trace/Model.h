//===- core/trace/Model.h - the trace: what a run of the pipeline decided -===//
//
// Plain data that every front end reads: the program as the user wrote it, each
// value's and block's place in it, the IR after each stage, and the events
// (Event.h) in the order in which they happened. No pointers, no MLIR types, no
// times: equal input and options give an equal trace.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_MODEL_H
#define MEMREFLENS_TRACE_MODEL_H

#include "core/trace/Aliases.h"
#include "core/trace/Escapes.h"
#include "core/trace/Event.h"
#include "core/trace/Tensors.h"

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace memreflens::trace {

/// Version of the JSON form. Raised by one with each change that an older
/// reader could misread; held to docs/trace.schema.json by a test.
inline constexpr int schemaVersion = 1;

/// Half-open range of bytes in `Source::text`. Empty for what has no place in
/// the user's file (generated values, pre-pass products).
struct Range {
  uint32_t begin = 0;
  uint32_t end = 0;

  bool empty() const { return begin == end; }
  bool contains(uint32_t offset) const {
    return begin <= offset && offset < end;
  }
  bool operator==(const Range &) const = default;
};

/// The user's file, as it was read.
struct Source {
  /// As the user gave it; "-" for standard input.
  std::string path;
  /// Whole text; empty for bytecode.
  std::string text;
};

/// What the ownership pass makes of an op that is not registered. MLIR rejects
/// each, for nobody knows what it does to memory.
enum class UnregisteredOps {
  reject,
  assumePure,  ///< neither reads nor writes memory, and allocates none
  assumeReads, ///< reads its memref operands, and allocates none
};

/// What was asked for.
struct RunOptions {
  bool privateFunctionDynamicOwnership = false;
  bool allowUnregisteredDialect = false;
  /// Options of one-shot-bufferize as text; `bufferize` says whether it ran.
  bool bufferize = false;
  std::string bufferizeOptions;
  /// Textual pass pipeline run before the eight stages; empty if none.
  std::string prePipeline;
  /// Only this function was analysed; empty for all.
  std::string function;
  /// What was asked for with --pipeline, and the passes that it stands for,
  /// each as `mlir-opt` takes it (`func.func(buffer-hoisting)`). Both empty for
  /// the eight passes of buffer-deallocation-pipeline. See Plan.h.
  std::string pipeline;
  std::vector<std::string> passes;
  /// Uses what memref.distinct_objects states, which upstream does not.
  bool refineDistinctObjects = false;
  /// Names of external functions, with `*` for any letters, whose memref
  /// results are taken for buffers of their own; upstream knows no such
  /// statement.
  std::vector<std::string> freshResults;
  /// The same, of which it is taken that they keep no pointer to what they are
  /// passed; read by the pass that deallocates after the last use.
  std::vector<std::string> noCapture;
  /// What else is stated of external functions: "keeps-results=@pool"
  /// (Assumed.h); read by who judges what the pipeline makes.
  std::vector<std::string> contracts;
  /// Sizes that the program does not state, for figures of memory:
  /// "%n=1024", a scalar of that name; "@f:0:1=32", a dimension of an argument
  /// of that function; "!x.tile=2048", an element of that type.
  std::vector<std::string> sizes;
  /// What is stated of memory spaces: "2=L1,64KiB" (Sizes.h).
  std::vector<std::string> spaces;
  /// The trace holds `aliases`.
  bool aliases = false;
  UnregisteredOps unregistered = UnregisteredOps::reject;
  /// Functions of more ops than this were left out of the stages that only
  /// simplify, whose time can grow with the square of a function; 0: none were.
  int64_t skipSimplificationOver = 0;
  /// Libraries that were loaded, as the user named them.
  std::vector<std::string> dialectPlugins;
  std::vector<std::string> passPlugins;
};

/// Number of the last stage (Plan.h).
int lastStage(const RunOptions &options);

enum class Severity { note, remark, warning, error };

/// Something that went wrong with the input or a stage, at a place.
struct Problem {
  Severity severity = Severity::error;
  /// The message as the parser, verifier or pass gave it.
  std::string message;
  /// Empty range at the chunk's start where the place is not known.
  Range range;
  Id chunk = none;
  Id function = none;
  /// Stage that reported it; `none` for the parser.
  Id stage = none;
  /// The stage's process died, or was stopped when its time was up.
  bool died = false;
  /// What the stage left is no valid IR.
  bool isInvalidIr = false;
  /// What the user can do about it; empty where nothing is known.
  std::string remedy;
  /// Notes that belong to the message, in order.
  std::vector<Problem> notes;
};

enum class ValueKind { result, argument };

/// An SSA value: one of the user's, or one that a stage generated.
struct Value {
  Id id = none;
  ValueKind kind = ValueKind::result;
  /// Result or argument number.
  uint32_t index = 0;
  /// Without the leading `%`, with `#n` for one of several results. The user's
  /// own name, or, if `generated`, a name by role (`own_a`) that no value of
  /// the user's bears.
  std::string name;
  Name type;
  bool isMemref = false;
  bool generated = false;
  /// For an i1 known at compile time: 0 or 1; -1 for all others.
  int8_t constant = -1;
  /// Defining op; `none` for an argument.
  Id op = none;
  /// Block that defines it (holds the op, or has the argument).
  Id block = none;
  /// Where the name is defined in the user's text.
  Range range;
  /// Where it is used in the user's text, in order.
  List<Range> uses;
  /// For a generated value: the user's value that it stands for (the value
  /// cloned, the value whose ownership an i1 carries); `none` if none.
  Id standsFor = none;
};

/// An operation: one of the user's, or one that a stage generated.
struct Op {
  Id id = none;
  Name name;
  Id block = none;
  bool generated = false;
  /// The user's op whose location a generated op carries.
  Id origin = none;
  /// The op's name, and the op as a whole with its regions.
  Range nameRange;
  Range range;
  std::vector<Id> operands;
  std::vector<Id> results;
  std::vector<Id> successors;
  /// Blocks of nested regions, by region.
  std::vector<std::vector<Id>> regions;
  bool isTerminator = false;
  /// The function of the module that it calls by name.
  Id callee = none;
};

/// A block of the user's program.
struct Block {
  Id id = none;
  /// `^bb1` as the user wrote it, or `^bbN` by position where it is implicit.
  std::string name;
  Id function = none;
  /// Op that holds the block's region, and the region's number.
  Id parentOp = none;
  uint32_t region = 0;
  Range nameRange;
  Range range;
  std::vector<Id> arguments;
  std::vector<Id> ops;
  std::vector<Id> successors;
  bool isEntry = false;
  /// Found by walking successors from the region's entry.
  bool reachable = true;
};

enum class FunctionStatus {
  /// All stages ran.
  traced,
  /// A declaration: nothing to analyse.
  declaration,
  /// A function-like op that the pass never visits (`gpu.func`, `llvm.func`).
  notProcessed,
  /// The ownership pass, or a later stage, rejected it.
  rejected,
  /// A stage died on it; it was set aside.
  crashedStage,
  /// Left out by `RunOptions::function`, or by a limit that `Problem` names.
  skipped,
};

/// A function, and how far it came.
/// Why more bytes may be live than a peak says.
enum class PeakGapKind {
  unknownSize,   ///< the op allocates a size that is not a constant
  unknownCallee, ///< the op calls a function without a body, or indirectly
  recursion,     ///< the op calls a function that is running already
  growth,        ///< each iteration of the op adds to what is live
  concurrent,    ///< bodies of the op that allocate may run at the same time
  fault,         ///< the op ends a path: memory is freed twice or used freed
  notAllPaths    ///< not all paths were tried
};

struct PeakGap {
  PeakGapKind kind = PeakGapKind::unknownSize;
  Id op = none;
  /// The function that is not known, where the file has it.
  Id callee = none;
  bool operator==(const PeakGap &) const = default;
};

/// Most bytes live while the op runs, over all paths; the ops after it, in
/// program order, have the same until one is listed.
struct LiveBytes {
  Id op = none;
  int64_t bytes = 0;
  bool operator==(const LiveBytes &) const = default;
};

/// What `allocation` allocates is deallocated on some path in front of `op`.
struct FreedAt {
  Id allocation = none;
  Id op = none;
  bool operator==(const FreedAt &) const = default;
};

/// From the first to the last use of a memref, in the IR of the last stage
/// (core/pipeline/lifetimes/UseSpans.h).
struct UseSpan {
  /// That an op makes: an allocation, a call's result, a loop's.
  Id value = none;
  /// Steps of the function between which it may be used, loops around these
  /// uses included; `none` without a use.
  Id first = none, last = none;
  /// The step of the last op that uses it.
  Id usedBy = none;
  /// The first op behind which it can be followed no further, so that later
  /// uses may go unseen; `none` if it is followed everywhere.
  Id hiddenBy = none;
  Escape escape = Escape::none;
  /// The op that makes it may make another one while an earlier one is in use.
  bool isSeveral = false;
  bool operator==(const UseSpan &) const = default;
};

/// Bytes of a buffer that `op` allocates, or calls who does.
struct BufferBytes {
  Id op = none;
  /// Which of its results.
  uint32_t index = 0;
  /// Most of any path; -1 where they are not known on one.
  int64_t bytes = -1;
  /// As the op asks for it; 0 if it does not.
  int64_t alignment = 0;
  /// Of one element, by the data layout of the program; 0 if it is not known.
  int64_t elementBytes = 0;
  bool operator==(const BufferBytes &) const = default;
};

/// Most bytes that the callee holds while `op` calls it, where most are live.
struct CalleeBytes {
  Id op = none;
  Id callee = none;
  int64_t bytes = 0;
  bool operator==(const CalleeBytes &) const = default;
};

/// Live clones that the ownership pass made by `op`.
struct CloneBytes {
  Id op = none;
  /// Buffers, which a loop may have several of.
  uint32_t count = 0;
  int64_t bytes = 0;
  bool operator==(const CloneBytes &) const = default;
};

/// A global that `op` refers to.
struct GlobalBytes {
  Id op = none;
  /// Its symbol, without `@`.
  std::string name;
  /// -1 where they are not known.
  int64_t bytes = -1;
  bool operator==(const GlobalBytes &) const = default;
};

/// A value of the program, or a dimension of it, that stands for a number.
struct Symbol {
  Id value = none;
  /// -1: the value itself.
  int64_t dimension = -1;
  auto operator<=>(const Symbol &) const = default;
};

/// `number` times all of `factors`; not known at all if `number` is -1.
struct Amount {
  int64_t number = -1;
  std::vector<Symbol> factors;
  bool isKnown() const { return number >= 0; }
  auto operator<=>(const Amount &) const = default;
};

/// From `low` up to `high + plus`, which is not of it, by `step`.
struct LoopRange {
  Amount low, high, step;
  int64_t plus = 0;
  auto operator<=>(const LoopRange &) const = default;
};

/// A value of the program that is computed from others: as many steps as it
/// takes through the range; fewer than none where it is negative.
struct ComputedNumber {
  Id value = none;
  LoopRange range;
  bool operator==(const ComputedNumber &) const = default;
};

/// A number that a call passes: an argument of the callee, or a dimension of
/// it.
struct PassedNumber {
  uint32_t argument = 0;
  /// -1: the argument itself.
  int64_t dimension = -1;
  Amount amount;
  bool operator==(const PassedNumber &) const = default;
};

/// How often a loop of the last stage goes round each time it is entered.
struct LoopRounds {
  Id op = none;
  /// -1 where that is no constant.
  int64_t rounds = -1;
  /// What it goes over, one for each of its induction variables; empty where
  /// its bounds are not known.
  std::vector<LoopRange> ranges;
  /// Where its induction variable begins; -1 where that is no constant, is
  /// negative, or there are several.
  int64_t start = -1;
  /// It may be fewer: a bound is the least or the most of several.
  bool isAtMost = false;
  bool operator==(const LoopRounds &) const = default;
};

enum class CostKind : uint8_t {
  allocation, ///< on the heap
  stack,      ///< on the stack
  clone,      ///< a bufferization.clone: allocated and copied
  copy,       ///< memref.copy
  check,      ///< a run-time alias check: two pointers compared
  helper,     ///< a call of dealloc_helper
  list,       ///< a list for that, on the heap
  call        ///< of a function of the program: all that it costs
};

/// An op of the last stage that costs something each time it is executed
/// (core/pipeline/costs/CostSites.h).
struct CostSite {
  CostKind kind = CostKind::allocation;
  /// The op, or the one of the program for which it was made.
  Id op = none;
  /// Whom it calls; `none` for no call.
  Id callee = none;
  /// What it passes, as far as that is known.
  std::vector<PassedNumber> passed;
  /// What it allocates or copies at a time.
  Amount bytes;
  /// The memory space of that as MLIR prints it; empty for the default one.
  std::string space;
  /// Loops around it, innermost first; `none` for one made of branches.
  std::vector<Id> loops;
  /// It may be passed by in a round: it is in a branch.
  bool isConditional = false;
  /// Where its location says that it comes from, outermost first: names, and
  /// "model.py:12:3". Empty where that is this program.
  std::vector<std::string> sources;
  bool operator==(const CostSite &) const = default;
};

/// Heap memory of a function and of what it calls, after the last stage
/// (core/symexec/HeapPeak.h).
struct HeapUse {
  /// Whether it was looked at.
  bool measured = false;
  /// Most bytes live at once on any path; with gaps, at least these.
  int64_t peakBytes = 0;
  /// The op of the program at which they are, and what the pipeline made of
  /// them: clones, and lists for `dealloc_helper`; of very many the first ones.
  Id peakOp = none;
  std::vector<CloneBytes> clones;
  int64_t listBytes = 0;
  std::vector<PeakGap> gaps;
  std::vector<LiveBytes> live;
  std::vector<FreedAt> freed;
  /// On the heap, where the function itself or one that it calls allocates
  /// them.
  std::vector<BufferBytes> buffers;
  std::vector<CalleeBytes> callees;
  /// Apart from the heap: what the function itself has on the stack, each op
  /// once, and the globals that it refers to, each once.
  std::vector<BufferBytes> stack;
  std::vector<GlobalBytes> globals;
  bool operator==(const HeapUse &) const = default;
};

/// The same in one memory space.
struct SpaceUse {
  /// As MLIR prints it, "2" for every integer of that value; empty for the
  /// default one.
  std::string space;
  HeapUse heap;
  bool operator==(const SpaceUse &) const = default;
};

struct Function {
  Id id = none;
  Id chunk = none;
  /// Symbol name without `@`.
  std::string name;
  /// What stands before the name where others of its part have the same, in
  /// other modules: "outer::@a::@", "module#2::@" in one without a name. Else
  /// empty.
  std::string scope;
  /// Operation name, for example `func.func`.
  std::string opName;
  bool isPublic = true;
  FunctionStatus status = FunctionStatus::traced;
  /// Number of the last stage (0 = input) whose IR is good for this function.
  int lastGoodStage = lastStage({});
  /// Upstream reads freed memory on this function (stale liveness);
  /// the trace gives what the mended pass gives.
  bool upstreamReadsFreedMemory = false;
  /// Private function whose results carry ownership i1s.
  bool dynamicOwnership = false;
  /// A declaration of which is stated that nothing else points to its results.
  bool hasFreshResults = false;
  Range nameRange;
  Range range;
  Id op = none;
  /// Blocks of the body region in order; nested ones are reached through ops.
  std::vector<Id> blocks;
  /// In all memory spaces together.
  HeapUse heap;
  /// And in each of its own, where the program allocates elsewhere than in the
  /// default one, too.
  std::vector<SpaceUse> spaces;
  /// In the order of the last stage; empty where that was not reached.
  std::vector<CostSite> costs;
  /// Loops that are around any of them, each once.
  std::vector<LoopRounds> loops;
  /// Symbols of costs and of loops that are computed from others.
  std::vector<ComputedNumber> computed;
  /// In the order of their values; empty where the last stage was not reached.
  std::vector<UseSpan> spans;

  /// As it is told: no other function of its part is told so.
  std::string title() const { return scope + name; }
  /// Whether a user who writes this means it: its name, or its title.
  bool isCalled(std::string_view wanted) const {
    return name == wanted || title() == wanted;
  }
};

/// How a stage stands to what another tool did, where the trace was made inside
/// of that tool.
enum class Agreement {
  notCompared, ///< made by memref-lens alone
  identical,   ///< our IR is that of the tool's pass
  different,   ///< it is not: `Stage::difference`; the tool's is shown
  taken,       ///< a pass that we do not trace: the IR is the tool's
  notReached   ///< the tool did not run it; this is what it would have done
};

/// Lines of one text in another one: goes on with the next `keep` lines, leaves
/// out the `drop` lines after them, then has `add`.
struct TextStep {
  int32_t keep = 0;
  int32_t drop = 0;
  std::string add;
  bool operator==(const TextStep &) const = default;
};

/// The IR after one pass. Stage 0 is the input as parsed (after `--pre` and
/// `--bufferize`, if given); 1 and up are the pipeline.
struct Stage {
  int number = 0;
  std::string name;
  bool changed = false;
  /// Text with the user's SSA names. Empty if `!changed` (and number > 0): the
  /// text is that of the stage before; or if there is a `delta`. StageTexts.h
  /// makes it whole.
  std::string text;
  /// Where it is shorter than the text: how the text of the stage before
  /// becomes this one's. What comes after the last step is left out.
  std::vector<TextStep> delta;
  Agreement agreement = Agreement::notCompared;
  /// The first line in which our IR and the tool's differ, of both.
  std::string difference;
};

/// The part of a file between two `// -----` lines: a module of its own.
struct Chunk {
  Id id = none;
  Range range;
  /// Whether it parsed; the problems say why not.
  bool parsed = true;
  std::vector<Stage> stages;
  std::vector<Id> functions;
};

/// One run over one file. Ids are indexes into these vectors.
struct Trace {
  std::string toolVersion;
  std::string llvmVersion;
  RunOptions options;
  Source source;
  std::vector<Chunk> chunks;
  std::vector<Function> functions;
  std::vector<Block> blocks;
  std::vector<Op> ops;
  std::vector<Value> values;
  std::vector<Event> events;
  std::vector<Problem> problems;
  /// Of each function with memrefs, if asked for; not in the JSON if empty.
  std::vector<FunctionAliases> aliases;
  /// Runs of one-shot-bufferize, in order; not in the JSON if empty.
  std::vector<Bufferization> bufferizations;
};

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_MODEL_H
