//===- core/query/Elements.h ----------------------------------------------===//
//
// The trace's elements by their ids, and what happened to each of them.
//
// Ids out of range are "nothing known", never an error.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_QUERY_ELEMENTS_H
#define MEMREFLENS_QUERY_ELEMENTS_H

#include "core/query/Fate.h"
#include "core/query/Index.h"
#include "core/query/PassBlocks.h"
#include "core/text/LineIndex.h"

#include <map>
#include <span>
#include <vector>

namespace memreflens {

/// Keeps a reference: the trace must outlive it.
class Elements {
public:
  using Ids = std::vector<trace::Id>;

  explicit Elements(const trace::Trace &trace);
  const trace::Trace &getTrace() const { return trace; }
  const trace::Index &getIndex() const { return index; }
  /// Of the source's text.
  const LineIndex &getLines() const { return lines; }
  const trace::PassBlocks &getPassBlocks() const { return passBlocks; }

  //===--- Null where the id names none ---===//
  const trace::Value *value(trace::Id id) const;
  const trace::Op *op(trace::Id id) const;
  const trace::Block *block(trace::Id id) const;
  const trace::Event *event(trace::Id id) const;
  const trace::Function *function(trace::Id id) const;
  /// The function that a call names, also where a stage made the call anew.
  const trace::Function *calleeOf(const trace::Op &call) const;

  //===--- Events, in the order in which they happened ---===//
  std::span<const trace::Id> eventsOfValue(trace::Id value) const {
    return index.eventsOfValue(value);
  }
  std::span<const trace::Id> eventsOfBlock(trace::Id block) const {
    return index.eventsOfBlock(block);
  }
  std::span<const trace::Id> eventsOfOp(trace::Id op) const {
    return index.eventsOfOp(op);
  }
  std::span<const trace::Id> eventsOfFunction(trace::Id function) const {
    return index.eventsOfFunction(function);
  }
  const trace::LivenessEvent *livenessOf(trace::Id block) const;
  /// Those of all regions of an op.
  const Ids &blocksBelow(trace::Id op) const;
  /// All memrefs of a function, generated ones included.
  const Ids &memrefsOf(trace::Id function) const;

protected:
  /// The list of a key; an empty one where there is none.
  template <class Key>
  static const Ids &idsAt(const std::map<Key, Ids> &lists, const Key &key) {
    static const Ids nothing;
    auto found = lists.find(key);
    return found == lists.end() ? nothing : found->second;
  }

  const trace::Trace &trace;
  /// The number of the stage that places deallocations.
  const int placementStage;
  LineIndex lines;
  trace::Index index;
  trace::PassBlocks passBlocks;

private:
  std::map<trace::Id, Ids> memrefs;
  /// Blocks, by the op around them.
  std::map<trace::Id, Ids> nested;
  std::map<trace::Id, trace::Id> liveness;
};

} // namespace memreflens

#endif // MEMREFLENS_QUERY_ELEMENTS_H
