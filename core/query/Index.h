//===- core/query/Index.h - questions to a trace --------------------------===//
//
// An `Index` is built once over a trace and answers: what stands at this byte
// of the user's text, which events are about this value, who owns it here.
//
//   Index index(trace);
//   Id value = index.valueAt(offset);
//   OwnershipAt owner = ownershipAt(index, value, offset);
//
// See also Fate.h (what becomes of a buffer).
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_QUERY_INDEX_H
#define MEMREFLENS_QUERY_INDEX_H

#include "core/trace/Model.h"

#include <optional>
#include <span>
#include <string_view>

namespace memreflens::trace {

/// Lists of ids by id, in one allocation each.
class IdLists {
public:
  /// Pairs (key, id); the ids of a key keep their order, repeats are dropped.
  void build(size_t keys, const std::vector<std::pair<Id, Id>> &pairs);
  std::span<const Id> of(Id key) const;

private:
  void dropRepeats();

  std::vector<uint32_t> starts;
  std::vector<Id> ids;
};

/// Ranges that nest, for "the innermost one around this byte".
class RangeIndex {
public:
  void add(Range range, Id id);
  void finish();
  Id at(uint32_t offset) const;

private:
  struct Entry {
    Range range;
    Id id = none;
    int32_t parent = -1;
  };
  std::vector<Entry> entries;
};

/// Looks things up in one valid trace (Validate.h), which must outlive it. Any
/// id may be `none`; the answer is then `none` or empty.
class Index {
public:
  explicit Index(const Trace &trace);

  const Trace &trace;

  /// What stands at a byte of the user's text: innermost, by name, use or
  /// definition. A cursor just behind a name is on it.
  Id valueAt(uint32_t offset) const;
  Id opAt(uint32_t offset) const;
  Id blockAt(uint32_t offset) const;
  Id functionAt(uint32_t offset) const;

  /// Events about the record itself, in order.
  std::span<const Id> eventsOfValue(Id value) const;
  std::span<const Id> eventsOfBlock(Id block) const;
  std::span<const Id> eventsOfOp(Id op) const;
  std::span<const Id> eventsOfFunction(Id function) const;
  /// Events that name the value or op among their facts, or are about it.
  std::span<const Id> eventsNamingValue(Id value) const;
  std::span<const Id> eventsNamingOp(Id op) const;
  /// Insertion, rewrites and lowering of a dealloc, by its number.
  std::span<const Id> eventsOfDealloc(Id dealloc) const;
  /// Of them, lowerings by the library function that name nothing they free.
  std::span<const Id> unnamedFreesOf(Id dealloc) const;
  /// The memref.deallocs that a lowering made, in order.
  std::span<const Id> deallocsMadeBy(Id lowering) const;

  /// Whether the op is a memref.dealloc.
  bool isDealloc(Id op) const { return deallocOps[size_t(op)]; }
  /// Ops of which the value is an operand, in program order.
  std::span<const Id> usersOf(Id value) const;
  /// Generated and user's ops that carry the op's location.
  std::span<const Id> generatedFor(Id op) const;
  /// The block around the block's region; `none` for a function's body.
  Id enclosingBlock(Id block) const;
  Id functionOfBlock(Id block) const;
  Id functionOfValue(Id value) const;
  /// First byte of an op in the user's text, its results' names included; that
  /// of the op whose location it carries, if generated.
  uint32_t beginOf(Id op) const;

private:
  void addRanges();
  void addEvents();
  void addUsers();

  RangeIndex values, ops, blocks, functions;
  IdLists byValue, byBlock, byOp, byFunction, namingValue, namingOp, byDealloc,
      unnamedFrees, deallocsMade, users, generated;
  std::vector<bool> deallocOps;
};

/// The ownership that the pass held for a value in a block.
struct OwnershipAt {
  Ownership ownership;
  /// Event that set it; `none` if the pass held nothing for it here.
  Id event = none;
  /// Block for which it is: the one of the position or one around it.
  Id block = none;
  /// The next event that changes it in this block; `none` if it stays.
  Id changedBy = none;
};

/// After all ops at or before `offset` of the innermost block there.
OwnershipAt ownershipAt(const Index &index, Id value, uint32_t offset);

/// What a rewrite put in the place of a value; `none` if it left the value.
Id replacementOf(const RewriteEvent &rewrite, Id value);

/// An operand of a branch, and the block argument that it becomes.
struct ForwardedOperand {
  int32_t edge = 0;
  uint32_t index = 0;
  Id operand = none;
  Id argument = none;
};

/// The operands that a branch hands to its successors; empty where they cannot
/// be told apart. A branch's last operands are those of its last successor.
std::vector<ForwardedOperand> forwardedOperands(const Trace &trace,
                                                const Op &branch);

} // namespace memreflens::trace

#endif // MEMREFLENS_QUERY_INDEX_H
