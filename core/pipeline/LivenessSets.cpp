//===- core/pipeline/LivenessSets.cpp -------------------------------------===//

#include "core/pipeline/LivenessSets.h"
#include "core/pipeline/Faults.h"

#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SetOperations.h"

using namespace mlir;

namespace memreflens {

LivenessSets::LivenessSets(Operation *function) : liveness(function) {
  auto note = [&](Value value) {
    if (isa<BaseMemRefType>(value.getType()))
      memrefs.try_emplace(value, memrefs.size());
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      note(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          note(argument);
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

/// Upstream looks at the type of each value in the set, so each one that is
/// gone is a read of freed memory there.
LivenessSets::Set LivenessSets::memrefsOf(const Set &values) {
  Set found;
  for (Value value : values) {
    readStale |= renames.contains(value);
    if (memrefs.contains(value))
      found.insert(value);
  }
  return found;
}

/// The comparator does not tell arguments of equal number in sibling blocks
/// apart, so the outcome rests on the order before: the set's own, as upstream.
/// That is the order of insertion in a small set, but of addresses in a larger
/// one, where upstream's result changes from run to run; ours must not.
SmallVector<Value> LivenessSets::sorted(const Set &values,
                                        bool isHashed) const {
  SmallVector<Value> order(values.begin(), values.end());
  if (isHashed)
    llvm::sort(order, [&](Value first, Value second) {
      return memrefs.lookup(first) < memrefs.lookup(second);
    });
  for (Value &value : order)
    value = current(value);
  std::sort(order.begin(), order.end(), bufferization::ValueComparator());
  return order;
}

/// Elements that a set keeps in order of insertion.
static constexpr unsigned smallSetSize = 16;

SmallVector<Value> LivenessSets::liveIn(Block *block) {
  const Set &live = liveness.getLiveIn(block);
  SmallVector<Value> values =
      sorted(memrefsOf(live), live.size() > smallSetSize);
  if (isSeeded(Fault::liveInUnsorted))
    std::reverse(values.begin(), values.end());
  if (isSeeded(Fault::liveInMissed) && !values.empty())
    values.pop_back();
  return values;
}

SmallVector<Value> LivenessSets::liveAcross(Block *from, Block *to) {
  if (isSeeded(Fault::retainLiveDropped))
    return {};
  const Set &live = liveness.getLiveOut(from);
  Set values = memrefsOf(live);
  if (to && !isSeeded(Fault::retainLiveWithoutTarget))
    llvm::set_intersect(values, liveness.getLiveIn(to));
  return sorted(values, live.size() > smallSetSize);
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
}

} // namespace memreflens
