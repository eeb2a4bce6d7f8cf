//===- core/pipeline/ownership/ThirdParty.h -------------------------------===//
//
// Other dialects' deallocation handlers.
//
// An op of another dialect that implements BufferDeallocationOpInterface
// expects MLIR's own DeallocationState, which is kept up to date for it
// (HandlerState.h); what it changed is recorded.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_OWNERSHIP_THIRDPARTY_H
#define MEMREFLENS_PIPELINE_OWNERSHIP_THIRDPARTY_H

#include "core/pipeline/ownership/OwnershipPass.h"

namespace memreflens {

/// Calls the op's `process`; its error, if it reports one, is the rejection.
Handled processThirdParty(HandlerContext &context, mlir::Operation *op);

/// Calls the op's `materializeUniqueOwnershipForMemref`.
std::pair<mlir::Value, mlir::Value>
materializeThirdParty(HandlerContext &context, mlir::OpBuilder &builder,
                      mlir::Operation *owner, mlir::Value memref);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OWNERSHIP_THIRDPARTY_H
