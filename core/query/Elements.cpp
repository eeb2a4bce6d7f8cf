//===- core/query/Elements.cpp --------------------------------------------===//

#include "core/query/Elements.h"
#include "core/trace/Plan.h"

namespace memreflens {

using trace::Id;
using trace::none;

template <class T>
static const T *elementAt(const std::vector<T> &elements, Id id) {
  return id >= 0 && size_t(id) < elements.size() ? &elements[id] : nullptr;
}

Elements::Elements(const trace::Trace &trace)
    : trace(trace), placementStage(trace::placementStage(trace.options)),
      lines(trace.source.text), index(trace), passBlocks(trace) {
  for (const trace::Block &block : trace.blocks)
    if (block.parentOp != none)
      nested[block.parentOp].push_back(block.id);
  for (const trace::Value &value : trace.values)
    if (value.isMemref)
      memrefs[index.functionOfValue(value.id)].push_back(value.id);
  for (const trace::Event &event : trace.events)
    if (std::holds_alternative<trace::LivenessEvent>(event.detail))
      liveness[event.block] = event.id;
}

const trace::Value *Elements::value(Id id) const {
  return elementAt(trace.values, id);
}

const trace::Op *Elements::op(Id id) const { return elementAt(trace.ops, id); }

const trace::Block *Elements::block(Id id) const {
  return elementAt(trace.blocks, id);
}

const trace::Event *Elements::event(Id id) const {
  return elementAt(trace.events, id);
}

const trace::Function *Elements::function(Id id) const {
  return elementAt(trace.functions, id);
}

const trace::Function *Elements::calleeOf(const trace::Op &call) const {
  const trace::Op *known = &call;
  for (int steps = 0;
       known && known->callee == none && known->generated && steps < 8; ++steps)
    known = op(known->origin);
  return known ? function(known->callee) : nullptr;
}

const trace::LivenessEvent *Elements::livenessOf(Id id) const {
  auto found = liveness.find(id);
  return found == liveness.end() ? nullptr
                                 : std::get_if<trace::LivenessEvent>(
                                       &trace.events[found->second].detail);
}

const Elements::Ids &Elements::memrefsOf(Id function) const {
  return idsAt(memrefs, function);
}

const Elements::Ids &Elements::blocksBelow(Id op) const {
  return idsAt(nested, op);
}

} // namespace memreflens
