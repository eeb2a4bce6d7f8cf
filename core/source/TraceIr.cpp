//===- core/source/TraceIr.cpp - IR written into a trace ------------------===//

#include "core/source/TraceIr.h"

#include "core/source/Identity.h"
#include "core/source/IrLister.h"

#include "mlir/IR/AsmState.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace mlir;
using namespace memreflens;
using trace::Id;
using trace::none;

namespace {

/// Bytecode: no text, so values are called what MLIR prints.
class PrintedNames final : public IrOrigin {
public:
  explicit PrintedNames(ModuleOp module) : state(module) {}

  void describeValue(Value value, trace::Value &entry) override {
    std::string printed;
    llvm::raw_string_ostream stream(printed);
    value.printAsOperand(stream, state);
    StringRef name = printed;
    if (name.consume_front("%"))
      entry.name = name.str();
  }

private:
  AsmState state;
};

/// IR that passes have changed since it was listed.
class ChangedIr final : public IrOrigin {
public:
  ChangedIr(ModuleOp module, Id chunk, trace::Trace &trace);

  Id keptOp(Operation *op) override;
  Id keptBlock(Block *block) override;
  Id keptValue(Value value) override;
  void describeOp(Operation *op, trace::Op &entry) override;
  void describeBlock(Block *block, trace::Block &entry) override;
  void describeValue(Value value, trace::Value &entry) override;
  std::string roleName(Value value, const trace::Value &entry) override;

private:
  Id knownOp(Operation *op) const;
  void claimBlocks(Operation *op, Id id);
  Id blockOfFirstKept(Block &block) const;
  Id ancestorOf(Value value);
  Id ancestorOfResult(OpResult result);
  Id ancestorOfArgument(BlockArgument argument);
  bool mayBecome(Id before, BlockArgument argument) const;
  Id usedBefore(BlockArgument argument) const;
  Id inlinedResult(Value value) const;
  void claimArguments(ModuleOp module);

  trace::Trace &trace;
  size_t knownOps, knownValues;
  llvm::DenseMap<Id, unsigned> carriers, argumentCarriers;
  llvm::DenseMap<Operation *, Id> keptOps;
  llvm::DenseMap<Block *, Id> keptBlocks;
  /// The listing before this one, whose lists are overwritten on the way.
  std::vector<std::vector<Id>> resultsBefore, argumentsBefore, operandsBefore;
  /// Arguments in whose place the user's now use another one.
  llvm::DenseMap<BlockArgument, Id> heirs;
  /// Arguments in the place of results of ops that were inlined.
  llvm::DenseMap<BlockArgument, Id> inlined;
};

} // namespace

ChangedIr::ChangedIr(ModuleOp module, Id chunk, trace::Trace &trace)
    : trace(trace), knownOps(trace.ops.size()),
      knownValues(trace.values.size()) {
  for (const trace::Op &op : trace.ops) {
    resultsBefore.push_back(op.results);
    operandsBefore.push_back(op.operands);
  }
  for (const trace::Block &block : trace.blocks)
    argumentsBefore.push_back(block.arguments);
  module->walk([&](Operation *op) {
    if (Id id = knownOp(op); id != none)
      ++carriers[id];
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          ++argumentCarriers[taggedArgument(argument.getLoc())];
  });
  module->walk([&](Operation *op) {
    if (Id id = knownOp(op); id != none && carriers[id] == 1)
      keptOps[op] = id;
  });
  for (auto [op, id] : keptOps)
    claimBlocks(op, id);
  claimArguments(module);
}

/// The op's tag, if it names an op of the same name.
Id ChangedIr::knownOp(Operation *op) const {
  Id id = taggedOp(op->getLoc());
  if (id == none || size_t(id) >= knownOps ||
      op->getName().getStringRef() != StringRef(trace.ops[id].name.str()))
    return none;
  return id;
}

/// The block that the block's first op of the user's was listed in.
Id ChangedIr::blockOfFirstKept(Block &block) const {
  for (Operation &op : block)
    if (auto kept = keptOps.find(&op); kept != keptOps.end())
      return trace.ops[kept->second].block;
  return none;
}

/// Blocks have no location of their own: a block is an earlier one of the same
/// region if it is the entry still, or begins with what that one held.
void ChangedIr::claimBlocks(Operation *op, Id id) {
  const std::vector<std::vector<Id>> &before = trace.ops[id].regions;
  for (Region &region : op->getRegions()) {
    if (region.getRegionNumber() >= before.size() || region.empty())
      continue;
    const std::vector<Id> &earlier = before[region.getRegionNumber()];
    llvm::DenseSet<Id> claimed;
    for (Block &block : region) {
      Id candidate = blockOfFirstKept(block);
      if (block.isEntryBlock())
        candidate = earlier.empty() ? none : earlier.front();
      if (llvm::is_contained(earlier, candidate) &&
          claimed.insert(candidate).second)
        keptBlocks[&block] = candidate;
    }
  }
}

/// Where an op with regions is inlined, arguments of the block behind it take
/// the place of its results.
bool ChangedIr::mayBecome(Id before, BlockArgument argument) const {
  const trace::Value &value = trace.values[before];
  return value.kind == trace::ValueKind::argument ||
         (carriers.lookup(value.op) == 0 &&
          !argument.getOwner()->isEntryBlock());
}

/// What the kept ops used where they use this argument now, if it is one value
/// only.
Id ChangedIr::usedBefore(BlockArgument argument) const {
  Id found = none;
  for (OpOperand &use : argument.getUses()) {
    auto kept = keptOps.find(use.getOwner());
    if (kept == keptOps.end() ||
        operandsBefore[kept->second].size() != use.getOwner()->getNumOperands())
      continue;
    Id before = operandsBefore[kept->second][use.getOperandNumber()];
    if (before == none || !mayBecome(before, argument) ||
        (found != none && found != before))
      return none;
    found = before;
  }
  return found;
}

/// Passes that make loops give them new arguments, or several the place of one;
/// of these, one goes on as the user's: the only one that the user's ops use.
void ChangedIr::claimArguments(ModuleOp module) {
  llvm::DenseMap<Id, unsigned> claims;
  module->walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (Id before = ancestorOfArgument(argument); before != none)
            claims[before] += 2;
          else if (before = usedBefore(argument); before != none) {
            const bool isResult =
                trace.values[before].kind != trace::ValueKind::argument;
            (isResult ? inlined : heirs)[argument] = before;
            ++claims[before];
          }
  });
  llvm::SmallVector<BlockArgument> ambiguous;
  for (auto [argument, before] : heirs)
    if (claims[before] != 1)
      ambiguous.push_back(argument);
  for (BlockArgument argument : ambiguous)
    heirs.erase(argument);
}

Id ChangedIr::keptOp(Operation *op) { return keptOps.lookup_or(op, none); }

Id ChangedIr::keptBlock(Block *block) {
  return keptBlocks.lookup_or(block, none);
}

/// The value stays itself only if its type does.
Id ChangedIr::keptValue(Value value) {
  if (auto result = dyn_cast<OpResult>(value))
    if (!keptOps.contains(result.getOwner()))
      return none;
  Id before = ancestorOf(value);
  if (before == none)
    return none;
  std::string type;
  llvm::raw_string_ostream stream(type);
  value.getType().print(stream);
  return trace.values[before].type == type ? before : none;
}

Id ChangedIr::ancestorOf(Value value) {
  if (auto result = dyn_cast<OpResult>(value))
    return ancestorOfResult(result);
  return ancestorOfArgument(cast<BlockArgument>(value));
}

/// The result of the same number, or the only one that a buffer can stand for.
Id ChangedIr::ancestorOfResult(OpResult result) {
  Id op = taggedOp(result.getOwner()->getLoc());
  if (op == none || size_t(op) >= knownOps)
    return none;
  const std::vector<Id> &before = resultsBefore[op];
  if (before.size() == result.getOwner()->getNumResults())
    return before[result.getResultNumber()];
  bool oneForOne = before.size() == 1 && result.getResultNumber() == 0;
  return oneForOne && !keptOps.contains(result.getOwner()) ? before[0] : none;
}

Id ChangedIr::ancestorOfArgument(BlockArgument argument) {
  Id tagged = taggedArgument(argument.getLoc());
  if (tagged != none && size_t(tagged) < knownValues &&
      argumentCarriers.lookup(tagged) == 1)
    return tagged;
  if (auto heir = heirs.find(argument); heir != heirs.end())
    return heir->second;
  auto block = keptBlocks.find(argument.getOwner());
  if (block == keptBlocks.end())
    return none;
  const std::vector<Id> &before = argumentsBefore[block->second];
  return before.size() == argument.getOwner()->getNumArguments()
             ? before[argument.getArgNumber()]
             : none;
}

void ChangedIr::describeOp(Operation *op, trace::Op &entry) {
  entry.generated = true;
  Id origin = taggedOp(op->getLoc());
  if (origin == none || size_t(origin) >= knownOps)
    return;
  entry.origin =
      trace.ops[origin].generated ? trace.ops[origin].origin : origin;
  entry.nameRange = trace.ops[origin].nameRange;
  entry.range = trace.ops[origin].range;
}

void ChangedIr::describeBlock(Block *, trace::Block &) {}

static bool isTensor(const trace::Value &value) {
  return StringRef(value.type.str()).starts_with("tensor<");
}

void ChangedIr::describeValue(Value value, trace::Value &entry) {
  entry.generated = true;
  Id before = ancestorOf(value);
  if (Id result = inlinedResult(value); result != none)
    entry.range = trace.values[result].range;
  if (before != none) {
    const trace::Value &ancestor = trace.values[before];
    entry.range = ancestor.range;
    if (entry.isMemref && (ancestor.isMemref || isTensor(ancestor)))
      entry.standsFor = ancestor.generated ? ancestor.standsFor : before;
    return;
  }
  if (entry.op != none && trace.ops[entry.op].origin != none)
    entry.range = trace.ops[entry.op].nameRange;
}

/// The result of an inlined op that the value, an argument, took the place of.
Id ChangedIr::inlinedResult(Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument ? inlined.lookup_or(argument, none) : none;
}

/// `a_buf` for the buffer of `%a`, else what the op is called: `alloc`, `dim`.
std::string ChangedIr::roleName(Value value, const trace::Value &entry) {
  if (entry.standsFor != none) {
    std::string name = trace.values[entry.standsFor].name;
    std::replace(name.begin(), name.end(), '#', '_');
    return name + "_buf";
  }
  if (Id result = inlinedResult(value); result != none) {
    std::string name = trace.values[result].name;
    std::replace(name.begin(), name.end(), '#', '_');
    return name;
  }
  Operation *op = value.getDefiningOp();
  if (!op)
    return "arg";
  std::string name = op->getName().stripDialect().str();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !llvm::isAlnum(c); }, '_');
  // A name of digits only would look like one of MLIR's.
  return llvm::isDigit(name[0]) ? "op_" + name : name;
}

/// Functions that passes removed leave the chunk, but stay known.
static void skipLostFunctions(Id chunk, trace::Trace &trace) {
  const std::vector<Id> &listed = trace.chunks[chunk].functions;
  llvm::DenseSet<Id> alive(listed.begin(), listed.end());
  for (trace::Function &function : trace.functions)
    if (function.chunk == chunk && !alive.contains(function.id))
      function.status = trace::FunctionStatus::skipped;
}

void memreflens::addIrToTrace(ModuleOp module, Id chunk, trace::Trace &trace,
                              bool tagged) {
  std::unique_ptr<IrOrigin> origin;
  if (tagged)
    origin = std::make_unique<ChangedIr>(module, chunk, trace);
  else
    origin = std::make_unique<PrintedNames>(module);
  IrLister lister(trace, chunk, *origin);
  lister.listStructure(module);
  lister.tagAll(/*mover=*/nullptr);
  lister.describeFunctions();
  if (tagged)
    skipLostFunctions(chunk, trace);
}
