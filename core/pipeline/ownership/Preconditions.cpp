//===- core/pipeline/ownership/Preconditions.cpp --------------------------===//
//
// Which ops the pass accepts.

#include "core/pipeline/ownership/Assumptions.h"
#include "core/pipeline/ownership/Conditions.h"
#include "core/pipeline/ownership/OwnershipPass.h"
#include "core/pipeline/ownership/Remedies.h"

using namespace mlir;

namespace memreflens {

LogicalResult checkPreconditions(OwnershipState &state, Operation *op) {
  trace::UnregisteredOps unregistered =
      state.recorder.getTrace().options.unregistered;
  if (isAssumedHarmless(op, unregistered))
    return success();
  if (std::optional<Rejection> rejection = rejectionOf(op))
    return state.reject(op, {}, rejection->cause, rejection->message);
  return success();
}

} // namespace memreflens
