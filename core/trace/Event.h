//===- core/trace/Event.h - one decision of the pipeline, with its facts --===//
//
// What a front end shows as "why": each event is recorded at the moment of the
// decision and names the rule that was followed and the facts that it used, as
// ids into the trace.
//
//   ownership  %select in ^bb0: uninitialized -> unknown   rule: defaultJoin
//              joined %alloc: owned (true), %alloca: not owned (false)
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_EVENT_H
#define MEMREFLENS_TRACE_EVENT_H

#include "core/trace/List.h"
#include "core/trace/Name.h"
#include "core/trace/PlacementEvents.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace memreflens::trace {

/// The lattice: uninitialized < unique(indicator) < unknown.
enum class OwnershipState : uint8_t { uninitialized, unique, unknown };

struct Ownership {
  OwnershipState state = OwnershipState::uninitialized;
  /// The i1 value, if `unique`.
  Id indicator = none;
  bool operator==(const Ownership &) const = default;
};

/// Why an ownership changed; each is one rule of the pass.
enum class OwnershipRule : uint8_t {
  allocation,           ///< result with an Allocate effect: owned
  stackAllocation,      ///< allocated in an automatic scope: never owned
  manualDeallocation,   ///< op carries bufferization.manual_deallocation
  entryArgument,        ///< function argument: borrowed from the caller
  blockArgument,        ///< i1 argument appended to the block
  liveInSameRegion,     ///< takes the ownership stored for the defining block
  liveInAncestor,       ///< defined in an enclosing region: not owned here
  regionResult,         ///< i1 result appended to a region op
  callResult,           ///< owned by the caller (function boundary ABI)
  callResultDynamic,    ///< i1 result of a private callee
  defaultJoin,          ///< join over the memref operands
  defaultNoOperand,     ///< no memref operand has ownership: not owned
  retainedResult,       ///< result of the dealloc that retained it
  mergedAtCondBranch,   ///< arith.select over the two deallocs' results
  cloned,               ///< fresh copy: owned
  selectMaterialized,   ///< arith.select over the operands' indicators
  conditionalClone,     ///< scf.if that copies where not owned: owned
  interfaceProcess,     ///< a third-party `process` changed it
  interfaceMaterialize, ///< a third-party materialization changed it
  distinctObject ///< refinement: that of the operand it is, not of all joined
};

/// A memref may (or may not) come to be live into, or out of, a block.
struct LivenessEvent {
  List<Id> liveIn;  ///< memrefs, in the pass's order
  List<Id> liveOut; ///< memrefs, in the pass's order
  /// For each live-out value: an op (in a later block, or nested) that uses it.
  List<Id> keptAliveBy;
  /// True where the stages before the pass changed the block's end or put other
  /// blocks' code into it; only then the three below say something.
  bool reshaped = false;
  /// Blocks that are gone and whose ops stand in this one, in order.
  List<Id> merged;
  /// The user's op that ends the block now, or for which its end was made.
  Id terminator = none;
  List<Id> successors; ///< of the block as the pass saw it
};

/// The ownership of `Event::value` in `Event::block` changed.
struct OwnershipEvent {
  OwnershipRule rule = OwnershipRule::allocation;
  Ownership before;
  /// What was joined with, or set to.
  Ownership with;
  Ownership after;
  /// Values whose ownership was read, and their ownership then, for a join.
  List<Id> inputs;
  List<Ownership> inputOwnerships;
  /// Under a refinement: what upstream gives instead of `after`.
  Ownership refinedFrom;
};

enum class CandidateSource : uint8_t {
  liveIn,
  blockArgument,
  entryArgument,
  allocation,
  callResult,
  regionResult,
  clone,
  materialized,
  interfaceProcess
};

enum class DropReason : uint8_t {
  notDropped,
  stackAllocation,
  manualDeallocation,
  ancestorRegion, ///< live-in, but defined in an enclosing region
  view,           ///< result that gets its ownership from its operands
  interfaceProcess
};

/// `Event::value` was put on (or kept off) the dealloc list of `Event::block`.
struct CandidateEvent {
  CandidateSource source = CandidateSource::allocation;
  DropReason dropped = DropReason::notDropped;
};

enum class RetainReason : uint8_t {
  forwardedOperand, ///< operand `operandIndex` of the terminator
  liveAcrossEdge,   ///< live-out here and live-in there
  returned,         ///< operand of a function's return
  yielded           ///< operand of a region terminator
};

/// `Event::value` is retained by the dealloc of `Event::block` for a successor.
struct RetainEvent {
  RetainReason reason = RetainReason::forwardedOperand;
  /// Successor block; `none` for a return or yield.
  Id successor = none;
  /// Position among the terminator's successors; -1 for a return or yield.
  int32_t edge = -1;
  /// Operand number at the terminator, if forwarded; -1 otherwise.
  int32_t operandIndex = -1;
  /// Event id of the dealloc that retains it.
  Id dealloc = none;
};

/// A bufferization.dealloc was inserted: `Event::op` is that op.
struct DeallocEvent {
  /// Number of the dealloc in this trace; stable through later stages.
  Id dealloc = none;
  /// Successor edge for which it was made; -1 for a return, yield or sole one.
  int32_t edge = -1;
  List<Id> memrefs;    ///< the values listed (not their base buffers)
  List<Id> bases;      ///< the operands: base buffers
  List<Id> conditions; ///< i1s, one a memref
  List<Id> retained;
  List<Id> results; ///< i1s, one a retained value
};

enum class CloneDemand : uint8_t {
  functionReturn, ///< public (or static ABI) function returns ownership
};

/// `Event::value` was copied, always or under a condition.
struct CloneEvent {
  /// The copy (result of the clone, or of the scf.if around it).
  Id result = none;
  CloneDemand demand = CloneDemand::functionReturn;
  bool conditional = false;
  /// Ownership that was not enough.
  Ownership ownership;
  /// Ownership event that made it so.
  Id because = none;
};

enum class SignaturePart : uint8_t {
  blockArgument,
  branchOperand,
  terminatorOperand,
  regionOpOperand,
  regionOpResult,
  callResult,
  functionResult
};

/// An ownership i1 was appended to `Event::op` or `Event::block`.
struct SignatureEvent {
  SignaturePart part = SignaturePart::blockArgument;
  /// The i1.
  Id indicator = none;
  /// Position at which it was appended (argument, operand or result number).
  int32_t position = -1;
  /// Successor edge, for a branch operand; -1 otherwise.
  int32_t edge = -1;
  /// `Event::value` is the memref for which it stands.
};

enum class RejectionCause : uint8_t {
  loopInControlFlow,
  existingDealloc,
  unknownEffects,
  regionWithoutInterface,
  noTerminatorTrait,
  terminatorInterface,
  multipleSuccessorsWithMemref,
  multipleSuccessors,
  producedOperands,
  freeEffect,
  noUniqueOwnership,
  returnTypesDiffer,
  inParallelNotEmpty,
  reduceReturnMemref,
  interfaceProcess,
  invalidIr,    ///< the verifier rejects what the stage made
  stageFailed,  ///< a later stage reported an error
  stageCrashed, ///< a stage died
  stageTimedOut,
  libraryFunction ///< lowering on functions cannot insert the helper
};

/// The pass rejects the function because of `Event::op`.
struct RejectionEvent {
  RejectionCause cause = RejectionCause::unknownEffects;
  /// Upstream's text, exact.
  std::string message;
  /// Ops that together show it; none can be left out.
  List<Id> witnesses;
  /// Value that the message is about, if one: also `Event::value`.
  /// What to do, one line each.
  List<std::string> remedies;
};

/// Three-valued answer of the origin analysis.
enum class SameAllocation : uint8_t { unknown, yes, no };

enum class AliasRule : uint8_t {
  sameBase,            ///< equal after stripping views
  sameSingleTerminal,  ///< both trace back to the same one terminal
  disjointAllocations, ///< disjoint terminals, told apart by allocation
  argumentOutlives,    ///< allocation against an argument of an outer block
  overlappingTerminals,
  notAllAllocations, ///< disjoint terminals, but not enough known about them
  distinctObjects    ///< refinement: two results of one memref.distinct_objects
};

/// One alias question asked by the simplification, with its grounds.
struct AliasFact {
  Id first = none;
  Id second = none;
  SameAllocation answer = SameAllocation::unknown;
  AliasRule rule = AliasRule::sameBase;
  /// Terminals of each; empty where the rule needs none.
  List<Id> firstTerminals;
  List<Id> secondTerminals;
  /// Told by a refinement: upstream's analysis answers `unknown`.
  bool refined = false;
};

enum class RewriteKind : uint8_t {
  pattern,   ///< a pattern applied
  fold,      ///< replaced by a fold or an existing constant
  erased,    ///< removed as dead or by a pattern with no name
  difference ///< found by comparing before and after (CSE, lowering)
};

/// A rewrite that touched `Event::op`.
struct RewriteEvent {
  RewriteKind kind = RewriteKind::pattern;
  /// Name of the pattern; empty where upstream's has none.
  Name pattern;
  List<Id> erased;
  List<Id> inserted;
  /// Pairs (old value, new value).
  List<Id> replaced;
  List<Id> replacements;
  /// Deallocs (numbers) that it changed.
  List<Id> deallocs;
  List<AliasFact> facts;
};

enum class LoweringCase : uint8_t {
  none,            ///< nothing left to free
  single,          ///< one memref, no retained
  singleRetained,  ///< one memref against its retained ones
  libraryFunction, ///< dealloc_helper
};

/// A bufferization.dealloc became run-time code.
struct LoweringEvent {
  Id dealloc = none;
  LoweringCase lowering = LoweringCase::none;
  uint32_t memrefCount = 0;
  uint32_t retainedCount = 0;
  /// Ops that it became: pointer extracts, compares, scf.if, memref.dealloc.
  List<Id> ops;
  /// For each memref.dealloc among them: the value freed.
  List<Id> freed;
  /// Values whose pointers are compared at run time, as written.
  List<Id> compared;
};

/// A stage ended.
struct StageEvent {
  bool changed = false;
};

/// A function of BufferDeallocationOpInterface.
enum class InterfaceCall : uint8_t {
  process,     ///< the op handles its own deallocation
  materialize, ///< the op says who owns `Event::value`
};

/// The pass left a decision to `Event::op`, an op of another dialect that
/// implements BufferDeallocationOpInterface; and what the op did.
struct InterfaceEvent {
  InterfaceCall call = InterfaceCall::process;
  /// The op that stands in its place after `process`; `none` if it is gone.
  Id now = none;
  /// Ops that the call made, in program order.
  List<Id> made;
  /// The ownership indicator that `materialize` answered with.
  Id indicator = none;
  /// The ownership and candidate events, recorded just before this one, that
  /// say what the call changed.
  List<Id> changes;
};

/// One decision. `stage` is the number of the pipeline stage (Plan.h).
struct Event {
  Id id = none;
  int32_t stage = 0;
  Id chunk = none;
  Id function = none;
  Id block = none;
  Id op = none;
  Id value = none;
  std::variant<StageEvent, LivenessEvent, OwnershipEvent, CandidateEvent,
               RetainEvent, DeallocEvent, CloneEvent, SignatureEvent,
               RejectionEvent, RewriteEvent, LoweringEvent, AliasEvent,
               CriticalEvent, CopyEvent, FreeEvent, MoveEvent, WarningEvent,
               InterfaceEvent>
      detail;
};

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_EVENT_H
