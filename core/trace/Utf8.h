//===- core/trace/Utf8.h - is this text UTF-8? ----------------------------===//

#ifndef MEMREFLENS_TRACE_UTF8_H
#define MEMREFLENS_TRACE_UTF8_H

#include <string>
#include <string_view>

namespace memreflens::trace {

/// Strict: no overlong forms, no surrogates, nothing past U+10FFFF.
bool isValidUtf8(std::string_view text);

std::string toBase64(std::string_view bytes);
/// False if `text` is not canonical base64 (padded, no spare bits).
bool fromBase64(std::string_view text, std::string &bytes);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_UTF8_H
