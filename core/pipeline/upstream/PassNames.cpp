//===- core/pipeline/upstream/PassNames.cpp -------------------------------===//

#include "core/pipeline/upstream/PassNames.h"

#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace memreflens {

void registerPipelinePasses() {
  mlir::registerTransformsPasses();
  mlir::memref::registerMemRefPasses();
  mlir::bufferization::registerBufferizationPasses();
  mlir::bufferization::registerBufferizationPipelines();
}

} // namespace memreflens
