//===- tests/package/consumer/consumer-lsp-server.cpp ---------------------===//
//
// The server with one's own dialect.

#include "OwnDialect.h"

#include "lsp/Main.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<MineDialect, mlir::arith::ArithDialect,
                  mlir::func::FuncDialect, mlir::memref::MemRefDialect>();
  return memreflens::memrefLensLspServerMain(argc, argv, registry);
}
