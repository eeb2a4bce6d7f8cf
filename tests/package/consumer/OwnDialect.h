//===- tests/package/consumer/OwnDialect.h --------------------------------===//
//
// A dialect that only the consumer knows.

#ifndef CONSUMER_OWNDIALECT_H
#define CONSUMER_OWNDIALECT_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"

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

#endif // CONSUMER_OWNDIALECT_H
