//===- tests/fuzz/Dialects.cpp - pays for the headers of all dialects -----===//

#include "tests/fuzz/Dialects.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

const mlir::DialectRegistry &memreflens::fuzz::everyDialect() {
  static const mlir::DialectRegistry &registry = []() -> auto & {
    static mlir::DialectRegistry all;
    mlir::registerAllDialects(all);
    mlir::registerAllExtensions(all);
    return all;
  }();
  return registry;
}
