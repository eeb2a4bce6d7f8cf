//===- core/reduce/EditBlocks.cpp - fewer blocks, edges and arguments -----===//

#include "core/reduce/Edits.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memreflens {

void eraseUnreachable(Region &region) {
  llvm::DenseSet<Block *> reached;
  SmallVector<Block *> pending = {&region.front()};
  while (!pending.empty()) {
    Block *block = pending.pop_back_val();
    if (reached.insert(block).second && !block->empty())
      llvm::append_range(pending, block->back().getSuccessors());
  }
  SmallVector<Block *> gone;
  for (Block &block : region)
    if (!reached.contains(&block))
      gone.push_back(&block);
  for (Block *block : gone) {
    block->dropAllDefinedValueUses();
    block->dropAllReferences();
  }
  for (Block *block : gone)
    block->erase();
}

template <class Visit> static void forEachBlock(Program &program, Visit visit) {
  program.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        visit(block);
  });
}

/// What `branch` passes along an edge; nothing where it makes values itself.
static std::optional<SmallVector<Value>> passedBy(Operation *branch,
                                                  unsigned edge) {
  auto known = dyn_cast<BranchOpInterface>(branch);
  if (!known)
    return std::nullopt;
  SuccessorOperands operands = known.getSuccessorOperands(edge);
  if (operands.getProducedOperandCount() > 0)
    return std::nullopt;
  return SmallVector<Value>(operands.getForwardedOperands());
}

static void replaceByBranch(Operation *branch, Block *to,
                            ArrayRef<Value> operands) {
  OpBuilder builder(branch);
  cf::BranchOp::create(builder, branch->getLoc(), to, operands);
  branch->erase();
}

//===--- One edge of several ----------------------------------------------===//

static SmallVector<std::pair<Operation *, unsigned>> edges(Program &program) {
  SmallVector<std::pair<Operation *, unsigned>> found;
  llvm::DenseSet<Operation *> needed = program.neededOps();
  forEachBlock(program, [&](Block &block) {
    if (block.empty() || needed.contains(&block.back()))
      return;
    for (unsigned i = 0; block.back().getNumSuccessors() > 1 &&
                         i < block.back().getNumSuccessors();
         ++i)
      found.push_back({&block.back(), i});
  });
  return found;
}

size_t countEdges(Program &program) { return edges(program).size(); }

bool takeEdges(Program &program, size_t begin, size_t end) {
  auto all = edges(program);
  SmallVector<Region *> regions;
  for (size_t i = end; i-- > begin;) {
    auto [branch, edge] = all[i];
    // The last of a branch that lies in the range.
    if (i + 1 < end && all[i + 1].first == branch)
      continue;
    auto operands = passedBy(branch, edge);
    if (!operands)
      return false;
    regions.push_back(branch->getParentRegion());
    replaceByBranch(branch, branch->getSuccessor(edge), *operands);
  }
  for (Region *region :
       llvm::SetVector<Region *>(regions.begin(), regions.end()))
    eraseUnreachable(*region);
  return !regions.empty();
}

/// Like another edge of its branch: to the block where the first one goes.
bool joinEdges(Program &program, size_t begin, size_t end) {
  auto all = edges(program);
  SmallVector<Region *> regions;
  for (size_t i = end; i-- > begin;) {
    auto [branch, edge] = all[i];
    auto mine = passedBy(branch, edge), first = passedBy(branch, 0);
    if (edge == 0 || !mine || !first ||
        branch->getSuccessor(edge) == branch->getSuccessor(0) ||
        TypeRange(ValueRange(*mine)) != TypeRange(ValueRange(*first)))
      continue;
    branch->setSuccessor(branch->getSuccessor(0), edge);
    regions.push_back(branch->getParentRegion());
  }
  for (Region *region :
       llvm::SetVector<Region *>(regions.begin(), regions.end()))
    eraseUnreachable(*region);
  return !regions.empty();
}

//===--- Returns in the place of branches ---------------------------------===//

static SmallVector<Operation *> branches(Program &program) {
  SmallVector<Operation *> found;
  llvm::DenseSet<Operation *> needed = program.neededOps();
  forEachBlock(program, [&](Block &block) {
    if (!block.empty() && block.back().getNumSuccessors() > 0 &&
        isa<func::FuncOp>(block.getParentOp()) &&
        !needed.contains(&block.back()))
      found.push_back(&block.back());
  });
  return found;
}

size_t countBranches(Program &program) { return branches(program).size(); }

bool returnEarly(Program &program, size_t begin, size_t end) {
  SmallVector<Operation *> all = branches(program);
  for (size_t i = end; i-- > begin;) {
    auto function = cast<func::FuncOp>(all[i]->getParentOp());
    SmallVector<Value> results;
    for (Type type : function.getResultTypes()) {
      Value result;
      // What it hands on is what would have been returned, more often than not.
      for (Value operand : all[i]->getOperands())
        if (operand.getType() == type)
          result = operand;
      for (Operation &op : *all[i]->getBlock())
        for (Value made : op.getResults())
          if (!result && made.getType() == type)
            result = made;
      if (!result)
        result = argumentFor(all[i], type);
      if (!result)
        return false;
      results.push_back(result);
    }
    OpBuilder builder(all[i]);
    func::ReturnOp::create(builder, all[i]->getLoc(), results);
    all[i]->erase();
    eraseUnreachable(function.getBody());
    // Later ones of this function may be gone with their blocks.
    if (end - begin > 1)
      break;
  }
  return end > begin;
}

//===--- Blocks -----------------------------------------------------------===//

static SmallVector<Block *> laterBlocks(Program &program) {
  SmallVector<Block *> found;
  forEachBlock(program, [&](Block &block) {
    if (!block.isEntryBlock())
      found.push_back(&block);
  });
  return found;
}

size_t countBlocks(Program &program) { return laterBlocks(program).size(); }

/// Into its only predecessor, which goes nowhere else.
static bool mergeUp(Block *block) {
  Block *before = block->getUniquePredecessor();
  if (!before || before == block || before->back().getNumSuccessors() != 1)
    return false;
  auto operands = passedBy(&before->back(), 0);
  if (!operands || operands->size() != block->getNumArguments())
    return false;
  for (auto [argument, operand] : llvm::zip(block->getArguments(), *operands))
    argument.replaceAllUsesWith(operand);
  before->back().erase();
  before->getOperations().splice(before->end(), block->getOperations());
  block->erase();
  return true;
}

/// Who leads to it goes to its successor at once.
static bool goAround(Block *block) {
  auto branch = dyn_cast<cf::BranchOp>(block->front());
  if (!branch || branch.getDest() == block)
    return false;
  for (BlockArgument argument : block->getArguments())
    for (OpOperand &use : argument.getUses())
      if (use.getOwner() != branch)
        return false;
  SmallVector<std::pair<Operation *, unsigned>> leads;
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it)
    leads.push_back({(*it)->getTerminator(), it.getSuccessorIndex()});
  for (auto [from, edge] : leads) {
    auto passed = passedBy(from, edge);
    if (!passed)
      return false;
    SmallVector<Value> operands;
    for (Value operand : branch.getDestOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      operands.push_back(argument && argument.getOwner() == block
                             ? (*passed)[argument.getArgNumber()]
                             : operand);
    }
    cast<BranchOpInterface>(from)
        .getSuccessorOperands(edge)
        .getMutableForwardedOperands()
        .assign(operands);
    from->setSuccessor(branch.getDest(), edge);
  }
  branch.erase();
  block->erase();
  return true;
}

bool mergeBlocks(Program &program, size_t begin, size_t end) {
  SmallVector<Block *> all = laterBlocks(program);
  bool changed = false;
  for (size_t i = end; i-- > begin;) {
    bool isKept = llvm::any_of(all[i]->getArguments(), [&](Value argument) {
      return program.target.value != trace::none &&
             taggedArgument(argument.getLoc()) == program.target.value;
    });
    if (!isKept)
      changed |= mergeUp(all[i]) || goAround(all[i]);
  }
  return changed;
}

//===--- Their arguments --------------------------------------------------===//

static SmallVector<BlockArgument> blockArguments(Program &program) {
  SmallVector<BlockArgument> found;
  forEachBlock(program, [&](Block &block) {
    if (!block.isEntryBlock())
      for (BlockArgument argument : block.getArguments())
        if (program.target.value == trace::none ||
            taggedArgument(argument.getLoc()) != program.target.value)
          found.push_back(argument);
  });
  return found;
}

size_t countBlockArguments(Program &program) {
  return blockArguments(program).size();
}

static bool dropArgument(BlockArgument argument) {
  Block *block = argument.getOwner();
  unsigned number = argument.getArgNumber();
  Value passed;
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    if (!branch)
      return false;
    SuccessorOperands operands =
        branch.getSuccessorOperands(it.getSuccessorIndex());
    if (operands.getProducedOperandCount() > 0)
      return false;
    passed = operands[number];
    operands.erase(number);
  }
  if (!argument.use_empty()) {
    // One that each way to the block has.
    bool isEarlier =
        passed && passed != argument && passed.getParentBlock()->isEntryBlock();
    Value other =
        isEarlier ? passed : argumentFor(&block->front(), argument.getType());
    if (!other)
      return false;
    argument.replaceAllUsesWith(other);
  }
  block->eraseArgument(number);
  return true;
}

bool dropBlockArguments(Program &program, size_t begin, size_t end) {
  SmallVector<BlockArgument> all = blockArguments(program);
  for (size_t i = end; i-- > begin;)
    if (!dropArgument(all[i]))
      return false;
  return end > begin;
}

} // namespace memreflens
