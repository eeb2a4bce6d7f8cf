//===- core/pipeline/ownership/OwnershipState.h ---------------------------===//
//
// Who owns what, while the pass runs.
//
// Ownership of each memref in each block, the list of memrefs to deallocate at
// the end of each block, and the two questions that terminators ask: what to
// free and what to retain. Each change is recorded in the trace as it is made.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_OWNERSHIP_OWNERSHIPSTATE_H
#define MEMREFLENS_PIPELINE_OWNERSHIP_OWNERSHIPSTATE_H

#include "core/pipeline/ownership/HandlerState.h"
#include "core/pipeline/ownership/LivenessSets.h"
#include "core/pipeline/ownership/OwnershipOptions.h"
#include "core/pipeline/record/Recorder.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::bufferization {
class DeallocOp;
} // namespace mlir::bufferization

namespace memreflens {

bool isMemref(mlir::Value value);

/// A retained value and why.
struct Retained {
  mlir::Value value;
  trace::RetainReason reason;
  int operandIndex = -1;
};

/// What the dealloc of a block frees: base buffers, and i1s beside them.
struct DeallocList {
  llvm::SmallVector<mlir::Value> listed;
  llvm::SmallVector<mlir::Value> bases;
  llvm::SmallVector<mlir::Value> conditions;
};

class OwnershipState {
public:
  /// What the pass made, without what ops of other dialects made themselves.
  struct Made {
    unsigned clones = 0, conditionalClones = 0, deallocs = 0;
  };

  /// Why the pass gives up on the function.
  struct Rejected {
    /// Null where upstream names a value, at `location`.
    mlir::Operation *op = nullptr;
    mlir::Location location;
    trace::RejectionCause cause = trace::RejectionCause::unknownEffects;
    std::string message;
    /// What to do, the most useful first.
    trace::List<std::string> remedies;
  };

  OwnershipState(mlir::Operation *function, OwnershipOptions options,
                 Recorder &recorder);

  const OwnershipOptions options;
  Recorder &recorder;
  LivenessSets liveness;
  Made made;
  /// Set when it does.
  std::optional<Rejected> rejection;

  //===--- Ownership ---===//
  OwnershipValue get(mlir::Value memref, mlir::Block *block) const;
  /// Joins with what is there. `inputs` are the values whose ownership was
  /// read.
  void join(mlir::Value memref, mlir::Block *block, OwnershipValue with,
            trace::OwnershipRule rule, mlir::Operation *cause,
            mlir::ValueRange inputs = {},
            llvm::ArrayRef<OwnershipValue> inputOwnerships = {},
            OwnershipValue refinedFrom = {});
  void joinIndicator(mlir::Value memref, mlir::Block *block,
                     mlir::Value indicator, trace::OwnershipRule rule,
                     mlir::Operation *cause);
  /// Forgets the values' ownership in `block`, so that the next join sets it.
  void reset(mlir::ValueRange memrefs, mlir::Block *block);

  //===--- Dealloc lists ---===//
  void addCandidate(mlir::Value memref, mlir::Block *block,
                    trace::CandidateSource source, mlir::Operation *cause);
  void noteDropped(mlir::Value memref, mlir::Block *block,
                   trace::CandidateSource source, trace::DropReason reason,
                   mlir::Operation *cause);
  llvm::ArrayRef<mlir::Value> candidates(mlir::Block *block) const;

  //===--- Handlers of other dialects ---===//
  /// MLIR's state for them. From its first use on, it says what we know, since
  /// they may change any of it.
  HandlerState &forHandlers(mlir::SymbolTableCollection &symbolTables);
  /// Records the ownerships in `block` that a call of a handler changed; those
  /// of `expected`, or all with `OwnershipOptions::looksEverywhere`.
  void recordChanges(mlir::Block *block, trace::OwnershipRule rule,
                     mlir::Operation *cause,
                     llvm::ArrayRef<mlir::Value> expected);
  /// A handler changed something elsewhere than it was expected to.
  void noteMissedChange() { isMissed = true; }
  /// The op with this id is no more, and another one is in its place.
  void noteGone(trace::Id op) { gone.insert(op); }
  /// Whether a handler did so, as far as can be seen now.
  bool missedChange() const;
  /// `oldValue` is about to be erased in favour of `newValue`.
  void renamed(mlir::Value oldValue, mlir::Value newValue);

  //===--- At terminators ---===//
  /// Base buffers and conditions of `block`'s list, created at `builder`.
  /// Rejects where an ownership is not unique.
  mlir::FailureOr<DeallocList> buildDeallocList(mlir::OpBuilder &builder,
                                                mlir::Operation *terminator);
  /// Forwarded memrefs in order, then those live across the edge. `to` is null
  /// for a terminator without successors.
  llvm::SmallVector<Retained> toRetain(mlir::Block *from, mlir::Block *to,
                                       mlir::OperandRange forwarded,
                                       trace::RetainReason reason);
  /// Inserts the dealloc and gives the retained values its results as
  /// ownership.
  mlir::bufferization::DeallocOp
  insertDealloc(mlir::OpBuilder &builder, mlir::Operation *terminator,
                const DeallocList &list, mlir::ValueRange conditions,
                llvm::ArrayRef<Retained> retained, int edge);

  //===--- Unique indicators ---===//
  /// `memref` (or a copy) with an i1 that says whether `block` owns it, without
  /// asking the defining op.
  std::pair<mlir::Value, mlir::Value> uniqueOrClone(mlir::OpBuilder &builder,
                                                    mlir::Value memref,
                                                    mlir::Block *block,
                                                    trace::CloneDemand demand);

  //===--- IR made by the pass ---===//
  mlir::Value constant(mlir::OpBuilder &builder, mlir::Location location,
                       bool value);
  /// Event that set the present ownership; `none` if none did.
  trace::Id lastEvent(mlir::Value memref, mlir::Block *block) const;
  /// A rejection's witness while the pass unwinds.
  mlir::LogicalResult reject(mlir::Operation *op, mlir::Value value,
                             trace::RejectionCause cause,
                             llvm::StringRef message,
                             std::vector<trace::Id> witnesses = {});

private:
  mlir::Operation *function;

  struct Entry {
    OwnershipValue ownership;
    trace::Id event = trace::none;
  };
  using Key = std::pair<mlir::Value, mlir::Block *>;
  bool isChanged(mlir::Value memref, mlir::Block *block) const;
  llvm::SmallSetVector<mlir::Value, 4> changedIn(mlir::Block *block) const;
  /// What a handler changed would be lost, if it is not known by now.
  void aboutToWrite(mlir::Value memref, mlir::Block *block);
  bool missedOp() const;

  llvm::DenseMap<Key, Entry> ownerships;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<mlir::Value>> lists;
  std::unique_ptr<HandlerState> handlers;
  bool isMissed = false, isTakingOver = false;
  llvm::DenseSet<trace::Id> gone;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OWNERSHIP_OWNERSHIPSTATE_H
