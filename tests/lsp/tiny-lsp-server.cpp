//===- tests/lsp/tiny-lsp-server.cpp - the server with its own dialect ----===//
//
// Documents whose URI ends in `.tiny.mlir` know the dialect `tiny`; all others
// know what is upstream's only. The canonicalization of `tiny.die` kills the
// process, as a fault in a dialect of somebody's may.
//
//===----------------------------------------------------------------------===//

#include "lsp/Main.h"

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

#include <csignal>

namespace {
class DieOp
    : public mlir::Op<DieOp, mlir::OpTrait::ZeroRegions,
                      mlir::OpTrait::ZeroResults, mlir::OpTrait::ZeroSuccessors,
                      mlir::OpTrait::ZeroOperands> {
public:
  using Op::Op;
  static constexpr llvm::StringLiteral getOperationName() {
    return llvm::StringLiteral("tiny.die");
  }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
  static void getCanonicalizationPatterns(mlir::RewritePatternSet &patterns,
                                          mlir::MLIRContext *) {
    patterns.add(+[](DieOp, mlir::PatternRewriter &) {
      (void)std::raise(SIGSEGV);
      return mlir::failure();
    });
  }
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DieOp)
};

class TinyDialect : public mlir::Dialect {
public:
  explicit TinyDialect(mlir::MLIRContext *context)
      : Dialect(getDialectNamespace(), context,
                mlir::TypeID::get<TinyDialect>()) {
    allowUnknownOperations();
    addOperations<DieOp>();
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
