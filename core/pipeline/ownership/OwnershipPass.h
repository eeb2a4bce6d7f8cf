//===- core/pipeline/ownership/OwnershipPass.h ----------------------------===//
//
// Our traced ownership pass.
//
// Stage 3 of the pipeline, written on MLIR's public API: inserts
// bufferization.dealloc ops and passes ownership i1s through control flow, and
// records each decision. The IR is that of upstream's pass where upstream
// accepts the function and reads no freed memory; see
// docs/upstream-differences.md.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_OWNERSHIP_OWNERSHIPPASS_H
#define MEMREFLENS_PIPELINE_OWNERSHIP_OWNERSHIPPASS_H

#include "core/pipeline/ownership/OwnershipState.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace memreflens {

struct OwnershipResult {
  /// False if the function was rejected; the trace holds the reason, and the
  /// function's IR is half done and must be thrown away.
  bool accepted = true;
  /// Upstream reads freed memory on this function.
  bool upstreamReadsFreedMemory = false;
  /// A handler of another dialect changed what nobody expected it to: what is
  /// recorded is only right with `OwnershipOptions::looksEverywhere`.
  bool missedChange = false;
  OwnershipState::Made made;
  /// Where it was rejected: the op that upstream names, and its message.
  std::optional<OwnershipState::Rejected> rejection;
};

/// Runs the pass on one function with a body.
OwnershipResult runOwnershipPass(mlir::FunctionOpInterface function,
                                 OwnershipOptions options,
                                 mlir::SymbolTableCollection &symbolTables,
                                 Recorder &recorder);

//===----------------------------------------------------------------------===//
// The parts, for OwnershipPass.cpp
//===----------------------------------------------------------------------===//

/// Checks that the pass can handle `op` (all of upstream's conditions, in its
/// order); records a rejection otherwise.
mlir::LogicalResult checkPreconditions(OwnershipState &state,
                                       mlir::Operation *op);

/// Everything one block's processing needs.
struct HandlerContext {
  OwnershipState &state;
  mlir::SymbolTableCollection &symbolTables;
};

/// Each handles `op` through one interface and returns the op that now stands
/// in its place.
using Handled = mlir::FailureOr<mlir::Operation *>;
Handled handleMemoryEffects(HandlerContext &context, mlir::Operation *op);
Handled handleRegionBranch(HandlerContext &context, mlir::Operation *op);
Handled handleCall(HandlerContext &context, mlir::Operation *op);
Handled handleBranch(HandlerContext &context, mlir::Operation *op);
Handled handleRegionTerminator(HandlerContext &context, mlir::Operation *op);

/// Ops that implement BufferDeallocationOpInterface: our own handling of those
/// that upstream has models for, the op's own `process` for all others.
Handled handleDeallocationModel(HandlerContext &context, mlir::Operation *op);

/// The dealloc before a terminator without successors; appends the results for
/// the forwarded memrefs to `ownerships`.
mlir::LogicalResult insertDeallocForReturnLike(
    OwnershipState &state, mlir::Operation *op, mlir::OperandRange operands,
    trace::RetainReason reason, llvm::SmallVectorImpl<mlir::Value> &ownerships);

/// A unique indicator for `memref` in `block`, asking the op that defines it.
std::pair<mlir::Value, mlir::Value> materializeUnique(HandlerContext &context,
                                                      mlir::OpBuilder &builder,
                                                      mlir::Value memref,
                                                      mlir::Block *block);
/// The part of it that concerns an op with a deallocation model.
std::pair<mlir::Value, mlir::Value> materializeByModel(HandlerContext &context,
                                                       mlir::OpBuilder &builder,
                                                       mlir::Operation *owner,
                                                       mlir::Value memref);

/// Whether `op` is a function that follows the static function boundary ABI.
bool hasStaticBoundary(mlir::Operation *op, const OwnershipOptions &options);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OWNERSHIP_OWNERSHIPPASS_H
