//===- lsp/documents/Uri.h - the file that a document's URI names ---------===//

#ifndef MEMREFLENS_LSP_DOCUMENTS_URI_H
#define MEMREFLENS_LSP_DOCUMENTS_URI_H

#include <string>
#include <string_view>

namespace memreflens::lsp {

/// "a b" of "a%20b" (RFC 3986, 2.1); what is no code stays.
std::string percentDecoded(std::string_view text);

/// "/x/a b.mlir" of "file:///x/a%20b.mlir"; empty for a document that is in no
/// file of this machine.
std::string fileOfUri(std::string_view uri);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_DOCUMENTS_URI_H
