//===- core/graph/tensors/TensorFlow.h - tensors and their buffers --------===//
//
// What a picture of a function's tensors holds: a row for each op in program
// order, a column for each buffer, a chip where a tensor is defined, and how
// each operand comes to its op: in place, copied, or as a part of a buffer.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_TENSORS_TENSORFLOW_H
#define MEMREFLENS_GRAPH_TENSORS_TENSORFLOW_H

#include "core/explain/TensorText.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace memreflens::graph {

using trace::Id;
using trace::none;

enum class TensorLink : uint8_t {
  read,      ///< in place, and no tensor of the op is its buffer
  write,     ///< in place, and written; the op has no result for it
  inPlace,   ///< `to` is the same buffer
  part,      ///< `to` lies in the same buffer
  mayBe,     ///< `to` may be the same buffer, or another one
  copy,      ///< copied into the buffer of `to`
  newBuffer, ///< `to` gets a buffer of its own, and nothing is copied
  nothing,   ///< out of place, and nothing is made for it
};

/// Where one operand of an op comes from, and what becomes of its buffer.
struct TensorUse {
  Id op = none;
  int32_t operand = 0;
  Id value = none;
  std::string name;
  /// A result, a block argument or a loop's argument; `none` for none.
  Id to = none;
  TensorLink link = TensorLink::read;
  trace::TensorPlacement placement = trace::TensorPlacement::undecided;
  /// "copy 4 KiB"; empty where nothing is made.
  std::string label;
  std::string sentence;
  /// Of `value` and `to`; -1 where it has none.
  int column = -1, toColumn = -1;
  /// Number of the buffer that is made for it; -1 for none.
  int made = -1;
  /// Only read: its name stands beside the row, and it has no column.
  bool isBeside = false;
};

/// A tensor where it is defined.
struct TensorChip {
  Id value = none;
  std::string name;
  std::string tooltip;
  int column = -1;
  /// Buffers that it may be, by number; one where that is known.
  std::vector<int> buffers;
  /// The memref that the pipeline allocates for it, and its bytes.
  Id memref = none;
  std::string allocation;
  /// A reason is about what it holds.
  bool isRinged = false;
};

enum class TensorRowKind : uint8_t { arguments, op, block, results, folded };

struct TensorRow {
  TensorRowKind kind = TensorRowKind::op;
  Id op = none;
  /// Frames around it.
  int depth = 0;
  /// "3:10".
  std::string place;
  /// "scf.for x 1,024".
  std::string label;
  std::string tooltip;
  std::vector<TensorChip> chips;
  std::vector<TensorUse> uses;
  /// Verdicts; first what is out of place or copied.
  std::vector<std::string> sentences;
  bool isCostly = false;
  bool opensFrame = false, closesFrame = false;
};

/// An op with regions, around rows.
struct TensorFrame {
  Id op = none;
  size_t first = 0, last = 0;
  int depth = 0;
};

/// One buffer, or what may be one of several, in its column.
struct TensorLane {
  Id value = none;
  int column = 0;
  size_t first = 0, last = 0;
  std::vector<int> buffers;
};

/// Why an operand is not in place: from the write to the read, or to what must
/// not be written.
struct TensorReasonArrow {
  size_t fromRow = 0, toRow = 0;
  int fromColumn = -1, toColumn = -1;
  /// It ends at a definition, and not at a read.
  bool endsAtDefinition = false;
  Id op = none;
  std::string sentence;
};

struct TensorFlow {
  Id function = none;
  std::string title, headline;
  /// What is left out; empty for nothing.
  std::string note;
  std::vector<TensorRow> rows;
  std::vector<TensorFrame> frames;
  std::vector<TensorLane> lanes;
  std::vector<TensorReasonArrow> arrows;
  int columns = 0;

  bool empty() const { return rows.empty(); }
};

struct TensorFlowOptions {
  /// Of a function with more rows only those at which something is copied or
  /// out of place, with the tensors that they use, and no more than these.
  size_t mostRows = 150;
};

/// Makes the pictures of one trace, which must outlive it. May be asked from
/// several threads.
class TensorFlows {
public:
  explicit TensorFlows(const Lookup &lookup);

  /// Whether one-shot-bufferize ran.
  bool empty() const { return text.facts().empty(); }
  /// Empty where the function had no tensors.
  TensorFlow of(Id function, const TensorFlowOptions &options = {}) const;

  const Lookup &getLookup() const { return lookup; }
  const TensorText &getText() const { return text; }
  /// Decisions about the function's operands, in program order.
  const std::vector<const trace::TensorOperand *> &
  operandsOf(Id function) const;
  /// Tensors that the op defines, and those of the block's arguments.
  const std::vector<Id> &resultsOf(Id op) const;
  const std::vector<Id> &argumentsOf(Id block) const;
  const std::vector<Id> &blocksOf(Id op) const;
  /// Iterations of the loop; -1 where they are not known.
  int64_t timesOf(Id loop) const;

private:
  template <class Element> using ByIds = std::vector<std::vector<Element>>;

  const Lookup &lookup;
  TensorText text;
  ByIds<const trace::TensorOperand *> operands;
  ByIds<Id> results, arguments, blocks;
  std::map<Id, int64_t> times;
};

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_TENSORS_TENSORFLOW_H
