//===- core/pipeline/HandlerCall.cpp --------------------------------------===//

#include "core/pipeline/HandlerCall.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

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

/// What `%x_y = dialect.x %y` is called by.
static llvm::StringRef roleOf(Operation *op) {
  llvm::StringRef name = op->getName().stripDialect();
  return name.contains('.') ? name.rsplit('.').second : name;
}

/// An i1 about a buffer is called after it.
void HandlerCall::nameOne(Operation *one) {
  made.push_back(state.recorder.generated(one));
  if (isa<arith::ConstantOp>(one) || one->getNumOperands() != 1 ||
      one->getNumResults() != 1 || !one->getResult(0).getType().isInteger(1) ||
      !isMemref(one->getOperand(0)))
    return;
  state.recorder.nameByRole(one->getResult(0), "own", one->getOperand(0));
}

static bool allocates(Value result) {
  auto effects = result.getDefiningOp<MemoryEffectOpInterface>();
  return effects && effects.getEffectOnValue<MemoryEffects::Allocate>(result);
}

void HandlerCall::recordCopy(Value memref, Value answer) {
  trace::CloneEvent event;
  event.result = state.recorder.idOf(answer);
  event.demand = trace::CloneDemand::functionReturn;
  event.ownership = state.recorder.toTrace(state.get(memref, block));
  event.because = state.lastEvent(memref, block);
  state.recorder.add(answer.getDefiningOp(), block, memref, event);
}

void HandlerCall::nameWhatItMade(Operation *standing, Value memref,
                                 Value answer) {
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
  Operation *source = answer ? answer.getDefiningOp() : nullptr;
  if (answer == memref || !source || !llvm::is_contained(added, source))
    return;
  state.recorder.nameByRole(answer, roleOf(source), memref);
  if (allocates(answer))
    recordCopy(memref, answer);
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
