//===- samples/out-of-tree/Loom.cpp - the dialect `loom` ------------------===//

#include "Loom.h"
#include "Register.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#include "LoomDialect.cpp.inc"
#define GET_OP_CLASSES
#include "LoomOps.cpp.inc"

namespace loom {

void LoomDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "LoomOps.cpp.inc"
      >();
}

void registerLoom(DialectRegistry &registry) {
  // The others are for MLIR's own language server, which knows no more than it
  // is given; what the analysis itself needs is added by memref-lens.
  registry.insert<LoomDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, cf::ControlFlowDialect,
                  func::FuncDialect, memref::MemRefDialect, scf::SCFDialect>();
  // Without these the pass refuses cf.cond_br; registerAllDialects has them.
  arith::registerBufferDeallocationOpInterfaceExternalModels(registry);
  cf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  scf::registerBufferDeallocationOpInterfaceExternalModels(registry);
}

//===--- loom.repeat: how control enters and leaves the region ------------===//

#ifndef LOOM_BROKEN
/// From before the loop, and from the end of each round: into the body or out.
void RepeatOp::getSuccessorRegions(
    RegionBranchPoint, SmallVectorImpl<RegionSuccessor> &successors) {
  successors.emplace_back(&getBody(), getBody().getArguments());
  successors.emplace_back(getOperation(), getResults());
}

OperandRange RepeatOp::getEntrySuccessorOperands(RegionSuccessor) {
  return getInits();
}
#endif

//===--- loom.lookup: who owns its result ---------------------------------===//

using bufferization::DeallocationOptions;
using bufferization::DeallocationState;
using bufferization::Ownership;

/// Owned iff it is fresh, and then to be freed at the end of its block.
FailureOr<Operation *> LookupOp::process(DeallocationState &state,
                                         const DeallocationOptions &) {
  OpBuilder builder(getContext());
  builder.setInsertionPointAfter(getOperation());
  Value fresh =
      IsFreshOp::create(builder, getLoc(), builder.getI1Type(), getBuffer());
  state.updateOwnership(getBuffer(), Ownership::getUnique(fresh));
  state.addMemrefToDeallocate(getBuffer(), getOperation()->getBlock());
  return getOperation();
}

/// Where the buffer must be owned for certain, the cache makes the copy: it
/// does so without looking at who owns the buffer.
std::pair<Value, Value> LookupOp::materializeUniqueOwnershipForMemref(
    DeallocationState &state, const DeallocationOptions &, OpBuilder &builder,
    Value memref) {
  Value copy = DetachOp::create(builder, getLoc(), memref.getType(), memref);
  Value owned =
      arith::ConstantOp::create(builder, getLoc(), builder.getBoolAttr(true));
  state.updateOwnership(copy, Ownership::getUnique(owned));
  state.addMemrefToDeallocate(copy, copy.getParentBlock());
  return {copy, owned};
}

} // namespace loom
