//===- core/query/Tensors.h - what bufferization made of a program --------===//
//
// The buffers and copies that one-shot-bufferize made and that the pipeline
// still has at its end, what each is for, and what they come to.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_QUERY_TENSORS_H
#define MEMREFLENS_QUERY_TENSORS_H

#include "core/query/Lookup.h"

#include <cstdint>
#include <map>
#include <unordered_set>
#include <vector>

namespace memreflens::trace {

/// What a buffer or a copy is for.
enum class TensorCause : uint8_t {
  constantWritten,
  readOnlyWritten, ///< an argument, or a to_tensor, that must not be written
  readAfterWrite,
  calleeWrites,  ///< read after a call of a function that may write it
  falseConflict, ///< all of its conflicts are none (TensorReason::joined)
  disjointParts, ///< the same, some by TensorReason::isDisjoint
  parallel,
  loopValue, ///< a loop yields another buffer than that of its argument
  writtenBack,
  layout,
  copyBeforeWrite,
  opResult, ///< the op makes a tensor
  other,
  perIteration ///< any but the last two, in a loop; only of groups
};

struct TensorAmount {
  uint64_t count = 0;
  /// Each place once; of sizes that are static.
  uint64_t bytes = 0;
  /// Some size is not.
  bool isLowerBound = false;
  void add(const TensorCost &cost);
};

/// Buffers and copies of one cause.
struct TensorGroup {
  TensorCause cause = TensorCause::other;
  TensorAmount buffers, copies;
  /// The largest first.
  std::vector<const TensorCost *> costs;
};

struct TensorTotals {
  size_t operands = 0, inPlace = 0;
  /// Made by bufferization.
  TensorAmount buffers, copies;
  /// Written in the program as memrefs.
  TensorAmount ownBuffers, ownCopies;
};

/// Looks at the runs of one-shot-bufferize that a trace has. Keeps a reference:
/// `lookup` must outlive it.
class Tensors {
public:
  explicit Tensors(const Lookup &lookup);

  /// Whether there was a run.
  bool empty() const;
  /// Of one function, or of all.
  TensorTotals totals(Id function = none) const;
  /// Each cause of a copy, or of a buffer that a decision asks for: the most
  /// bytes first.
  std::vector<TensorGroup> groups() const;
  /// All that the program still has at the end, in program order. No copy of a
  /// view onto itself is among them.
  const std::vector<const TensorCost *> &costs() const { return live; }

  TensorCause causeOf(const TensorCost &cost) const;
  /// The cause of its group: that it is in a loop counts more than why.
  TensorCause groupOf(const TensorCost &cost) const;
  /// The decisions about an op's operands.
  std::vector<const TensorOperand *> decisionsAt(Id op) const;
  /// What was made for an op, gone or not.
  std::vector<const TensorCost *> costsAt(Id op) const;
  const TensorOperand *decisionOf(Id op, int32_t operand) const;
  /// The first value that is the same buffer; the value itself if none is.
  Id bufferOf(Id value) const;
  /// What callers know of a function's argument; null where it is none.
  const TensorArgument *argument(Id value) const;
  /// The same of the function that a call names; null where it is not known.
  const TensorArgument *argumentOf(const Op &call, int32_t operand) const;
  const TensorFunction *functionOf(Id function) const;
  /// Whether all that keeps the operand from being in place is proven to be no
  /// conflict.
  bool isForNothing(const TensorOperand &decision) const;
  /// Whether the program has it at the end.
  bool isLive(const TensorCost &cost) const;
  /// The buffer that holds the tensor, if bufferization allocated it.
  const TensorCost *allocationOf(Id value) const;
  /// The same, or the buffer that an operand out of place got for the op's one
  /// result.
  const TensorCost *holderOf(Id value) const;
  /// The memref of an allocation, as the program has it at the end; `none` for
  /// a copy, and for what is gone.
  Id memrefOf(const TensorCost &cost) const;
  /// The allocation that made the memref; null where the program has it as it
  /// is.
  const TensorCost *originOf(Id memref) const;

private:
  TensorCause causeOf(const TensorOperand *decision) const;
  Id functionAround(Id op) const;

  const Lookup &lookup;
  std::vector<const TensorCost *> live;
  /// Ops that a stage took out, and those of their name that it put there.
  std::unordered_set<Id> erased;
  std::map<Id, Id> remade;
  std::map<Id, std::vector<const TensorOperand *>> decisions;
  std::map<Id, std::vector<const TensorCost *>> made;
  std::map<Id, Id> buffers;
  std::map<Id, const TensorArgument *> arguments;
  std::map<Id, const TensorFunction *> functions;
  /// By the op that made them, as the program has it at the end.
  std::map<Id, const TensorCost *> madeBy;
  Id endOf(Id now) const;
  /// By the buffer that they hold.
  std::map<Id, const TensorCost *> allocations, ofOperands;
};

} // namespace memreflens::trace

#endif // MEMREFLENS_QUERY_TENSORS_H
