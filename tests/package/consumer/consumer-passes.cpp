//===- tests/package/consumer/consumer-passes.cpp -------------------------===//
//
// Our passes in a pass manager of one's own, as docs/passes.md says it.

#include "passes/LensPasses.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <iostream>

int main() {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect, mlir::memref::MemRefDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @f(%m: memref<8xf32>) {\n"
      "  %a = memref.alloc() : memref<8xf32>\n"
      "  memref.copy %m, %a : memref<8xf32> to memref<8xf32>\n"
      "  memref.copy %a, %m : memref<8xf32> to memref<8xf32>\n"
      "  return\n"
      "}\n",
      &context);
  mlir::PassManager pm(&context, mlir::ModuleOp::getOperationName());
  memreflens::buildLensBufferDeallocationPipeline(pm);
  if (!module || mlir::failed(pm.run(*module)))
    return 1;
  int deallocs = 0;
  module->walk([&](mlir::memref::DeallocOp) { ++deallocs; });
  std::cout << deallocs << " deallocated\n";
  return deallocs == 1 ? 0 : 1;
}
