//===- samples/out-of-tree/LoomPasses.cpp - a pass of this project --------===//
//
// `loom-lower-alloc` puts memref.alloc in the place of loom.alloc.
//
//===----------------------------------------------------------------------===//

#include "Loom.h"
#include "Register.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {
struct LowerAlloc : PassWrapper<LowerAlloc, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerAlloc)

  StringRef getArgument() const override { return "loom-lower-alloc"; }
  StringRef getDescription() const override {
    return "put memref.alloc in the place of loom.alloc";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<memref::MemRefDialect>();
  }

  void runOnOperation() override {
    getOperation()->walk([](loom::AllocOp op) {
      auto type = cast<MemRefType>(op.getBuffer().getType());
      OpBuilder builder(op);
      SmallVector<Value> sizes(type.getNumDynamicDims(), op.getSize());
      op.replaceAllUsesWith(
          memref::AllocOp::create(builder, op.getLoc(), type, sizes)
              .getResult());
      op.erase();
    });
  }
};
} // namespace

void loom::registerLoomPasses() { PassRegistration<LowerAlloc>(); }
