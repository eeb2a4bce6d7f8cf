//===- core/execute/jit/Compile.h - LLVM IR in this process ---------------===//

#ifndef MEMREFLENS_EXECUTE_JIT_COMPILE_H
#define MEMREFLENS_EXECUTE_JIT_COMPILE_H

#include "core/execute/jit/Runtime.h"

#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace memreflens::execute {

/// Machine code of a module; lives as long as it may be run.
struct Compiled {
  std::shared_ptr<llvm::orc::LLJIT> engine;
  void (*main)() = nullptr;
  /// Why there is none.
  std::string error;
};

/// Compiles a module in the LLVM dialect. Beside the runtime it may call what
/// the libraries have, and functions of libm.
Compiled compile(mlir::ModuleOp module,
                 const std::vector<std::string> &libraries);

} // namespace memreflens::execute

#endif // MEMREFLENS_EXECUTE_JIT_COMPILE_H
