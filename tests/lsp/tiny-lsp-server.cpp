//===- tests/lsp/tiny-lsp-server.cpp - the server with its own dialect ----===//
//
// Documents whose URI ends in `.tiny.mlir` know the dialect `tiny`; all others
// know what is upstream's only.
//
//===----------------------------------------------------------------------===//

#include "lsp/Main.h"

#include "mlir/IR/Dialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

namespace {
class TinyDialect : public mlir::Dialect {
public:
  explicit TinyDialect(mlir::MLIRContext *context)
      : Dialect(getDialectNamespace(), context,
                mlir::TypeID::get<TinyDialect>()) {
    allowUnknownOperations();
  }
  static constexpr llvm::StringLiteral getDialectNamespace() {
    return llvm::StringLiteral("tiny");
  }
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TinyDialect)
};
} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry plain, tiny;
  for (mlir::DialectRegistry *registry : {&plain, &tiny}) {
    mlir::registerAllDialects(*registry);
    mlir::registerAllExtensions(*registry);
  }
  tiny.insert<TinyDialect>();
  return memreflens::memrefLensLspServerMain(
      argc, argv, [&](const std::string &uri) -> mlir::DialectRegistry & {
        return uri.ends_with(".tiny.mlir") ? tiny : plain;
      });
}
