//===- lsp/memref-lens-lsp-server.cpp - the server, with all of MLIR ------===//

#include "core/dialect/ProjectDialects.h"
#include "lsp/Main.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  memreflens::registerProjectDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  return memreflens::memrefLensLspServerMain(argc, argv, registry);
}
