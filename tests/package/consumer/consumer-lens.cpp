//===- tests/package/consumer/consumer-lens.cpp ---------------------------===//
//
// Memref-lens with a dialect of one's own.

#include "OwnDialect.h"

#include "cli/Main.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<MineDialect>();
  return memreflens::memrefLensMain(argc, argv, registry);
}
