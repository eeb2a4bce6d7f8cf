//===- core/source/MemorySpace.h - where the memory of a memref is --------===//

#ifndef MEMREFLENS_SOURCE_MEMORYSPACE_H
#define MEMREFLENS_SOURCE_MEMORYSPACE_H

#include "mlir/IR/BuiltinTypes.h"

#include <string>

namespace memreflens {

/// As MLIR prints it, "2" for an integer of any width; empty for the default
/// one, and for what is no memref.
std::string memorySpaceOf(mlir::Type type);

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_MEMORYSPACE_H
