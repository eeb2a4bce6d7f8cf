//===- core/pipeline/bufferize/Origins.cpp --------------------------------===//

#include "core/pipeline/bufferize/Origins.h"
#include "core/pipeline/bufferize/Amounts.h"
#include "core/pipeline/bufferize/Marks.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace memreflens::bufferize {

using trace::Id;
using trace::none;
using trace::TensorCost;
using trace::TensorCostOrigin;

Origins::Origins(const trace::Trace &trace, trace::Bufferization &record)
    : trace(trace), record(record) {
  for (const trace::Bufferization &before : trace.bufferizations)
    firstNumber += unsigned(before.costs.size());
}

Id Origins::idOf(Operation *op) const { return taggedOp(op->getLoc()); }
Id Origins::idOf(Value value) const { return taggedValue(value, trace); }

//===--- Copies on tensors ------------------------------------------------===//

struct Origins::Resolved {
  Operation *op = nullptr;
  Id id = none;
  struct Operand {
    Value value;
    Id id = none;
    bool isDecided = false;
    SmallVector<Value, 1> results;
  };
  /// As they were.
  SmallVector<Operand> operands;
};

void Origins::notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) {
  if (auto made = dyn_cast<AllocTensorOp>(op))
    inserted.push_back(made);
}

LogicalResult Origins::resolve(Operation *root, const AnalysisState &state,
                               const BufferizationState &symbols) {
  IRRewriter rewriter(root->getContext(), this);
  auto isOfNestedTable = [&](Operation *op) {
    return op != root && op->getParentWithTrait<OpTrait::SymbolTable>() != root;
  };
  return success(
      !root->walk([&](Operation *op) {
             auto known = state.getOptions().dynCastBufferizableOp(op);
             if (!known || isOfNestedTable(op) ||
                 succeeded(resolveOne(known, rewriter, state, symbols)))
               return WalkResult::advance();
             return WalkResult::interrupt();
           })
           .wasInterrupted());
}

LogicalResult Origins::resolveOne(BufferizableOpInterface op,
                                  IRRewriter &rewriter,
                                  const AnalysisState &state,
                                  const BufferizationState &symbols) {
  Resolved resolved{op, idOf(op), {}};
  for (OpOperand &operand : op->getOpOperands()) {
    Resolved::Operand &entry = resolved.operands.emplace_back();
    entry.value = operand.get();
    if (!isa<TensorType>(operand.get().getType()))
      continue;
    entry.id = idOf(operand.get());
    entry.isDecided = !state.isInPlace(operand);
    if (entry.isDecided)
      for (const AliasingValue &result : state.getAliasingValues(operand))
        entry.results.push_back(result.value);
  }
  inserted.clear();
  rewriter.setInsertionPoint(op);
  if (failed(op.resolveConflicts(rewriter, state, symbols)))
    return failure();
  for (AllocTensorOp made : inserted) {
    asked.push_back(askedFor(made, resolved, state));
    made->setLoc(
        withMark(made.getLoc(), Mark::asked, unsigned(asked.size() - 1)));
  }
  return success();
}

/// scf.while copies what it passes to its second region: the argument of the
/// first one of which it is not the buffer, else what the second one yields.
static Value otherThanPassed(Value copied, OpOperand &use, scf::WhileOp loop,
                             const AnalysisState &state) {
  if (!copied || !isa<scf::ConditionOp>(use.getOwner()))
    return {};
  const unsigned number = use.getOperandNumber() - 1;
  auto before = loop.getBeforeArguments();
  auto yielded = loop.getYieldOp().getResults();
  if (number >= before.size() || !isa<TensorType>(before[number].getType()))
    return {};
  return state.areEquivalentBufferizedValues(copied, before[number])
             ? yielded[number]
             : before[number];
}

/// What the loop yields is copied into a new buffer.
Origins::Asked Origins::askedOfLoop(AllocTensorOp made, Operation *loop,
                                    const AnalysisState &state) const {
  Asked asked{.origin = TensorCostOrigin::loopValue, .op = idOf(loop)};
  if (Value copied = made.getCopy())
    asked.value = idOf(copied);
  for (OpOperand &use : made->getUses()) {
    if (!use.getOwner()->hasTrait<OpTrait::IsTerminator>())
      continue;
    asked.op = idOf(use.getOwner());
    asked.operand = int32_t(use.getOperandNumber());
    if (auto repeated = dyn_cast<scf::WhileOp>(loop))
      if (Value other = otherThanPassed(made.getCopy(), use, repeated, state))
        asked.because = idOf(other);
    auto interface = dyn_cast<LoopLikeOpInterface>(loop);
    if (!interface)
      continue;
    auto yielded = interface.getYieldedValuesMutable();
    if (!yielded)
      continue;
    for (auto [number, value] : llvm::enumerate(*yielded))
      if (&value == &use && number < interface.getRegionIterArgs().size())
        asked.because = idOf(interface.getRegionIterArgs()[number]);
  }
  return asked;
}

Origins::Asked Origins::askedFor(AllocTensorOp made, const Resolved &resolved,
                                 const AnalysisState &state) const {
  Asked asked{.op = resolved.id};
  for (auto [number, before] : llvm::enumerate(resolved.operands)) {
    const bool isReplaced =
        resolved.op->getOperand(unsigned(number)) == made.getResult() &&
        before.value != made.getResult();
    const bool isResult =
        made.getCopy() ? llvm::is_contained(before.results, made.getCopy())
                       : !before.results.empty();
    if (!before.isDecided || (!isReplaced && !isResult))
      continue;
    asked.operand = int32_t(number);
    asked.value = isReplaced ? before.id : idOf(before.results.front());
    asked.origin = !made.getCopy() ? TensorCostOrigin::newBuffer
                   : isReplaced    ? TensorCostOrigin::operand
                                   : TensorCostOrigin::result;
    if (isReplaced)
      break;
  }
  return asked.operand < 0 ? askedOfLoop(made, resolved.op, state) : asked;
}

//===--- Ops in front of bufferization ------------------------------------===//

static bool putsIntoPlace(Operation *op) {
  return isa<SubsetInsertionOpInterface, tensor::PadOp, tensor::ConcatOp,
             MaterializeInDestinationOp>(op);
}

/// The value whose layout the views in front of `value` cannot mend: a slice,
/// an argument, a result.
static Value rootOfLayout(Value value, const AnalysisState &state) {
  while (Operation *op = value.getDefiningOp()) {
    auto known = state.getOptions().dynCastBufferizableOp(op);
    if (!known || isa<SubsetExtractionOpInterface>(op))
      return value;
    AliasingOpOperandList from = state.getAliasingOpOperands(value);
    if (from.getNumAliases() != 1 || isa<RegionBranchOpInterface>(op) ||
        state.bufferizesToMemoryWrite(*from.begin()->opOperand))
      return value;
    value = from.begin()->opOperand->get();
  }
  return value;
}

Origins::Known Origins::describe(BufferizableOpInterface op,
                                 const AnalysisState &state) const {
  Known entry;
  entry.isCall = isa<CallOpInterface>(op.getOperation());
  entry.writesBack = putsIntoPlace(op);
  for (OpResult result : op->getResults())
    if (isa<TensorType>(result.getType())) {
      entry.allocates |= op.bufferizesToAllocation(result);
      entry.result = entry.result == none ? idOf(result) : entry.result;
    }
  for (Value operand : op->getOperands())
    if (isa<TensorType>(operand.getType()) && entry.source == none) {
      entry.source = idOf(operand);
      entry.because = idOf(rootOfLayout(operand, state));
    }
  if (isa<tensor::ConcatOp>(op))
    for (Value operand : llvm::reverse(op->getOperands().drop_front()))
      entry.others.push_back(idOf(operand));
  return entry;
}

//===--- Bufferization itself ---------------------------------------------===//

void Origins::listen(Operation *root, OneShotBufferizationOptions &options) {
  // Models of calls take any state for one of this kind.
  const OneShotAnalysisState state(root, options);
  copiesBeforeWrite = options.copyBeforeWrite;
  root->walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::CopyOp>(op))
      own.insert(op);
    if (auto bufferizable = options.dynCastBufferizableOp(op);
        bufferizable && idOf(op) != none)
      known[idOf(op)] = describe(bufferizable, state);
  });
  options.allocationFn = [this](OpBuilder &builder, Location location,
                                MemRefType type, ValueRange sizes,
                                unsigned alignment) -> FailureOr<Value> {
    TensorCost cost = costOf(location, /*isCopy=*/false, builder);
    setBytes(cost, builder.getInsertionBlock()->getParentOp(), type, sizes,
             trace);
    location = add(std::move(cost), location);
    if (alignment == 0)
      return memref::AllocOp::create(builder, location, type, sizes)
          .getResult();
    return memref::AllocOp::create(builder, location, type, sizes,
                                   builder.getI64IntegerAttr(alignment))
        .getResult();
  };
  options.memCpyFn = [this](OpBuilder &builder, Location location, Value from,
                            Value to) {
    TensorCost cost = costOf(location, /*isCopy=*/true, builder);
    setBytes(cost, builder.getInsertionBlock()->getParentOp(),
             cast<ShapedType>(from.getType()), {}, trace);
    if (auto op = known.find(cost.op);
        op != known.end() && !op->second.others.empty())
      op->second.source = op->second.others.pop_back_val();
    memref::CopyOp::create(builder, add(std::move(cost), location), from, to);
    return success();
  };
}

/// At a to_buffer that a call or a return asks for, whose op is told then.
void Origins::setBoundary(TensorCost &cost, Operation *at) const {
  cost.origin = TensorCostOrigin::layout;
  if (!isa<ToBufferOp>(at))
    return;
  for (Operation *user : at->getUsers())
    if (isa<func::ReturnOp, func::CallOp>(user)) {
      cost.origin = TensorCostOrigin::boundaryLayout;
      cost.op = idOf(user);
    }
}

TensorCost Origins::costOf(Location location, bool isCopy,
                           OpBuilder &builder) const {
  TensorCost cost;
  cost.isCopy = isCopy;
  cost.op = taggedOp(location);
  setLoops(cost, builder.getInsertionBlock());
  if (std::optional<unsigned> number = markIn(location, Mark::asked)) {
    const Asked &decision = asked[*number];
    cost.origin = decision.origin;
    cost.op = decision.op;
    cost.operand = decision.operand;
    cost.value = decision.value;
    cost.because = decision.because;
    return cost;
  }
  const Known op = known.lookup(cost.op);
  cost.value = isCopy ? op.source : op.result;
  const auto at = builder.getInsertionPoint();
  const bool isAtEnd = at == builder.getInsertionBlock()->end();
  if (isCopy ? op.writesBack : op.allocates) {
    cost.origin =
        isCopy ? TensorCostOrigin::writtenBack : TensorCostOrigin::opResult;
  } else if (isCopy && op.allocates) {
    cost.origin = TensorCostOrigin::opResult;
  } else if (copiesBeforeWrite) {
    cost.origin = TensorCostOrigin::copyBeforeWrite;
  } else {
    setBoundary(cost, isAtEnd ? nullptr : &*at);
    cost.because = op.because;
    if (op.isCall)
      cost.origin = TensorCostOrigin::boundaryLayout;
  }
  return cost;
}

Location Origins::add(TensorCost cost, Location location) {
  record.costs.push_back(std::move(cost));
  return withMark(location, Mark::made,
                  firstNumber + unsigned(record.costs.size() - 1));
}

/// Whether both are the same part of the same buffer.
static bool areOneView(Value one, Value other) {
  if (one == other)
    return true;
  auto first = one.getDefiningOp<memref::SubViewOp>();
  auto second = other.getDefiningOp<memref::SubViewOp>();
  return first && second && first.getSource() == second.getSource() &&
         first.getMixedOffsets() == second.getMixedOffsets() &&
         first.getMixedSizes() == second.getMixedSizes() &&
         first.getMixedStrides() == second.getMixedStrides();
}

void Origins::finish(Operation *root) {
  root->walk([&](Operation *op) {
    auto copy = dyn_cast<memref::CopyOp>(op);
    if (!copy && !isa<memref::AllocOp>(op))
      return;
    std::optional<unsigned> number = markIn(op->getLoc(), Mark::made);
    if (!number) {
      TensorCost cost;
      cost.isCopy = bool(copy);
      cost.op = idOf(op);
      cost.origin = own.contains(op) ? TensorCostOrigin::program
                                     : TensorCostOrigin::unknown;
      const Value of = copy ? Value(copy.getSource()) : op->getResult(0);
      setBytes(cost, op, cast<ShapedType>(of.getType()),
               copy ? ValueRange()
                    : ValueRange(cast<memref::AllocOp>(op).getDynamicSizes()),
               trace);
      setLoops(cost, op->getBlock());
      op->setLoc(add(std::move(cost), op->getLoc()));
      number = markIn(op->getLoc(), Mark::made);
    }
    TensorCost &cost = record.costs[*number - firstNumber];
    cost.isOntoItself = copy && areOneView(copy.getSource(), copy.getTarget());
  });
}

void linkCosts(Operation *root, trace::Trace &trace) {
  std::vector<TensorCost *> costs;
  for (trace::Bufferization &run : trace.bufferizations)
    for (TensorCost &cost : run.costs)
      costs.push_back(&cost);
  root->walk([&](Operation *op) {
    std::optional<unsigned> number = markIn(op->getLoc(), Mark::made);
    if (number && *number < costs.size() &&
        isa<memref::AllocOp, memref::CopyOp>(op))
      costs[*number]->now = taggedOp(op->getLoc());
  });
  dropMarks(root);
  // MLIR takes functions in an order that depends on addresses.
  for (trace::Bufferization &run : trace.bufferizations)
    llvm::stable_sort(run.costs,
                      [](const TensorCost &one, const TensorCost &other) {
                        return one.op < other.op;
                      });
}

} // namespace memreflens::bufferize
