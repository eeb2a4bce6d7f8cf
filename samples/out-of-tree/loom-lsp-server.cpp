//===- samples/out-of-tree/loom-lsp-server.cpp ----------------------------===//
//
// The language server with `loom`.

#include "Register.h"
#include "lsp/Main.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  loom::registerLoom(registry);
  loom::registerLoomPasses();
  return memreflens::memrefLensLspServerMain(argc, argv, registry);
}
