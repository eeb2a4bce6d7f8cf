//===- core/trace/PlacementEvents.h - why a buffer is where it is ---------===//
//
// Decisions of the passes that place buffers in other ways than by ownership:
// the classic deallocation pass (alias sets, critical aliases, copies, one
// place to free), and the passes that move allocations.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_PLACEMENTEVENTS_H
#define MEMREFLENS_TRACE_PLACEMENTEVENTS_H

#include "core/trace/Id.h"

#include <string>

namespace memreflens::trace {

/// How one buffer comes to have another name.
enum class AliasLink : uint8_t {
  view,        ///< a view or cast of it
  select,      ///< one of the two of an arith.select
  branch,      ///< passed to a block
  regionEntry, ///< passed by an op into one of its regions
  regionExit   ///< passed by a region's terminator
};

/// `Event::value` may be `source`, because of `Event::op`.
struct AliasEvent {
  Id source = none;
  AliasLink link = AliasLink::view;
};

enum class CriticalReason : uint8_t {
  /// The block that the memory comes from does not dominate the alias's block.
  notDominated,
  /// An argument of the very block that the memory comes from.
  backEdge
};

/// `Event::value` cannot share the fate of the buffers that flow into it: they
/// are copied, and it is freed by itself.
struct CriticalEvent {
  /// The value whose alias it is, and the block where that begins.
  Id source = none;
  Id from = none;
  CriticalReason reason = CriticalReason::notDominated;
};

/// `operand` of `Event::op` flows into the critical `Event::value`, as a copy.
struct CopyEvent {
  Id operand = none;
  /// The clone; `operand` itself where that is a clone already.
  Id clone = none;
};

/// `Event::value` is freed in `Event::block`, the nearest block that every use
/// of it and of its aliases leads through.
struct FreeEvent {
  /// The last use in that block, and the alias used; the dealloc stands behind.
  Id after = none;
  Id lastAlias = none;
  /// `none` where the last use ends the block: the buffer escapes.
  Id dealloc = none;
  /// It was in the input and was moved.
  bool moved = false;
};

/// What a placement pass did to an allocation, a dealloc or a result, or what
/// stopped it.
enum class MoveOutcome : uint8_t {
  // Hoisting: how far it came; what keeps it from moving further.
  notHoistable,    ///< no op that this pass moves
  operand,         ///< `becauseValue` is defined in the block
  usesBelow,       ///< going on would only make it live longer
  unknownRegion,   ///< it would leave `because`, which no hoisting leaves
  loop,            ///< it would leave a loop
  noLoop,          ///< it would leave an op that is no loop
  parallelLoop,    ///< iterations run at one time and need memory each
  usedOutsideLoop, ///< the memory of each iteration is needed outside
  // Promotion to the stack.
  promoted,        ///< moved to the stack
  otherOp,         ///< not a memref.alloc
  tooLarge,        ///< `bytes` exceed the limit
  dynamicShape,    ///< of a size known only at run time
  freed,           ///< freed already: it must stay on the heap
  leavesScope,     ///< `becauseValue` leaves the scope of the stack
  inLoop,          ///< each iteration of `because` would take more stack
  inUnknownRegion, ///< the same of an op whose control flow is not known
  unknownSize,     ///< that of an element is not known; MLIR 22 dies of it
  // Moving the free of a buffer behind its last use, `because`.
  movedUp,            ///< to right behind the last use
  movedDown,          ///< it stood in front of a use
  inPlace,            ///< it follows the last use already
  noUse,              ///< there is none but the free
  usedElsewhere,      ///< uses lie in other blocks only
  notFreed,           ///< nothing frees it
  freedThroughAlias,  ///< only its alias `becauseValue` is freed
  freedSeveralTimes,  ///< more than one op frees it
  freedElsewhere,     ///< in another block than the one that allocates it
  severalAllocations, ///< the op allocates more than one buffer
  spoiled,            ///< to where it is not valid
  // Dropping results that are arguments (of `Event::op`, a function).
  dropped,            ///< always argument `argument`
  publicFunction,     ///< others may call it
  external,           ///< it has no body
  noReturn,           ///< it never returns
  notArgument,        ///< the return `because` passes `becauseValue`
  differingArguments, ///< the return `because` is the first that differs
  nextTime,           ///< only another run of the pass drops it
  // Turning results into arguments.
  becameArgument,    ///< `argument`, for which callers allocate
  notMemref,         ///< no memref whose rank is known
  unsupportedLayout, ///< neither dense nor fully dynamic
  besideUnsupported, ///< another result is rejected for its layout
  callUnknownSize    ///< the call `because` does not know how large
};

/// Where a placement pass makes the program worse, or unsafe: of what `shown`,
/// `before` and `after` of a WarningEvent are about.
enum class PlacementWarning : uint8_t {
  // Hoisting.
  /// Out of a loop (`shown`) whose iterations may run at the same time: they
  /// share the buffer.
  sharedByIterations,
  /// Out of a loop each iteration of which stores its buffer's address
  /// (`shown`): all of them store the same one.
  sharedThroughMemory,
  /// Out of a loop that still frees it (`shown`): a second iteration frees it
  /// twice.
  freedEachIteration,
  /// Paths that did not allocate it, and do not use it, allocate it now.
  allocatedUnused,
  /// The same, and it is freed (`shown`) on other paths only: a leak.
  leaked,
  /// More bytes are live at once (as Peak.h counts): `before`, `after`.
  higherPeak,
  // Promotion to the stack.
  /// `before` bytes stay on the stack while a call (`shown`) comes back to the
  /// function.
  stackInRecursion,
  /// Its address is put (`shown`) where it outlives the function.
  stackEscapes,

  // optimize-allocation-liveness.
  /// Freed in front of a use (`shown`) that the pass does not see: by address,
  /// through a tensor, through memory.
  usedAfterFree,
  /// Freed in front of the wait (`shown`) for what uses it asynchronously.
  freedBeforeAwait,

  // buffer-results-to-out-params.
  /// A clone or a realloc is gone, and nothing fills the argument with what it
  /// brought along.
  contentsLost,
  /// Callers allocate the size of the first return's buffer; this return
  /// (`shown`) passes one whose size the program gives in another way.
  otherSize,
  /// The result was an argument, and callers get a copy of it (`shown`): a
  /// write to one does not reach the other any more.
  copyOfArgument,
  /// The allocation was aligned to `before` bytes; callers' (`shown`) are not.
  alignmentLost,
  /// A copy (`shown`) of the argument onto itself.
  copyOntoItself,

  /// MLIR 22 itself reads memory here that is none, or not its own any more. It
  /// dies, or happens to survive.
  upstreamCrashes,

  /// Of the frees that the ownership pipeline puts into the function, more are
  /// under a condition than without hoisting in front: `before`, `after`. Only
  /// from warningsOfFrees.
  moreConditionalFrees,
};

/// A placement pass looked at `Event::value`, defined by `Event::op`.
struct MoveEvent {
  MoveOutcome outcome = MoveOutcome::notHoistable;
  /// Block in which it is now, where it moved; `Event::block` is where it was.
  Id to = none;
  Id because = none;
  Id becauseValue = none;
  /// Size, if static; -1 otherwise.
  int64_t bytes = -1;
  /// Numbers of the result and of the argument concerned; -1 if none is.
  int32_t result = -1;
  int32_t argument = -1;
};

/// About `Event::op`: an allocation, a deallocation or a function.
struct WarningEvent {
  PlacementWarning warning = PlacementWarning::higherPeak;
  Id shown = none;
  uint64_t before = 0;
  uint64_t after = 0;
};

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_PLACEMENTEVENTS_H
