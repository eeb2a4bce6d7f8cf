//===- loom-lsp-server.cpp - the language server with `loom` --------------===//

#include "Register.h"
#include "lsp/Main.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  loom::registerLoom(registry);
  loom::registerLoomPasses();
  return memreflens::memrefLensLspServerMain(argc, argv, registry);
}
