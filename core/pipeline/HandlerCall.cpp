//===- core/pipeline/HandlerCall.cpp --------------------------------------===//

#include "core/pipeline/HandlerCall.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace memreflens {

HandlerCall::HandlerCall(OwnershipState &state, Operation *function,
                         Block *block, Operation *op)
    : state(state), function(function), block(block),
      op(state.recorder.idOf(op)), firstEvent(state.recorder.nextEvent()) {
  function->walk([&](Operation *one) { before.insert({one, one->getLoc()}); });
}

bool HandlerCall::isNew(Operation *one) const {
  auto known = before.find(one);
  return known == before.end() || known->second != one->getLoc();
}

/// A copy and the i1s about it are called after the buffer that they are of.
void HandlerCall::nameOne(Operation *one) {
  if (auto clone = dyn_cast<bufferization::CloneOp>(one)) {
    made.push_back(state.recorder.generated(one, "clone", clone.getInput()));
    return;
  }
  made.push_back(state.recorder.generated(one));
  if (isa<arith::ConstantOp>(one) || one->getNumOperands() != 1 ||
      one->getNumResults() != 1 || !one->getResult(0).getType().isInteger(1) ||
      !isMemref(one->getOperand(0)))
    return;
  state.recorder.nameByRole(one->getResult(0), "own", one->getOperand(0));
}

void HandlerCall::nameWhatItMade(Operation *standing) {
  SmallVector<Operation *> added;
  function->walk<WalkOrder::PreOrder>([&](Operation *one) {
    if (isNew(one))
      added.push_back(one);
  });
  if (standing)
    now = state.recorder.findId(standing);
  for (Operation *one : added) {
    // The same op with more operands or results, say: it stays the user's.
    bool isRebuilt =
        one == standing && now == op &&
        state.recorder.getTrace().ops[op].name == one->getName().getStringRef();
    if (!isRebuilt)
      nameOne(one);
    if (one == standing)
      now = state.recorder.idOf(one);
  }
}

void HandlerCall::record(Value memref, trace::InterfaceEvent event) {
  const trace::Trace &trace = state.recorder.getTrace();
  for (trace::Id id = firstEvent; id < state.recorder.nextEvent(); ++id) {
    const auto &detail = trace.events[id].detail;
    if (std::holds_alternative<trace::OwnershipEvent>(detail) ||
        std::holds_alternative<trace::CandidateEvent>(detail))
      event.changes.push_back(id);
  }
  event.made = std::move(made);
  event.now = now;
  state.recorder.add(nullptr, block, memref, std::move(event)).op = op;
}

void HandlerCall::recordProcess() {
  trace::InterfaceEvent event;
  event.call = trace::InterfaceCall::process;
  record({}, std::move(event));
}

void HandlerCall::recordMaterialize(Value memref, Value indicator) {
  trace::InterfaceEvent event;
  event.call = trace::InterfaceCall::materialize;
  event.indicator = state.recorder.idOf(indicator);
  record(memref, std::move(event));
}

} // namespace memreflens
