//===- core/pipeline/ownership/HandlerCall.cpp ----------------------------===//

#include "core/pipeline/ownership/HandlerCall.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens {

HandlerCall::Place HandlerCall::Place::of(Operation *op) {
  return {op->getBlock(), op->getPrevNode(), op->getNextNode()};
}

HandlerCall::Place HandlerCall::Place::of(OpBuilder &builder) {
  Block *block = builder.getInsertionBlock();
  if (builder.getInsertionPoint() == block->end())
    return {block, block->empty() ? nullptr : &block->back(), nullptr};
  Operation *next = &*builder.getInsertionPoint();
  return {block, next->getPrevNode(), next};
}

HandlerCall::HandlerCall(OwnershipState &state, Operation *function,
                         Block *block, Operation *op, Place place)
    : state(state), function(function), block(block), place(place),
      holdsOp(op->getBlock() == place.block &&
              op->getPrevNode() == place.previous),
      op(state.recorder.idOf(op)), operandsBefore(op->getNumOperands()),
      firstEvent(state.recorder.nextEvent()) {
  if (state.recorder.isSilent())
    return;
  auto note = [&](Operation *one) { before.insert({one, one->getLoc()}); };
  if (state.options.looksEverywhere)
    function->walk(note);
  else if (holdsOp)
    op->walk(note);
  expected.append(op->operand_begin(), op->operand_end());
}

bool HandlerCall::isNew(Operation *one) const {
  auto known = before.find(one);
  return known == before.end() || known->second != one->getLoc();
}

bool HandlerCall::atPlace(Operation *standing,
                          SmallVectorImpl<Operation *> &ops) const {
  Operation *at = holdsOp                ? standing
                  : place.next           ? place.next->getPrevNode()
                  : place.block->empty() ? nullptr
                                         : &place.block->back();
  if (!holdsOp && at == place.previous)
    return true;
  if (!at || at->getBlock() != place.block)
    return false;
  while (at->getPrevNode() && at->getPrevNode() != place.previous)
    at = at->getPrevNode();
  if (at->getPrevNode() != place.previous)
    return false;
  for (; at && at != place.next; at = at->getNextNode())
    ops.push_back(at);
  return at == place.next;
}

SmallVector<Operation *> HandlerCall::findNew(Operation *standing) {
  SmallVector<Operation *> added, there;
  auto addNew = [&](Operation *one) {
    if (isNew(one))
      added.push_back(one);
  };
  if (state.options.looksEverywhere) {
    function->walk<WalkOrder::PreOrder>(addNew);
    return added;
  }
  if (!atPlace(standing, there))
    state.noteMissedChange();
  for (Operation *one : there) {
    one->walk<WalkOrder::PreOrder>(addNew);
    expected.append(one->result_begin(), one->result_end());
  }
  return added;
}

/// What `%x_y = dialect.x %y` is called by.
static llvm::StringRef roleOf(Operation *op) {
  llvm::StringRef name = op->getName().stripDialect();
  return name.contains('.') ? name.rsplit('.').second : name;
}

/// The memref that a base buffer is of; itself if it is not made of one.
static Value listedOf(Value base) {
  auto metadata = base.getDefiningOp<memref::ExtractStridedMetadataOp>();
  if (!metadata)
    return base;
  auto cast = metadata.getSource().getDefiningOp<memref::ReinterpretCastOp>();
  return cast && isa<UnrankedMemRefType>(cast.getSource().getType())
             ? cast.getSource()
             : metadata.getSource();
}

/// An i1 about a buffer is called after it, and so is its base.
void HandlerCall::nameOne(Operation *one) {
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(one)) {
    made.push_back(state.recorder.generated(
        one, "base", listedOf(metadata.getBaseBuffer())));
    return;
  }
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

void HandlerCall::recordDealloc(bufferization::DeallocOp dealloc,
                                Operation *end) {
  Recorder &recorder = state.recorder;
  for (auto [result, value] :
       llvm::zip(dealloc.getUpdatedConditions(), dealloc.getRetained()))
    recorder.nameByRole(result, "own", value);
  trace::DeallocEvent event;
  event.dealloc = recorder.nextDealloc();
  for (Value base : dealloc.getMemrefs())
    event.memrefs.push_back(recorder.idOf(listedOf(base)));
  event.bases = recorder.idsOf(dealloc.getMemrefs());
  event.conditions = recorder.idsOf(dealloc.getConditions());
  event.retained = recorder.idsOf(dealloc.getRetained());
  event.results = recorder.idsOf(dealloc.getUpdatedConditions());
  trace::Id id = recorder.add(dealloc, block, {}, std::move(event)).id;
  const bool leaves = isa<FunctionOpInterface>(end->getParentOp());
  for (Value value : dealloc.getRetained()) {
    trace::RetainEvent why;
    why.reason =
        leaves ? trace::RetainReason::returned : trace::RetainReason::yielded;
    auto operand = llvm::find(end->getOperands(), value);
    if (operand != end->operand_end())
      why.operandIndex = int(std::distance(end->operand_begin(), operand));
    why.dealloc = id;
    recorder.add(dealloc, block, value, why);
  }
}

void HandlerCall::recordEnd(Operation *end, ArrayRef<Operation *> added) {
  if (end->getNumSuccessors() > 0)
    return;
  llvm::DenseMap<Value, Value> memrefOf;
  for (Operation *one : added) {
    auto dealloc = dyn_cast<bufferization::DeallocOp>(one);
    if (!dealloc || dealloc->getBlock() != block)
      continue;
    recordDealloc(dealloc, end);
    for (auto [result, value] :
         llvm::zip(dealloc.getUpdatedConditions(), dealloc.getRetained()))
      memrefOf[result] = value;
  }
  for (unsigned i = operandsBefore; i < end->getNumOperands(); ++i)
    if (Value memref = memrefOf.lookup(end->getOperand(i)))
      state.recorder.add(
          end, block, memref,
          trace::SignatureEvent{trace::SignaturePart::terminatorOperand,
                                state.recorder.idOf(end->getOperand(i)), int(i),
                                -1});
}

void HandlerCall::nameWhatItMade(Operation *standing, Value memref,
                                 Value answer) {
  if (state.recorder.isSilent())
    return;
  SmallVector<Operation *> added = findNew(standing);
  if (standing) {
    expected.append(standing->operand_begin(), standing->operand_end());
    expected.append(standing->result_begin(), standing->result_end());
  }
  if (memref)
    expected.append({memref, answer});
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
  if (now != op)
    state.noteGone(op);
  if (standing && standing->hasTrait<OpTrait::IsTerminator>())
    recordEnd(standing, added);
  Operation *source = answer ? answer.getDefiningOp() : nullptr;
  if (answer == memref || !source || !llvm::is_contained(added, source))
    return;
  state.recorder.nameByRole(answer, roleOf(source), memref);
  if (allocates(answer))
    recordCopy(memref, answer);
}

void HandlerCall::record(Value memref, trace::InterfaceEvent event) {
  if (state.recorder.isSilent())
    return;
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
