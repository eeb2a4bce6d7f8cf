//===- tests/testdialect/memref-lens-test.cpp - the program with test ops -===//
//
// The command line with MLIR's test dialect beside all others, for inputs that
// need ops which no real dialect has (region_if, side_effect_op).
//
//===----------------------------------------------------------------------===//

#include "cli/Main.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"

namespace test {
void registerTestDialect(mlir::DialectRegistry &registry);
} // namespace test

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  test::registerTestDialect(registry);
  return memreflens::memrefLensMain(argc, argv, registry);
}
