//===- core/dialect/LensDialect.h - the dialect `lens` --------------------===//
//
// Aliasing facts in a program: `lens.alias_domain_scope`, scopes on loads and
// stores, and `lens.distinct_objects` with a region (LensOps.td).
//
//   registry.insert<memreflens::dialect::LensDialect>();
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_DIALECT_LENSDIALECT_H
#define MEMREFLENS_DIALECT_LENSDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "core/dialect/LensDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "core/dialect/LensAttributes.h.inc"
#define GET_OP_CLASSES
#include "core/dialect/LensOps.h.inc"

namespace memreflens::dialect {

/// Discardable attribute of an op that accesses memory: an `AliasingAttr`.
inline constexpr llvm::StringLiteral aliasAttribute = "lens.alias";

/// The innermost domain around `op`, up to its function; null if there is none.
AliasDomainScopeOp domainOf(mlir::Operation *op);

} // namespace memreflens::dialect

#endif // MEMREFLENS_DIALECT_LENSDIALECT_H
