//===- samples/out-of-tree/Register.h -------------------------------------===//
//
// What the programs of this project need.

#ifndef LOOM_REGISTER_H
#define LOOM_REGISTER_H

#include "mlir/IR/DialectRegistry.h"

namespace loom {

/// The dialect `loom`, and those of MLIR that stand beside it in a program.
void registerLoom(mlir::DialectRegistry &registry);

/// The pass `loom-lower-alloc`, by its name.
void registerLoomPasses();

} // namespace loom

#endif // LOOM_REGISTER_H
