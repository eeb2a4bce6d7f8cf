//===- core/pipeline/opneeds/OpNeeds.h - what the registry says of an op --===//
//
// Fills OpFacts: from a name alone ("what does my op need?"), or from one op.
// Nothing is known by an op's name here; all is asked of the registry.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_OPNEEDS_OPNEEDS_H
#define MEMREFLENS_PIPELINE_OPNEEDS_OPNEEDS_H

#include "core/trace/OpFacts.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace memreflens {

/// Facts about every op called `name`, in a context of `registry`. Nothing, and
/// why with names that are near, where the registry has no such op.
std::optional<trace::OpFacts> factsOfName(llvm::StringRef name,
                                          const mlir::DialectRegistry &registry,
                                          mlir::MLIRContext &context,
                                          std::string &error);

/// Facts about one op of verified IR, as the pass would find it.
trace::OpFacts factsOfOp(mlir::Operation *op);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OPNEEDS_OPNEEDS_H
