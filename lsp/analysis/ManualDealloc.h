//===- lsp/analysis/ManualDealloc.h - hand-written deallocs, mended -------===//
//
// The pass rejects a function that frees a buffer itself. Either the dealloc
// goes, so that the pipeline places its own, or it and its allocation are
// marked bufferization.manual_deallocation, so that the pipeline leaves both
// alone. What comes out was tried: the pipeline rejects no dealloc in it any
// more.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_MANUALDEALLOC_H
#define MEMREFLENS_LSP_ANALYSIS_MANUALDEALLOC_H

#include "lsp/analysis/Analyst.h"

namespace memreflens::lsp {

enum class DeallocRemedy : uint8_t { remove, mark };

/// The document's text with the remedy on every dealloc that the pass rejects
/// in the function; empty if that does not make it accept them.
std::string withRemedy(Analyst &analyst, const Document &document,
                       const std::string &function, DeallocRemedy remedy);

/// The op's text with the attribute in its dictionary, made where there is
/// none; empty where there is no place for it.
std::string withManualAttribute(std::string_view op);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_MANUALDEALLOC_H
