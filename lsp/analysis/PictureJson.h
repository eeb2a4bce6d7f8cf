//===- lsp/analysis/PictureJson.h - a control-flow graph as data ----------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_PICTUREJSON_H
#define MEMREFLENS_LSP_ANALYSIS_PICTUREJSON_H

#include "core/graph/Picture.h"
#include "lsp/wire/Message.h"

namespace memreflens::lsp {

/// As PROTOCOL.md has it, "Picture".
Json toJson(const graph::Picture &picture);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_PICTUREJSON_H
