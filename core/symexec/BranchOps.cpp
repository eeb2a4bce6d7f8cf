//===- core/symexec/BranchOps.cpp - branches ------------------------------===//

#include "core/symexec/BranchOps.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace memreflens::symexec {

/// What a branch passes for an argument of its successor; null if that is not
/// known.
static Value operandFor(Operation *op, unsigned successor, unsigned argument) {
  auto branch = dyn_cast<BranchOpInterface>(op);
  if (!branch)
    return {};
  SuccessorOperands operands = branch.getSuccessorOperands(successor);
  return operands.isOperandProduced(argument) ? Value() : operands[argument];
}

Step BranchOps::goTo(State &state, Operation *op, unsigned successor) {
  Block *target = op->getSuccessor(successor);
  Frame &frame = state.frame();
  Scope &scope = state.scope();
  // Only ways back are counted, so that paths through a diamond meet again.
  bool goesBack = target == op->getBlock();
  for (Block *block = op->getBlock(); !goesBack && block;
       block = block->getPrevNode())
    goesBack = block == target;
  if (goesBack) {
    auto *visits = llvm::find_if(
        scope.visits, [&](auto &entry) { return entry.first == target; });
    if (visits == scope.visits.end()) {
      scope.visits.push_back({target, 0});
      visits = scope.visits.end() - 1;
    }
    if (++visits->second > options.exactIterations) {
      result.cutAtBound = true;
      observer.gap(trace::PeakGapKind::notAllPaths, op);
      return Step::end;
    }
  }
  std::vector<PathValue> passed;
  for (unsigned i = 0; i < target->getNumArguments(); ++i) {
    PathValue value;
    if (Value operand = operandFor(op, successor, i)) {
      value = isBuffer(operand.getType()) ? values.memrefOf(state, operand)
                                          : values.valueOf(state, operand);
    }
    passed.push_back(value);
  }
  Region *region = target->getParent();
  unbindFrom(frame, ir.firstIn(region), [&](unsigned number) {
    Value value = ir.valueOf(number);
    return value.getParentRegion() == region && !ir.isLiveInto(value, target);
  });
  for (auto [argument, value] : llvm::zip(target->getArguments(), passed)) {
    unbind(frame, ir.numberOf(argument));
    if (value.kind != ValueClass::none)
      values.set(state, argument, value);
  }
  scope.next = &target->front();
  return target->getSinglePredecessor() ? Step::entered : Step::moved;
}

/// A way out of a loop whose end is unknown is taken after some times.
static bool isBackEdge(Block *from, Block *to) {
  for (Block *block = from; block; block = block->getPrevNode())
    if (block == to)
      return true;
  return false;
}

Step BranchOps::branch(State &state, Operation *op) {
  if (op->getNumSuccessors() == 0)
    return Step::end;
  if (!isa<BranchOpInterface>(op))
    assumed.insert(op->getName().getStringRef().str() +
                   " goes to any of its successors");
  if (op->getNumSuccessors() == 1)
    return goTo(state, op, 0);
  if (auto conditional = dyn_cast<cf::CondBranchOp>(op)) {
    std::optional<bool> condition =
        values.truth(state, values.exprOf(state, conditional.getCondition()));
    if (condition)
      return goTo(state, op, *condition ? 0 : 1);
    for (unsigned side : {0u, 1u}) {
      Block *target = op->getSuccessor(side);
      auto *visits = llvm::find_if(state.scope().visits, [&](auto &entry) {
        return entry.first == target;
      });
      if (isBackEdge(op->getBlock(), target) &&
          visits != state.scope().visits.end() &&
          visits->second >= options.loopBound) {
        observer.iterates(op, visits->second, state);
        result.cutAtBound = true;
        decide(state.decisions, values.forkOn, side == 1);
        return branch(state, op);
      }
    }
    return Step::fork;
  }
  // Of other branches any way may be taken, one after the other.
  SymbolicExpr flag = noExpr;
  Value operand = op->getNumOperands() ? op->getOperand(0) : Value();
  auto switchOp = dyn_cast<cf::SwitchOp>(op);
  for (unsigned i = op->getNumSuccessors() - 1; i > 0; --i) {
    if (switchOp && switchOp.getCaseValues()) {
      auto cases = switchOp.getCaseValues()->getValues<APInt>();
      unsigned width = unsigned(operand.getType().getIntOrFloatBitWidth());
      flag = exprs.make(ExprKind::equal, 1,
                        {values.exprOf(state, operand),
                         exprs.constant(cases[i - 1].getSExtValue(), width)});
    } else {
      flag = exprs.make(ExprKind::other, 1, {}, {},
                        "way:" + std::to_string(uintptr_t(op)) + ":" +
                            std::to_string(i));
    }
    std::optional<bool> taken = values.truth(state, flag);
    if (!taken)
      return Step::fork;
    if (*taken)
      return goTo(state, op, i);
  }
  return goTo(state, op, 0);
}

} // namespace memreflens::symexec
