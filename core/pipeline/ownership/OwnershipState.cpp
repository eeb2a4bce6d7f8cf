//===- core/pipeline/ownership/OwnershipState.cpp -------------------------===//

#include "core/pipeline/ownership/OwnershipState.h"
#include "core/pipeline/ownership/Remedies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memreflens {

using trace::none;

bool isMemref(Value value) { return isa<BaseMemRefType>(value.getType()); }

OwnershipState::OwnershipState(Operation *function, OwnershipOptions options,
                               Recorder &recorder)
    : options(options), recorder(recorder), liveness(function),
      function(function) {}

//===--- Ownership --------------------------------------------------------===//

OwnershipValue OwnershipState::get(Value memref, Block *block) const {
  if (handlers)
    return handlers->get(memref, block);
  return ownerships.lookup({memref, block}).ownership;
}

trace::Id OwnershipState::lastEvent(Value memref, Block *block) const {
  auto entry = ownerships.find({memref, block});
  return entry == ownerships.end() ? none : entry->second.event;
}

void OwnershipState::join(Value memref, Block *block, OwnershipValue with,
                          trace::OwnershipRule rule, Operation *cause,
                          ValueRange inputs,
                          ArrayRef<OwnershipValue> inputOwnerships,
                          OwnershipValue refinedFrom) {
  aboutToWrite(memref, block);
  Entry &entry = ownerships[{memref, block}];
  OwnershipValue before = handlers ? get(memref, block) : entry.ownership;
  entry.ownership = before.join(with);
  if (handlers)
    handlers->set(memref, block, entry.ownership);
  trace::OwnershipEvent event;
  event.rule = rule;
  event.before = recorder.toTrace(before);
  event.with = recorder.toTrace(with);
  event.after = recorder.toTrace(entry.ownership);
  event.inputs = recorder.idsOf(inputs);
  for (const OwnershipValue &input : inputOwnerships)
    event.inputOwnerships.push_back(recorder.toTrace(input));
  event.refinedFrom = recorder.toTrace(refinedFrom);
  entry.event = recorder.add(cause, block, memref, std::move(event)).id;
}

void OwnershipState::joinIndicator(Value memref, Block *block, Value indicator,
                                   trace::OwnershipRule rule,
                                   Operation *cause) {
  join(memref, block, OwnershipValue::unique(indicator), rule, cause);
}

void OwnershipState::reset(ValueRange memrefs, Block *block) {
  for (Value memref : memrefs) {
    aboutToWrite(memref, block);
    ownerships[{memref, block}].ownership = OwnershipValue();
    if (handlers)
      handlers->set(memref, block, OwnershipValue());
  }
}

//===--- Dealloc lists ----------------------------------------------------===//

void OwnershipState::addCandidate(Value memref, Block *block,
                                  trace::CandidateSource source,
                                  Operation *cause) {
  if (handlers)
    handlers->addCandidate(memref, block);
  else
    lists[block].push_back(memref);
  recorder.add(cause, block, memref, trace::CandidateEvent{source, {}});
}

void OwnershipState::noteDropped(Value memref, Block *block,
                                 trace::CandidateSource source,
                                 trace::DropReason reason, Operation *cause) {
  recorder.add(cause, block, memref, trace::CandidateEvent{source, reason});
}

ArrayRef<Value> OwnershipState::candidates(Block *block) const {
  if (handlers)
    return handlers->candidates(block);
  auto list = lists.find(block);
  return list == lists.end() ? ArrayRef<Value>() : list->second;
}

//===--- Handlers of other dialects ---------------------------------------===//

HandlerState &OwnershipState::forHandlers(SymbolTableCollection &symbolTables) {
  if (handlers)
    return *handlers;
  handlers = std::make_unique<HandlerState>(function, symbolTables);
  for (const auto &[key, entry] : ownerships)
    handlers->set(key.first, key.second, entry.ownership);
  for (const auto &[block, list] : lists)
    for (Value memref : list)
      handlers->addCandidate(memref, block);
  return *handlers;
}

bool OwnershipState::isChanged(Value memref, Block *block) const {
  const OwnershipValue before = ownerships.lookup({memref, block}).ownership;
  const OwnershipValue now = handlers->get(memref, block);
  return now.getState() != before.getState() ||
         now.getIndicator() != before.getIndicator();
}

llvm::SmallSetVector<Value, 4> OwnershipState::changedIn(Block *block) const {
  llvm::SmallSetVector<Value, 4> changed;
  for (const auto &[key, entry] : ownerships)
    if (key.second == block && !entry.ownership.isUninitialized() &&
        isChanged(key.first, block))
      changed.insert(key.first);
  SmallVector<Value> known = changed.takeVector();
  llvm::sort(known, bufferization::ValueComparator());
  changed.insert(known.begin(), known.end());
  for (Operation &op : *block)
    for (Value result : op.getResults())
      if (isMemref(result) && isChanged(result, block))
        changed.insert(result);
  return changed;
}

void OwnershipState::recordChanges(Block *block, trace::OwnershipRule rule,
                                   Operation *cause, ArrayRef<Value> expected) {
  llvm::SmallSetVector<Value, 4> changed;
  if (options.looksEverywhere) {
    changed = changedIn(block);
  } else {
    // In the same order: what had an ownership, then what else is defined here.
    SmallVector<Value> known, others;
    for (Value value : expected) {
      if (!isMemref(value) || !isChanged(value, block))
        continue;
      if (!ownerships.lookup({value, block}).ownership.isUninitialized())
        known.push_back(value);
      else if (isa<OpResult>(value) && value.getParentBlock() == block)
        others.push_back(value);
    }
    llvm::sort(known, bufferization::ValueComparator());
    llvm::sort(others, bufferization::ValueComparator());
    changed.insert(known.begin(), known.end());
    changed.insert(others.begin(), others.end());
  }
  isTakingOver = true;
  for (Value memref : changed) {
    const OwnershipValue now = handlers->get(memref, block);
    reset(memref, block);
    if (!now.isUninitialized())
      join(memref, block, now, rule, cause);
  }
  isTakingOver = false;
}

void OwnershipState::aboutToWrite(Value memref, Block *block) {
  if (handlers && !isTakingOver && !recorder.isSilent() &&
      isChanged(memref, block))
    noteMissedChange();
}

/// Whether an op was made and got no number: it has none, or that of another
/// one, which may be gone.
bool OwnershipState::missedOp() const {
  llvm::DenseSet<trace::Id> seen;
  return function
      ->walk([&](Operation *op) {
        const trace::Id id = recorder.findId(op);
        return id == none || gone.contains(id) || !seen.insert(id).second
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool OwnershipState::missedChange() const {
  if (!handlers || recorder.isSilent() || options.looksEverywhere)
    return false;
  auto isChangedHere = [&](Operation *op) {
    return llvm::any_of(op->getResults(), [&](Value result) {
      return isMemref(result) && isChanged(result, op->getBlock());
    });
  };
  return isMissed || missedOp() ||
         llvm::any_of(ownerships,
                      [&](const auto &entry) {
                        return isChanged(entry.first.first, entry.first.second);
                      }) ||
         function
             ->walk([&](Operation *op) {
               return isChangedHere(op) ? WalkResult::interrupt()
                                        : WalkResult::advance();
             })
             .wasInterrupted();
}

void OwnershipState::renamed(Value oldValue, Value newValue) {
  liveness.renamed(oldValue, newValue);
  if (handlers)
    handlers->gone(oldValue);
}

//===--- At terminators ---------------------------------------------------===//

/// The buffer as allocated: what a view was made of must not be freed.
static Value baseBuffer(OpBuilder &builder, Location location, Value memref,
                        Recorder &recorder) {
  Value listed = memref;
  if (isa<UnrankedMemRefType>(memref.getType())) {
    auto cast = memref::ReinterpretCastOp::create(
        builder, location, memref, builder.getIndexAttr(0),
        ArrayRef<OpFoldResult>(), ArrayRef<OpFoldResult>());
    recorder.generated(cast, "ranked", listed);
    memref = cast;
  }
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, location, memref);
  recorder.generated(metadata, "base", listed);
  return metadata.getBaseBuffer();
}

FailureOr<DeallocList> OwnershipState::buildDeallocList(OpBuilder &builder,
                                                        Operation *terminator) {
  Block *block = terminator->getBlock();
  Location location = terminator->getLoc();
  DeallocList list;
  for (Value memref : candidates(block)) {
    OwnershipValue ownership = get(memref, block);
    if (!ownership.isUnique())
      return rejectOwnership(*this, memref, terminator);
    list.listed.push_back(memref);
    list.bases.push_back(baseBuffer(builder, location, memref, recorder));
    list.conditions.push_back(ownership.getIndicator());
  }
  return list;
}

SmallVector<Retained> OwnershipState::toRetain(Block *from, Block *to,
                                               OperandRange forwarded,
                                               trace::RetainReason reason) {
  SmallVector<Retained> retained;
  for (auto [index, operand] : llvm::enumerate(forwarded))
    if (isMemref(operand))
      retained.push_back(
          {operand, reason, int(forwarded.getBeginOperandIndex() + index)});
  for (Value live : liveness.liveAcross(from, to))
    retained.push_back({live, trace::RetainReason::liveAcrossEdge});
  return retained;
}

bufferization::DeallocOp
OwnershipState::insertDealloc(OpBuilder &builder, Operation *terminator,
                              const DeallocList &list, ValueRange conditions,
                              ArrayRef<Retained> retained, int edge) {
  Block *block = terminator->getBlock();
  auto values = llvm::map_to_vector(
      retained, [](const Retained &entry) { return entry.value; });
  auto dealloc = bufferization::DeallocOp::create(
      builder, terminator->getLoc(), list.bases, conditions, values);
  ++made.deallocs;
  recorder.generated(dealloc);
  for (auto [result, value] : llvm::zip(dealloc.getUpdatedConditions(), values))
    recorder.nameByRole(result, "own", value);

  trace::DeallocEvent event;
  event.dealloc = recorder.nextDealloc();
  event.edge = edge;
  event.memrefs = recorder.idsOf(list.listed);
  event.bases = recorder.idsOf(list.bases);
  event.conditions = recorder.idsOf(conditions);
  event.retained = recorder.idsOf(values);
  event.results = recorder.idsOf(dealloc.getUpdatedConditions());
  trace::Id recorded = recorder.add(dealloc, block, {}, std::move(event)).id;

  Block *successor = terminator->getNumSuccessors() == 0
                         ? nullptr
                         : terminator->getSuccessor(edge < 0 ? 0 : edge);
  for (const Retained &entry : retained) {
    trace::RetainEvent why{entry.reason,
                           successor ? recorder.idOf(successor) : none, edge,
                           entry.operandIndex, recorded};
    recorder.add(dealloc, block, entry.value, why);
  }
  reset(values, block);
  for (auto [value, result] : llvm::zip(values, dealloc.getUpdatedConditions()))
    joinIndicator(value, block, result, trace::OwnershipRule::retainedResult,
                  dealloc);
  return dealloc;
}

//===--- Unique indicators ------------------------------------------------===//

std::pair<Value, Value>
OwnershipState::uniqueOrClone(OpBuilder &builder, Value memref, Block *block,
                              trace::CloneDemand demand) {
  OwnershipValue ownership = get(memref, block);
  if (ownership.isUnique())
    return {memref, ownership.getIndicator()};

  Location location = memref.getLoc();
  auto clone = bufferization::CloneOp::create(builder, location, memref);
  ++made.clones;
  recorder.generated(clone, "clone", memref);
  Value owned = constant(builder, location, true);
  trace::CloneEvent event;
  event.result = recorder.idOf(clone.getResult());
  event.demand = demand;
  event.ownership = recorder.toTrace(ownership);
  event.because = lastEvent(memref, block);
  recorder.add(clone, clone->getBlock(), memref, event);
  joinIndicator(clone, clone->getBlock(), owned, trace::OwnershipRule::cloned,
                clone);
  addCandidate(clone, clone->getBlock(), trace::CandidateSource::clone, clone);
  return {clone.getResult(), owned};
}

//===--- IR made by the pass ----------------------------------------------===//

Value OwnershipState::constant(OpBuilder &builder, Location location,
                               bool value) {
  auto op =
      arith::ConstantOp::create(builder, location, builder.getBoolAttr(value));
  recorder.generated(op, value ? "true" : "false");
  return op;
}

LogicalResult OwnershipState::reject(Operation *op, Value value,
                                     trace::RejectionCause cause,
                                     StringRef message,
                                     std::vector<trace::Id> witnesses) {
  trace::RejectionEvent event;
  event.cause = cause;
  event.message = message.str();
  event.witnesses = std::move(witnesses);
  if (event.witnesses.empty())
    event.witnesses.push_back(recorder.idOf(op));
  event.remedies = remediesFor(cause, op);
  rejection = {op, op->getLoc(), cause, event.message, event.remedies};
  recorder.add(op, op->getBlock(), value, std::move(event));
  return failure();
}

} // namespace memreflens
