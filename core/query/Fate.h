//===- core/query/Fate.h - what becomes of a buffer -----------------------===//
//
// For a memref of the user's: where it is freed and under which condition, to
// whom it goes, and why it may never be freed. Facts only; core/explain puts
// them into words.
//
//   Fate fate = fateOf(index, value);
//   fate.frees[0].constantCondition == 1   // freed there, always
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_QUERY_FATE_H
#define MEMREFLENS_QUERY_FATE_H

#include "core/query/Index.h"

namespace memreflens::trace {

/// How a memref came to be, as the ownership pass saw it; `unknown` where the
/// pass never saw it.
enum class BufferSource : uint8_t {
  unknown,
  allocation,
  stack,
  manual,
  entryArgument,
  blockArgument,
  callResult,
  regionResult,
  view,    ///< ownership taken from its operands
  borrowed ///< result without an owned operand, such as memref.get_global
};

/// The buffer stands on the dealloc list of a block.
struct Listed {
  /// The dealloc event, and the position among its memrefs.
  Id event = none;
  uint32_t position = 0;
  Id block = none;
  Id dealloc = none;
  /// i1 under which the ownership pass frees it there; 0 or 1 if a constant.
  Id condition = none;
  int8_t constantCondition = -1;
  /// Successor edge for which the dealloc is; -1 for all.
  int32_t edge = -1;
};

/// The buffer is freed, or may be, by code that the lowering made.
struct Freed {
  /// The lowering event, and the memref.deallocs of it that free this buffer
  /// (in a library call: that may).
  Id event = none;
  std::vector<Id> ops;
  Id dealloc = none;
  LoweringCase lowering = LoweringCase::none;
  Id block = none;
  /// The dealloc event on whose list it, or a view of it, stands; `none` if
  /// that is not known.
  Id listing = none;
  /// Successor edge for which the dealloc is; -1 for all.
  int32_t edge = -1;
  /// As the ownership pass wrote it; `none` if the dealloc was made later.
  Id condition = none;
  int8_t constantCondition = -1;
  /// Values against whose pointers it is compared at run time. Of a
  /// dealloc_helper call, which has one list for thousands, the first few.
  std::vector<Id> compared;
};

/// The buffer goes somewhere as operand `operandIndex` of `op`.
struct Passed {
  Id op = none;
  int32_t operandIndex = -1;
  /// The buffer, or the copy that goes in its place.
  Id as = none;
  /// For a branch: successor edge, block, and the argument that takes it.
  int32_t edge = -1;
  Id block = none;
  Id argument = none;
};

struct Fate {
  Id value = none;
  BufferSource source = BufferSource::unknown;
  /// Ownership or candidate event that says so.
  Id sourceEvent = none;

  std::vector<Listed> listed;
  std::vector<Freed> frees;
  std::vector<Passed> forwarded; ///< to blocks, by a branch
  std::vector<Passed> returned;  ///< to the caller
  std::vector<Passed> yielded;   ///< out of a region
  std::vector<Passed> entering;  ///< to an op with regions, such as scf.for
  std::vector<Passed> calls;     ///< lent to a callee
  std::vector<Id> retained;      ///< retain events
  std::vector<Id> clones;        ///< clone events
  /// Values that took their ownership from it, and `select`s of it.
  std::vector<Id> views;
  /// Rewrites that removed the op that makes it (an allocation and its dealloc
  /// without other users, a dead view).
  std::vector<Id> removedBy;
  /// Rejections that are about it.
  std::vector<Id> rejections;

  /// The ownership pass never looked at it: its function was not processed (see
  /// `status`), or its block is unreachable.
  bool neverConsidered = false;
  bool unreachable = false;
  FunctionStatus status = FunctionStatus::traced;
  /// The stages before the ownership pass took it out of the program.
  bool goneBeforePass = false;

  /// Every event that names it, in order.
  std::vector<Id> events;
};

/// Empty but for `value` if that is no memref of the trace.
Fate fateOf(const Index &index, Id value);

} // namespace memreflens::trace

#endif // MEMREFLENS_QUERY_FATE_H
