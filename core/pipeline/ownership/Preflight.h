//===- core/pipeline/ownership/Preflight.h --------------------------------===//
//
// All that the pass would reject.
//
// The pass stops at the first op that it cannot handle; this goes on, and names
// every op of a function that would stop it, each with the message and what to
// do about it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_OWNERSHIP_PREFLIGHT_H
#define MEMREFLENS_PIPELINE_OWNERSHIP_PREFLIGHT_H

#include "core/trace/Model.h"

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>
#include <vector>

namespace memreflens {

/// Why the pass stops at an op.
struct Rejection {
  trace::RejectionCause cause = trace::RejectionCause::unknownEffects;
  /// Upstream's text, exact.
  const char *message = "";
};

/// The first of the pass's conditions on a single op that `op` does not meet.
std::optional<Rejection> rejectionOf(mlir::Operation *op);

struct RejectedOp {
  /// Op of the trace.
  trace::Id op = trace::none;
  Rejection rejection;
  std::vector<std::string> remedies;
};

/// Every op below `function` that would stop the pass by itself, in order. What
/// only a whole function shows (a loop of branches, ownership that is not
/// unique) is not among them, nor are ops that are not registered and assumed
/// to be harmless.
std::vector<RejectedOp> rejectedOps(
    mlir::Operation *function,
    trace::UnregisteredOps unregistered = trace::UnregisteredOps::reject);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OWNERSHIP_PREFLIGHT_H
