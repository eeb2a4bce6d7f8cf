//===- core/pipeline/simplify/AliasGroup.cpp ------------------------------===//
//
// One buffer against a whole list.

#include "core/pipeline/simplify/AliasGroup.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace memreflens {

AliasOracle::AliasOracle(const OriginAnalysis &analysis,
                         const SimplifyOptions &options)
    : analysis(analysis), options(options) {}
AliasOracle::~AliasOracle() = default;

const AliasGroup &AliasOracle::groupOf(ValueRange values) const {
  const unsigned changes = analysis.changeCount();
  if (!last || changesOfLast != changes ||
      !llvm::equal(last->getValues(), values))
    last = std::make_unique<AliasGroup>(*this, values);
  changesOfLast = changes;
  return *last;
}

AliasOracle::Failures AliasOracle::failuresNow(Operation *op) const {
  auto operands = op->getOperands();
  return {analysis.changeCount(),
          llvm::hash_combine_range(operands.begin(), operands.end()),
          {}};
}

bool AliasOracle::hasFailed(const Pattern &pattern, Operation *op) const {
  auto known = failed.find(op);
  return known != failed.end() &&
         llvm::is_contained(known->second.patterns, &pattern) &&
         known->second.isOf(failuresNow(op));
}

void AliasOracle::noteFailure(const Pattern &pattern, Operation *op) const {
  if (!analysis.answersAlike())
    return;
  Failures now = failuresNow(op);
  Failures &known = failed[op];
  if (!known.isOf(now))
    known = std::move(now);
  known.patterns.push_back(&pattern);
}

std::optional<bool> AliasOracle::same(Value a, Value b) const {
  if (!options.observer)
    return analysis.verdict(a, b).same;
  AliasAnswer answer = analysis.isSameAllocation(a, b);
  options.observer->onAliasQuery(answer);
  return answer.same;
}

/// An allocation made below a block is not what the block was given.
static bool allocatedUnderBlockOf(Value allocation, Value argument) {
  auto blockArgument = dyn_cast<BlockArgument>(argument);
  Operation *op = allocation.getDefiningOp();
  return blockArgument && op &&
         hasEffect<MemoryEffects::Allocate>(op, allocation) &&
         blockArgument.getOwner()->findAncestorOpInBlock(*op);
}

bool AliasOracle::distinct(Value a, Value b) const {
  Value firstBase = stripViews(a);
  Value secondBase = stripViews(b);
  if (!allocatedUnderBlockOf(firstBase, secondBase) &&
      !allocatedUnderBlockOf(secondBase, firstBase))
    return same(a, b) == false;
  if (options.observer) {
    AliasAnswer answer;
    answer.first = a;
    answer.second = b;
    answer.same = false;
    answer.rule = trace::AliasRule::argumentOutlives;
    answer.firstTerminals = {firstBase};
    answer.secondTerminals = {secondBase};
    options.observer->onAliasQuery(answer);
  }
  return true;
}

/// A list up to this long is gone through: a value may come from very many
/// buffers, and an entry for each costs more.
static constexpr size_t shortList = 16;

AliasGroup::AliasGroup(const AliasOracle &oracle, ValueRange list)
    : oracle(oracle), values(list),
      pairwise(oracle.options.askEveryPair || oracle.analysis.isRefined()) {
  for (unsigned position = 0; position < values.size() && !pairwise;
       ++position) {
    const Origins &origins = oracle.analysis.origins(values[position]);
    pairwise = origins.isFresh;
    all.push_back(position);
    byBase[origins.base].push_back(position);
    if (values.size() > shortList)
      SharedSets::forEach(origins.terminals, [&](unsigned terminal) {
        byTerminal[terminal].push_back(position);
      });
    if (!origins.allAllocations)
      notAllocations.push_back(position);
    if (!origins.allAllocationsOrEntryArguments)
      neitherAllocationsNorArguments.push_back(position);
  }
}

/// Those that have a terminal in common, by the first such.
bool AliasGroup::anySharing(const Origins &origins, Visit visit) const {
  if (values.size() > shortList) {
    bool found = false;
    SharedSets::forEach(origins.terminals, [&](unsigned terminal) {
      auto sharing = byTerminal.find(terminal);
      found = found || (sharing != byTerminal.end() &&
                        llvm::any_of(sharing->second, visit));
    });
    return found;
  }
  SmallVector<std::pair<unsigned, unsigned>> sharing;
  for (unsigned position = 0; position < values.size(); ++position)
    if (std::optional<unsigned> common = SharedSets::firstCommon(
            origins.terminals,
            oracle.analysis.origins(values[position]).terminals))
      sharing.push_back({*common, position});
  llvm::sort(sharing);
  return llvm::any_of(sharing, [&](auto entry) { return visit(entry.second); });
}

bool AliasGroup::anyNotApart(Value value, Visit visit) const {
  const Origins &origins = oracle.analysis.origins(value);
  auto base = byBase.find(origins.base);
  if (base != byBase.end() && llvm::any_of(base->second, visit))
    return true;
  if (anySharing(origins, visit))
    return true;
  // Those that share no terminal, but of which not enough is known.
  if (origins.allAllocations)
    return llvm::any_of(neitherAllocationsNorArguments, visit);
  if (origins.allAllocationsOrEntryArguments)
    return llvm::any_of(notAllocations, visit);
  return llvm::any_of(all, visit);
}

bool AliasGroup::mayShare(Value value, std::optional<unsigned> self) const {
  auto shares = [&](unsigned position) {
    return position != self && !oracle.distinct(value, values[position]);
  };
  if (pairwise || oracle.analysis.origins(value).isFresh)
    return llvm::any_of(llvm::seq<unsigned>(0, values.size()), shares);
  if (anyNotApart(value, shares))
    return true;
  tellDistinct(value);
  return false;
}

AliasGroup::Positions AliasGroup::knownSame(Value value) const {
  Positions positions;
  auto isSame = [&](unsigned position) {
    return oracle.same(values[position], value) == true;
  };
  if (pairwise || oracle.analysis.origins(value).isFresh) {
    llvm::append_range(
        positions,
        llvm::make_filter_range(llvm::seq<unsigned>(0, values.size()), isSame));
    return positions;
  }
  const Origins &origins = oracle.analysis.origins(value);
  positions = byBase.lookup(origins.base);
  if (SharedSets::size(origins.terminals) == 1)
    anySharing(origins, [&](unsigned position) {
      positions.push_back(position);
      return false;
    });
  llvm::sort(positions);
  positions.erase(llvm::unique(positions), positions.end());
  llvm::erase_if(positions,
                 [&](unsigned position) { return !isSame(position); });
  return positions;
}

std::optional<AliasGroup::Positions> AliasGroup::allKnown(Value value) const {
  if (pairwise || oracle.analysis.origins(value).isFresh) {
    Positions positions;
    for (unsigned position = 0; position < values.size(); ++position) {
      std::optional<bool> same = oracle.same(values[position], value);
      if (!same)
        return std::nullopt;
      if (*same)
        positions.push_back(position);
    }
    return positions;
  }
  Positions positions = knownSame(value);
  auto isUnknown = [&](unsigned position) {
    return !llvm::binary_search(positions, position) &&
           !oracle.same(values[position], value);
  };
  if (anyNotApart(value, isUnknown))
    return std::nullopt;
  tellDistinct(value);
  return positions;
}

void AliasGroup::tellDistinct(Value value) const {
  if (oracle.options.observer)
    oracle.options.observer->onDistinctFromAll(value, values);
}

} // namespace memreflens
