//===- core/symexec/CallOps.h - calls and returns -------------------------===//
//
// Runs a callee in a frame of its own, or takes it by the boundary ABI; a
// return goes back to the call, or ends the path (HelperCall.cpp:
// `dealloc_helper`).
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_CALLOPS_H
#define MEMREFLENS_SYMEXEC_CALLOPS_H

#include "core/symexec/MemoryOps.h"

#include "core/source/Contracts.h"

#include "mlir/Interfaces/CallInterfaces.h"

namespace memreflens::symexec {

class CallOps : public OpPart {
public:
  CallOps(MemoryOps &memory, CopyTracker &copies)
      : OpPart(memory), memory(memory), copies(copies) {}

  /// Of a callee that may be null.
  bool runsBody(mlir::FunctionOpInterface callee);
  Step call(State &state, mlir::CallOpInterface op);
  Step leaveFunction(State &state, mlir::Operation *op);

private:
  bool callHelper(State &state, mlir::CallOpInterface op,
                  mlir::Operation *callee);
  bool keepAndRelease(State &state, mlir::CallOpInterface op,
                      const Contract &contract);
  Step bindCallResults(State &state, mlir::CallOpInterface op,
                       mlir::FunctionOpInterface callee);
  Step checkExit(State &state, mlir::Operation *op);

  MemoryOps &memory;
  CopyTracker &copies;
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_CALLOPS_H
