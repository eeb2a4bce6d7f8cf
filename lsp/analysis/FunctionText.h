//===- lsp/analysis/FunctionText.h - one function out of a printed module -===//

#ifndef MEMREFLENS_LSP_ANALYSIS_FUNCTIONTEXT_H
#define MEMREFLENS_LSP_ANALYSIS_FUNCTIONTEXT_H

#include <string>
#include <string_view>

namespace memreflens::lsp {

/// The function of that name (without `@`) at column 0, with the module's
/// aliases written out, and dealloc_helper behind it if it calls that. Empty if
/// it is not there.
std::string functionIn(std::string_view module, const std::string &name);

/// Every line but the first moved right.
std::string indented(std::string_view text, size_t columns);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_FUNCTIONTEXT_H
