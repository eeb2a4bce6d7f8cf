//===- core/query/Lookup.h ------------------------------------------------===//
//
// The trace, indexed for the writer of sentences.
//
// Adds to the trace's index what sentences need: names and positions as they
// are written (Names.h), what stages before the pass made of the program
// (Ancestry.h), the deallocs (Deallocs.h), and here which way an i1 comes to
// where it is asked.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_QUERY_LOOKUP_H
#define MEMREFLENS_QUERY_LOOKUP_H

#include "core/query/Deallocs.h"

#include <map>
#include <span>
#include <utility>
#include <vector>

namespace memreflens {

/// One way on which an i1 comes to a block argument or to a result of an op
/// with regions.
struct IndicatorSource {
  enum class Way : uint8_t {
    branch,    ///< on an edge
    entry,     ///< from the op's operands into a region
    noRegion,  ///< from the op's operands to its results: no region is entered
    yieldedOn, ///< from a region's terminator
  };
  Way way = Way::branch;
  /// The signature event that hands it on, which names the i1, the memref and
  /// the op.
  trace::Id event = trace::none;
};

struct IndicatorSources {
  std::vector<IndicatorSource> all;
  /// Whether there is no other; false where the flow of an op is not known.
  bool isComplete = true;
};

/// Keeps a reference: the trace must outlive it.
class Lookup : public Deallocs {
public:
  explicit Lookup(const trace::Trace &trace, Places places = Places::told);

  /// The event that made the i1 an argument or result; `none` if none did.
  trace::Id signatureOf(trace::Id indicator) const;
  /// Events that pass an i1 to the block argument that this event made.
  const Ids &branchesInto(trace::Id signature) const;
  /// All that may flow into the i1 that this event made.
  IndicatorSources sourcesOf(trace::Id signature) const;
  /// Whether the i1 follows from the recorded facts to be true (1) or false
  /// (0) on every path, loops included, with what the simplification knows; -1
  /// where only run time can tell.
  int constantOf(trace::Id indicator) const;
  /// On an edge, the part of a dealloc's condition that is not "it is taken".
  trace::Id withoutEdge(trace::Id condition, int32_t edge) const;

  //===--- Copies, by what is known of their i1 ---===//
  /// The event of the copy that this value is; null if it is none.
  const trace::Event *copyEventOf(trace::Id copy) const;
  /// Whether a copy is made in some runs only.
  bool isConditional(const trace::CloneEvent &copy) const;
  /// Whether its code is there, but what it copies is always owned.
  bool isNeverMade(const trace::CloneEvent &copy) const;

private:
  size_t edgesInto(trace::Id block) const;
  Ids blocksOf(trace::Id op, size_t region) const;
  trace::Id regionOpOf(const trace::Block &entry) const;
  size_t rankAmong(std::span<const trace::Id> events,
                   const trace::Event &signature) const;
  bool addPassed(std::span<const trace::Id> events, trace::SignaturePart part,
                 size_t rank, IndicatorSource::Way way,
                 IndicatorSources &sources) const;
  void addRegionSources(trace::Id op, size_t into, size_t rank,
                        IndicatorSources &sources) const;
  void addSignature(const trace::Event &event,
                    const trace::SignatureEvent &detail);

  /// Answers of `constantOf`.
  mutable std::map<trace::Id, int> constants;
  std::map<trace::Id, trace::Id> signatures;
  /// By block and by which of the i1s appended to it: the first, the second...
  std::map<std::pair<trace::Id, int32_t>, Ids> branches;
  std::map<trace::Id, int32_t> ranks;
  /// Edges into each block, as the pass saw them.
  std::map<trace::Id, size_t> edges;
  /// i1s counted so far, per block and per edge.
  std::map<trace::Id, int32_t> taken;
  std::map<std::pair<trace::Id, int32_t>, int32_t> passed;
};

} // namespace memreflens

#endif // MEMREFLENS_QUERY_LOOKUP_H
