//===- core/execute/jit/Run.h - runs a program and counts what happens ----===//
//
//   Record record = run(module, entry, trace, options);
//   textOf(record, /*all=*/false)
//
// The program is lowered, compiled and run in a child process that may do
// nothing but compute: no file, no network, no other process.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXECUTE_JIT_RUN_H
#define MEMREFLENS_EXECUTE_JIT_RUN_H

#include "core/execute/Options.h"
#include "core/execute/Record.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace memreflens::execute {

/// The function to run: the one of that name, else the only public one, else
/// `main`. Null, with `error`, where there is none.
mlir::func::FuncOp entryOf(mlir::ModuleOp module, const std::string &name,
                           std::string &error);

/// Changes the module. The record lacks what the caller knows: file and stage.
Record run(mlir::ModuleOp module, mlir::func::FuncOp entry,
           const trace::Trace &trace, const RunOptions &options);

} // namespace memreflens::execute

#endif // MEMREFLENS_EXECUTE_JIT_RUN_H
