//===- core/symexec/Executor.h - tries every path, op by op ---------------===//
//
// Takes paths from a list, runs each op by op, and puts a copy on the list
// where a condition is unknown. What an op does is in `MemoryOps`, `BranchOps`,
// `CallOps` and `RegionOps`, what its values are in `Values`; who wants to know
// what happens is an `Observer`.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_EXECUTOR_H
#define MEMREFLENS_SYMEXEC_EXECUTOR_H

#include "core/symexec/BranchOps.h"
#include "core/symexec/Budget.h"
#include "core/symexec/RegionOps.h"
#include "core/symexec/StateMerging.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace memreflens::symexec {

/// A path that goes on later.
struct Waiting {
  State state;
  /// In words.
  uint64_t size = 0;
};

class Executor : Part {
public:
  explicit Executor(Context &context);
  ExploreResult run();

private:
  State start();
  void wait(State state);
  void runPath(State &state);
  void fork(State &state, mlir::Operation *op);
  Step execute(State &state, mlir::Operation *op, Action action);
  Step assertion(State &state, mlir::cf::AssertOp op);
  Step choice(State &state, mlir::Operation *op);
  void noteFailing(State &state, mlir::cf::AssertOp assertion);

  Values values;
  Meetings meetings;
  std::unique_ptr<Observer> observed;
  Observer &observer;
  CopyTracker copies;
  MemoryOps memory;
  CallOps calls;
  BranchOps branches;
  LoopWidening widening;
  RegionOps regions;
  Budget budget;
  StateMerging merging;
  std::vector<Waiting> waiting;
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_EXECUTOR_H
