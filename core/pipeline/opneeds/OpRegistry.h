//===- core/pipeline/opneeds/OpRegistry.h ---------------------------------===//
//
// Ops, interfaces and traits by name.
//
// The registry knows interfaces and traits by number only; the ones that matter
// to deallocation are asked for, and told by name.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_OPNEEDS_OPREGISTRY_H
#define MEMREFLENS_PIPELINE_OPNEEDS_OPREGISTRY_H

#include "core/trace/OpFacts.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OperationSupport.h"

#include <optional>

namespace memreflens {

/// Loads the op's dialect, and all extensions with it. Nothing, and why, where
/// there is no such dialect or op.
std::optional<mlir::RegisteredOperationName>
findRegistered(llvm::StringRef name, const mlir::DialectRegistry &registry,
               mlir::MLIRContext &context, std::string &error);

/// The effects of a made-up op of that name; not asked where it has none, or
/// dies of being asked.
trace::OpProbe probeEffects(mlir::RegisteredOperationName name,
                            const trace::OpFacts &facts);

/// Adds which interfaces and traits the op has, and where an interface is from:
/// the op's dialect is loaded once more without any extension.
void addCapabilities(mlir::RegisteredOperationName name,
                     const mlir::DialectRegistry &registry,
                     trace::OpFacts &facts);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OPNEEDS_OPREGISTRY_H
