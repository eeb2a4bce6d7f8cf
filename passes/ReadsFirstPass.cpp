//===- passes/ReadsFirstPass.cpp - reads before writes --------------------===//
//
// On tensors the order of independent ops says nothing; in buffers it decides
// whether a write in place destroys what a later op reads. Ops that only read a
// tensor move before the first op that may write it:
//
//   %new = tensor.insert %x into %t[%i]
//   %old = tensor.extract %t[%i]            // %t is copied
//
//   %old = tensor.extract %t[%i]
//   %new = tensor.insert %x into %t[%i]     // in place
//
// Only ops without effects move, with all that they need, inside of a block.
//
//===----------------------------------------------------------------------===//

#include "passes/LensPasses.h"
#include "passes/Options.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memreflens {

using bufferization::BufferizableOpInterface;
using State = bufferization::AnalysisState;

namespace {
/// How ops of one block use a tensor.
struct Uses {
  /// Those that only read it, or a view of it.
  llvm::SetVector<Operation *> readers;
  /// The first that does something else with it.
  Operation *first = nullptr;
};

class ReadsFirstPass : public PassWrapper<ReadsFirstPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReadsFirstPass)

  ReadsFirstPass() = default;
  ReadsFirstPass(const ReadsFirstPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return options::readsFirstPass; }
  StringRef getDescription() const override {
    return "Ops that only read a tensor move before those that may write it";
  }
  void runOnOperation() override;

private:
  void moveReadsOf(Value tensor, const State &state);

  Statistic moved{this, "moved", "ops that moved before a write"};
};
} // namespace

/// Whether the use reads the tensor, and neither writes it nor passes it on.
/// Of calls and returns more has to be known for that.
static bool isOnlyRead(OpOperand &use, const State &state) {
  auto op = dyn_cast<BufferizableOpInterface>(use.getOwner());
  return op && !isa<CallOpInterface>(use.getOwner()) &&
         !use.getOwner()->hasTrait<OpTrait::IsTerminator>() &&
         !op.bufferizesToMemoryWrite(use, state) &&
         op.getAliasingValues(use, state).getNumAliases() == 0;
}

static bool isView(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::CastOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp>(op);
}

/// Sorts the uses of `tensor`; those of views with them. Returns whether all of
/// them only read.
static bool sortUses(Value tensor, Block *block, const State &state,
                     Uses &uses) {
  llvm::SetVector<Operation *> readers;
  Operation *first = nullptr;
  for (OpOperand &use : tensor.getUses()) {
    Operation *op = use.getOwner();
    Operation *at = block->findAncestorOpInBlock(*op);
    if (!at)
      continue;
    Uses ofView;
    if (at == op && isOnlyRead(use, state))
      readers.insert(op);
    else if (at == op && isView(op) &&
             sortUses(op->getResult(0), block, state, ofView))
      readers.insert_range(ofView.readers);
    else if (!first || at->isBeforeInBlock(first))
      first = at;
  }
  uses.readers.insert_range(readers);
  if (first && (!uses.first || first->isBeforeInBlock(uses.first)))
    uses.first = first;
  return !first;
}

/// Whether the op may move before others that do not concern it: where it
/// writes a tensor, nobody else must use that.
static bool mayMove(Operation *op, const State &state) {
  if (op->hasTrait<OpTrait::IsTerminator>() || !isPure(op))
    return false;
  auto bufferizable = dyn_cast<BufferizableOpInterface>(op);
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return !isa<TensorType>(operand.get().getType()) ||
           (bufferizable &&
            (!bufferizable.bufferizesToMemoryWrite(operand, state) ||
             operand.get().hasOneUse()));
  });
}

/// The op, and all after `first` that it needs, in program order; nothing if
/// they cannot move before it.
static SmallVector<Operation *> movedWith(Operation *op, Operation *first,
                                          const State &state) {
  llvm::SetVector<Operation *> needed;
  needed.insert(op);
  for (size_t at = 0; at < needed.size(); ++at) {
    if (needed[at] == first || !mayMove(needed[at], state))
      return {};
    llvm::SetVector<Value> values;
    needed[at]->walk(
        [&](Operation *inside) { values.insert_range(inside->getOperands()); });
    for (Value value : values)
      if (Operation *defining = value.getDefiningOp();
          defining && defining->getBlock() == first->getBlock() &&
          !defining->isBeforeInBlock(first))
        needed.insert(defining);
  }
  SmallVector<Operation *> ordered(needed.begin(), needed.end());
  llvm::sort(ordered, [](Operation *one, Operation *other) {
    return one->isBeforeInBlock(other);
  });
  return ordered;
}

void ReadsFirstPass::moveReadsOf(Value tensor, const State &state) {
  Uses uses;
  sortUses(tensor, tensor.getParentBlock(), state, uses);
  if (!uses.first)
    return;
  for (Operation *reader : uses.readers)
    if (uses.first->isBeforeInBlock(reader))
      for (Operation *op : movedWith(reader, uses.first, state)) {
        op->moveBefore(uses.first);
        ++moved;
      }
}

void ReadsFirstPass::runOnOperation() {
  const bufferization::BufferizationOptions options;
  const State state(options);
  SmallVector<Value> tensors;
  auto add = [&](Value value) {
    if (isa<TensorType>(value.getType()))
      tensors.push_back(value);
  };
  getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), add);
  });
  for (Value tensor : tensors)
    moveReadsOf(tensor, state);
}

std::unique_ptr<Pass> createLensReadsFirstPass() {
  return std::make_unique<ReadsFirstPass>();
}

void registerReadsFirstPass() { PassRegistration<ReadsFirstPass>(); }

} // namespace memreflens
