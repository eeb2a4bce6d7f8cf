//===- core/graph/tensors/TensorSources.h - whose buffer a tensor is ------===//

#ifndef MEMREFLENS_GRAPH_TENSORS_TENSORSOURCES_H
#define MEMREFLENS_GRAPH_TENSORS_TENSORSOURCES_H

#include "core/graph/tensors/TensorFlow.h"

#include <map>
#include <set>

namespace memreflens::graph {

/// A buffer: by the first tensor in it, or by what allocates it for an operand.
struct TensorBufferKey {
  Id value = none;
  const trace::TensorCost *made = nullptr;
  bool operator==(const TensorBufferKey &) const = default;
};

/// Follows the tensors of one function through ops, regions and branches.
class TensorSources {
public:
  TensorSources(const TensorFlows &flows, Id function);

  /// Uses by the op, in the order of its operands.
  const std::vector<TensorUse> &usesBy(Id op) const;
  /// Buffers that the tensor may be; the first few.
  const std::vector<TensorBufferKey> &buffersOf(Id value) const;
  Id bufferOf(Id value) const { return facts.bufferOf(value); }
  /// What is allocated for the operand and copied to; null for nothing.
  const trace::TensorCost *costOf(const TensorUse &use) const;
  /// Whether an op with regions passes tensors into them, or out of them.
  bool isFrame(Id op) const { return frames.contains(op); }

private:
  struct Source {
    Id value = none;
    const trace::TensorCost *made = nullptr;
  };

  void addFrames();
  void addUse(const trace::TensorOperand &decision, size_t position,
              size_t count);
  std::vector<Id> targetsOf(const trace::TensorOperand &decision,
                            size_t position, size_t count) const;
  std::vector<Id> yieldTargets(const trace::Op &terminator, Id parent,
                               size_t position, size_t count) const;
  int32_t argumentBehind(Id call, Id result) const;
  std::vector<Id> resultsFor(const trace::TensorOperand &decision) const;
  Id copyTarget(const trace::TensorOperand &decision) const;
  Id entryOf(Id op, size_t region) const;
  const trace::TensorCost *findCost(const trace::TensorOperand &decision);
  void addResultsOfFrames();
  void setLinks();
  TensorLink linkOf(const TensorUse &use,
                    const trace::TensorOperand &decision) const;
  void collect(Id value, std::set<Id> &seen,
               std::vector<TensorBufferKey> &out) const;

  const TensorFlows &flows;
  const Lookup &lookup;
  const trace::Tensors &facts;
  const Id function;
  std::set<Id> frames;
  std::map<Id, std::vector<TensorUse>> uses;
  std::map<std::pair<Id, int32_t>, const trace::TensorCost *> costs;
  std::set<const trace::TensorCost *> taken;
  /// Of the first tensor of a buffer.
  std::map<Id, std::vector<Source>> sources;
  /// Answers of `buffersOf`, by the first tensor of a buffer.
  mutable std::map<Id, std::vector<TensorBufferKey>> known;
};

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_TENSORS_TENSORSOURCES_H
