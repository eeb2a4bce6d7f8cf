//===- core/source/IrLister.cpp - walks a module into a trace -------------===//

#include "core/source/IrLister.h"

#include "core/source/Identity.h"
#include "core/source/Locations.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

using namespace mlir;
using namespace memreflens;
using trace::Id;
using trace::none;

IrLister::IrLister(trace::Trace &trace, Id chunk, IrOrigin &origin)
    : trace(trace), chunk(chunk), origin(origin),
      firstValue(trace.values.size()) {
  for (const trace::Function &function : trace.functions)
    functionOfOp[function.op] = function.id;
}

void IrLister::listStructure(ModuleOp module) {
  trace.chunks[chunk].functions.clear();
  addOp(module, none, none);
  linkOps();
  linkBlocks();
  nameValues();
}

static bool isTerminator(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>() || op->getNumSuccessors() > 0;
}

Id IrLister::addOp(Operation *op, Id block, Id function) {
  Id id = origin.keptOp(op);
  if (id == none) {
    id = Id(trace.ops.size());
    trace::Op &entry = trace.ops.emplace_back();
    entry.id = id;
    entry.name = op->getName().getStringRef().str();
    origin.describeOp(op, entry);
  }
  ops.emplace_back(op, id);
  trace::Op &entry = trace.ops[id];
  entry.block = block;
  entry.isTerminator = isTerminator(op);
  entry.results.clear();
  entry.regions.assign(op->getNumRegions(), {});
  for (Value result : op->getResults())
    entry.results.push_back(addValue(result, id, block));
  if (isa<FunctionOpInterface>(op))
    function = addFunction(op, id);
  for (Region &region : op->getRegions()) {
    std::vector<Id> listed;
    for (Block &inner : region)
      listed.push_back(
          addBlock(&inner, id, region.getRegionNumber(), function));
    nameBlocks(listed);
    trace.ops[id].regions[region.getRegionNumber()] = std::move(listed);
  }
  return id;
}

Id IrLister::addBlock(Block *block, Id parentOp, unsigned region, Id function) {
  Id id = origin.keptBlock(block);
  if (id == none) {
    id = Id(trace.blocks.size());
    trace::Block &entry = trace.blocks.emplace_back();
    entry.id = id;
    origin.describeBlock(block, entry);
  }
  blocks.emplace_back(block, id);
  blockIds[block] = id;
  trace::Block &entry = trace.blocks[id];
  entry.function = function;
  entry.parentOp = parentOp;
  entry.region = region;
  entry.isEntry = block->isEntryBlock();
  entry.arguments.clear();
  for (BlockArgument argument : block->getArguments())
    entry.arguments.push_back(addValue(argument, none, id));
  std::vector<Id> listed;
  for (Operation &op : *block)
    listed.push_back(addOp(&op, id, function));
  trace.blocks[id].ops = std::move(listed);
  setBlockRange(trace.blocks[id]);
  return id;
}

/// From the label, or the first op of the text, to the end of the last op.
void IrLister::setBlockRange(trace::Block &block) const {
  if (!block.range.empty())
    return;
  block.range = block.nameRange;
  auto include = [&](trace::Range range) {
    if (range.empty())
      return;
    if (block.range.empty())
      block.range = range;
    block.range.begin = std::min(block.range.begin, range.begin);
    block.range.end = std::max(block.range.end, range.end);
  };
  for (Id op : block.ops) {
    if (trace.ops[op].generated || trace.ops[op].range.empty())
      continue;
    include(trace.ops[op].range);
    for (Id result : trace.ops[op].results)
      include(trace.values[result].range);
  }
  // Arguments of a labelled block stand between the label and the ops.
  for (Id argument : block.arguments)
    if (!block.nameRange.empty())
      include(trace.values[argument].range);
}

/// 0 or 1 for the result of an arith.constant of type i1, -1 for all else.
static int8_t constantOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !value.getType().isInteger(1) ||
      op->getName().getStringRef() != "arith.constant")
    return -1;
  auto attribute = dyn_cast_or_null<IntegerAttr>(
      op->getInherentAttr("value").value_or(Attribute()));
  return attribute ? int8_t(!attribute.getValue().isZero()) : int8_t(-1);
}

Id IrLister::addValue(Value value, Id op, Id block) {
  Id id = origin.keptValue(value);
  bool isNew = id == none;
  if (isNew) {
    id = Id(trace.values.size());
    trace.values.emplace_back().id = id;
  } else {
    // Kept from an earlier listing, whose names all count.
    firstValue = 0;
  }
  valueIds[value] = id;
  trace::Value &entry = trace.values[id];
  auto argument = dyn_cast<BlockArgument>(value);
  entry.kind = argument ? trace::ValueKind::argument : trace::ValueKind::result;
  entry.index = argument ? argument.getArgNumber()
                         : cast<OpResult>(value).getResultNumber();
  entry.op = op;
  entry.block = block;
  entry.type = typeTexts.of(value.getType());
  entry.isMemref = isa<BaseMemRefType>(value.getType());
  entry.constant = constantOf(value);
  if (isNew)
    origin.describeValue(value, entry);
  if (entry.name.empty())
    unnamed.emplace_back(value, id);
  return id;
}

Id IrLister::addFunction(Operation *op, Id opId) {
  auto known = functionOfOp.find(opId);
  Id id =
      known == functionOfOp.end() ? Id(trace.functions.size()) : known->second;
  if (known == functionOfOp.end())
    trace.functions.emplace_back().id = id;
  trace::Function &entry = trace.functions[id];
  entry.chunk = chunk;
  entry.op = opId;
  entry.opName = trace.ops[opId].name;
  entry.range = trace.ops[opId].range;
  trace.chunks[chunk].functions.push_back(id);
  functions.emplace_back(op, id);
  return id;
}

void IrLister::linkOps() {
  for (auto [op, id] : ops) {
    trace::Op &entry = trace.ops[id];
    entry.operands.clear();
    entry.successors.clear();
    for (Value operand : op->getOperands())
      entry.operands.push_back(valueIds.lookup_or(operand, none));
    for (Block *successor : op->getSuccessors())
      entry.successors.push_back(blockIds.lookup_or(successor, none));
  }
}

void IrLister::linkBlocks() {
  llvm::DenseSet<Block *> reached;
  for (auto [block, id] : blocks) {
    trace.blocks[id].successors.clear();
    if (!block->empty())
      for (Block *successor : block->back().getSuccessors())
        trace.blocks[id].successors.push_back(
            blockIds.lookup_or(successor, none));
    if (!block->isEntryBlock())
      continue;
    SmallVector<Block *> pending = {block};
    while (!pending.empty()) {
      Block *next = pending.pop_back_val();
      if (reached.insert(next).second && !next->empty())
        llvm::append_range(pending, next->back().getSuccessors());
    }
  }
  for (auto [block, id] : blocks)
    trace.blocks[id].reachable = reached.contains(block);
}

void IrLister::tagAll(LocationMover *mover) {
  auto original = [&](Location location) {
    location = stripTag(location);
    return mover ? mover->move(location) : location;
  };
  for (auto [op, id] : ops)
    op->setLoc(tagOp(original(op->getLoc()), id));
  for (auto [block, id] : blocks)
    for (BlockArgument argument : block->getArguments())
      argument.setLoc(
          tagArgument(original(argument.getLoc()), valueIds.lookup(argument)));
}

/// The symbol in the op's text: what the first `@` names, or in the generic
/// form the attribute. The op's own name where neither is found.
static trace::Range symbolRange(std::string_view text, const trace::Op &op,
                                std::string_view name) {
  text = text.substr(0, std::min<size_t>(op.range.end, text.size()));
  std::string quoted = '"' + std::string(name) + '"';
  size_t begin = op.nameRange.end;
  bool isGeneric = text[op.nameRange.begin] == '"';
  if (isGeneric)
    begin = text.find('"', text.find("sym_name", begin));
  else
    begin = text.find('@', begin);
  if (begin == std::string_view::npos)
    return op.nameRange;
  std::string_view rest = text.substr(begin);
  for (const std::string &wanted :
       {isGeneric ? quoted : "@" + std::string(name), "@" + quoted})
    if (rest.starts_with(wanted))
      return {uint32_t(begin), uint32_t(begin + wanted.size())};
  return op.nameRange;
}

/// Of symbol tables without a name, which number it is among those around it.
static unsigned numberAmongUnnamed(Operation *table) {
  unsigned number = 1;
  for (Operation *one = table->getPrevNode(); one; one = one->getPrevNode())
    number += one->hasTrait<OpTrait::SymbolTable>() &&
              one->getName() == table->getName() &&
              !one->hasAttr(SymbolTable::getSymbolAttrName());
  return number;
}

/// "outer::@a::@", "module#2::@": the symbols around an op, from the outermost.
static std::string scopeOf(Operation *op) {
  std::string scope;
  while ((op = op->getParentOp()))
    if (auto name =
            op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      scope = name.str() + "::@" + scope;
    else if (op->getParentOp() && op->hasTrait<OpTrait::SymbolTable>())
      scope = op->getName().stripDialect().str() + "#" +
              std::to_string(numberAmongUnnamed(op)) + "::@" + scope;
  return scope;
}

void IrLister::describeFunctions() {
  llvm::StringMap<unsigned> bearers;
  for (auto [op, id] : functions) {
    describeFunction(op, trace.functions[id]);
    ++bearers[trace.functions[id].name];
  }
  for (auto [op, id] : functions)
    if (trace::Function &function = trace.functions[id];
        bearers[function.name] > 1)
      function.scope = scopeOf(op);
  linkCalls();
}

void IrLister::linkCalls() {
  DenseMap<Operation *, Id> idOf(functions.begin(), functions.end());
  SymbolTableCollection symbols;
  for (auto [op, id] : ops) {
    auto call = dyn_cast<CallOpInterface>(op);
    auto symbol =
        call ? dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee())
             : SymbolRefAttr();
    if (!symbol)
      continue;
    Operation *callee = symbols.lookupNearestSymbolFrom(op, symbol);
    auto known = idOf.find(callee);
    trace.ops[id].callee = known == idOf.end() ? none : known->second;
  }
}

void IrLister::describeFunction(Operation *op, trace::Function &entry) {
  auto function = cast<FunctionOpInterface>(op);
  const trace::Op &listed = trace.ops[entry.op];
  entry.name = function.getName().str();
  entry.isPublic =
      SymbolTable::getSymbolVisibility(op) == SymbolTable::Visibility::Public;
  entry.status = trace::FunctionStatus::traced;
  if (function.isExternal())
    entry.status = trace::FunctionStatus::declaration;
  else if (entry.opName != "func.func")
    entry.status = trace::FunctionStatus::notProcessed;
  if (entry.nameRange.empty() && !listed.generated && !listed.range.empty())
    entry.nameRange = symbolRange(trace.source.text, listed, entry.name);
  entry.blocks.clear();
  if (op->getNumRegions() > 0)
    entry.blocks = listed.regions[0];
}
