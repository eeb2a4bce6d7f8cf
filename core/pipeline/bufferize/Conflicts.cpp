//===- core/pipeline/bufferize/Conflicts.cpp ------------------------------===//

#include "core/pipeline/bufferize/Conflicts.h"

#include "mlir/Interfaces/SubsetOpInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace memreflens::bufferize {

/// Of one operand: past it, only the nearest were looked at.
static constexpr size_t mostPairs = 20'000;

Conflicts::Conflicts(OneShotAnalysisState &state, Operation *root)
    : state(state), dominance(root) {
  unsigned place = 0;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { places[op] = ++place; });
}

unsigned Conflicts::placeOf(Value value) const {
  Operation *op = value.getDefiningOp();
  return placeOf(op ? op : value.getParentBlock()->getParentOp());
}

//===--- Reads and writes of a buffer -------------------------------------===//

std::vector<Value> Conflicts::aliasesOf(OpOperand &operand) {
  llvm::SetVector<Value> aliases;
  auto add = [&](Value value) { aliases.insert(value); };
  state.applyOnAliases(operand.get(), add);
  for (const AliasingValue &result : state.getAliasingValues(operand))
    state.applyOnAliases(result.value, add);
  return {aliases.begin(), aliases.end()};
}

/// An op that only passes the buffer on reads it where its result is read.
bool Conflicts::isRead(OpOperand &use) {
  if (state.bufferizesToMemoryRead(use))
    return true;
  return !state.bufferizesToMemoryWrite(use) &&
         llvm::any_of(state.getAliasingValues(use),
                      [&](const AliasingValue &result) {
                        return state.isValueRead(result.value);
                      });
}

void Conflicts::gather(OpOperand &operand, Uses &reads, Uses &writes) {
  for (Value alias : aliasesOf(operand))
    for (OpOperand &use : alias.getUses()) {
      if (isRead(use))
        reads.push_back(&use);
      if (state.bufferizesToMemoryWrite(use) && state.isInPlace(use))
        writes.push_back(&use);
    }
  if (state.bufferizesToMemoryWrite(operand) && !state.isInPlace(operand))
    writes.push_back(&operand);
  auto byPlace = [&](OpOperand *one, OpOperand *other) {
    return std::pair(placeOf(one->getOwner()), one->getOperandNumber()) <
           std::pair(placeOf(other->getOwner()), other->getOperandNumber());
  };
  for (Uses *uses : {&reads, &writes}) {
    llvm::sort(*uses, byPlace);
    uses->erase(std::unique(uses->begin(), uses->end()), uses->end());
  }
}

//===--- A read and a write -----------------------------------------------===//

/// Whether `first` runs, and ends, in front of `second` wherever both run.
static bool runsBefore(Operation *first, Operation *second,
                       DominanceInfo &dominance) {
  for (; first; first = first->getParentOp()) {
    if (first->isProperAncestor(second))
      return false;
    if (dominance.properlyDominates(first, second))
      return true;
  }
  return false;
}

/// The outermost loop around the read that the definition is not in; null if
/// there is none.
static Region *loopBetween(OneShotAnalysisState &state, Operation *read,
                           Value definition) {
  const BufferizationOptions &options = state.getOptions();
  Region *around = state.getEnclosingRepetitiveRegion(definition, options);
  Region *loop = state.getEnclosingRepetitiveRegion(read, options);
  if (loop == around)
    return nullptr;
  while (loop) {
    Region *next = getNextEnclosingRepetitiveRegion(loop, options);
    if (next == around)
      break;
    loop = next;
  }
  return loop;
}

/// Whether the order of the two ops says which of them runs first: no loop, of
/// regions or of blocks, leads from the write back to the read without passing
/// the definition.
bool Conflicts::isOrdered(OpOperand *read, OpOperand *write,
                          ArrayRef<Value> definitions) {
  Block *readBlock = read->getOwner()->getBlock();
  Block *writeBlock = write->getOwner()->getBlock();
  for (Value definition : definitions) {
    Region *loop = loopBetween(state, read->getOwner(), definition);
    if (loop && loop->getParentOp()->isAncestor(write->getOwner()))
      return false;
    if (readBlock->getParent() != writeBlock->getParent())
      continue;
    Block *from = definition.getParentBlock();
    if (readBlock->isReachable(writeBlock, {from}) &&
        writeBlock->isReachable(readBlock, {from}))
      return false;
  }
  return true;
}

/// A result or an argument of an op with regions.
static bool isOfRegions(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || op->getNumRegions() > 0;
}

/// Whether the first operand is the other value after steps that keep the
/// buffer as it is.
bool Conflicts::comesFrom(OpOperand *operand, Value value) {
  TraversalConfig steps;
  steps.followEquivalentOnly = true;
  steps.alwaysIncludeLeaves = false;
  steps.followSameTypeOrCastsOnly = true;
  auto isEnd = [&](Value met) {
    return met == value || (!passesRegions && isOfRegions(met));
  };
  return state.findValueInReverseUseDefChain(operand, isEnd, steps)
      .contains(value);
}

bool Conflicts::isHarmlessInOrder(OpOperand *read, OpOperand *write) {
  Operation *reader = read->getOwner(), *writer = write->getOwner();
  if (read == write || runsBefore(reader, writer, dominance) ||
      state.insideMutuallyExclusiveRegions(reader, writer))
    return true;
  if (reader != writer)
    return false;
  auto op = state.getOptions().dynCastBufferizableOp(reader);
  return op && op.bufferizesToElementwiseAccess(state, {read, write}) &&
         (comesFrom(read, write->get()) || comesFrom(write, read->get()));
}

/// Whether all that `operand` may be is the part that `insertion` writes.
static bool isInsertedPart(const OneShotAnalysisState &state,
                           OpOperand *operand,
                           SubsetInsertionOpInterface insertion) {
  auto isPart = [&](Value value) {
    return isa<OpResult>(value) &&
           insertion.isEquivalentSubset(
               value, [](Value one, Value other) { return one == other; });
  };
  return llvm::all_of(state.findValueInReverseUseDefChain(operand, isPart),
                      isPart);
}

/// An insertion reads of its destination what it does not overwrite, and of its
/// source what it puts there.
bool Conflicts::areSubsetsApart(OpOperand *read, OpOperand *write) {
  if (auto insertion = dyn_cast<SubsetInsertionOpInterface>(read->getOwner())) {
    if (read == &insertion.getDestinationOperand() &&
        isInsertedPart(state, write, insertion))
      return true;
    if (read == &insertion.getSourceOperand() &&
        write == &insertion.getDestinationOperand() &&
        isInsertedPart(state, read, insertion))
      return true;
  }
  auto insertion = dyn_cast<SubsetInsertionOpInterface>(write->getOwner());
  return insertion && write == &insertion.getDestinationOperand() &&
         read->get() == insertion.getSourceOperand().get() &&
         isInsertedPart(state, &insertion.getSourceOperand(), insertion);
}

bool Conflicts::isHarmless(OpOperand *read, OpOperand *write, bool isOrdered) {
  if ((isOrdered && isHarmlessInOrder(read, write)) ||
      areSubsetsApart(read, write))
    return true;
  for (Operation *op : {read->getOwner(), write->getOwner()})
    if (auto known = state.getOptions().dynCastBufferizableOp(op);
        known && known.isNotConflicting(read, write, state))
      return true;
  return false;
}

/// Whether the write can come behind the definition, and is not the definition
/// itself.
bool Conflicts::reaches(OpOperand *write, Value definition) {
  Operation *writer = write->getOwner();
  if (Operation *defining = definition.getDefiningOp()) {
    if (defining->isProperAncestor(writer) ||
        runsBefore(writer, defining, dominance))
      return false;
  } else if (!definition.getParentBlock()->findAncestorOpInBlock(*writer)) {
    return false;
  }
  AliasingValueList made = state.getAliasingValues(*write);
  return made.getNumAliases() != 1 || made.begin()->value != definition;
}

bool Conflicts::find(OpOperand *read, OpOperand *write, Conflict &found) {
  if (state.hasUndefinedContents(read))
    return false;
  const SetVector<Value> &definitions = state.findDefinitionsCached(read);
  const bool ordered = isOrdered(read, write, definitions.getArrayRef());
  if (definitions.empty() || isHarmless(read, write, ordered))
    return false;
  for (Value definition : definitions) {
    if (!reaches(write, definition))
      continue;
    if (found.definition)
      found.others.push_back(definition);
    else
      found = {read, write, definition, {}, !ordered};
  }
  return bool(found.definition);
}

//===--- Answers ----------------------------------------------------------===//

void Conflicts::findShared(const Uses &writes, Reasons &reasons) {
  const BufferizationOptions &options = state.getOptions();
  for (OpOperand *write : writes) {
    Region *own =
        getParallelRegion(write->getOwner()->getParentRegion(), options);
    for (Value definition :
         state.findValueInReverseUseDefChain(write, [&](Value value) {
           return state.bufferizesToMemoryWrite(value);
         }))
      if (getParallelRegion(definition.getParentRegion(), options) != own)
        reasons.shared.push_back({write, definition});
  }
}

bool Conflicts::isShared(OpOperand *write) {
  Reasons reasons;
  findShared({write}, reasons);
  return !reasons.shared.empty();
}

/// The operand's own write says most, and of the reads the next one.
void Conflicts::keepNearest(OpOperand &operand, Reasons &reasons) {
  const unsigned own = placeOf(operand.getOwner());
  auto rank = [&](const Conflict &conflict) {
    const unsigned read = placeOf(conflict.read->getOwner());
    const bool isBehind = read >= own;
    return std::tuple(conflict.write != &operand, !isBehind,
                      isBehind ? read - own : own - read);
  };
  llvm::stable_sort(reasons.conflicts,
                    [&](const Conflict &one, const Conflict &other) {
                      return rank(one) < rank(other);
                    });
  if (reasons.conflicts.size() > kept)
    reasons.conflicts.resize(kept);
}

/// Pair by pair, as far as the limits allow.
void Conflicts::findConflicts(const Uses &reads, const Uses &writes,
                              Reasons &reasons) {
  llvm::DenseSet<OpOperand *> readers, writers;
  size_t left = std::min(mostPairs, pairsLeft);
  const size_t before = left;
  for (OpOperand *write : writes)
    for (OpOperand *read : reads) {
      if (left == 0) {
        reasons.isBounded = true;
        break;
      }
      --left;
      Conflict found;
      if (!find(read, write, found))
        continue;
      reasons.conflicts.push_back(found);
      readers.insert(read);
      writers.insert(write);
    }
  pairsLeft -= before - left;
  reasons.count = uint32_t(reasons.conflicts.size());
  reasons.reads = uint32_t(readers.size());
  reasons.writes = uint32_t(writers.size());
}

Conflicts::Reasons Conflicts::of(OpOperand &operand) {
  Reasons reasons;
  Uses reads, writes;
  gather(operand, reads, writes);
  if (!reads.empty())
    findShared(writes, reasons);
  if (state.isInPlace(operand))
    return reasons;
  if (!writes.empty())
    for (Value alias : aliasesOf(operand))
      if (!state.isWritable(alias))
        reasons.notWritable.push_back(alias);
  llvm::stable_sort(reasons.notWritable, [&](Value one, Value other) {
    return placeOf(one) < placeOf(other);
  });
  findConflicts(reads, writes, reasons);
  // While the operand was decided, MLIR did not know of loops that what they
  // yield is in the buffer of what they carry.
  if (reasons.conflicts.empty() && reasons.notWritable.empty() &&
      reasons.shared.empty()) {
    passesRegions = false;
    findConflicts(reads, writes, reasons);
    passesRegions = true;
  }
  keepNearest(operand, reasons);
  return reasons;
}

/// The block of the region of several blocks that the op is in, where
/// `argument` is one of that region.
static Block *blockInRegionOf(Value argument, Operation *op) {
  return argument.getParentRegion()->findAncestorBlockInRegion(*op->getBlock());
}

std::vector<Conflict> Conflicts::overwritten(OpOperand &write) {
  std::vector<Conflict> found;
  Uses reads, writes;
  gather(write, reads, writes);
  for (OpOperand *read : reads) {
    if (read == &write || state.hasUndefinedContents(read) || pairsLeft == 0)
      continue;
    --pairsLeft;
    const SetVector<Value> definitions = state.findDefinitionsCached(read);
    const bool ordered = isOrdered(read, &write, definitions.getArrayRef());
    if (isHarmless(read, &write, ordered))
      continue;
    for (Value definition : definitions) {
      if (!isa<BlockArgument>(definition) ||
          definition.getParentRegion()->hasOneBlock())
        continue;
      Block *from = blockInRegionOf(definition, write.getOwner());
      Block *to = blockInRegionOf(definition, read->getOwner());
      if (from && to && from != definition.getParentBlock() &&
          (from == to || from->isReachable(to, {definition.getParentBlock()})))
        found.push_back({read, &write, definition, {}, !ordered});
    }
  }
  return found;
}

} // namespace memreflens::bufferize
