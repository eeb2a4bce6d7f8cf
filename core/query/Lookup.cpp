//===- core/query/Lookup.cpp ----------------------------------------------===//

#include "core/query/Lookup.h"

namespace memreflens {

using trace::Id;
using trace::none;

Lookup::Lookup(const trace::Trace &trace, Places places)
    : Deallocs(trace, places) {
  for (const trace::Block &block : trace.blocks)
    for (Id successor : passBlocks.successorsOf(block.id))
      ++edges[successor];
  // The branches into a block are found by way of the deallocs' retains, so
  // they wait until all of these are known.
  for (const trace::Event &event : trace.events)
    if (auto *detail = std::get_if<trace::SignatureEvent>(&event.detail))
      addSignature(event, *detail);
}

void Lookup::addSignature(const trace::Event &event,
                          const trace::SignatureEvent &detail) {
  using trace::SignaturePart;
  if (detail.part == SignaturePart::regionOpResult ||
      detail.part == SignaturePart::callResult)
    signatures[detail.indicator] = event.id;
  if (detail.part == SignaturePart::blockArgument) {
    signatures[detail.indicator] = event.id;
    ranks[event.id] = int32_t(taken[event.block]++);
  }
  if (detail.part != SignaturePart::branchOperand)
    return;
  // Where the branch goes: what its dealloc retains for, or what the op says.
  Id successor = none;
  if (auto slot = deallocGiving(detail.indicator))
    for (Id retain : retainsOf(slot->event))
      successor =
          std::get<trace::RetainEvent>(trace.events[retain].detail).successor;
  const trace::Op *terminator = op(event.op);
  size_t edge = detail.edge < 0 ? 0 : size_t(detail.edge);
  if (successor == none && passBlocks.wasSeen(event.block))
    successor = passBlocks.target({event.block, int32_t(edge)});
  if (successor == none && terminator && edge < terminator->successors.size())
    successor = terminator->successors[edge];
  int32_t rank = int32_t(passed[{event.op, detail.edge}]++);
  if (successor != none)
    branches[{successor, rank}].push_back(event.id);
}

Id Lookup::signatureOf(Id indicator) const {
  auto found = signatures.find(indicator);
  return found == signatures.end() ? none : found->second;
}

const Lookup::Ids &Lookup::branchesInto(Id signature) const {
  auto rank = ranks.find(signature);
  if (rank == ranks.end())
    return idsAt(branches, {});
  return idsAt(branches,
               std::pair(trace.events[signature].block, rank->second));
}

size_t Lookup::edgesInto(Id block) const {
  auto found = edges.find(block);
  return found == edges.end() ? 0 : found->second;
}

} // namespace memreflens
