//===- core/trace/Tensors.h - how tensors became buffers ------------------===//
//
// What one run of one-shot-bufferize decided for each tensor operand, and why;
// and each allocation and each copy that it made, with the decision or the op
// behind it. Ops and values are those of the program in front of that run.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_TENSORS_H
#define MEMREFLENS_TRACE_TENSORS_H

#include "core/trace/Id.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memreflens::trace {

/// Out of place is not yet a copy: contents that nobody reads are not copied.
enum class TensorPlacement : uint8_t { undecided, inPlace, outOfPlace };

enum class TensorReasonKind : uint8_t {
  readAfterWrite,  ///< `read` needs what `write` overwrites
  notWritable,     ///< `definition` must not be written
  parallel,        ///< `write` is in a parallel region, `definition` is not
  copyBeforeWrite, ///< the option copies in front of every write
  unknownOp,       ///< the op does not say what it does with tensors
  unexplained      ///< none of these was found
};

/// Why a buffer must not be written.
enum class TensorReadOnly : uint8_t {
  no,
  constant,
  argument, ///< of a function, stated to be read only, or not bufferized
  toTensor, ///< a bufferization.to_tensor that is not `writable`
  other
};

/// One reason for an operand to be out of place. All of them are to go before
/// the operand can be in place.
struct TensorReason {
  TensorReasonKind kind = TensorReasonKind::unexplained;
  /// The op that writes, and with which of its operands; -1 for none.
  Id write = none;
  int32_t writeOperand = -1;
  Id read = none;
  int32_t readOperand = -1;
  /// What the read is to find, or what must not be written.
  Id definition = none;
  TensorReadOnly readOnly = TensorReadOnly::no;
  /// The read stands in front of the write, and a loop leads back to it.
  bool isAcrossIterations = false;
  /// The read cannot meet the write: their tensors have no buffer in common,
  /// and the analysis takes them for one since this value may be either.
  Id joined = none;
  /// Nor here: the parts that are read and written do not overlap.
  bool isDisjoint = false;
  bool operator==(const TensorReason &) const = default;
};

struct TensorOperand {
  Id op = none;
  int32_t operand = 0;
  Id value = none;
  TensorPlacement placement = TensorPlacement::undecided;
  bool reads = false;
  bool writes = false;
  /// Tensors that have its buffer, or a part of it, where it is in place:
  /// results of the op, and arguments of regions and blocks.
  std::vector<Id> becomes;
  /// The nearest ones; an operand that is in place has those that an option
  /// switched off.
  std::vector<TensorReason> reasons;
  /// All of them, and the different reads and writes in them.
  uint32_t reasonCount = 0;
  uint32_t readCount = 0;
  uint32_t writeCount = 0;
  /// Not all pairs were looked at: there may be more.
  bool isBounded = false;
};

/// By what an allocation or a copy came about.
enum class TensorCostOrigin : uint8_t {
  operand,        ///< an operand is out of place: its tensor
  result,         ///< the same, and the smaller result of the op
  newBuffer,      ///< an operand is out of place, and nothing need be copied
  loopValue,      ///< a loop yields another buffer than that of its argument
  opResult,       ///< the op makes a tensor
  writtenBack,    ///< a value is put into its place in another tensor
  layout,         ///< the op needs a layout that its operand does not have
  boundaryLayout, ///< a call or return needs such a layout
  copyBeforeWrite,
  program, ///< the program has it as it is
  unknown
};

/// An allocation or a copy in the IR that the run made.
struct TensorCost {
  bool isCopy = false;
  TensorCostOrigin origin = TensorCostOrigin::unknown;
  /// The op for which it was made, and the number of the operand that was
  /// decided; of a loop's value the terminator that yields it. -1 for none.
  Id op = none;
  int32_t operand = -1;
  /// The tensor that is copied, or that the new buffer holds.
  Id value = none;
  /// Whose layout, or whose loop argument, makes it necessary.
  Id because = none;
  /// -1 where a size is not static; `size` has them then: "%n * 4".
  int64_t bytes = -1;
  std::string size;
  /// Loops around it, innermost first, and how often they run it; 0 where that
  /// is not known.
  std::vector<Id> loops;
  int64_t times = 1;
  /// Source and target are one view: it goes with cse and canonicalize.
  bool isOntoItself = false;
  /// The op, in the IR behind the run and all that ran in front of the next
  /// stage; `none` where it is gone.
  Id now = none;
};

/// What is known of a function's tensor argument to those who call it.
struct TensorArgument {
  Id value = none;
  bool read = true;
  bool written = true;
  /// The program states `read` and `written`; the body does this.
  bool isStated = false;
  bool bodyReads = false;
  bool bodyWrites = false;
};

struct TensorResult {
  int32_t result = 0;
  /// Number of the argument whose buffer it always is; -1 if of none.
  int32_t argument = -1;
  /// Those whose buffers it may be.
  std::vector<int32_t> mayBe;
  /// The tensor of which it is a part, where that one is made in the function:
  /// the whole buffer lives as long as the result. Its own bytes, which are
  /// fewer; -1 where it is a whole buffer.
  Id partOf = none;
  int64_t bytes = -1;
};

struct TensorFunction {
  Id function = none;
  /// It is called by itself, directly or not: nothing is known to callers.
  bool isRecursive = false;
  std::vector<TensorArgument> arguments;
  std::vector<TensorResult> results;
};

/// Which tensors are one buffer: by the first value that is the same buffer,
/// and the first that may share memory, in program order.
struct TensorBuffer {
  Id value = none;
  Id same = none;
  Id mayShare = none;
};

/// `write` overwrites in place what `argument` is to be, and `read` gets the
/// new contents where the program says the old. With no `read`, `argument` is
/// what must not be written: a constant, or a to_tensor without `writable`.
struct TensorOverwrite {
  /// Of a function; with `by` a value of that op, one that it yields, or what
  /// must not be written.
  Id argument = none;
  Id write = none;
  int32_t writeOperand = -1;
  Id read = none;
  int32_t readOperand = -1;
  /// The call or the loop by which two tensors are one buffer, unknown to the
  /// analysis, and the other one of the two, which is written. `none` where the
  /// argument itself is written.
  Id by = none;
  Id written = none;
};

/// A loop that runs its body a known number of times.
struct TensorLoop {
  Id op = none;
  int64_t times = 0;
};

/// One run of one-shot-bufferize.
struct Bufferization {
  Id chunk = none;
  /// The stage that it is; 0 if it ran in front of the first one.
  int32_t stage = 0;
  /// As written in the pipeline.
  std::string options;
  /// Decided by our replay of MLIR's analysis, not by that itself.
  bool isReplayed = false;
  /// How often MLIR's own analysis compares a read and a write, roughly: what
  /// its time grows with. 0 where nothing is analysed.
  uint64_t comparisons = 0;
  /// The program with the copies on tensors that the analysis asks for, in
  /// front of bufferization itself: the text of the chunk. Empty where it was
  /// not asked for, where nothing is analysed, and of a nested module.
  std::string copiesText;
  std::vector<TensorOperand> operands;
  std::vector<TensorCost> costs;
  std::vector<TensorFunction> functions;
  std::vector<TensorBuffer> buffers;
  std::vector<TensorOverwrite> overwrites;
  /// Not all writes were compared with all reads: there may be more overwrites
  /// by calls and loops.
  bool isOverwriteSearchBounded = false;
  /// Tensors of a sparse encoding, which became dense buffers: arguments, and
  /// results of ops.
  std::vector<Id> madeDense;
  /// Functions of nested modules that still have their tensors.
  std::vector<Id> untouched;
  std::vector<TensorLoop> loops;
};

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_TENSORS_H
