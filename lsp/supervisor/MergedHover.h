//===- lsp/supervisor/MergedHover.h - one hover from two ------------------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_MERGEDHOVER_H
#define MEMREFLENS_LSP_SUPERVISOR_MERGEDHOVER_H

#include "lsp/wire/Message.h"

namespace memreflens::lsp {

/// Our hover above that of MLIR's server; either may be null. What that server
/// takes from the program is made inert: no name of it is shown as Markdown.
/// `isPlainText`: the client shows no Markdown, so all marks go.
Json mergedHover(Json theirs, const Json &ours, bool isPlainText);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_MERGEDHOVER_H
