//===- cli/memref-lens.cpp - the program, with every dialect of MLIR ------===//

#include "cli/Main.h"
#include "core/dialect/ProjectDialects.h"
#include "passes/LensPasses.h"

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
  memreflens::registerLensPasses();
  return memreflens::memrefLensMain(argc, argv, registry);
}
