//===- core/pipeline/bufferize/Sharing.cpp --------------------------------===//

#include "core/pipeline/bufferize/Sharing.h"

#include "core/pipeline/bufferize/FalseConflicts.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace memreflens::bufferize {

/// Pairs of a write and a read that are looked at, of one root.
static constexpr size_t mostPairs = 200'000;

namespace {
class Search {
public:
  Search(Operation *root, OneShotAnalysisState &state, Sources &sources,
         Conflicts &conflicts, bool mayHide)
      : root(root), state(state), sources(sources), conflicts(conflicts),
        falseConflicts(state), mayHide(mayHide) {}

  SharedWrites run();

private:
  void findNeeded();
  void gather();
  bool isWrite(OpOperand &use) const;
  bool isRead(OpOperand &use);
  void findReadsOf(OpOperand *write);
  void findReadOnly(OpOperand *write);
  SetVector<Value> wayTo(Value value) const;
  bool isHarmless(const SharedWrite &found, const Conflict &conflict);
  bool setJoin(SharedWrite &found) const;
  bool setJoinOf(SharedWrite &found, const SetVector<Value> &toWrite,
                 const SetVector<Value> &toRead, bool mayBeOfBoth) const;
  bool setJoinByYield(SharedWrite &found, Value carried, Value other,
                      bool isWritten) const;

  Operation *root;
  OneShotAnalysisState &state;
  Sources &sources;
  Conflicts &conflicts;
  FalseConflicts falseConflicts;
  /// Two tensors may be one buffer; else only what must not be written is
  /// looked for.
  const bool mayHide;
  SetVector<Value> needed;
  std::vector<OpOperand *> writes;
  /// By what made the buffer, in program order.
  llvm::DenseMap<unsigned, std::vector<OpOperand *>> readsOf;
  llvm::DenseMap<Operation *, unsigned> places;
  size_t pairsLeft = mostPairs;
  SharedWrites found;
};
} // namespace

/// Loops count as writes of what they are given; what their bodies write is
/// looked at there.
bool Search::isWrite(OpOperand &use) const {
  return state.bufferizesToMemoryWrite(use) && state.isInPlace(use) &&
         !isa<LoopLikeOpInterface>(use.getOwner());
}

/// The tensors that a loop, or the end of a region, makes of the operand; none
/// of other ops.
static SmallVector<Value> passedOnAs(OpOperand &use) {
  Operation *op = use.getOwner();
  const unsigned number = use.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    const unsigned carried = number - loop.getNumControlOperands();
    return {loop.getRegionIterArg(carried), loop.getResult(carried)};
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return {loop.getBeforeArguments()[number]};
  if (auto passed = dyn_cast<scf::ConditionOp>(op)) {
    auto loop = cast<scf::WhileOp>(op->getParentOp());
    return {loop.getAfterArguments()[number - 1], loop.getResult(number - 1)};
  }
  if (!isa<scf::YieldOp>(op))
    return {};
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
    return {loop.getRegionIterArg(number), loop.getResult(number)};
  if (auto loop = dyn_cast<scf::WhileOp>(op->getParentOp()))
    return {loop.getBeforeArguments()[number]};
  return {op->getParentOp()->getResult(number)};
}

/// What only passes a tensor on reads it if it is needed there.
bool Search::isRead(OpOperand &use) {
  const SmallVector<Value> passed = passedOnAs(use);
  return passed.empty() ? conflicts.isRead(use)
                        : llvm::any_of(passed, [&](Value value) {
                            return needed.contains(value);
                          });
}

/// Tensors that an op reads which does not only pass them on, and all that
/// these come from.
void Search::findNeeded() {
  for (Value value : tensorsOf(root))
    for (OpOperand &use : value.getUses())
      if (passedOnAs(use).empty() && state.bufferizesToMemoryRead(use))
        needed.insert(value);
  for (size_t at = 0; at < needed.size(); ++at) {
    const Sources::Flow flow = sources.flowInto(needed[at]);
    for (const auto &operands : {flow.operands, flow.carried, flow.copied})
      for (OpOperand *operand : operands)
        needed.insert(operand->get());
  }
}

void Search::gather() {
  if (mayHide)
    findNeeded();
  unsigned place = 0;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { places[op] = ++place; });
  for (Value value : tensorsOf(root))
    for (OpOperand &use : value.getUses()) {
      if (isWrite(use))
        writes.push_back(&use);
      if (mayHide && isRead(use))
        for (unsigned source : sources.of(value))
          readsOf[source].push_back(&use);
    }
  llvm::sort(writes, [&](OpOperand *one, OpOperand *other) {
    return std::pair(places[one->getOwner()], one->getOperandNumber()) <
           std::pair(places[other->getOwner()], other->getOperandNumber());
  });
}

/// The tensors from which the buffer of `value` comes, the nearest first.
SetVector<Value> Search::wayTo(Value value) const {
  SetVector<Value> way;
  way.insert(value);
  for (size_t at = 0; at < way.size(); ++at) {
    const Sources::Flow flow = sources.flowInto(way[at]);
    for (OpOperand *operand : flow.operands)
      if (state.isInPlace(*operand))
        way.insert(operand->get());
    for (OpOperand *operand : flow.carried)
      way.insert(operand->get());
    // A function may return what it was given.
    if (!flow.returned.empty())
      for (const AliasingOpOperand &given :
           state.getAliasingOpOperands(way[at]))
        if (state.isInPlace(*given.opOperand))
          way.insert(given.opOperand->get());
  }
  return way;
}

/// A loop yields another tensor than the one that it is yielded for.
bool Search::setJoinByYield(SharedWrite &found, Value carried, Value other,
                            bool isWritten) const {
  auto loop = dyn_cast<scf::WhileOp>(carried.getParentBlock()->getParentOp());
  auto argument = dyn_cast<BlockArgument>(carried);
  if (!loop || !argument || argument.getOwner() != loop.getBeforeBody())
    return false;
  OpOperand &yielded = loop.getYieldOp()->getOpOperand(argument.getArgNumber());
  if (!sources.share(yielded.get(), other) ||
      state.areAliasingBufferizedValues(carried, yielded.get()))
    return false;
  found.by = loop;
  found.written = isWritten ? carried : yielded.get();
  found.kept = isWritten ? yielded.get() : carried;
  found.areEqual = true;
  found.toCopy = {&yielded};
  return true;
}

/// One call or loop gives both tensors. What both ways have in common need not
/// be where they part: it is for `mayBeOfBoth`.
bool Search::setJoinOf(SharedWrite &found, const SetVector<Value> &toWrite,
                       const SetVector<Value> &toRead, bool mayBeOfBoth) const {
  for (Value written : toWrite) {
    const Sources::Flow flow = sources.flowInto(written);
    if (!flow.by || (!mayBeOfBoth && toRead.contains(written)))
      continue;
    for (Value kept : toRead) {
      const Sources::Flow other = sources.flowInto(kept);
      if (written == kept || other.by != flow.by ||
          (other.returned.empty() && other.carried.empty()) ||
          (!mayBeOfBoth && toWrite.contains(kept)) ||
          isa<BlockArgument>(written) != isa<BlockArgument>(kept) ||
          !sources.share(written, kept) ||
          state.areAliasingBufferizedValues(written, kept))
        continue;
      found.by = flow.by;
      found.written = written;
      found.kept = kept;
      found.toCopy = other.returned;
      found.toCopy.append(other.carried);
      SmallVector<OpOperand *> others = flow.returned;
      others.append(flow.carried);
      found.areEqual =
          others.size() == found.toCopy.size() &&
          llvm::all_of(llvm::zip_equal(others, found.toCopy), [&](auto pair) {
            return state.areEquivalentBufferizedValues(
                std::get<0>(pair)->get(), std::get<1>(pair)->get());
          });
      return true;
    }
  }
  return false;
}

/// Looks for the call or the loop by which the write and the read are of one
/// buffer.
bool Search::setJoin(SharedWrite &found) const {
  const SetVector<Value> toWrite = wayTo(found.write->get()),
                         toRead = wayTo(found.read->get());
  if (setJoinOf(found, toWrite, toRead, false))
    return true;
  for (Value written : toWrite)
    if (setJoinByYield(found, written, found.read->get(), true))
      return true;
  for (Value kept : toRead)
    if (setJoinByYield(found, kept, found.write->get(), false))
      return true;
  return setJoinOf(found, toWrite, toRead, true);
}

/// Whether other elements are read than are written, or each one before it is
/// written.
bool Search::isHarmless(const SharedWrite &found, const Conflict &conflict) {
  if (!found.areEqual)
    return false;
  Operation *op = found.read->getOwner();
  auto known = state.getOptions().dynCastBufferizableOp(op);
  if (op == found.write->getOwner() && known &&
      known.bufferizesToElementwiseAccess(state, {found.read, found.write}))
    return state.areEquivalentBufferizedValues(found.write->get(),
                                               found.written) &&
           state.areEquivalentBufferizedValues(found.read->get(), found.kept);
  return falseConflicts.isDisjoint(conflict, found.written, found.kept);
}

void Search::findReadsOf(OpOperand *write) {
  SetVector<OpOperand *> reads;
  for (unsigned source : sources.of(write->get()))
    if (auto found = readsOf.find(source); found != readsOf.end())
      reads.insert_range(found->second);
  const unsigned own = places.lookup(write->getOwner());
  auto rank = [&](OpOperand *read) {
    const unsigned place = places.lookup(read->getOwner());
    return std::tuple(place < own, place < own ? own - place : place - own,
                      read->getOperandNumber());
  };
  std::vector<OpOperand *> nearest(reads.begin(), reads.end());
  llvm::stable_sort(nearest, [&](OpOperand *one, OpOperand *other) {
    return rank(one) < rank(other);
  });
  llvm::SmallPtrSet<Operation *, 2> joins;
  for (OpOperand *read : nearest) {
    if (pairsLeft == 0) {
      found.isBounded = true;
      return;
    }
    --pairsLeft;
    Conflict conflict;
    if (state.areAliasingBufferizedValues(write->get(), read->get()) ||
        !conflicts.areInConflict(read, write, conflict))
      continue;
    SharedWrite one;
    one.write = write;
    one.read = read;
    if (setJoin(one) && !isHarmless(one, conflict) &&
        joins.insert(one.by).second)
      found.all.push_back(std::move(one));
  }
}

/// The nearest call or loop that gives what must not be written.
void Search::findReadOnly(OpOperand *write) {
  Value kept = sources.readOnlyIn(write->get());
  if (!kept)
    return;
  for (Value written : wayTo(write->get())) {
    const Sources::Flow flow = sources.flowInto(written);
    SharedWrite one;
    for (const auto &operands : {flow.returned, flow.carried})
      for (OpOperand *operand : operands)
        if (sources.readOnlyIn(operand->get()) == kept &&
            !state.areAliasingBufferizedValues(written, operand->get()))
          one.toCopy.push_back(operand);
    if (one.toCopy.empty())
      continue;
    one.write = write;
    one.by = flow.by;
    one.written = written;
    one.kept = kept;
    found.all.push_back(std::move(one));
    return;
  }
}

SharedWrites Search::run() {
  gather();
  for (OpOperand *write : writes) {
    findReadOnly(write);
    findReadsOf(write);
  }
  return std::move(found);
}

SharedWrites sharedWrites(Operation *root, OneShotAnalysisState &state,
                          Sources &sources, Conflicts &conflicts) {
  const bool mayHide = sources.mayHide(root);
  if (!mayHide && !sources.mayHideReadOnly(root))
    return {};
  sources.follow(root);
  return Search(root, state, sources, conflicts, mayHide).run();
}

} // namespace memreflens::bufferize
