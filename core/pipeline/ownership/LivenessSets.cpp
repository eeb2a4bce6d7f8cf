//===- core/pipeline/ownership/LivenessSets.cpp ---------------------------===//

#include "core/pipeline/ownership/LivenessSets.h"
#include "core/pipeline/record/Recorder.h"

#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"

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
  // An op is rebuilt once at most. Following twice would be wrong: a new value
  // can lie at the address of an old one.
  auto known = renames.find(value);
  return known == renames.end() ? value : known->second;
}

/// Upstream looks at the type of each value in the set, so each one that is
/// gone is a read of freed memory there.
LiveSet LivenessSets::memrefsOf(const LiveSet &values) {
  return values.filtered([&](Value value) {
    readStale |= renames.contains(value);
    return memrefs.contains(value);
  });
}

/// The comparator does not tell arguments of equal number in sibling blocks
/// apart, so the outcome rests on the order before. Where that is an order of
/// addresses, upstream's result changes from run to run; ours must not.
SmallVector<Value> LivenessSets::sorted(const LiveSet &values) const {
  SmallVector<LiveSet::Member> members = values.members();
  llvm::sort(members, [&](const auto &first, const auto &second) {
    return std::pair(first.group, memrefs.lookup(first.value)) <
           std::pair(second.group, memrefs.lookup(second.value));
  });
  SmallVector<Value> order;
  for (const LiveSet::Member &member : members)
    order.push_back(current(member.value));
  std::sort(order.begin(), order.end(), bufferization::ValueComparator());
  return order;
}

SmallVector<Value> LivenessSets::liveIn(Block *block) {
  SmallVector<Value> values = sorted(memrefsOf(liveness.liveIn(block)));
  return values;
}

SmallVector<Value> LivenessSets::liveAcross(Block *from, Block *to) {
  LiveSet values = memrefsOf(liveness.liveOut(from));
  if (to) {
    const LiveSet &wanted = liveness.liveIn(to);
    values.removeIf([&](Value value) { return !wanted.contains(value); });
  }
  return sorted(values);
}

Operation *LivenessSets::useAfter(Value value, Block *block,
                                  const Recorder &recorder) const {
  // The order of the uses may follow from addresses. Bounded, since a value may
  // have a use in each of thousands of blocks.
  unsigned budget = 64;
  Operation *last = nullptr;
  for (Operation *user : value.getUsers()) {
    Operation *here = value.getParentRegion()->findAncestorOpInRegion(*user);
    if (here && here->getBlock() != block &&
        (!last || recorder.findId(last) < recorder.findId(user)))
      last = user;
    if (--budget == 0)
      break;
  }
  return last;
}

void LivenessSets::renamed(Value oldValue, Value newValue) {
  renames[oldValue] = newValue;
}

} // namespace memreflens
