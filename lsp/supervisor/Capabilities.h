//===- lsp/supervisor/Capabilities.h - what MLIR's server can do ----------===//
//
// MLIR's server is linked in, so what it answers to `initialize` is known
// before it has started, which takes as long as starting this program. A test
// holds both to be the same.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_CAPABILITIES_H
#define MEMREFLENS_LSP_SUPERVISOR_CAPABILITIES_H

#include "lsp/wire/Message.h"

namespace memreflens::lsp {

/// The server's capabilities for a client's `initialize`.
Json upstreamCapabilities(const Json &initializeParams);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_CAPABILITIES_H
