//===- passes/ReadOnlyBuffersPass.cpp - buffers that are only read --------===//
//
// bufferization.to_buffer counts as a write of its tensor, since it is not
// known what is done with the memref. Where all that is done with it is to read
// it, and nothing writes the tensor meanwhile, that can be stated, and nothing
// need be copied for it:
//
//   %m = bufferization.to_buffer %t : ...
//   %x = memref.load %m[%i] : ...
//
//   %m = bufferization.to_buffer %t read_only : ...
//   %x = memref.load %m[%i] : ...
//
//===----------------------------------------------------------------------===//

#include "passes/LensPasses.h"
#include "passes/Options.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using State = bufferization::AnalysisState;

namespace memreflens {

/// Of more tensors in one buffer it is not asked.
static constexpr size_t mostTensors = 256;

/// Whether the op only reads the memref, and keeps no way to it.
static bool isOnlyRead(Operation *op, Value memref) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || op->hasTrait<OpTrait::IsTerminator>() ||
      llvm::any_of(op->getResultTypes(),
                   [](Type type) { return isa<BaseMemRefType>(type); }))
    return false;
  SmallVector<MemoryEffects::EffectInstance> all;
  effects.getEffects(all);
  bool isRead = false;
  for (const MemoryEffects::EffectInstance &effect : all) {
    const bool isOfIt = effect.getValue() == memref;
    const bool isKnown = bool(effect.getValue());
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      isRead |= isOfIt;
    else if (isOfIt || !isKnown)
      return false;
  }
  return isRead;
}

static bool isOnlyRead(Value memref) {
  llvm::SetVector<Value> views;
  views.insert(memref);
  for (size_t at = 0; at < views.size(); ++at)
    for (Operation *user : views[at].getUsers()) {
      auto view = dyn_cast<ViewLikeOpInterface>(user);
      if (view && view.getViewSource() == views[at] &&
          user->getNumResults() == 1)
        views.insert(user->getResult(0));
      else if (!isOnlyRead(user, views[at]))
        return false;
    }
  return true;
}

/// The tensor, and all that may be in its buffer; nothing where that is not
/// known.
static std::optional<llvm::SetVector<Value>> sharing(Value tensor,
                                                     const State &state) {
  llvm::SetVector<Value> all;
  all.insert(tensor);
  for (size_t at = 0; at < all.size(); ++at) {
    if (at == mostTensors)
      return std::nullopt;
    if (auto argument = dyn_cast<BlockArgument>(all[at])) {
      Operation *op = argument.getOwner()->getParentOp();
      auto loop = dyn_cast<scf::ForOp>(op);
      if (loop) {
        all.insert(loop.getTiedLoopInit(argument)->get());
        all.insert(loop.getTiedLoopYieldedValue(argument)->get());
      } else if (!isa<func::FuncOp>(op) || !argument.getOwner()->isEntryBlock())
        return std::nullopt;
    } else if (state.getOptions().dynCastBufferizableOp(
                   all[at].getDefiningOp())) {
      for (const auto &from : state.getAliasingOpOperands(all[at]))
        all.insert(from.opOperand->get());
    } else {
      return std::nullopt;
    }
    for (OpOperand &use : all[at].getUses()) {
      if (!state.getOptions().dynCastBufferizableOp(use.getOwner()))
        return std::nullopt;
      for (const auto &to : state.getAliasingValues(use))
        all.insert(to.value);
      if (auto loop = dyn_cast<scf::ForOp>(use.getOwner()))
        all.insert(loop.getTiedLoopRegionIterArg(&use));
    }
  }
  return all;
}

/// Whether nothing writes into the buffer behind the op: what reads the memref
/// would get the new contents.
static bool isLeft(bufferization::ToBufferOp op, const State &state) {
  const auto tensors = sharing(op.getTensor(), state);
  if (!tensors)
    return false;
  auto isBefore = [&](Operation *writer) {
    Operation *at = op->getBlock()->findAncestorOpInBlock(*writer);
    return at && at != op && at->isBeforeInBlock(op);
  };
  return llvm::all_of(*tensors, [&](Value tensor) {
    return llvm::all_of(tensor.getUses(), [&](OpOperand &use) {
      auto other = dyn_cast<bufferization::ToBufferOp>(use.getOwner());
      return other ? isOnlyRead(other.getResult())
                   : !state.bufferizesToMemoryWrite(use) ||
                         isBefore(use.getOwner());
    });
  });
}

namespace {
class ReadOnlyBuffersPass
    : public PassWrapper<ReadOnlyBuffersPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReadOnlyBuffersPass)

  ReadOnlyBuffersPass() = default;
  ReadOnlyBuffersPass(const ReadOnlyBuffersPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override {
    return options::readOnlyBuffersPass;
  }
  StringRef getDescription() const override {
    return "bufferization.to_buffer whose memref is only read gets read_only";
  }
  void runOnOperation() override;

private:
  Statistic stated{this, "stated", "memrefs that are stated to be read only"};
};
} // namespace

void ReadOnlyBuffersPass::runOnOperation() {
  const bufferization::BufferizationOptions options;
  const State state(options);
  SmallVector<bufferization::ToBufferOp> found;
  getOperation()->walk([&](bufferization::ToBufferOp op) {
    if (!op.getReadOnly() && isOnlyRead(op.getResult()) && isLeft(op, state))
      found.push_back(op);
  });
  for (bufferization::ToBufferOp op : found) {
    op.setReadOnly(true);
    ++stated;
  }
}

std::unique_ptr<Pass> createLensReadOnlyBuffersPass() {
  return std::make_unique<ReadOnlyBuffersPass>();
}

void registerReadOnlyBuffersPass() { PassRegistration<ReadOnlyBuffersPass>(); }

} // namespace memreflens
