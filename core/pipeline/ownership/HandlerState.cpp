//===- core/pipeline/ownership/HandlerState.cpp ---------------------------===//

#include "core/pipeline/ownership/HandlerState.h"

#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"

using namespace mlir;

namespace memreflens {

using bufferization::DeallocationState;
using bufferization::Ownership;

//===--- What MLIR's state keeps to itself --------------------------------===//

namespace {
/// Its list can be asked for only by making IR for each memref on it, and no
/// list is handed on to another state. An explicit instantiation may name what
/// is private.
template <auto member, typename Door> struct OpensDoor {
  friend constexpr auto memberBehind(Door) { return member; }
};
struct OwnershipsDoor {
  friend constexpr auto memberBehind(OwnershipsDoor);
};
struct ListsDoor {
  friend constexpr auto memberBehind(ListsDoor);
};
template struct OpensDoor<&DeallocationState::ownershipMap, OwnershipsDoor>;
template struct OpensDoor<&DeallocationState::memrefsToDeallocatePerBlock,
                          ListsDoor>;
} // namespace

static auto &ownershipsOf(DeallocationState &state) {
  return state.*memberBehind(OwnershipsDoor());
}

static auto &listsOf(DeallocationState &state) {
  return state.*memberBehind(ListsDoor());
}

//===--- Ownership --------------------------------------------------------===//

OwnershipValue HandlerState::get(Value memref, Block *block) const {
  const Ownership ownership = state->getOwnership(memref, block);
  if (ownership.isUnique())
    return OwnershipValue::unique(ownership.getIndicator());
  return ownership.isUnknown() ? OwnershipValue::unknown() : OwnershipValue();
}

void HandlerState::set(Value memref, Block *block,
                       const OwnershipValue &ownership) {
  // It only ever joins.
  state->resetOwnerships(memref, block);
  if (ownership.isUnique())
    state->updateOwnership(
        memref, Ownership::getUnique(ownership.getIndicator()), block);
  else if (ownership.isUnknown())
    state->updateOwnership(memref, Ownership::getUnknown(), block);
}

//===--- Dealloc lists ----------------------------------------------------===//

ArrayRef<Value> HandlerState::candidates(Block *block) const {
  const auto &lists = listsOf(*state);
  auto list = lists.find(block);
  return list == lists.end() ? ArrayRef<Value>() : list->second;
}

void HandlerState::addCandidate(Value memref, Block *block) {
  state->addMemrefToDeallocate(memref, block);
}

//===--- Liveness ---------------------------------------------------------===//

HandlerState::HandlerState(Operation *function,
                           SymbolTableCollection &symbolTables)
    : function(function), symbolTables(symbolTables) {
  analyse();
}

HandlerState::~HandlerState() = default;

void HandlerState::analyse() {
  auto analysed = std::make_unique<DeallocationState>(function, symbolTables);
  if (state) {
    ownershipsOf(*analysed) = std::move(ownershipsOf(*state));
    listsOf(*analysed) = std::move(listsOf(*state));
  }
  state = std::move(analysed);
  isStale = false;
  acrossBlocks.clear();
  // Whatever is used only where it is defined is live across no border.
  function->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (operand.getParentBlock() != op->getBlock())
        acrossBlocks.insert(operand);
  });
}

DeallocationState &HandlerState::forCall() {
  if (isStale)
    analyse();
  return *state;
}

} // namespace memreflens
