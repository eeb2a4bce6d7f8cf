//===- core/execute/jit/Lowering.h - from memrefs to watched LLVM IR ------===//

#ifndef MEMREFLENS_EXECUTE_JIT_LOWERING_H
#define MEMREFLENS_EXECUTE_JIT_LOWERING_H

#include "core/execute/jit/Program.h"

namespace memreflens::execute {

/// What stands in the way of a lowering.
struct LoweringFault {
  std::string message;
  uint32_t site = 0;
};

/// Brings a module that was made ready into the LLVM dialect, by `pipeline`, or
/// ours where that is empty.
LoweringFault lower(mlir::ModuleOp module, const std::string &pipeline);

/// Has each allocation, deallocation, load, store, condition and comparison of
/// a module in the LLVM dialect call the runtime (Runtime.h).
void addHooks(mlir::ModuleOp module, const Program &program);

} // namespace memreflens::execute

#endif // MEMREFLENS_EXECUTE_JIT_LOWERING_H
