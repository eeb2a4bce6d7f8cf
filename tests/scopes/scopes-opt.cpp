//===- tests/scopes/scopes-opt.cpp - mlir-opt with the two steps ----------===//
//
// `--mark-scopes` and `--attach-scopes`, with any passes between them.
//
//===----------------------------------------------------------------------===//

#include "core/dialect/LensDialect.h"
#include "core/pipeline/aliasing/LlvmScopes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace memreflens;

namespace {
struct MarkScopes
    : mlir::PassWrapper<MarkScopes, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MarkScopes)
  llvm::StringRef getArgument() const override { return "mark-scopes"; }
  llvm::StringRef getDescription() const override { return "on memrefs"; }
  void runOnOperation() override { aliasing::markScopes(getOperation()); }
};

struct AttachScopes
    : mlir::PassWrapper<AttachScopes, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AttachScopes)
  AttachScopes() = default;
  AttachScopes(const AttachScopes &other) : PassWrapper(other) {}
  llvm::StringRef getArgument() const override { return "attach-scopes"; }
  llvm::StringRef getDescription() const override { return "on LLVM's ops"; }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::LLVM::LLVMDialect>();
  }
  void runOnOperation() override {
    const aliasing::AttachCounts counts =
        aliasing::attachScopes(getOperation(), {keepInlinable});
    llvm::errs() << "attached " << counts.attached << ", dropped "
                 << counts.dropped << "\n";
  }

  Option<bool> keepInlinable{*this, "keep-inlinable", llvm::cl::init(false)};
};
} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  registry.insert<dialect::LensDialect>();
  mlir::PassRegistration<MarkScopes>();
  mlir::PassRegistration<AttachScopes>();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "mlir-opt with scopes\n", registry));
}
