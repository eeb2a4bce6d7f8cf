//===- core/pipeline/ownership/HandlerCall.h ------------------------------===//
//
// A call into another dialect.
//
// Finds out what one call of an op's own `process`, or
// `materializeUniqueOwnershipForMemref`, made, and records the call:
//
//   HandlerCall call(state, function, block, op);
//   ... the call ...
//   call.nameWhatItMade(now);
//   ... the changes of ownership are recorded ...
//   call.recordProcess();
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_OWNERSHIP_HANDLERCALL_H
#define MEMREFLENS_PIPELINE_OWNERSHIP_HANDLERCALL_H

#include "core/pipeline/ownership/OwnershipState.h"

namespace memreflens {

class HandlerCall {
public:
  /// Right before the call of `op`, which may not outlive it.
  HandlerCall(OwnershipState &state, mlir::Operation *function,
              mlir::Block *block, mlir::Operation *op);

  /// Right after: gives every new op of the function its id. `now` stands in
  /// the op's place; null if nothing does. Where it was asked about `memref`
  /// and gave `answer` instead, a new allocation, that is recorded as a copy.
  void nameWhatItMade(mlir::Operation *now, mlir::Value memref = {},
                      mlir::Value answer = {});

  /// After all events about what changed.
  void recordProcess();
  /// `indicator` is the i1 that the op answered with for `memref`.
  void recordMaterialize(mlir::Value memref, mlir::Value indicator);

private:
  bool isNew(mlir::Operation *op) const;
  void nameOne(mlir::Operation *op);
  void recordCopy(mlir::Value memref, mlir::Value answer);
  /// What a terminator's own handler frees at the end of the block, and the i1s
  /// that it passes on: the same facts as of one that the pass handles.
  void recordEnd(mlir::Operation *end, llvm::ArrayRef<mlir::Operation *> added);
  void recordDealloc(mlir::bufferization::DeallocOp dealloc,
                     mlir::Operation *end);
  void record(mlir::Value memref, trace::InterfaceEvent event);

  OwnershipState &state;
  mlir::Operation *function;
  mlir::Block *block;
  trace::Id op;
  unsigned operandsBefore;
  trace::Id now = trace::none;
  trace::Id firstEvent = trace::none;
  std::vector<trace::Id> made;
  /// Ops before the call, with where they came from: an address may be used
  /// again for a new op.
  llvm::DenseMap<mlir::Operation *, mlir::Location> before;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OWNERSHIP_HANDLERCALL_H
