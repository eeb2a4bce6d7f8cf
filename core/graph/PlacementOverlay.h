//===- core/graph/PlacementOverlay.h --------------------------------------===//
//
// Where buffers were placed, as chips.
//
// What the classic pass decided about a function: which names may be one
// buffer, what is copied for a critical alias, and where each buffer is freed,
// after which use. And of any pipeline: which allocations were hoisted.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_PLACEMENTOVERLAY_H
#define MEMREFLENS_GRAPH_PLACEMENTOVERLAY_H

#include "core/graph/Chips.h"

#include <map>

namespace memreflens::graph {

/// A node of a block: its ops, up to one whose regions are drawn, and behind
/// one.
struct BlockPart {
  Id block = none;
  std::vector<Id> ops;
  Id upTo = none;
  Id behind = none;
  bool isLast = false;
};

class PlacementOverlay {
public:
  PlacementOverlay(const Lookup &lookup, Id function, const ChipLimits &limits);

  /// Whether the run has no ownership pass: all decisions are those below, and
  /// the blocks are the user's.
  bool isAlone() const { return alone; }

  /// Aliases among a block's arguments, and what was hoisted into the block.
  std::vector<Row> headRows(Id block) const;
  /// Of a part of a block: allocations, aliases, copies, frees.
  std::vector<Row> partRows(const BlockPart &part) const;
  /// What the user's edge passes, copies as such.
  std::vector<Chip> branchChips(Id block, int number) const;
  /// What an op passes into a region, to the arguments of `entry`; past its
  /// regions, to its results, if that is `none`.
  std::vector<Chip> entryChips(Id op, Id entry) const;
  /// What a region's end in `block` passes to the arguments of the region that
  /// begins with `entry`; to the results of the op around, if that is `none`.
  std::vector<Chip> exitChips(Id block, Id entry) const;
  /// What the caller gets from a return.
  std::vector<Row> returnRows(Id block) const;

  bool allocates(Id op) const;
  bool hasDecision(Id block) const;
  /// Where a hoisted buffer is allocated now; `none` if it was not hoisted.
  Id hoistedTo(Id value) const;

private:
  Row row(RowKind kind, const char *label, std::vector<Chip> chips) const;
  Chip chip(Meaning meaning, Id value, std::string text, Id event) const;
  std::vector<Chip> aliasChips(const std::vector<Id> &values) const;
  std::vector<Chip> allocationChips(const std::vector<Id> &ops) const;
  std::vector<Chip> copyChips(Id block, const std::vector<Id> &ops) const;
  std::vector<Chip> freeChips(const BlockPart &part, bool isFreed) const;
  Chip freeChip(const trace::Event &event,
                const trace::FreeEvent &detail) const;
  /// The user's op of a block behind which a buffer is freed.
  Id anchorOf(Id block, const trace::FreeEvent &detail) const;
  bool leavesFunction(Id block, Id op) const;
  Chip passedChip(Id operand, Id target, Id op) const;
  std::vector<Chip> passedChips(const std::vector<Id> &targets,
                                trace::AliasLink link, Id op) const;

  const Lookup &lookup;
  const trace::Trace &trace;
  Id function;
  ChipLimits limits;
  bool alone = false;
  /// Function rejected in the end: nothing was placed.
  bool isOff = false;
  /// By hoisted buffer its new block, and the events by that block.
  std::map<Id, Id> homes;
  std::map<Id, std::vector<Id>> hoistedInto;
};

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_PLACEMENTOVERLAY_H
