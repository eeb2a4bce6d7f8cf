//===- core/symexec/Observer.h - who is told what happens on paths --------===//
//
// The executor says what happens to memory, in the order in which a path comes
// to it, and reports nothing itself: `FaultReporter` makes faults of it,
// `HeapAccounting` counts bytes. An observer may keep its own notes in a state
// (`State::log`, `live`, `made`), which it shares with no one.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_OBSERVER_H
#define MEMREFLENS_SYMEXEC_OBSERVER_H

#include "core/symexec/State.h"

#include "core/faults/FaultKind.h"
#include "core/trace/Model.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace memreflens::symexec {

class Observer {
public:
  virtual ~Observer() = default;

  //===--- Paths ---===//
  /// The op is next on the path; nothing of it has happened.
  virtual void atOp(State &state, mlir::Operation *op) {}
  /// All ways through the op's regions were taken at once.
  virtual void passedOver(State &state, mlir::Operation *op) {}
  virtual void forked(State &state, mlir::Operation *op, SymbolicExpr condition,
                      bool truth) {}
  /// In front of an iteration of a loop that is not gone through to its end.
  virtual void iterates(mlir::Operation *loop, unsigned iteration,
                        const State &state) {}
  /// A path goes on in a loop as it did at an earlier iteration.
  virtual void repeats(mlir::Operation *loop, unsigned first, unsigned again) {}
  /// Rounds of a loop are taken for others that could have been counted.
  virtual void passesRounds() {}
  /// All paths that could be tried were.
  virtual void finish() {}

  //===--- Memory ---===//
  virtual void allocated(State &state, int32_t object, mlir::Operation *op) {}
  virtual void allocatedOnStack(State &state, int32_t object,
                                mlir::Operation *op) {}
  virtual void deallocated(State &state, int32_t object, mlir::Operation *op) {}
  /// `verb` may be kept: "allocated".
  virtual void happened(State &state, mlir::Operation *op, const char *verb,
                        int32_t object) {}
  virtual void fault(State &state, FaultKind kind, mlir::Operation *op,
                     const Object &object) {}
  /// The op reads a twin that may not have what was written to the other one.
  virtual void lostWrite(const LostWrite &lost, mlir::Operation *op,
                         const Twin &twin, bool isSure) {}

  //===--- Calls ---===//
  /// Whether a callee with a body is run.
  virtual bool runsBody(mlir::FunctionOpInterface callee) { return true; }
  /// A callee, which may be null, is not run.
  virtual void calledUnrun(State &state, mlir::Operation *op,
                           mlir::FunctionOpInterface callee) {}
  /// What the caller gets of a callee that was run.
  virtual void returned(State &state, mlir::Value result,
                        const PathValue &value) {}
  /// What is live at the op is not known in full.
  virtual void gap(trace::PeakGapKind kind, mlir::Operation *op) {}
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_OBSERVER_H
