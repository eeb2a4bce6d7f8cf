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
  /// What is between two ops of a block; null: up to its begin, or its end.
  struct Place {
    mlir::Block *block;
    mlir::Operation *previous, *next;
    /// Of an op, and where a builder is.
    static Place of(mlir::Operation *op);
    static Place of(mlir::OpBuilder &builder);
  };

  /// Right before the call of `op`, which may not outlive it, and which is
  /// expected to make ops at `place`.
  HandlerCall(OwnershipState &state, mlir::Operation *function,
              mlir::Block *block, mlir::Operation *op, Place place);

  /// Right after: gives every new op of the function its id. `now` stands in
  /// the op's place; null if nothing does. Where it was asked about `memref`
  /// and gave `answer` instead, a new allocation, that is recorded as a copy.
  void nameWhatItMade(mlir::Operation *now, mlir::Value memref = {},
                      mlir::Value answer = {});

  /// Values whose ownership it is expected to change; after that.
  llvm::ArrayRef<mlir::Value> mayHaveChanged() const { return expected; }

  /// After all events about what changed.
  void recordProcess();
  /// `indicator` is the i1 that the op answered with for `memref`.
  void recordMaterialize(mlir::Value memref, mlir::Value indicator);

private:
  bool isNew(mlir::Operation *op) const;
  /// All ops that are new, each in front of what is in it.
  llvm::SmallVector<mlir::Operation *> findNew(mlir::Operation *standing);
  /// False if the place is not to be found again.
  bool atPlace(mlir::Operation *standing,
               llvm::SmallVectorImpl<mlir::Operation *> &ops) const;
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
  Place place;
  /// The op is there, and no builder.
  bool holdsOp;
  trace::Id op;
  unsigned operandsBefore;
  trace::Id now = trace::none;
  trace::Id firstEvent = trace::none;
  std::vector<trace::Id> made;
  llvm::SmallVector<mlir::Value> expected;
  /// Ops before the call, of the place or of the function, with where they came
  /// from: an address may be used again for a new op.
  llvm::DenseMap<mlir::Operation *, mlir::Location> before;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OWNERSHIP_HANDLERCALL_H
