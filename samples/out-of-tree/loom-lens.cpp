//===- samples/out-of-tree/loom-lens.cpp ----------------------------------===//
//
// Memref-lens with the dialect `loom`.

#include "Register.h"
#include "cli/Main.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  loom::registerLoom(registry);
  loom::registerLoomPasses();
  return memreflens::memrefLensMain(argc, argv, registry);
}
