//===- core/pipeline/ownership/ThirdParty.cpp -----------------------------===//

#include "core/pipeline/ownership/ThirdParty.h"

#include "core/pipeline/ownership/HandlerCall.h"

#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace memreflens {

using bufferization::BufferDeallocationOpInterface;
using bufferization::DeallocationOptions;

static DeallocationOptions toUpstream(const OwnershipOptions &options) {
  DeallocationOptions upstream;
  upstream.privateFuncDynamicOwnership =
      options.privateFunctionDynamicOwnership;
  return upstream;
}

/// Nothing is to be read back but for the record: what is asked for is asked of
/// the state that the handler changed.
static void recordChanges(HandlerContext &context, const HandlerCall &call,
                          ArrayRef<Value> before, Operation *op, Block *block,
                          trace::OwnershipRule rule) {
  OwnershipState &state = context.state;
  if (state.recorder.isSilent())
    return;
  state.recordChanges(block, rule, op, call.mayHaveChanged());
  const ArrayRef<Value> after = state.candidates(block);
  // The lists are as long as the block, and most of them is the same.
  const size_t shared =
      std::distance(before.begin(), llvm::mismatch(before, after).first);
  for (Value memref : after.drop_front(shared))
    if (!llvm::is_contained(before, memref))
      state.recorder.add(
          op, block, memref,
          trace::CandidateEvent{trace::CandidateSource::interfaceProcess, {}});
  for (Value memref : before.drop_front(shared))
    if (!llvm::is_contained(after, memref))
      state.noteDropped(memref, block, trace::CandidateSource::interfaceProcess,
                        trace::DropReason::interfaceProcess, op);
}

/// The list as it is; empty where nobody asks.
static SmallVector<Value> listBefore(OwnershipState &state, Block *block) {
  if (state.recorder.isSilent())
    return {};
  return SmallVector<Value>(state.candidates(block));
}

Handled processThirdParty(HandlerContext &context, Operation *op) {
  OwnershipState &state = context.state;
  Block *block = op->getBlock();
  Operation *function = op->getParentOfType<FunctionOpInterface>();
  SmallVector<Value> oldResults(op->getResults());
  HandlerState &handlers = state.forHandlers(context.symbolTables);
  const SmallVector<Value> before = listBefore(state, block);
  HandlerCall call(state, function, block, op, HandlerCall::Place::of(op));

  std::string message;
  Handled handled = failure();
  {
    ScopedDiagnosticHandler capture(op->getContext(), [&](Diagnostic &error) {
      if (message.empty())
        message = error.str();
      return success();
    });
    handled = cast<BufferDeallocationOpInterface>(op).process(
        handlers.forCall(), toUpstream(state.options));
  }
  if (failed(handled))
    return state.reject(op, {}, trace::RejectionCause::interfaceProcess,
                        message);
  Operation *now = *handled;
  if (now && now != op)
    for (auto [oldResult, newResult] : llvm::zip(oldResults, now->getResults()))
      state.renamed(oldResult, newResult);
  if (now != op)
    llvm::for_each(oldResults, [&](Value result) { handlers.gone(result); });
  call.nameWhatItMade(now);
  recordChanges(context, call, before, now ? now : block->getTerminator(),
                block, trace::OwnershipRule::interfaceProcess);
  call.recordProcess();
  return handled;
}

std::pair<Value, Value> materializeThirdParty(HandlerContext &context,
                                              OpBuilder &builder,
                                              Operation *owner, Value memref) {
  Block *block = memref.getParentBlock();
  Operation *function = block->getParentOp();
  if (!isa<FunctionOpInterface>(function))
    function = function->getParentOfType<FunctionOpInterface>();
  HandlerState &handlers = context.state.forHandlers(context.symbolTables);
  const SmallVector<Value> before = listBefore(context.state, block);
  HandlerCall call(context.state, function, block, owner,
                   HandlerCall::Place::of(builder));
  std::pair<Value, Value> made =
      cast<BufferDeallocationOpInterface>(owner)
          .materializeUniqueOwnershipForMemref(
              handlers.forCall(), toUpstream(context.state.options), builder,
              memref);
  call.nameWhatItMade(owner, memref, made.first);
  recordChanges(context, call, before, owner, block,
                trace::OwnershipRule::interfaceMaterialize);
  call.recordMaterialize(memref, made.second);
  return made;
}

} // namespace memreflens
