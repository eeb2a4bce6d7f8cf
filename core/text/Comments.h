//===- core/text/Comments.h - where a comment ends ------------------------===//

#ifndef MEMREFLENS_TEXT_COMMENTS_H
#define MEMREFLENS_TEXT_COMMENTS_H

#include <algorithm>
#include <string_view>

namespace memreflens {

/// Where the `//` comment that holds the byte at `at` ends: at the next LF or
/// CR, as in MLIR's lexer, or at the end of the text.
inline size_t endOfComment(std::string_view text, size_t at) {
  return std::min(text.find_first_of("\n\r", at), text.size());
}

} // namespace memreflens

#endif // MEMREFLENS_TEXT_COMMENTS_H
