//===- core/pipeline/record/Recorder.cpp ----------------------------------===//

#include "core/pipeline/record/Recorder.h"
#include "core/pipeline/record/TracePart.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;

std::string roleBase(llvm::StringRef name) {
  std::string base = name.str();
  std::replace(base.begin(), base.end(), '#', '_');
  return base;
}

//===--- Where we are -----------------------------------------------------===//

void Recorder::beginChunk(Id newChunk, Operation *module, PartStart newStart) {
  if (isSilent())
    return;
  deallocs = newStart.dealloc;
  chunk = newChunk;
  start = newStart;
  root = findId(module);
  function = none;
  blocks.clear();
  functionOfOp.clear();
  ignored.clear();
  names.begin(root, start);
  for (Id id : trace.chunks[chunk].functions)
    functionOfOp[trace.functions[id].op] = id;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    Id id = findId(op);
    if (id == none)
      return;
    const trace::Op &known = trace.ops[id];
    for (auto [region, ids] : llvm::zip(op->getRegions(), known.regions))
      for (auto [block, blockId] : llvm::zip(region, ids))
        blocks[&block] = blockId;
  });
}

void Recorder::beginStage(int number) {
  stage = number;
  function = none;
}

void Recorder::enterFunction(Operation *op) {
  function = op && !isSilent() ? functionOf(op) : none;
}

//===--- Ids --------------------------------------------------------------===//

Id Recorder::findId(Operation *op) const {
  return isSilent() ? none : taggedOp(op->getLoc());
}

Id Recorder::idOf(Operation *op) {
  if (isSilent())
    return none;
  Id id = findId(op);
  return id != none ? id : newOp(op, none);
}

Id Recorder::idOf(Block *block) {
  if (isSilent())
    return none;
  Operation *parent = block->getParentOp();
  // The body of a stand-in is no block of the program.
  if (isa_and_nonnull<FunctionOpInterface>(parent) && findId(parent) == none)
    return none;
  auto known = blocks.find(block);
  if (known != blocks.end()) {
    const trace::Block &found = trace.blocks[known->second];
    // Some passes erase blocks in silence; then a later one has the address. A
    // block of the user's (it lists its ops) may move to another op, though.
    if (!found.ops.empty() || (parent && found.parentOp == findId(parent)))
      return known->second;
  }
  trace::Block added;
  added.id = Id(trace.blocks.size());
  added.parentOp = parent ? findId(parent) : none;
  added.function = parent ? functionOf(parent) : none;
  added.region = block->getParent()->getRegionNumber();
  added.isEntry = block->isEntryBlock();
  added.name = "^bb" + std::to_string(std::distance(block->getParent()->begin(),
                                                    block->getIterator()));
  trace.blocks.push_back(added);
  blocks[block] = added.id;
  return added.id;
}

Id Recorder::idOf(Value value) {
  if (!value || isSilent())
    return none;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Id id = taggedArgument(argument.getLoc());
    return id != none ? id : newValue(value, {}, none);
  }
  auto result = cast<OpResult>(value);
  const trace::Op &owner = trace.ops[idOf(result.getOwner())];
  unsigned number = result.getResultNumber();
  if (number < owner.results.size() && owner.results[number] != none)
    return owner.results[number];
  return newValue(value, {}, none);
}

std::vector<Id> Recorder::idsOf(ValueRange values) {
  if (isSilent())
    return {};
  std::vector<Id> ids;
  ids.reserve(values.size());
  for (Value value : values)
    ids.push_back(idOf(value));
  return ids;
}

/// An op is in the function of its block, which is known for all but those that
/// carry another op's tag; so it takes no climb to the top.
Id Recorder::functionOf(Operation *op) const {
  if (isSilent())
    return none;
  for (; op; op = op->getParentOp()) {
    Id id = findId(op);
    // Above a stand-in, whose trace is thrown away, lie tags of the real one.
    if (id == none || size_t(id) >= trace.ops.size() ||
        trace.ops[id].name != op->getName().getStringRef())
      continue;
    if (isa<FunctionOpInterface>(op)) {
      auto known = functionOfOp.find(id);
      if (known != functionOfOp.end())
        return known->second;
    }
    Id block = trace.ops[id].block;
    if (block != none && trace.blocks[block].function != none)
      return trace.blocks[block].function;
  }
  return none;
}

//===--- What stages generate ---------------------------------------------===//

Id Recorder::generated(Operation *op, llvm::StringRef role, Value standsFor) {
  if (isSilent())
    return none;
  Id stands = idOf(standsFor);
  Id id = newOp(op, findId(op));
  if (!role.empty() && op->getNumResults() > 0)
    newValue(op->getResult(0), role, stands);
  // What an ownership i1 is made of; memrefs keep their own users only.
  if (op->getNumResults() == 1 && op->getResult(0).getType().isInteger(1) &&
      llvm::all_of(op->getOperandTypes(),
                   [](Type type) { return type.isInteger(1); })) {
    std::vector<Id> operands = idsOf(op->getOperands());
    trace.ops[id].operands = std::move(operands);
  }
  return id;
}

Id Recorder::nameByRole(Value value, llvm::StringRef role, Value standsFor) {
  if (isSilent())
    return none;
  return newValue(value, role, idOf(standsFor));
}

Id Recorder::newOp(Operation *op, Id origin) {
  trace::Op added;
  added.id = Id(trace.ops.size());
  added.name = op->getName().getStringRef().str();
  added.generated = true;
  added.origin = origin;
  added.isTerminator = op->hasTrait<OpTrait::IsTerminator>();
  op->setLoc(tagOp(stripTag(op->getLoc()), added.id));
  Id id = added.id;
  trace.ops.push_back(std::move(added));
  if (Block *block = op->getBlock();
      block && block->getParentOp() && !isa<ModuleOp>(block->getParentOp()))
    trace.ops[id].block = idOf(block);
  return id;
}

/// What the lowering's logic stands for: whether pointers are the same, and
/// whether a buffer is owned. Empty for other ops.
static llvm::StringRef logicRole(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    Operation *pointer = compare.getLhs().getDefiningOp();
    if (!isa_and_nonnull<memref::ExtractAlignedPointerAsIndexOp>(pointer))
      return {};
    return compare.getPredicate() == arith::CmpIPredicate::eq ? "same"
                                                              : "apart";
  }
  return isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) ? "own" : "";
}

/// Role of a value that nobody named: what its op is called.
static std::string defaultRole(Value value) {
  if (isa<BlockArgument>(value))
    return "arg";
  Operation *op = cast<OpResult>(value).getOwner();
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    if (value.getType().isInteger(1))
      return *constant ? "true" : "false";
    return (*constant < 0 ? "cm" : "c") +
           std::to_string(*constant < 0 ? -uint64_t(*constant)
                                        : uint64_t(*constant));
  }
  if (isa<memref::ExtractAlignedPointerAsIndexOp>(op))
    return "ptr";
  if (llvm::StringRef role = logicRole(op);
      value.getType().isInteger(1) && !role.empty())
    return role.str();
  llvm::StringRef name = op->getName().stripDialect();
  if (value.getType().isInteger(1) && !op->getName().isRegistered())
    return "v";
  return name == "constant" ? "cst"
         : llvm::StringRef(name.rsplit('.').second).empty()
             ? name.str()
             : name.rsplit('.').second.str();
}

Id Recorder::newValue(Value value, llvm::StringRef role, Id standsFor) {
  trace::Value added;
  added.id = Id(trace.values.size());
  added.generated = true;
  added.standsFor = standsFor;
  added.isMemref = isa<BaseMemRefType>(value.getType());
  added.type = typeTexts.of(value.getType());
  Operation *scope = value.getParentBlock()->getParentOp();
  std::string base = role.empty() ? defaultRole(value) : role.str();
  if (standsFor != none && !role.empty())
    base += "_" + roleBase(trace.values[standsFor].name);
  added.name = names.unique(scope ? functionOf(scope) : none, std::move(base));
  if (std::optional<int64_t> constant = getConstantIntValue(value);
      constant && value.getType().isInteger(1))
    added.constant = *constant ? 1 : 0;
  added.block = idOf(value.getParentBlock());
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    added.kind = trace::ValueKind::argument;
    added.index = argument.getArgNumber();
    argument.setLoc(tagArgument(stripTag(argument.getLoc()), added.id));
  } else {
    auto result = cast<OpResult>(value);
    added.index = result.getResultNumber();
    added.op = idOf(result.getOwner());
    std::vector<Id> &results = trace.ops[added.op].results;
    if (results.size() <= added.index)
      results.resize(added.index + 1, none);
    results[added.index] = added.id;
  }
  trace.values.push_back(std::move(added));
  return trace.values.back().id;
}

/// The user's block whose code stands in this one, though the block itself is
/// gone: a loop that was made anew has other blocks.
Id Recorder::predecessorOf(Block *block,
                           const llvm::DenseSet<Id> &there) const {
  for (Operation &op : *block) {
    Id id = findId(&op);
    if (id == none || trace.ops[id].generated)
      continue;
    Id home = trace.ops[id].block;
    return there.contains(home) ? none : home;
  }
  return none;
}

Id Recorder::argumentBefore(Value value,
                            llvm::function_ref<bool(const trace::Value &)> is) {
  Id found = none;
  for (OpOperand &use : value.getUses()) {
    Id user = findId(use.getOwner());
    unsigned number = use.getOperandNumber();
    if (user == none || trace.ops[user].generated ||
        trace.ops[user].operands.size() != use.getOwner()->getNumOperands())
      continue;
    Id old = trace.ops[user].operands[number];
    if (old == none || trace.values[old].kind != trace::ValueKind::argument ||
        trace.values[old].type != trace.values[idOf(value)].type ||
        !is(trace.values[old]) || (found != none && found != old))
      return none;
    found = old;
  }
  return found;
}

Id Recorder::predecessorOf(BlockArgument argument,
                           const llvm::DenseSet<Id> &there) {
  Id block = predecessorOf(argument.getOwner(), there);
  if (block == none)
    return none;
  // The op may have come from a region of that block's.
  return argumentBefore(argument, [&](const trace::Value &old) {
    return old.block == block || !there.contains(old.block);
  });
}

Id Recorder::argumentMergedInto(Value value, const llvm::DenseSet<Id> &there) {
  return argumentBefore(value, [&](const trace::Value &old) {
    return !there.contains(old.block);
  });
}

/// What was made before it was in a block is in one now.
void Recorder::noteBlock(Operation *op, Id id) {
  trace::Op &known = trace.ops[id];
  Operation *parent = op->getParentOp();
  if (!known.generated || !parent || isa<ModuleOp>(parent))
    return;
  const Id block = known.block == none ? idOf(op->getBlock()) : known.block;
  known.block = block;
  if (block != none && trace.blocks[block].function == none)
    trace.blocks[block].function = functionOf(parent);
}

namespace {
/// Ids are dense, and nearly all of a part are in it.
class IdSet {
public:
  explicit IdSet(size_t count) : has(count) {}
  /// False if it was in it.
  bool insert(Id id) {
    if (size_t(id) >= has.size())
      has.resize(size_t(id) + 1);
    if (has[size_t(id)])
      return false;
    return has[size_t(id)] = true;
  }

private:
  std::vector<bool> has;
};
} // namespace

void Recorder::adopt(Operation *root) {
  if (isSilent())
    return;
  // Blocks that a pass erased in silence: their addresses are used again.
  llvm::DenseMap<Block *, Id> alive;
  root->walk([&](Block *block) {
    if (auto known = blocks.find(block); known != blocks.end())
      alive.insert(*known);
  });
  blocks = std::move(alive);

  IdSet seenOps(trace.ops.size()), seenArguments(trace.values.size());
  std::vector<BlockArgument> made;
  std::vector<Value> selects;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (ignored.contains(op))
      return WalkResult::skip();
    Id id = findId(op);
    if (id == none || trace.ops[id].name != op->getName().getStringRef() ||
        !seenOps.insert(id))
      seenOps.insert(id = newOp(op, id));
    noteBlock(op, id);
    if (isa<arith::SelectOp>(op) && trace.ops[id].generated &&
        isa<BaseMemRefType>(op->getResult(0).getType()))
      selects.push_back(op->getResult(0));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments()) {
          Id known = taggedArgument(argument.getLoc());
          if (known != none && seenArguments.insert(known))
            continue;
          seenArguments.insert(newValue(argument, {}, none));
          made.push_back(argument);
        }
    return WalkResult::advance();
  });
  llvm::DenseSet<Id> there;
  for (const auto &known : blocks)
    there.insert(known.second);
  for (BlockArgument argument : made)
    if (Id old = predecessorOf(argument, there); old != none)
      inheritName(old, argument);
  llvm::DenseMap<Id, unsigned> claims;
  for (Value select : selects)
    ++claims[argumentMergedInto(select, there)];
  for (Value select : selects)
    if (Id old = argumentMergedInto(select, there);
        old != none && claims[old] == 1)
      inheritName(old, select);
}

bool Recorder::isIgnored(Operation *op) const {
  if (ignored.empty())
    return false;
  for (; op; op = op->getParentOp())
    if (ignored.contains(op))
      return true;
  return false;
}

void Recorder::inheritName(Value oldValue, Value newValue) {
  if (isSilent())
    return;
  inheritName(idOf(oldValue), newValue);
}

void Recorder::inheritName(Id oldId, Value newValue) {
  if (isSilent())
    return;
  Id newId = idOf(newValue);
  trace::Value &heir = trace.values[newId];
  const trace::Value &old = trace.values[oldId];
  // What came of another rewrite's value has no name of the program's yet.
  const bool isNamed = heir.standsFor != none &&
                       (!trace.values[heir.standsFor].generated ||
                        trace.values[heir.standsFor].standsFor != none);
  if (oldId == newId || !heir.generated || isNamed)
    return;
  heir.name = old.name;
  heir.standsFor =
      old.standsFor != none && old.generated ? old.standsFor : oldId;
}

//===--- Events -----------------------------------------------------------===//

trace::Ownership Recorder::toTrace(const OwnershipValue &ownership) {
  if (isSilent())
    return {};
  return {ownership.getState(),
          ownership.isUnique() ? idOf(ownership.getIndicator()) : none};
}

trace::Event &Recorder::add(Operation *op, Block *block, Value value,
                            decltype(trace::Event::detail) detail) {
  if (isSilent())
    return unheard;
  trace::Event event;
  event.stage = stage;
  event.chunk = chunk;
  event.function = function;
  if (op)
    event.op = idOf(op);
  if (block)
    event.block = idOf(block);
  if (value)
    event.value = idOf(value);
  if (event.function == none && op)
    event.function = functionOf(op);
  event.id = nextEvent();
  event.detail = std::move(detail);
  trace.events.push_back(std::move(event));
  return trace.events.back();
}

} // namespace memreflens
