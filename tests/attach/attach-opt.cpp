//===- tests/attach/attach-opt.cpp - all of mlir-opt, with traces ---------===//

#include "core/attach/OptMain.h"
#include "core/dialect/ProjectDialects.h"

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
  return memreflens::optMain(argc, argv, "memref-lens attach test", registry);
}
