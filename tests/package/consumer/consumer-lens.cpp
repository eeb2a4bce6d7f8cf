//===- consumer-lens.cpp - memref-lens with a dialect of one's own --------===//

#include "cli/Main.h"

#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"

namespace {

/// Knows no op, and lets every op pass that bears its prefix.
class MineDialect : public mlir::Dialect {
public:
  explicit MineDialect(mlir::MLIRContext *context)
      : mlir::Dialect(getDialectNamespace(), context,
                      mlir::TypeID::get<MineDialect>()) {
    allowUnknownOperations();
  }
  static llvm::StringRef getDialectNamespace() { return "mine"; }
};

} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<MineDialect>();
  return memreflens::memrefLensMain(argc, argv, registry);
}
