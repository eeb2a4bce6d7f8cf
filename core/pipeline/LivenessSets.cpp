//===- core/pipeline/LivenessSets.cpp -------------------------------------===//

#include "core/pipeline/LivenessSets.h"
#include "core/pipeline/Faults.h"

#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace memreflens {

static void splitSet(const Liveness::ValueSetT &all, SmallVector<Value> &memrefs,
                     SmallVector<const void *> &any) {
  for (Value value : all) {
    any.push_back(value.getAsOpaquePointer());
    if (isa<BaseMemRefType>(value.getType()))
      memrefs.push_back(value);
  }
  llvm::sort(memrefs, bufferization::ValueComparator());
}

LivenessSets::LivenessSets(Operation *function) {
  Liveness liveness(function);
  function->walk([&](Block *block) {
    Sets &entry = sets[block];
    splitSet(liveness.getLiveIn(block), entry.in, entry.anyIn);
    splitSet(liveness.getLiveOut(block), entry.out, entry.anyOut);
  });
}

Value LivenessSets::current(Value value) const {
  if (isSeeded(Fault::staleResultNotRenamed))
    return value;
  // An op is rebuilt once at most. Following twice would be wrong: a new value
  // can lie at the address of an old one.
  auto known = renames.find(value);
  return known == renames.end() ? value : known->second;
}

void LivenessSets::noteRead(ArrayRef<const void *> values) {
  if (readStale || replaced.empty())
    return;
  readStale = llvm::any_of(
      values, [&](const void *value) { return replaced.contains(value); });
}

SmallVector<Value> LivenessSets::liveIn(Block *block) {
  Sets &entry = sets[block];
  noteRead(entry.anyIn);
  SmallVector<Value> values;
  for (Value value : entry.in)
    values.push_back(current(value));
  if (isSeeded(Fault::liveInUnsorted))
    std::reverse(values.begin(), values.end());
  if (isSeeded(Fault::liveInMissed) && !values.empty())
    values.pop_back();
  return values;
}

SmallVector<Value> LivenessSets::liveAcross(Block *from, Block *to) {
  Sets &source = sets[from];
  noteRead(source.anyOut);
  SmallVector<Value> values;
  if (isSeeded(Fault::retainLiveDropped))
    return values;
  SmallPtrSet<Value, 16> wanted;
  if (to)
    wanted.insert(sets[to].in.begin(), sets[to].in.end());
  for (Value value : source.out)
    if (!to || wanted.contains(value) ||
        isSeeded(Fault::retainLiveWithoutTarget))
      values.push_back(current(value));
  return values;
}

Operation *LivenessSets::useAfter(Value value, Block *block) const {
  // Bounded, since a value may have a use in each of thousands of blocks.
  unsigned budget = 64;
  for (Operation *user : value.getUsers()) {
    Operation *here = value.getParentRegion()->findAncestorOpInRegion(*user);
    if (here && here->getBlock() != block)
      return user;
    if (--budget == 0)
      break;
  }
  return nullptr;
}

void LivenessSets::renamed(Value oldValue, Value newValue) {
  renames[oldValue] = newValue;
  replaced.insert(oldValue.getAsOpaquePointer());
}

} // namespace memreflens
