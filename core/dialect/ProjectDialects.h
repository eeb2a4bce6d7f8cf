//===- core/dialect/ProjectDialects.h - the dialects of this project ------===//

#ifndef MEMREFLENS_DIALECT_PROJECTDIALECTS_H
#define MEMREFLENS_DIALECT_PROJECTDIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace memreflens {

/// So that programs with `lens` and `sample` can be read.
void registerProjectDialects(mlir::DialectRegistry &registry);

} // namespace memreflens

#endif // MEMREFLENS_DIALECT_PROJECTDIALECTS_H
