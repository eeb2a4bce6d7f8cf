//===- core/dialect/ProjectDialects.cpp -----------------------------------===//

#include "core/dialect/ProjectDialects.h"
#include "core/dialect/LensDialect.h"
#include "core/dialect/SampleDialect.h"

#include "mlir/IR/DialectRegistry.h"

namespace memreflens {

void registerProjectDialects(mlir::DialectRegistry &registry) {
  registry.insert<dialect::LensDialect, dialect::SampleDialect>();
}

} // namespace memreflens
