//===- core/pipeline/host/TakenIr.cpp -------------------------------------===//

#include "core/pipeline/host/TakenIr.h"
#include "core/pipeline/host/ToolRun.h"
#include "core/source/Identity.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"

#include <unordered_map>

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;

/// Calls `visit` with each two ops of programs of one shape.
static void walkBoth(Operation *left, Operation *right,
                     llvm::function_ref<void(Operation *, Operation *)> visit) {
  visit(left, right);
  for (auto [leftRegion, rightRegion] :
       llvm::zip(left->getRegions(), right->getRegions()))
    for (auto [leftBlock, rightBlock] : llvm::zip(leftRegion, rightRegion))
      for (auto [leftOp, rightOp] : llvm::zip(leftBlock, rightBlock))
        walkBoth(&leftOp, &rightOp, visit);
}

static llvm::SmallVector<BlockArgument> argumentsIn(Operation *op) {
  llvm::SmallVector<BlockArgument> arguments;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(arguments, block.getArguments());
  return arguments;
}

void adoptLocations(ModuleOp ours, ModuleOp tools) {
  walkBoth(ours, tools, [](Operation *left, Operation *right) {
    if (Id id = taggedOp(left->getLoc()); id != none)
      left->setLoc(tagOp(right->getLoc(), id));
    else
      left->setLoc(right->getLoc());
    for (auto [leftArgument, rightArgument] :
         llvm::zip(argumentsIn(left), argumentsIn(right))) {
      Id id = taggedArgument(leftArgument.getLoc());
      leftArgument.setLoc(id == none ? rightArgument.getLoc()
                                     : tagArgument(rightArgument.getLoc(), id));
    }
  });
}

//===--- Who is who -------------------------------------------------------===//

namespace {

using Key = size_t;

/// An op of ours before the pass.
struct Known {
  Key coarse = 0, fine = 0;
  /// With our tag.
  Location location;
  Id block = none;
  std::vector<std::vector<Id>> regions;
};

class Taking {
public:
  explicit Taking(Recorder &recorder) : recorder(recorder) {}
  void learn(Operation *ours, Operation *tools);
  void made(Operation *root);
  void name();

private:
  void match(Key Known::*known, const std::vector<Key> &keys);
  void nameArguments();
  void nameBlocks();

  Recorder &recorder;
  std::vector<Known> before;
  std::vector<Operation *> taken;
  /// For each op taken, which one it was; -1 for a new one.
  std::vector<int> identity;
  std::vector<bool> claimed;
  llvm::DenseMap<Location, llvm::SmallVector<Location, 1>> arguments;
};
} // namespace

static Key coarseKey(Operation *op) {
  return llvm::hash_combine(stripTag(op->getLoc()).getAsOpaquePointer(),
                            op->getName().getAsOpaquePointer());
}

static Key fineKey(Operation *op) {
  llvm::hash_code key = llvm::hash_combine(
      coarseKey(op), op->getAttrDictionary().getAsOpaquePointer());
  for (Type type : op->getResultTypes())
    key = llvm::hash_combine(key, type.getAsOpaquePointer());
  for (Value operand : op->getOperands()) {
    if (auto result = dyn_cast<OpResult>(operand))
      key = llvm::hash_combine(key, coarseKey(result.getOwner()),
                               result.getResultNumber());
    else
      key = llvm::hash_combine(key,
                               stripTag(operand.getLoc()).getAsOpaquePointer(),
                               cast<BlockArgument>(operand).getArgNumber());
  }
  return key;
}

/// What `op` of ours is, which the tool has as `tools`.
void Taking::learn(Operation *root, Operation *toolsRoot) {
  walkBoth(root, toolsRoot, [&](Operation *op, Operation *tools) {
    Known known{coarseKey(tools), fineKey(tools), op->getLoc(), none, {}};
    known.block = recorder.findId(op->getBlock());
    for (Region &region : op->getRegions()) {
      known.regions.emplace_back();
      for (Block &block : region)
        known.regions.back().push_back(recorder.findId(&block));
    }
    before.push_back(std::move(known));
    for (auto [argument, toolsArgument] :
         llvm::zip(argumentsIn(op), argumentsIn(tools)))
      arguments[stripTag(toolsArgument.getLoc())].push_back(argument.getLoc());
  });
}

void Taking::made(Operation *root) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { taken.push_back(op); });
}

/// Of ops with one key, as many before as now: the first is the first.
void Taking::match(Key Known::*known, const std::vector<Key> &keys) {
  struct Group {
    llvm::SmallVector<size_t, 1> before, now;
  };
  std::unordered_map<Key, Group> groups;
  for (size_t i = 0; i < before.size(); ++i)
    if (!claimed[i])
      groups[before[i].*known].before.push_back(i);
  for (size_t i = 0; i < taken.size(); ++i)
    if (identity[i] < 0)
      groups[keys[i]].now.push_back(i);
  for (const auto &[key, group] : groups) {
    if (group.before.size() != group.now.size())
      continue;
    for (auto [was, is] : llvm::zip(group.before, group.now)) {
      identity[is] = int(was);
      claimed[was] = true;
    }
  }
}

void Taking::name() {
  identity.assign(taken.size(), -1);
  claimed.assign(before.size(), false);
  std::vector<Key> fine, coarse;
  for (Operation *op : taken) {
    fine.push_back(fineKey(op));
    coarse.push_back(coarseKey(op));
  }
  match(&Known::fine, fine);
  match(&Known::coarse, coarse);
  for (size_t i = 0; i < taken.size(); ++i)
    if (identity[i] >= 0)
      taken[i]->setLoc(before[size_t(identity[i])].location);
  nameArguments();
  nameBlocks();
}

void Taking::nameArguments() {
  llvm::DenseMap<Location, llvm::SmallVector<BlockArgument, 1>> now;
  for (Operation *op : taken)
    for (BlockArgument argument : argumentsIn(op))
      now[argument.getLoc()].push_back(argument);
  for (auto &[location, found] : now) {
    auto known = arguments.find(location);
    if (known == arguments.end() || known->second.size() != found.size())
      continue;
    for (auto [argument, was] : llvm::zip(found, known->second))
      argument.setLoc(was);
  }
}

/// A block is an earlier one by its place, where its op has as many blocks as
/// it had, or else by the first op in it that is an earlier one.
void Taking::nameBlocks() {
  llvm::DenseMap<Operation *, int> index;
  llvm::DenseSet<Id> used;
  for (size_t i = 0; i < taken.size(); ++i)
    index[taken[i]] = identity[i];
  auto place = [&](Block &block, Id id) {
    if (id != none && used.insert(id).second)
      recorder.place(&block, id);
  };
  llvm::SmallVector<Block *> left;
  for (size_t i = 0; i < taken.size(); ++i)
    for (auto [number, region] : llvm::enumerate(taken[i]->getRegions())) {
      const std::vector<Id> *was = nullptr;
      if (identity[i] >= 0 &&
          number < before[size_t(identity[i])].regions.size())
        was = &before[size_t(identity[i])].regions[number];
      bool alike =
          was && was->size() == size_t(llvm::range_size(region.getBlocks()));
      for (auto [position, block] : llvm::enumerate(region))
        if (alike)
          place(block, (*was)[position]);
        else
          left.push_back(&block);
    }
  for (Block *block : left)
    for (Operation &op : *block)
      if (int was = index.lookup_or(&op, -1); was >= 0) {
        place(*block, before[size_t(was)].block);
        break;
      }
}

//===--- Taking -----------------------------------------------------------===//

static bool isSame(Operation *left, Operation *right) {
  return firstDifference(left, right).empty();
}

static StringAttr symbolOf(Operation *op) {
  return op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
}

namespace {
/// The ops of a module, found by symbol or, without one, by what they are.
class TopLevel {
public:
  explicit TopLevel(llvm::ArrayRef<Operation *> ops) {
    for (Operation *op : ops)
      if (StringAttr symbol = symbolOf(op))
        bySymbol[symbol] = op;
      else
        others.push_back(op);
  }

  /// Each op is found once.
  Operation *claim(Operation *wanted) {
    if (StringAttr symbol = symbolOf(wanted)) {
      Operation *found = bySymbol.lookup_or(symbol, nullptr);
      if (!found || found->getName() != wanted->getName())
        return nullptr;
      bySymbol.erase(symbol);
      return found;
    }
    auto found = llvm::find_if(
        others, [&](Operation *op) { return isSame(op, wanted); });
    if (found == others.end())
      return nullptr;
    Operation *op = *found;
    others.erase(found);
    return op;
  }

private:
  llvm::DenseMap<StringAttr, Operation *> bySymbol;
  std::vector<Operation *> others;
};
} // namespace

void takeIr(ModuleOp ours, ModuleOp before, ModuleOp now, Recorder &recorder) {
  llvm::SmallVector<Operation *> old;
  for (Operation &op : *ours.getBody())
    old.push_back(&op);
  llvm::DenseMap<Operation *, Operation *> toolsOf;
  if (before)
    for (auto [op, tools] : llvm::zip(old, *before.getBody()))
      toolsOf[op] = &tools;

  Taking taking(recorder);
  IRMapping values;
  llvm::SmallVector<Operation *> result, clones;
  llvm::DenseSet<Operation *> kept;
  TopLevel known(old);
  for (Operation &wanted : *now.getBody()) {
    Operation *was = known.claim(&wanted);
    if (was && (recorder.isIgnored(was) || isSame(was, &wanted))) {
      kept.insert(was);
      result.push_back(was);
      for (auto [from, to] : llvm::zip(wanted.getResults(), was->getResults()))
        values.map(from, to);
      continue;
    }
    result.push_back(wanted.clone(values));
    clones.push_back(result.back());
  }
  for (Operation *op : old)
    if (!kept.contains(op) && !recorder.isIgnored(op))
      taking.learn(op, toolsOf.lookup_or(op, op));
  for (Operation *op : clones)
    taking.made(op);
  taking.name();

  for (Operation *op : old) {
    if (kept.contains(op)) {
      op->remove();
      continue;
    }
    op->walk([&](Block *block) { recorder.forget(block); });
    op->dropAllUses();
    op->erase();
  }
  for (Operation *op : result)
    ours.getBody()->push_back(op);
  ours->setAttrs(now->getAttrDictionary());
}

} // namespace memreflens
