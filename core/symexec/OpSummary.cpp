//===- core/symexec/OpSummary.cpp - all ways through an op at once --------===//

#include "core/symexec/IrFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace memreflens::symexec {

namespace {
class Summarizer {
public:
  Summarizer(Operation *op, IrFacts &ir) : op(op), ir(ir) {}
  OpSummary find();

private:
  bool hasKnownWays(Operation *owner);
  bool isFlag(Value value);
  bool addSources(Value value, llvm::SmallVectorImpl<Value> &sources);
  bool isPassed(Operation *nested);
  bool lookAtBuffers(Operation *nested);
  void addBuffer(Value buffer, bool isWritten);

  Operation *op;
  IrFacts &ir;
  OpSummary summary;
};
} // namespace

/// Its regions are single blocks that are run as its interface says, and no
/// buffer goes round in them.
bool Summarizer::hasKnownWays(Operation *owner) {
  return isa<LoopLikeOpInterface, RegionBranchOpInterface>(owner) &&
         !owner->hasTrait<OpTrait::IsIsolatedFromAbove>() &&
         llvm::all_of(owner->getRegions(), [](Region &region) {
           return region.empty() ||
                  (region.hasOneBlock() &&
                   llvm::none_of(region.getArgumentTypes(), isBuffer));
         });
}

void Summarizer::addBuffer(Value buffer, bool isWritten) {
  while (Operation *view = buffer.getDefiningOp()) {
    if (!op->isProperAncestor(view))
      break;
    buffer = cast<ViewLikeOpInterface>(view).getViewSource();
  }
  summary.used.push_back(buffer);
  if (isWritten)
    summary.written.push_back(buffer);
}

bool Summarizer::lookAtBuffers(Operation *nested) {
  if (auto store = dyn_cast<memref::StoreOp>(nested)) {
    Value value = store.getValueToStore();
    if (decidesOwnership(value.getType()) && !ir.holdsMarks(store.getMemRef()))
      return false;
    const bool isNumber = value.getType().isIntOrIndex();
    if (isNumber && !op->isAncestor(value.getParentBlock()->getParentOp()))
      summary.stored.push_back(value);
    addBuffer(store.getMemRef(), isNumber);
    return true;
  }
  for (Value operand : nested->getOperands()) {
    if (isa<TensorType>(operand.getType()))
      return false;
    if (isa<BaseMemRefType>(operand.getType()) && !isMemoryEffectFree(nested))
      addBuffer(operand, !isa<memref::LoadOp>(nested));
  }
  return true;
}

bool Summarizer::isPassed(Operation *nested) {
  if (isa<cf::AssertOp, memref::ExtractAlignedPointerAsIndexOp>(nested) ||
      nested->getNumSuccessors() > 0 ||
      hasEffect<MemoryEffects::Allocate>(nested) ||
      hasEffect<MemoryEffects::Free>(nested))
    return false;
  if (nested->hasTrait<OpTrait::IsTerminator>())
    return isa<RegionBranchTerminatorOpInterface>(nested) ||
           isMemoryEffectFree(nested);
  if (auto call = dyn_cast<CallOpInterface>(nested)) {
    summary.calls.push_back(call);
    return llvm::none_of(call.getArgOperands().getTypes(), isBuffer) &&
           llvm::none_of(nested->getResultTypes(), isBuffer);
  }
  if (llvm::any_of(nested->getResultTypes(), isBuffer)) {
    // A view of a buffer that comes from outside, or is such a view.
    auto view = dyn_cast<ViewLikeOpInterface>(nested);
    return view && isa<BaseMemRefType>(view.getViewSource().getType());
  }
  return !ir.touchesMemory(nested) || hasKnownWays(nested);
}

/// What an i1 of the op may be a copy of; false where that is not known.
bool Summarizer::addSources(Value value, SmallVectorImpl<Value> &sources) {
  if (value.getDefiningOp() != op &&
      !op->isAncestor(value.getParentBlock()->getParentOp()))
    return false;
  auto addOperands = [&](Operation *from, unsigned number) {
    sources.push_back(from->getOperand(number));
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    const unsigned number = argument.getArgNumber();
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      if (argument.getParentRegion() == &loop.getAfter())
        sources.push_back(loop.getConditionOp().getArgs()[number]);
      else
        sources.append(
            {loop.getInits()[number], loop.getYieldOp().getOperand(number)});
      return true;
    }
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop || number == 0)
      return false;
    addOperands(loop.getBody()->getTerminator(), number - 1);
    sources.push_back(loop.getInitArgs()[number - 1]);
    return true;
  }
  const unsigned number = cast<OpResult>(value).getResultNumber();
  Operation *maker = value.getDefiningOp();
  if (isa<arith::SelectOp>(maker)) {
    addOperands(maker, 1);
    addOperands(maker, 2);
  } else if (auto conditional = dyn_cast<scf::IfOp>(maker)) {
    for (Region &region : maker->getRegions())
      addOperands(region.front().getTerminator(), number);
  } else if (auto loop = dyn_cast<scf::WhileOp>(maker)) {
    sources.push_back(loop.getConditionOp().getArgs()[number]);
  } else if (auto loop = dyn_cast<scf::ForOp>(maker)) {
    addOperands(loop.getBody()->getTerminator(), number);
    sources.push_back(loop.getInitArgs()[number]);
  } else {
    return false;
  }
  return true;
}

/// An i1 that the op sets or leaves as it was, as constants: whether something
/// was met. No ownership indicator: of a buffer that does not change it stays
/// what it is.
bool Summarizer::isFlag(Value value) {
  llvm::SmallDenseSet<Value, 8> seen;
  SmallVector<Value> open = {value};
  bool canBe[2] = {false, false};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (matchPattern(next, m_One()) || matchPattern(next, m_Zero()))
      canBe[matchPattern(next, m_One())] = true;
    else if (!addSources(next, open))
      return false;
  }
  return canBe[false] && canBe[true];
}

OpSummary Summarizer::find() {
  // What a loop makes of numbers nobody knows, and a choice of two is one.
  const bool givesNumbers = isa<LoopLikeOpInterface, scf::IfOp>(op);
  const bool givesBack = llvm::any_of(op->getResults(), [&](Value result) {
    Type type = result.getType();
    return isBuffer(type) || (type.isInteger(1) && !isFlag(result)) ||
           (!givesNumbers && type.isIntOrIndex() && !result.use_empty());
  });
  if (givesBack || !hasKnownWays(op))
    return {};
  const WalkResult all = op->walk([&](Operation *nested) {
    return nested == op || (isPassed(nested) && lookAtBuffers(nested))
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  if (all.wasInterrupted())
    return {};
  summary.isPossible = true;
  return std::move(summary);
}

const OpSummary &IrFacts::summaryOf(Operation *op) {
  std::unique_ptr<OpSummary> &summary = summaries[op];
  if (!summary)
    summary = std::make_unique<OpSummary>(Summarizer(op, *this).find());
  return *summary;
}

} // namespace memreflens::symexec
