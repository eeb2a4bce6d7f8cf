//===- tests/placement/TwoBuffers.cpp -------------------------------------===//
//
// For memref-lens-placement-opt: an op of a dialect of its own that allocates
// two buffers at once, which no dialect of MLIR has.
//
//   %a, %b = "two.buffers"() : () -> (memref<4xf32>, memref<4xf32>)
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace {
class TwoBuffersOp : public mlir::Op<TwoBuffersOp, mlir::OpTrait::ZeroOperands,
                                     mlir::OpTrait::NResults<2>::Impl,
                                     mlir::MemoryEffectOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TwoBuffersOp)
  using Op::Op;
  static llvm::StringRef getOperationName() { return "two.buffers"; }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
  void getEffects(
      llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects) {
    for (mlir::OpResult result : getOperation()->getResults())
      effects.emplace_back(mlir::MemoryEffects::Allocate::get(), result);
  }
};

class TwoDialect : public mlir::Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TwoDialect)
  static llvm::StringRef getDialectNamespace() { return "two"; }
  explicit TwoDialect(mlir::MLIRContext *context)
      : Dialect(getDialectNamespace(), context,
                mlir::TypeID::get<TwoDialect>()) {
    addOperations<TwoBuffersOp>();
  }
};
} // namespace

void registerTwoBuffers(mlir::DialectRegistry &registry) {
  registry.insert<TwoDialect>();
}
