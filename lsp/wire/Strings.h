//===- lsp/wire/Strings.h - strings of JSON that are whole files ----------===//
//
// A document's text comes as one string of megabytes, and goes on as one. The
// JSON library looks at each of its characters; here all that stands for itself
// is taken eight bytes at a time, and the rest is still the library's.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_WIRE_STRINGS_H
#define MEMREFLENS_LSP_WIRE_STRINGS_H

#include <optional>
#include <string>
#include <string_view>

namespace memreflens::lsp {

/// In quotes, as `Json(text).dump()` has it; what is no UTF-8 gets replacement
/// characters.
std::string jsonQuoted(std::string_view text);

/// What stands between two quotes; nothing where it is no string of JSON.
std::optional<std::string> jsonUnquoted(std::string_view inside);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_WIRE_STRINGS_H
