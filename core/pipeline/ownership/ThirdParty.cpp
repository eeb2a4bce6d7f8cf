//===- core/pipeline/ownership/ThirdParty.cpp -----------------------------===//

#include "core/pipeline/ownership/ThirdParty.h"

#include "core/pipeline/ownership/HandlerCall.h"

#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace memreflens {

using bufferization::BufferDeallocationOpInterface;
using bufferization::DeallocationOptions;
using bufferization::DeallocationState;

static bufferization::Ownership toUpstream(const OwnershipValue &ownership) {
  if (ownership.isUnique())
    return bufferization::Ownership::getUnique(ownership.getIndicator());
  if (ownership.isUnknown())
    return bufferization::Ownership::getUnknown();
  return bufferization::Ownership::getUninitialized();
}

static OwnershipValue fromUpstream(const bufferization::Ownership &ownership) {
  if (ownership.isUnique())
    return OwnershipValue::unique(ownership.getIndicator());
  return ownership.isUnknown() ? OwnershipValue::unknown() : OwnershipValue();
}

static DeallocationOptions toUpstream(const OwnershipOptions &options) {
  DeallocationOptions upstream;
  upstream.privateFuncDynamicOwnership =
      options.privateFunctionDynamicOwnership;
  return upstream;
}

static void seed(const OwnershipState &state, Block *block,
                 DeallocationState &upstream) {
  for (auto [memref, ownership] : state.inBlock(block))
    upstream.updateOwnership(memref, toUpstream(ownership), block);
  for (Value memref : state.candidates(block))
    upstream.addMemrefToDeallocate(memref, block);
}

/// The state's list is private; the metadata ops that it makes for a terminator
/// show it.
static SmallVector<Value> readCandidates(DeallocationState &upstream,
                                         Block *block) {
  OpBuilder builder(block, block->getTerminator()->getIterator());
  SmallVector<Value> bases, conditions, listed;
  ScopedDiagnosticHandler silence(block->getParentOp()->getContext(),
                                  [](Diagnostic &) { return success(); });
  (void)upstream.getMemrefsAndConditionsToDeallocate(
      builder, block->getTerminator()->getLoc(), block, bases, conditions);
  for (Value base : bases) {
    auto metadata = base.getDefiningOp<memref::ExtractStridedMetadataOp>();
    Value source = metadata.getSource();
    metadata.erase();
    if (auto cast = source.getDefiningOp<memref::ReinterpretCastOp>();
        cast && isa<UnrankedMemRefType>(cast.getSource().getType())) {
      source = cast.getSource();
      cast.erase();
    }
    listed.push_back(source);
  }
  return listed;
}

/// Values whose ownership a handler at `op` may have touched in `block`.
static SmallVector<Value> valuesToPoll(const OwnershipState &state,
                                       Block *block) {
  llvm::SmallSetVector<Value, 16> values;
  for (auto [memref, ownership] : state.inBlock(block))
    values.insert(memref);
  for (Operation &op : *block)
    for (Value result : op.getResults())
      if (isMemref(result))
        values.insert(result);
  return values.takeVector();
}

static void readBack(HandlerContext &context, DeallocationState &upstream,
                     Operation *op, Block *block, trace::OwnershipRule rule) {
  OwnershipState &state = context.state;
  for (Value memref : valuesToPoll(state, block)) {
    OwnershipValue now = fromUpstream(upstream.getOwnership(memref, block));
    OwnershipValue before = state.get(memref, block);
    bool same = now.getState() == before.getState() &&
                now.getIndicator() == before.getIndicator();
    if (same)
      continue;
    state.reset(memref, block);
    if (!now.isUninitialized())
      state.join(memref, block, now, rule, op);
  }
  SmallVector<Value> before(state.candidates(block));
  SmallVector<Value> after = readCandidates(upstream, block);
  for (Value memref : after)
    if (!llvm::is_contained(before, memref))
      state.recorder.add(
          op, block, memref,
          trace::CandidateEvent{trace::CandidateSource::interfaceProcess, {}});
  for (Value memref : before)
    if (!llvm::is_contained(after, memref))
      state.noteDropped(memref, block, trace::CandidateSource::interfaceProcess,
                        trace::DropReason::interfaceProcess, op);
  state.setCandidates(block, after);
}

Handled processThirdParty(HandlerContext &context, Operation *op) {
  OwnershipState &state = context.state;
  Block *block = op->getBlock();
  Operation *function = op->getParentOfType<FunctionOpInterface>();
  SmallVector<Value> oldResults(op->getResults());
  DeallocationState upstream(function, context.symbolTables);
  seed(state, block, upstream);
  HandlerCall call(state, function, block, op);

  std::string message;
  Handled handled = failure();
  {
    ScopedDiagnosticHandler capture(op->getContext(), [&](Diagnostic &error) {
      if (message.empty())
        message = error.str();
      return success();
    });
    handled = cast<BufferDeallocationOpInterface>(op).process(
        upstream, toUpstream(state.options));
  }
  if (failed(handled))
    return state.reject(op, {}, trace::RejectionCause::interfaceProcess,
                        message);
  Operation *now = *handled;
  if (now && now != op)
    for (auto [oldResult, newResult] : llvm::zip(oldResults, now->getResults()))
      state.liveness.renamed(oldResult, newResult);
  call.nameWhatItMade(now);
  readBack(context, upstream, now ? now : block->getTerminator(), block,
           trace::OwnershipRule::interfaceProcess);
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
  DeallocationState upstream(function, context.symbolTables);
  seed(context.state, block, upstream);
  HandlerCall call(context.state, function, block, owner);
  std::pair<Value, Value> made =
      cast<BufferDeallocationOpInterface>(owner)
          .materializeUniqueOwnershipForMemref(
              upstream, toUpstream(context.state.options), builder, memref);
  call.nameWhatItMade(owner, memref, made.first);
  readBack(context, upstream, owner, block,
           trace::OwnershipRule::interfaceMaterialize);
  call.recordMaterialize(memref, made.second);
  return made;
}

} // namespace memreflens
