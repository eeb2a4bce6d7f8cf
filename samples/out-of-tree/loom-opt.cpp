//===- samples/out-of-tree/loom-opt.cpp -----------------------------------===//
//
// An mlir-opt with the dialect `loom`.
//
// With `--memref-lens-trace=DIR` each run of its passes leaves a trace. Beside
// MLIR's buffer-deallocation-pipeline it has lens-buffer-deallocation-pipeline.
//
//===----------------------------------------------------------------------===//

#include "Register.h"
#include "core/attach/OptMain.h"
#include "passes/LensPasses.h"

#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  loom::registerLoom(registry);
  loom::registerLoomPasses();
  // Those of MLIR that stand in this project's pipelines.
  mlir::registerTransformsPasses();
  mlir::memref::registerMemRefPasses();
  mlir::bufferization::registerBufferizationPasses();
  mlir::bufferization::registerBufferizationPipelines();
  memreflens::registerLensPasses();
  return memreflens::optMain(argc, argv, "loom opt", registry);
}
