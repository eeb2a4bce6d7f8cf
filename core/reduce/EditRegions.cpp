//===- core/reduce/EditRegions.cpp - ops with regions made simpler --------===//

#include "core/reduce/Edits.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace memreflens {

//===--- A region in the place of its op ----------------------------------===//

static SmallVector<Region *> unwrappable(Program &program) {
  SmallVector<Region *> found;
  program.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<FunctionOpInterface, ModuleOp>(op) || !op->getBlock())
      return;
    for (Region &region : op->getRegions())
      if (region.hasOneBlock() && !region.front().empty())
        found.push_back(&region);
  });
  return found;
}

size_t countRegions(Program &program) { return unwrappable(program).size(); }

/// What the op takes as the first value of a block argument, if it is plain.
static Value entryOperand(Operation *op, BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return number > 0 ? loop.getInitArgs()[number - 1] : loop.getLowerBound();
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    if (argument.getParentRegion() == &loop.getBefore())
      return loop.getInits()[number];
  return {};
}

static bool unwrap(Region *region) {
  Operation *op = region->getParentOp();
  Block &body = region->front();
  for (BlockArgument argument : body.getArguments()) {
    if (argument.use_empty())
      continue;
    Value other = entryOperand(op, argument);
    if (!other)
      other = argumentFor(op, argument.getType());
    if (!other)
      return false;
    argument.replaceAllUsesWith(other);
  }
  Operation *last = isTerminator(&body.back()) ? &body.back() : nullptr;
  SmallVector<Value> yielded;
  if (last)
    yielded.append(last->operand_begin(), last->operand_end());
  // scf.condition passes its condition as well.
  if (last && isa<scf::ConditionOp>(last))
    yielded.erase(yielded.begin());
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    Value other;
    if (result.getResultNumber() < yielded.size() &&
        yielded[result.getResultNumber()].getType() == result.getType())
      other = yielded[result.getResultNumber()];
    if (!other)
      other = substituteFor(result);
    if (!other)
      return false;
    result.replaceAllUsesWith(other);
  }
  if (last)
    last->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         body.getOperations());
  op->dropAllReferences();
  op->erase();
  return true;
}

bool unwrapRegions(Program &program, size_t begin, size_t end) {
  SmallVector<Region *> all = unwrappable(program);
  // One region of an op only: with the first, the op is gone.
  for (size_t i = end; i-- > begin;) {
    bool isLast =
        i == begin || all[i - 1]->getParentOp() != all[i]->getParentOp();
    if ((isLast || end - begin == 1) && !unwrap(all[i]))
      return false;
  }
  return end > begin;
}

//===--- Fewer results ----------------------------------------------------===//

static SmallVector<OpResult> droppable(Program &program) {
  SmallVector<OpResult> found;
  program.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::ExecuteRegionOp,
            scf::IndexSwitchOp>(op))
      for (OpResult result : op->getResults())
        found.push_back(result);
  });
  return found;
}

size_t countRegionResults(Program &program) {
  return droppable(program).size();
}

static bool replaceUses(Value value, Value wished) {
  if (value.use_empty())
    return true;
  Value other = wished ? wished : substituteFor(value);
  if (!other)
    return false;
  value.replaceAllUsesWith(other);
  return true;
}

/// The operand that every yield gives for the result.
static void eraseYields(Region &region, unsigned number) {
  for (Block &block : region)
    if (auto yield = dyn_cast<scf::YieldOp>(block.getTerminator()))
      yield->eraseOperand(number);
}

static bool dropParts(Operation *op, unsigned number) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (!replaceUses(loop.getRegionIterArg(number), loop.getInitArgs()[number]))
      return false;
    eraseYields(loop.getRegion(), number);
    loop.getBody()->eraseArgument(number + 1);
    op->eraseOperand(loop.getNumControlOperands() + number);
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    // Its inits and results need not belong together; here they have to.
    if (loop.getInits().size() != loop.getNumResults() ||
        loop.getInits()[number].getType() != loop.getResult(number).getType())
      return false;
    Value init = loop.getInits()[number];
    if (!replaceUses(loop.getBeforeArguments()[number], init) ||
        !replaceUses(loop.getAfterArguments()[number], init))
      return false;
    loop.getConditionOp()->eraseOperand(number + 1);
    eraseYields(loop.getAfter(), number);
    loop.getBeforeBody()->eraseArgument(number);
    loop.getAfterBody()->eraseArgument(number);
    op->eraseOperand(number);
    return true;
  }
  for (Region &region : op->getRegions())
    eraseYields(region, number);
  return true;
}

/// The op once more, without that result.
static void rebuild(Operation *op, unsigned number) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), op->getName());
  SmallVector<int32_t> kept;
  for (OpResult result : op->getResults())
    if (result.getResultNumber() != number) {
      state.types.push_back(result.getType());
      kept.push_back(int32_t(result.getResultNumber()));
    }
  state.addOperands(op->getOperands());
  state.attributes = op->getAttrDictionary();
  for (size_t i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *made = builder.create(state);
  for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions()))
    to.takeBody(from);
  for (auto [index, result] : llvm::enumerate(made->getResults()))
    op->getResult(unsigned(kept[index])).replaceAllUsesWith(result);
  // The numbers of an op that was rebuilt before are those of that one.
  if (auto before = op->getAttrOfType<DenseI32ArrayAttr>(keptResultsName))
    for (int32_t &index : kept)
      index = before[size_t(index)];
  made->setAttr(keptResultsName, builder.getDenseI32ArrayAttr(kept));
  op->erase();
}

bool dropRegionResults(Program &program, size_t begin, size_t end) {
  SmallVector<OpResult> all = droppable(program);
  SmallVector<std::pair<Operation *, unsigned>> wanted;
  for (size_t i = begin; i < end; ++i)
    wanted.push_back({all[i].getOwner(), all[i].getResultNumber()});
  // Rebuilding an op invalidates those around it in no way; its own other
  // results are dropped one edit at a time.
  Operation *last = nullptr;
  for (auto [op, number] : llvm::reverse(wanted)) {
    if (op == last)
      continue;
    last = op;
    if (!replaceUses(op->getResult(number), {}) || !dropParts(op, number))
      return false;
    rebuild(op, number);
  }
  return !wanted.empty();
}

} // namespace memreflens
