//===- core/dialect/SampleDialect.h - the dialect `sample` ----------------===//
//
// `sample.region_if`, for programs that show control flow of no dialect of MLIR
// (SampleOps.td).
//
//   registry.insert<memreflens::dialect::SampleDialect>();
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_DIALECT_SAMPLEDIALECT_H
#define MEMREFLENS_DIALECT_SAMPLEDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "core/dialect/SampleDialect.h.inc"
#define GET_OP_CLASSES
#include "core/dialect/SampleOps.h.inc"

#endif // MEMREFLENS_DIALECT_SAMPLEDIALECT_H
