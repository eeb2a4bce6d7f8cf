//===- core/query/PassBlocks.h - the user's blocks, as the pass saw them --===//
//
// Canonicalize runs before the ownership pass. It merges a block into its only
// predecessor and leads branches past blocks that do nothing. The pass then
// decides for blocks that the user did not write; this says where in the user's
// program such a decision is: at the end of which block, and on which edge.
//
//   ^bb0: ... br ^bb1          seen as one block, ^bb0; what is decided at its
//   ^bb1: ... cond_br ...      end stands at the end of ^bb1
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_QUERY_PASSBLOCKS_H
#define MEMREFLENS_QUERY_PASSBLOCKS_H

#include "core/trace/Model.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace memreflens::trace {

/// Successor edge of a block, by number.
struct BlockEdge {
  Id block = none;
  int32_t number = 0;

  bool operator==(const BlockEdge &) const = default;
};

/// Keeps a reference: the trace must outlive it.
class PassBlocks {
public:
  explicit PassBlocks(const Trace &trace);

  /// Whether the pass looked at the block.
  bool wasSeen(Id block) const { return seen.count(block) > 0; }
  /// The user's block whose code a block begins with that the pass saw: itself,
  /// but for those of a loop that was made anew.
  Id beginOf(Id seen) const;
  /// The block that begins for the pass with the user's one; that itself,
  /// unless its loop was made anew.
  Id beginningAt(Id block) const;
  /// The user's block where the end of a block that the pass saw is.
  Id endOf(Id seen) const;
  /// The block whose end, for the pass, is that of this block; `none` if the
  /// block goes on into another one, or is gone. Where the pass saw nothing of
  /// the function, the block itself.
  Id endingAt(Id block) const;
  /// The block that holds this one's code for the pass; `none` if it has none.
  Id holding(Id block) const;
  /// The edge of the pass for one of the user's; nothing if the pass has none.
  std::optional<BlockEdge> passEdge(BlockEdge users) const;
  /// The first of the user's edges that became an edge of the pass.
  std::optional<BlockEdge> usersEdge(BlockEdge pass) const;
  /// Successors of a block as the pass saw it; none of one that is gone.
  std::span<const Id> successorsOf(Id block) const;
  /// Where an edge of the pass leads.
  Id target(BlockEdge pass) const;

private:
  void findEnd(Id block, const LivenessEvent &event);
  std::optional<Id> next(Id block, const LivenessEvent &event) const;
  /// Blocks that are gone and lie between two blocks, the later one included,
  /// if nobody else gets there; empty otherwise.
  std::set<Id> between(Id earlier, Id later) const;
  bool isGone(Id block) const;
  Id past(Id block) const;

  const Trace &trace;
  std::map<Id, const LivenessEvent *> seen;
  std::map<Id, std::set<Id>> predecessors;
  std::map<Id, Id> ends, endings, holders;
  /// Of blocks made anew.
  std::map<Id, Id> begins, beginnings;
};

} // namespace memreflens::trace

#endif // MEMREFLENS_QUERY_PASSBLOCKS_H
