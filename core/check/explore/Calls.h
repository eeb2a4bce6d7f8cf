//===- core/check/explore/Calls.h - who calls whom ------------------------===//

#ifndef MEMREFLENS_CHECK_EXPLORE_CALLS_H
#define MEMREFLENS_CHECK_EXPLORE_CALLS_H

#include "core/check/Collect.h"

#include "mlir/IR/BuiltinOps.h"

namespace memreflens {

/// Direct calls of a chunk's functions, in the order of the text.
std::vector<CallSite> callsIn(mlir::ModuleOp module, const trace::Trace &trace);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_EXPLORE_CALLS_H
