//===- core/reduce/Edits.cpp - all edits, and those of whole ops ----------===//

#include "core/reduce/Edits.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memreflens {

static constexpr EditKind edits[] = {
    {"functions", countSymbols, removeSymbols},
    {"bodies", countBodies, removeBodies},
    {"ops", countOps, removeOps},
    {"regions", countRegions, unwrapRegions},
    {"branches", countEdges, takeEdges},
    {"edges", countEdges, joinEdges},
    {"returns", countBranches, returnEarly},
    {"blocks", countBlocks, mergeBlocks},
    {"block arguments", countBlockArguments, dropBlockArguments},
    {"region results", countRegionResults, dropRegionResults},
    {"results", countResults, dropResults},
    {"uses", countUses, copyInstead},
    {"allocations", countMade, allocateInstead},
    {"arguments", countArguments, dropArguments},
    {"equal arguments", countArguments, mergeArguments},
    {"shapes", countTypes, flattenTypes},
    {"sizes", countTypes, shrinkTypes},
    {"attributes", countAttributes, dropAttributes},
};

std::span<const EditKind> allEdits() { return edits; }

bool isTerminator(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>() || op->getNumSuccessors() > 0;
}

//===--- Values in the place of others ------------------------------------===//

std::vector<func::CallOp> callsOf(func::FuncOp function) {
  std::vector<func::CallOp> calls;
  function->getParentOp()->walk([&](func::CallOp call) {
    if (call.getCallee() == function.getSymName())
      calls.push_back(call);
  });
  return calls;
}

Value argumentFor(Operation *inside, Type type) {
  auto function = inside->getParentOfType<FunctionOpInterface>();
  if (!function || function.isExternal())
    return {};
  if (!isa<BaseMemRefType>(type))
    for (BlockArgument argument : function.getArguments())
      if (argument.getType() == type)
        return argument;
  unsigned position = function.getNumArguments();
  if (failed(function.insertArgument(position, type, {}, function->getLoc())))
    return {};
  if (auto called = dyn_cast<func::FuncOp>(function.getOperation()))
    for (func::CallOp call : callsOf(called)) {
      auto caller = call->getParentOfType<func::FuncOp>();
      Value operand = caller == called ? called.getArgument(position)
                                       : argumentFor(call, type);
      if (!operand)
        return {};
      call.getOperandsMutable().append(operand);
    }
  return function.getArgument(position);
}

Value substituteFor(Value value) {
  Operation *op = value.getDefiningOp();
  if (op && isa<BaseMemRefType>(value.getType()))
    for (Value operand : op->getOperands())
      if (operand.getType() == value.getType() && operand != value)
        return operand;
  Operation *inside = op ? op : value.getParentBlock()->getParentOp();
  return argumentFor(inside, value.getType());
}

//===--- Functions and other symbols --------------------------------------===//

static SmallVector<Operation *> symbols(Program &program) {
  llvm::DenseSet<Operation *> needed = program.neededOps();
  SmallVector<Operation *> found;
  for (Operation &op : *program.module->getBody())
    if (!needed.contains(&op))
      found.push_back(&op);
  return found;
}

size_t countSymbols(Program &program) { return symbols(program).size(); }

bool removeSymbols(Program &program, size_t begin, size_t end) {
  SmallVector<Operation *> all = symbols(program);
  for (size_t i = begin; i < end; ++i)
    all[i]->dropAllDefinedValueUses();
  for (size_t i = end; i-- > begin;)
    all[i]->erase();
  return true;
}

static SmallVector<func::FuncOp> bodies(Program &program) {
  llvm::DenseSet<Operation *> needed = program.neededOps();
  SmallVector<func::FuncOp> found;
  program.module->walk([&](func::FuncOp function) {
    if (!needed.contains(function) && !function.isExternal())
      found.push_back(function);
  });
  return found;
}

size_t countBodies(Program &program) { return bodies(program).size(); }

bool removeBodies(Program &program, size_t begin, size_t end) {
  SmallVector<func::FuncOp> all = bodies(program);
  for (size_t i = begin; i < end; ++i) {
    all[i].eraseBody();
    all[i].setPrivate();
  }
  return true;
}

//===--- Ops --------------------------------------------------------------===//

static SmallVector<Operation *> removableOps(Program &program) {
  llvm::DenseSet<Operation *> needed = program.neededOps();
  SmallVector<Operation *> found;
  program.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!needed.contains(op) && !isTerminator(op) &&
        op->getParentOp() != program.module->getOperation() &&
        op != program.module->getOperation())
      found.push_back(op);
  });
  return found;
}

size_t countOps(Program &program) { return removableOps(program).size(); }

static bool removeOp(Operation *op) {
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    Value other = substituteFor(result);
    if (!other)
      return false;
    result.replaceAllUsesWith(other);
  }
  op->erase();
  return true;
}

bool removeOps(Program &program, size_t begin, size_t end) {
  SmallVector<Operation *> all = removableOps(program);
  // Users first; what is inside of an op goes with it.
  for (size_t i = end; i-- > begin;) {
    bool isInside = false;
    for (size_t j = i; j-- > begin && !isInside;)
      isInside = all[j]->isProperAncestor(all[i]);
    if (!isInside && !removeOp(all[i]))
      return false;
  }
  return end > begin;
}

static SmallVector<Operation *> opsThatMake(Program &program) {
  SmallVector<Operation *> found;
  for (Operation *op : removableOps(program))
    if (!isa<memref::AllocOp>(op) && op->getNumResults() == 1 &&
        isa<MemRefType>(op->getResult(0).getType()) &&
        (op->getNumOperands() > 0 || op->getNumRegions() > 0))
      found.push_back(op);
  return found;
}

size_t countMade(Program &program) { return opsThatMake(program).size(); }

bool allocateInstead(Program &program, size_t begin, size_t end) {
  SmallVector<Operation *> all = opsThatMake(program);
  for (size_t i = end; i-- > begin;) {
    OpBuilder builder(all[i]);
    auto type = cast<MemRefType>(all[i]->getResult(0).getType());
    SmallVector<Value> sizes;
    if (type.getNumDynamicDims() > 0)
      sizes.assign(size_t(type.getNumDynamicDims()),
                   argumentFor(all[i], builder.getIndexType()));
    if (llvm::is_contained(sizes, Value()))
      return false;
    Value made =
        memref::AllocOp::create(builder, all[i]->getLoc(), type, sizes);
    all[i]->getResult(0).replaceAllUsesWith(made);
    all[i]->erase();
  }
  return end > begin;
}

static SmallVector<std::pair<Operation *, Value>> uses(Program &program) {
  SmallVector<std::pair<Operation *, Value>> found;
  for (Operation *op : removableOps(program)) {
    if (op->getNumRegions() == 0 || !op->use_empty())
      continue;
    llvm::SetVector<Value> used;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (isa<MemRefType>(operand.getType()) &&
            !op->isAncestor(operand.getParentBlock()->getParentOp()))
          used.insert(operand);
    });
    for (Value value : used)
      found.push_back({op, value});
  }
  return found;
}

size_t countUses(Program &program) { return uses(program).size(); }

/// One at a time: the next buffer may be another one of the same op.
bool copyInstead(Program &program, size_t begin, size_t end) {
  if (end - begin != 1)
    return false;
  auto [op, used] = uses(program)[begin];
  Value other = argumentFor(op, used.getType());
  if (!other)
    return false;
  OpBuilder builder(op);
  memref::CopyOp::create(builder, op->getLoc(), used, other);
  op->erase();
  return true;
}

} // namespace memreflens
