//===- core/graph/Overlay.h - what was decided for a block, as chips ------===//

#ifndef MEMREFLENS_GRAPH_OVERLAY_H
#define MEMREFLENS_GRAPH_OVERLAY_H

#include "core/graph/Picture.h"
#include "core/graph/PlacementOverlay.h"
#include "core/query/Lookup.h"

#include <map>

namespace memreflens::graph {

/// The chip of one change of an ownership, as it stands right behind it. No
/// text where nothing is known yet.
Chip ownershipChip(const Lookup &lookup, Id event, size_t maxText = 60);

/// Facts of one function as rows and chips. Each chip's tooltip is the sentence
/// that every front end shows for the decision.
class Overlay {
public:
  Overlay(const Lookup &lookup, Id function, size_t maxChips,
          size_t maxText = 60, bool hasSentences = true);

  /// Rows at a block's head: arguments with their i1s, live-in.
  std::vector<Row> headRows(Id block) const;
  /// Rows at its end: ownership, dealloc lists, copies, frees, live-out.
  std::vector<Row> endRows(Id block) const;
  /// Rows of a block's part: what it allocates and, where a pass other than the
  /// ownership pass places frees, all that it decided there.
  std::vector<Row> partRows(const BlockPart &part) const;

  /// What crosses successor edge `edge` of a block (-1: its return or yield):
  /// forwarded memrefs, retained ones, ownership i1s.
  std::vector<Chip> edgeChips(Id block, int edge) const;
  /// What a caller lends, and what it gets.
  std::vector<Row> entryRows() const;
  std::vector<Row> returnRows(Id block) const;

  /// The rejection at an op; null if it is not rejected.
  const trace::Event *rejectionAt(Id op) const;
  bool isWitness(Id op) const;
  bool allocates(Id op) const;
  /// The block that the ownership pass saw where this one ends; `none` if this
  /// one goes on into another one by then.
  Id endingAt(Id block) const { return lookup.getPassBlocks().endingAt(block); }
  /// Whether the ownership pass looked at the block, if it was run.
  bool wasSeen(Id block) const {
    return placement.isAlone() || lookup.livenessOf(block) != nullptr;
  }
  /// Whether something was decided in the block, beyond what is live there.
  bool hasDecision(Id block) const;

  /// Decisions of passes other than the ownership pass.
  const PlacementOverlay &getPlacement() const { return placement; }

private:
  std::vector<Row> allocationRows(const std::vector<Id> &ops) const;
  Chip chip(Meaning meaning, Id value, std::string text, Id event) const;
  void addLiveness(std::vector<Row> &rows, Id block, RowKind kind) const;
  Row ownershipRow(Id block) const;
  void addDeallocRows(std::vector<Row> &rows, Id block) const;
  Row deallocRow(Id block, Id event, const trace::DeallocEvent &dealloc) const;
  Row copiesRow(Id block) const;
  Row freedRow(Id block) const;
  void findFrees();
  /// "%c"; empty if always. `never` is set if it is always false.
  std::string condition(Id indicator, int32_t edge, bool &never) const;
  void addForwarded(std::vector<Chip> &chips, Id block, int edge) const;
  /// Where an edge of a block of the pass leads; empty if it has one only.
  std::string targetName(Id block, int32_t edge) const;
  void limit(Row &row) const;

  const Lookup &lookup;
  const trace::Trace &trace;
  Id function;
  size_t maxChips, maxText;
  bool hasSentences;
  PlacementOverlay placement;
  /// By block: chips of what is freed there, and by event: the rejections.
  std::map<Id, std::vector<Chip>> frees;
  std::vector<Id> rejections;
};

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_OVERLAY_H
